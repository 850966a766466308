//! Views: a message that was checked as a whole, whose fields are read where they lie, each when it is asked for.

use super::methods::params;
use super::Reading;
use crate::body::{Body, IN};
use crate::kinds::{Kinds, Val};
use crate::split::{parts_of, walk};
use crate::tree::{int, is_false, member, name, not, Expr, Line};
use aldis_plan::Container;
use aldis_routine::{Arg, Block, Op, Routine, RoutineId, Sym, Ty, Value, What};
use aldis_schema::{Field, TypeId};
use std::collections::HashSet;

/// A field of a view: the lines that read it, behind which it is the value.
pub struct Getter<'m> {
    pub record: TypeId,
    pub index: usize,
    pub field: &'m Field,
    pub lines: Vec<Line>,
    pub val: Val,
}

impl Getter<'_> {
    fn walk<'g>(&'g self, see: &mut dyn FnMut(&'g Expr)) {
        walk(&self.lines, see);
        parts_of(&self.val.expr, see);
        self.val.absent.iter().for_each(|absent| parts_of(absent, see));
    }

    /// Whether it calls the state, or gives it on: else it but loads from the bytes.
    pub fn asks_state(&self, kinds: &Kinds<'_>) -> bool {
        let mut exprs = Vec::new();
        self.walk(&mut |expr| exprs.push(expr));
        asks(kinds, &exprs)
    }
}

/// Whether expressions call the state, or give it on, beside asking for its bytes, where they start, and what is so far behind that.
fn asks(kinds: &Kinds<'_>, exprs: &[&Expr]) -> bool {
    let (state, own) = (name(IN), kinds.dialect.state(IN));
    let states = exprs.iter().filter(|expr| ***expr == state || ***expr == own).count();
    let loads = exprs.iter().filter(|expr| match expr {
        Expr::Member(of, field) => **of == state && (*field == "b".into() || *field == "start".into()),
        Expr::Call(of, method, _) => **of == state && *method == "root".into(),
        _ => false,
    });
    states > loads.count()
}

/// A message's view: what it notes of where its record is, by type and name, the lines that find it and what they give, and its
/// fields.
pub struct View<'m> {
    pub record: TypeId,
    pub class: String,
    pub doc: String,
    pub place: Vec<(String, String)>,
    pub open: (Vec<Line>, Vec<Expr>),
    /// Where the bytes of a view begin that has them from its record on.
    pub from: Option<Expr>,
    pub getters: Vec<Getter<'m>>,
    /// The message's check begins with a glance.
    pub is_glanced: bool,
}

impl View<'_> {
    /// Whether the lines that find the record call the state, or give it on.
    pub fn opens_with_state(&self, kinds: &Kinds<'_>) -> bool {
        let (lines, found) = &self.open;
        let mut exprs = Vec::new();
        walk(lines, &mut |expr| exprs.push(expr));
        found.iter().for_each(|expr| parts_of(expr, &mut |expr| exprs.push(expr)));
        asks(kinds, &exprs)
    }
}

