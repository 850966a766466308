//! The methods of a class that reads, and the fields of one that views.

use super::Reading;
use crate::body::{Body, IN, INTO};
use crate::split;
use crate::tree::{member, name, Line, Member};
use aldis_routine::{Arg, Module, Purpose, Routine, Subject, Sym, Ty};

impl<'m> Reading<'m> {
    /// The methods that read a record or its message, which have these routines, and their constants.
    pub fn members(&mut self, own: &[&'m Routine]) -> Vec<Member> {
        let purposes = [Purpose::Read, Purpose::Check, Purpose::Take, Purpose::Skip];
        let readers = own.iter().filter(|routine| purposes.contains(&routine.purpose));
        let methods: Vec<Member> = readers.flat_map(|routine| self.method(routine)).collect();
        self.cuts.clear();
        self.lacks.clear();
        let glances = self.glances(own);
        self.holders().into_iter().chain(methods).chain(glances).collect()
    }

    /// `readFinal`, `messageFinal`; `checkFinal`, `checkMessageFinal`; `takeFinal`, `skipFinal`
    pub(super) fn function(&self, routine: &Routine) -> String {
        let verb = match (routine.purpose, routine.of) {
            (Purpose::Check, Subject::Record(_)) => "check",
            (Purpose::Check, _) => "checkMessage",
            (Purpose::Take, _) => "take",
            (Purpose::Skip, _) => "skip",
            (_, Subject::Record(_)) => "read",
            _ => "message",
        };
        format!("{verb}{}", aldis_emit::names::capital(self.suffix))
    }

    /// The method of a routine; where that is too long it has parts, and puts each field into its object at once.
    fn method(&mut self, routine: &'m Routine) -> Vec<Member> {
        let (mut params, mut lines) = self.lines(routine, false);
        if split::is_long(&lines) {
            (params, lines) = self.lines(routine, true);
        }
        let gives = match routine.purpose {
            Purpose::Check | Purpose::Skip => "void",
            _ => self.kinds.names.of(routine.of.record(self.module)),
        };
        let name = self.kinds.dialect.method(self.function(routine));
        let method = split::Method { access: "public", name, gives, state: ("In", IN), params };
        method.members(self.kinds.dialect, lines)
    }

    /// The parameters of a routine's method, by type and name, and its lines.
    fn lines(&mut self, routine: &'m Routine, is_long: bool) -> (Vec<(String, String)>, Vec<Line>) {
        let mut body = Body::new(self.module, self.kinds, routine);
        body.is_long = is_long;
        let mut list = params(&mut body);
        if fills(routine.purpose) {
            list.push((self.kinds.names.of(routine.of.record(self.module)).to_owned(), INTO.to_owned()));
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

/// The routines of a module, by the record that they are of, or whose message.
pub fn by_record(module: &Module) -> Vec<Vec<&Routine>> {
    let mut routines = vec![Vec::new(); module.schema.types.len()];
    for routine in &module.routines {
        routines[routine.of.record(module).index()].push(routine);
    }
    routines
}

/// Whether a routine's method reads into an object that it is given.
pub(super) fn fills(purpose: Purpose) -> bool {
    matches!(purpose, Purpose::Read | Purpose::Take)
}

/// The parameters of a method, by type and name.
pub(super) fn params(body: &mut Body<'_>) -> Vec<(String, String)> {
    let params: Vec<Sym> = body.routine.params.iter().copied().filter(|param| !body.is_token(*param)).collect();
    let named = params.into_iter().map(|param| {
        let own = body.fresh(param);
        body.is(param, name(own.as_str()));
        (body.number_type(param).to_owned(), own)
    });
    named.collect()
}
