//! The methods of a class that reads.

use super::Reading;
use crate::body::{Body, IN, INTO};
use crate::split;
use crate::tree::{member, name, Line, Member};
use aldis_routine::{Arg, Purpose, Routine, Subject, Sym, Ty};
use aldis_schema::TypeId;

impl<'m> Reading<'m> {
    /// The methods that read a record or its message, and their constants.
    pub fn members(&mut self, record: TypeId) -> Vec<Member> {
        let module = self.module;
        let is_own = |routine: &&Routine| match routine.of {
            Subject::Record(id) => id == record,
            Subject::Message(index) => module.schema.messages[index].record == record,
        };
        let is_reader = |routine: &&Routine| matches!(routine.purpose, Purpose::Read | Purpose::Check);
        let readers = module.routines.iter().filter(is_reader).filter(is_own);
        let methods: Vec<Member> = readers.flat_map(|routine| self.method(routine)).collect();
        self.cuts.clear();
        self.lacks.clear();
        std::mem::take(&mut self.constants).into_iter().chain(methods).collect()
    }

    pub(super) fn record_of(&self, of: Subject) -> TypeId {
        match of {
            Subject::Record(id) => id,
            Subject::Message(index) => self.module.schema.messages[index].record,
        }
    }

    /// `readFinal`, `messageFinal`; `checkFinal`, `checkMessageFinal`
    pub(super) fn function(&self, routine: &Routine) -> String {
        let verb = match (routine.purpose, routine.of) {
            (Purpose::Check, Subject::Record(_)) => "check",
            (Purpose::Check, _) => "checkMessage",
            (_, Subject::Record(_)) => "read",
            _ => "message",
        };
        self.kinds.dialect.method(format!("{verb}{}", aldis_emit::names::capital(self.suffix)))
    }

    /// The method that gives an object to read into: the one that was there before, or a new one.
    pub(super) fn used(&self, class: &str) -> String {
        format!("{class}Codec.{}", self.kinds.dialect.method("used".to_owned()))
    }

    /// The method of a routine; where that is too long it has parts, and puts each field into its object at once.
    fn method(&mut self, routine: &'m Routine) -> Vec<Member> {
        let (mut params, mut lines) = self.lines(routine, false);
        if split::is_long(&lines) {
            (params, lines) = self.lines(routine, true);
        }
        let is_check = routine.purpose == Purpose::Check;
        let gives = if is_check { "void" } else { self.kinds.names.of(self.record_of(routine.of)) };
        let method = split::Method { name: self.function(routine), gives, state: ("In", IN), params };
        method.members(self.kinds.dialect, lines)
    }

    /// The parameters of a routine's method, by type and name, and its lines.
    fn lines(&mut self, routine: &'m Routine, is_long: bool) -> (Vec<(String, String)>, Vec<Line>) {
        let mut body = Body::new(self.module, self.kinds, routine);
        body.is_long = is_long;
        let params: Vec<Sym> = routine.params.iter().copied().filter(|param| !body.is_token(*param)).collect();
        let mut list = Vec::new();
        for param in params {
            let own = body.fresh(param);
            list.push((body.number_type(param).to_owned(), own.clone()));
            body.is(param, name(own));
        }
        if self.kinds.dialect.reuses() && routine.purpose == Purpose::Read {
            list.push((self.kinds.names.of(self.record_of(routine.of)).to_owned(), INTO.to_owned()));
            let value = routine.body.gives.iter().zip(&routine.results).find(|(_, ty)| **ty == Ty::Val);
            if let Some((Arg::Sym(value), _)) = value {
                body.olds.insert(*value, name(INTO));
            }
        }
        self.block(&mut body, &routine.body);
        for (given, ty) in routine.body.gives.iter().zip(&routine.results).rev() {
            match (ty, given) {
                (Ty::Val, Arg::Sym(sym)) => {
                    let value = body.val(*sym).expr;
                    body.lines.push(Line::Return(value));
                }
                (Ty::Pos, given) => {
                    let behind = body.arg(*given);
                    if behind != member(name(IN), "at") {
                        body.lines.push(Line::Assign(member(name(IN), "at"), "=", behind));
                    }
                }
                _ => {}
            }
        }
        (list, body.lines)
    }
}