impl<'m> Reading<'m> {
    /// The view of a message.
    pub fn view(&mut self, message: usize) -> View<'m> {
        let module = self.module;
        let record = module.schema.messages[message].record;
        let class = self.kinds.names.view(record, self.suffix).to_owned();
        let views = &module.views[record.index()];
        let place = views.first().map(|id| params(&mut Body::new(module, self.kinds, &module[*id])));
        let (open, found) = self.opening(module.opens[message]);
        let from = self.first_byte(views, &found);
        let fields = module.schema.record(record).fields.iter().zip(views).enumerate();
        let getters = fields.map(|(index, (field, id))| {
            let (lines, val) = self.viewed(*id, from.is_some());
            Getter { record, index, field, lines, val }
        });
        let getters: Vec<Getter<'m>> = getters.collect();
        let mut asked = HashSet::new();
        for getter in &getters {
            getter.walk(&mut |expr| {
                if let Expr::Name(own) = expr {
                    asked.insert(own.as_str());
                }
            });
        }
        let places = place.unwrap_or_default().into_iter().zip(found);
        let (place, found) = places.filter(|((_, own), _)| asked.contains(own.as_str())).unzip();
        let doc = format!(
            "A {} in form {}, whose bytes are checked as a whole, and whose fields are read where they lie, each when it is asked \
             for. The bytes must stay as they are.",
            module.schema.type_def(record).name.full(),
            module.form
        );
        let is_glanced = self.able.has_message(&module.schema, record);
        View { record, class, doc, place, open: (open, found), from, getters, is_glanced }
    }

    /// The place of a view's record, where its fields count from no other one, and the view can have the bytes from there on: their
    /// places are known numbers, then.
    fn first_byte(&self, views: &[RoutineId], found: &[Expr]) -> Option<Expr> {
        if !matches!(self.module.container, Container::Plain) || !self.kinds.dialect.cuts_views() {
            return None;
        }
        let mut first = None;
        for id in views {
            let body = Body::new(self.module, self.kinds, &self.module[*id]);
            let params = body.routine.params.iter().filter(|param| !body.is_token(**param)).zip(found);
            for (param, place) in params.filter(|(param, _)| body.ty(**param) == Ty::Pos) {
                let is_asked = body.uses[param.0 as usize] > 0;
                if is_asked && first.replace(place).is_some_and(|first| first != place) {
                    return None;
                }
            }
        }
        first.cloned()
    }

    /// The lines that read a field, and its value: `is_first` says that the record's first byte is the first of all.
    fn viewed(&mut self, id: RoutineId, is_first: bool) -> (Vec<Line>, Val) {
        let routine = &self.module[id];
        let mut body = Body::new(self.module, self.kinds, routine);
        params(&mut body);
        if is_first {
            places(routine).for_each(|at| body.is(at, int(0)));
        }
        if let Some(val) = self.number_or_null(&mut body, &routine.body) {
            return (body.lines, val);
        }
        self.block(&mut body, &routine.body);
        let Some(Arg::Sym(given)) = routine.body.gives.first() else { unreachable!("a view gives a value") };
        let mut val = body.val(*given);
        let is_there = self.kinds.primitive(&val.ty).is_none() || val.absent.as_ref().is_none_or(is_false);
        // A variable that is all there is needs no name.
        match body.lines.pop() {
            Some(Line::Declare(_, own, Some(value))) if is_there && val.expr == name(own.as_str()) => val.expr = value,
            last => body.lines.extend(last),
        }
        (body.lines, val)
    }

    /// A number whose place alone says whether it is there, which is read where it is asked for: that needs no variable.
    fn number_or_null(&mut self, body: &mut Body<'m>, block: &'m Block) -> Option<Val> {
        let (Op { what: What::If { test, then, other }, .. }, before) = block.ops.split_last()? else { return None };
        let ([number], [null]) = (then.ops.as_slice(), other.ops.as_slice()) else { return None };
        let (What::Scalar { scalar, .. }, What::Literal { value }) = (&number.what, &null.what) else { return None };
        let is_one = self.kinds.primitive(&scalar.ty).is_some() && self.module[*value].value == Value::Null;
        if !is_one || scalar.null.is_some() || before.iter().any(|op| matches!(op.what, What::Switch { .. })) {
            return None;
        }
        before.iter().for_each(|op| self.op(body, op));
        let (val, _) = self.value(body, &number.what)?;
        Some(Val { absent: Some(not(body.sym(*test))), ..val })
    }

    fn opening(&mut self, id: RoutineId) -> (Vec<Line>, Vec<Expr>) {
        let routine = &self.module[id];
        let mut body = Body::new(self.module, self.kinds, routine);
        routine.params.iter().for_each(|start| body.is(*start, member(name(IN), "start")));
        self.block(&mut body, &routine.body);
        let gives = routine.body.gives.iter().filter(|arg| !matches!(arg, Arg::Sym(sym) if body.is_token(*sym)));
        let gives = gives.map(|arg| super::capped(&body, *arg)).collect();
        (body.lines, gives)
    }
}

/// The parameters of a routine that are places.
fn places(routine: &Routine) -> impl Iterator<Item = Sym> + '_ {
    routine.params.iter().copied().filter(|param| routine.symbols[param.0 as usize].ty == Ty::Pos)
}
