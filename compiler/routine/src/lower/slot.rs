//! Slots whose values are read by operations of their own.

use super::{table, Env, Lower, NO};
use crate::cells::Rows;
use crate::code::Emit;
use crate::module::{Hint, Row};
use crate::op::{Have, Ty, What};
use crate::operand::{Arg, Place, Sym};
use crate::value::Value;
use aldis_plan::{Link, Node, NullLink, Repr, Scalar, Shape, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl<'p> Lower<'_, 'p> {
    /// The value of type `ty` in a slot whose bytes are there.
    pub(super) fn slot(&mut self, rows: &Rows, slot: &'p Slot, ty: &'p Type, env: Env) -> Sym {
        if let Some(cell) = table::cell(self.shared, slot, ty) {
            return rows.value(self, (slot.at, slot.width), &cell, Hint::Role("item"));
        }
        let place = rows.place(slot.at);
        match &slot.kind {
            SlotKind::Scalar(Scalar { repr: Repr::Decimal, .. }) => {
                self.role(What::Decimal { place }, Ty::Val, "decimal")
            }
            SlotKind::Array { count, element } => self.array(place, *count, element, ty, env),
            SlotKind::Nest { record, slots } => self.nest(rows, *record, slots, env),
            SlotKind::Link(link) => self.link(place, link, ty, env),
            SlotKind::Presence(link) => self.presence(place, link, ty, env),
            _ => {
                self.act(What::Refuse { place });
                self.null()
            }
        }
    }

    fn array(&mut self, place: Place, count: u32, element: &'p Slot, ty: &'p Type, env: Env) -> Sym {
        let of = self.shared.list(Shape::List, ty);
        let stride = element.width;
        let each = |lower: &mut Self, index: Sym, _: &[Sym]| {
            let count = Arg::Const(u64::from(count));
            let base = lower.role(What::Element { place, index, stride, count }, Ty::Pos, "at");
            let rows = Rows { base, have: Have::All, sure: stride, since: 0 };
            (vec![lower.slot(&rows, element, ty.element(), env).into()], Vec::new())
        };
        self.each(Arg::Const(u64::from(count)), &[], of, each).0
    }

    /// A nested record, some member of which is not plain.
    fn nest(&mut self, rows: &Rows, record: TypeId, slots: &'p [Slot], env: Env) -> Sym {
        let count = self.shared.plan.schema.record(record).fields.len();
        let mut fields = vec![None; count];
        for slot in slots {
            let Some(field) = slot.field else { continue };
            let row = table::row(self.shared, slot, Some(record));
            fields[field as usize] = Some(self.member(rows, slot, &row, (record, field), env));
        }
        self.make(record, fields)
    }

    fn member(&mut self, rows: &Rows, slot: &'p Slot, row: &Row, field: (TypeId, u32), env: Env) -> Sym {
        match row.plain() {
            Some(cell) => rows.row(self, row, cell),
            None => self.field(rows, slot, row, field, env),
        }
    }

    fn presence(&mut self, place: Place, link: &'p Link, ty: &'p Type, env: Env) -> Sym {
        let flag = self.role(What::Load { place, repr: Repr::U8 }, Ty::Raw(8), "flag");
        let absent = self.role(What::Equal { a: flag.into(), b: Arg::Const(0) }, Ty::Bool, "absent");
        let place = Place { plus: place.plus + 1, ..place };
        let read = |lower: &mut Self| vec![lower.link(place, link, ty.required(), env).into()];
        self.branch(absent, |lower| vec![lower.null().into()], read)[0]
    }

    /// Follows a link, and comes back.
    fn link(&mut self, place: Place, link: &'p Link, ty: &'p Type, env: Env) -> Sym {
        let offset = self.role(What::Load { place, repr: Repr::U32 }, Ty::Raw(32), "offset");
        let follow = |lower: &mut Self| {
            let what = What::Follow { base: env.base, offset: offset.into(), place };
            let at = lower.role(what, Ty::Pos, "at");
            lower.node(&link.target, ty, Env { at, root: NO, ..env }).0
        };
        match link.null {
            NullLink::Refused => follow(self),
            NullLink::Empty => {
                let none = self.role(What::Equal { a: offset.into(), b: Arg::Const(0) }, Ty::Bool, "none");
                let empty = empty(&link.target);
                self.branch(none, |lower| vec![lower.value(empty, ty).into()], |lower| vec![follow(lower).into()])[0]
            }
        }
    }
}

fn empty(target: &Node) -> Value {
    match target {
        Node::Repeat(repeat) if repeat.shape == Shape::Map => Value::Map(Vec::new()),
        Node::Repeat(_) => Value::List(Vec::new()),
        _ => Value::Bytes(Vec::new()),
    }
}
