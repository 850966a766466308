//! Parts of variable size: each gives its value and the position behind what lies in place.

use super::{text_of, Env, Lower};
use crate::cells::Rows;
use crate::charge;
use crate::code::Emit;
use crate::module::{Hint, Holds, Register};
use crate::op::{Cut, Have, Op, Ty, What};
use crate::operand::bits;
use crate::operand::{Amount, Arg, Place, Sym};
use aldis_plan::{Blob, Element, Emptiness, Meaning, Node, Repeat, Repr, Run, Scalar, Shape, Slot, SlotKind};
use aldis_schema::Type;

/// The numbers that a head says.
pub(super) struct Head {
    /// Behind it.
    pub at: Sym,
    /// Its registers that someone may ask for: where they are, what they mean, what they say.
    pub registers: Vec<(Place, Meaning, Arg)>,
}

impl Head {
    pub fn find(&self, wanted: impl Fn(Meaning) -> bool) -> Option<(Place, Arg)> {
        self.registers.iter().rev().find(|(_, meaning, _)| wanted(*meaning)).map(|(place, _, value)| (*place, *value))
    }
}

impl<'p> Lower<'_, 'p> {
    pub(super) fn node(&mut self, node: &'p Node, ty: &'p Type, env: Env) -> (Sym, Sym) {
        match node {
            Node::Cell { slot } => self.cell(slot, (env.at, 0), ty, env),
            Node::Call { record } => self.call(*record, env),
            Node::Blob(blob) => self.blob(blob, ty, env),
            Node::Repeat(repeat) => self.repeat(repeat, ty, env),
            Node::Series { count, element } => self.series(*count, element, ty, env),
            Node::Maybe { value } => self.maybe(value, ty, env),
            Node::Rebase { value } => self.node(value, ty, Env { base: env.at, ..env }),
            Node::Opaque { .. } => {
                self.act(What::Refuse { place: Place { base: env.at, plus: 0 } });
                (self.null(), env.at)
            }
        }
    }

    /// A cell, `before` bytes behind where its slot counts from.
    fn cell(&mut self, slot: &'p Slot, (from, before): (Sym, u32), ty: &'p Type, env: Env) -> (Sym, Sym) {
        let at = self.behind(from, before);
        self.need(at, slot.width, Cut::Start);
        charge::cell(self, slot, at);
        let rows = Rows { base: from, have: Have::All, sure: slot.end(), since: 0 };
        let value = self.slot(&rows, slot, ty, Env { at, ..env });
        (value, self.behind(at, slot.width))
    }

    fn behind(&mut self, at: Sym, bytes: u32) -> Sym {
        match bytes {
            0 => at,
            _ => {
                let size = Arg::Const(u64::from(bytes));
                self.role(What::Add { at: Place { base: at, plus: 0 }, size }, Ty::Pos, "at")
            }
        }
    }

    fn need(&mut self, at: Sym, bytes: u32, cut: Cut) -> Sym {
        let what = What::Need { at, size: Arg::Const(u64::from(bytes)), cut };
        self.role(what, Ty::Size, "size")
    }

    pub(super) fn call(&mut self, record: aldis_schema::TypeId, env: Env) -> (Sym, Sym) {
        let routine = self.shared.record_routines[&record];
        let budget = self.budget();
        let args =
            vec![env.at.into(), env.extent, env.version, env.base.into(), env.root, budget.into(), env.depth.into()];
        let others = [(Ty::Val, Hint::Role("record")), (Ty::Pos, Hint::Role("at"))];
        let found = self.paid(What::Call { routine, args }, &others);
        (found[0], found[1])
    }

    fn blob(&mut self, blob: &'p Blob, ty: &Type, env: Env) -> (Sym, Sym) {
        let table = self.shared.table(&blob.head, None);
        let budget = self.budget();
        let what = What::Counted { table, at: env.at, root: env.root, text: text_of(ty), budget };
        let found = self.paid(what, &[(Ty::Val, Hint::Role("bytes")), (Ty::Pos, Hint::Role("at"))]);
        (found[0], found[1])
    }

    /// Reads the head at `at`.
    pub(super) fn head(&mut self, run: &'p Run, at: Sym, root: Arg) -> Head {
        let table = self.shared.table(run, None);
        let budget = self.budget();
        let mut binds = Vec::new();
        let mut registers = Vec::new();
        let rows = self.shared.tables[table.0 as usize].rows.clone();
        for (slot, row) in run.slots.iter().zip(&rows) {
            let SlotKind::Register(register) = &slot.kind else { continue };
            let value = match (&row.holds, register.constant) {
                (Holds::Register(Register::Wanted(repr)), _) => {
                    let hint = row.name.map_or(Hint::Role("register"), Hint::Name);
                    binds.push(self.code.sym(Ty::Raw(bits(*repr)), hint));
                    binds[binds.len() - 1].into()
                }
                (_, Some(constant)) => Arg::Const(constant),
                _ => continue,
            };
            registers.push((Place { base: at, plus: slot.at }, register.meaning, value));
        }
        let behind = self.code.sym(Ty::Pos, Hint::Role("at"));
        let after = self.code.sym(Ty::Budget, Hint::Role("budget"));
        binds.extend([behind, after]);
        self.code.push(Op { binds, what: What::Head { table, at, root, budget } });
        self.code.budget = Some(after);
        Head { at: behind, registers }
    }

    fn repeat(&mut self, repeat: &'p Repeat, ty: &'p Type, env: Env) -> (Sym, Sym) {
        let head = self.head(&repeat.head, env.at, env.root);
        let count = head.find(|meaning| matches!(meaning, Meaning::Count { .. }));
        let count = count.map_or(Arg::Const(0), |(_, count)| count);
        let stated = head.find(|meaning| matches!(meaning, Meaning::Extent { .. })).map(|(_, extent)| extent);
        let least = stated.unwrap_or(Arg::Const(u64::from(repeat.element_min)));
        let fit = What::Fit { count, least, at: head.at, blame: env.at };
        let count = self.role(fit, Ty::Size, "count").into();
        let extent = stated.unwrap_or(env.extent);
        let told = self.charge_count(repeat, count, (extent, env.version), head.at);
        let env = Env { at: head.at, extent, ..env };
        let of = self.shared.list(repeat.shape, ty);
        if let (Element::One(Node::Cell { slot }), Shape::List) = (&repeat.element, repeat.shape) {
            if let Some(scalar) = side_by_side(slot).filter(|_| least == Arg::Const(u64::from(slot.width))) {
                let budget = self.budget();
                let what = What::Scalars { at: env.at, count, scalar: scalar.clone(), of, budget };
                let found = self.paid(what, &[(Ty::Val, Hint::Role("list")), (Ty::Pos, Hint::Role("at"))]);
                return (found[0], found[1]);
            }
        }
        let element = |lower: &mut Self, env: Env| match (&repeat.element, ty.required()) {
            (Element::One(node), ty) => {
                let (item, at) = lower.node(node, ty.element(), env);
                (vec![item.into()], at)
            }
            (Element::Pair { key, value }, Type::Map { key: key_type, value: value_type, .. }) => {
                lower.pair((key, key_type), (value, value_type), env)
            }
            (Element::Pair { key, value }, ty) => lower.pair((key, ty), (value, ty), env),
        };
        self.elements(count, of, !told, env, element)
    }

    /// Charges what the count of a repeat tells. Gives whether that says all of elements without bytes.
    fn charge_count(&mut self, repeat: &Repeat, count: Arg, (extent, version): (Arg, Arg), at: Sym) -> bool {
        let emptiness = self.shared.plan.emptiness(repeat);
        match emptiness {
            Emptiness::Always => charge::charge(self, Amount { times: count, each: Arg::Const(charge::EMPTY) }, at),
            Emptiness::Extent { before } => {
                let short = self.role(What::Equal { a: extent, b: Arg::Const(0) }, Ty::Bool, "empty");
                let pay = |lower: &mut Self| {
                    charge::charge(lower, Amount { times: count, each: Arg::Const(charge::EMPTY) }, at);
                    Vec::new()
                };
                self.branch(short, |lower| lower.unless_since(before, version, pay), |_| Vec::new());
            }
            Emptiness::Never | Emptiness::Unknown => {}
        }
        match &repeat.element {
            Element::One(Node::Call { record }) if repeat.states_extent() => {
                self.charge_lack(*record, count, (extent, Arg::Const(0)), version, at);
            }
            element => charge::short_cells(self, element, count, at),
        }
        emptiness != Emptiness::Unknown
    }

    /// Does as `pay`, but not where the writer's version is `since` or newer.
    fn unless_since(&mut self, since: Option<u32>, version: Arg, pay: impl FnOnce(&mut Self) -> Vec<Arg>) -> Vec<Arg> {
        let Some(since) = since else {
            return pay(self);
        };
        let newer = What::AtLeast { a: version, b: Arg::Const(u64::from(since)) };
        let newer = self.role(newer, Ty::Bool, "newer");
        self.branch(newer, |_| Vec::new(), pay);
        Vec::new()
    }

    /// Elements one after the other; those that took no bytes are charged where that `may` be.
    fn elements(
        &mut self,
        count: Arg,
        of: crate::operand::ListId,
        may_be_empty: bool,
        env: Env,
        element: impl FnOnce(&mut Self, Env) -> (Vec<Arg>, Sym),
    ) -> (Sym, Sym) {
        let (value, carried) = self.each(count, &[env.at], of, |lower, _, carried| {
            let from = carried[0];
            let (items, at) = element(lower, Env { at: from, ..env });
            if may_be_empty {
                let budget = lower.budget();
                lower.paid(What::Unpaid { from, at, amount: charge::EMPTY, budget }, &[]);
            }
            (items, vec![at.into()])
        });
        (value, carried[0])
    }

    /// An entry's key and value. Of two cells the value's slot counts from the key's first byte.
    fn pair(&mut self, key: (&'p Node, &'p Type), value: (&'p Node, &'p Type), env: Env) -> (Vec<Arg>, Sym) {
        let (first, at) = self.node(key.0, key.1, env);
        let (second, at) = match (key.0, value.0) {
            (Node::Cell { slot: key }, Node::Cell { slot }) => self.cell(slot, (env.at, key.width), value.1, env),
            _ => self.node(value.0, value.1, Env { at, ..env }),
        };
        (vec![first.into(), second.into()], at)
    }

    fn series(&mut self, count: u32, element: &'p Node, ty: &'p Type, env: Env) -> (Sym, Sym) {
        let of = self.shared.list(Shape::List, ty);
        let may_be_empty = aldis_plan::node_min_size(self.shared.plan, element) == 0;
        self.elements(Arg::Const(u64::from(count)), of, may_be_empty, env, |lower, env| {
            let (item, at) = lower.node(element, ty.element(), env);
            (vec![item.into()], at)
        })
    }

    /// A byte that tells presence, then the value.
    fn maybe(&mut self, value: &'p Node, ty: &'p Type, env: Env) -> (Sym, Sym) {
        self.need(env.at, 1, Cut::Start);
        charge::visited(self, Arg::Const(1), env.at);
        let place = Place { base: env.at, plus: 0 };
        let flag = self.role(What::Load { place, repr: Repr::U8 }, Ty::Raw(8), "flag");
        let absent = self.role(What::Equal { a: flag.into(), b: Arg::Const(0) }, Ty::Bool, "absent");
        let at = self.behind(env.at, 1);
        let read = |lower: &mut Self| {
            let (value, at) = lower.node(value, ty.required(), Env { at, ..env });
            vec![value.into(), at.into()]
        };
        let found = self.branch(absent, |lower| vec![lower.null().into(), at.into()], read);
        (found[0], found[1])
    }
}

/// The scalar of a cell that lists keep side by side.
fn side_by_side(slot: &Slot) -> Option<&Scalar> {
    match &slot.kind {
        SlotKind::Scalar(scalar) if scalar.null.is_none() && scalar.repr != Repr::Decimal => Some(scalar),
        _ => None,
    }
}
