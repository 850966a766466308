//! Records of two sections, and what their pointers lead to.

use super::{table, Lower, Shared, CURRENT};
use crate::cells::Rows;
use crate::code::{Code, Emit};
use crate::module::{Hint, Holds, Purpose, Routine, Subject};
use crate::op::{Frame, Have, Op, Ty, What};
use crate::operand::{Amount, Arg, Place, RoutineId, Sym};
use crate::segments::{Listed, Segments};
use aldis_plan::{
    short_of_cell, ArmSlot, Content, Element, Extent, Limits, Node, Plan, Repr, Scalar, Shape, Slot, SlotKind, Step,
};
use aldis_schema::{Field, Type, TypeId, TypeKind};

/// The places of a record's sections.
#[derive(Clone, Copy, Debug)]
struct Body {
    data: Sym,
    data_size: Arg,
    pointers: Sym,
    pointers_size: Arg,
    segment: Arg,
    depth: Sym,
}

impl Body {
    fn rows(&self) -> Rows {
        Rows { base: self.data, have: Have::Within { extent: self.data_size, version: CURRENT }, sure: 0, since: 0 }
    }
}

/// A pointer's place.
#[derive(Clone, Copy, Debug)]
struct Pointer {
    at: Sym,
    segment: Arg,
    depth: Sym,
}

impl Pointer {
    fn place(&self) -> Place {
        Place { base: self.at, plus: 0 }
    }
}

const POS: Ty = Ty::Pos;

impl<'s, 'p> Lower<'s, 'p> {
    pub(super) fn section_record(shared: &'s mut Shared<'p>, record: TypeId) -> Routine {
        let mut lower = Self::new(shared);
        let role = |code: &mut Code, ty, role| code.sym(ty, Hint::Role(role));
        let code = &mut lower.code;
        let data = role(code, POS, "data");
        let data_size = role(code, Ty::Size, "dataSize");
        let pointers = role(code, POS, "pointers");
        let pointers_size = role(code, Ty::Size, "pointersSize");
        let segment = role(code, Ty::Size, "segment");
        let budget = role(code, Ty::Budget, "budget");
        let depth = role(code, Ty::Depth, "depth");
        code.budget = Some(budget);
        let body = Body {
            data,
            data_size: data_size.into(),
            pointers,
            pointers_size: pointers_size.into(),
            segment: segment.into(),
            depth,
        };
        let block = lower.block(Vec::new(), |lower| {
            let value = lower.level(depth, data, |lower, depth| lower.sections(record, Body { depth, ..body }));
            value.into_iter().chain([lower.budget()]).map(Arg::from).collect()
        });
        Routine {
            of: Subject::Record(record),
            purpose: Purpose::Read,
            params: vec![data, data_size, pointers, pointers_size, segment, budget, depth],
            covered: vec![(data, data_size.into()), (pointers, pointers_size.into())],
            results: vec![Ty::Val, Ty::Budget],
            body: block,
            symbols: lower.code.symbols.into(),
        }
    }

    fn sections(&mut self, record: TypeId, body: Body) -> Vec<Arg> {
        let layout = self.shared.plan.layout(record);
        let count = self.shared.plan.schema.record(record).fields.len();
        let mut fields: Vec<Option<Sym>> = vec![None; count];
        for step in &layout.steps {
            let Step::Run(run) = step else { continue };
            let Extent::Sections { data } = run.extent else { continue };
            let table = self.shared.table(run, Some(record));
            self.plain_rows(table, &body.rows(), &mut fields);
            let rows = self.shared.tables[table.0 as usize].rows.clone();
            for (slot, row) in run.slots.iter().zip(&rows) {
                if let (Holds::Nest(_) | Holds::Other, Some(field)) = (&row.holds, slot.field) {
                    fields[field as usize] = Some(self.section_slot(slot, (record, field), data, body));
                }
            }
        }
        vec![self.make(record, fields).into()]
    }

    /// A field or an arm in its frame; what stands for it where the bytes end before it. Nests and choices are always there: of what their
    /// bytes end before each part is missing by itself.
    fn section_slot(&mut self, slot: &'p Slot, (owner, index): (TypeId, u32), data: u32, body: Body) -> Sym {
        let field = member(self.shared.plan, owner, index);
        let name = self.shared.name(&field.name);
        let missing = self.shared.missing[owner.index()][index as usize];
        let absent = |lower: &mut Self| lower.bind(What::Literal { value: missing }, Ty::Val, Hint::Name(name));
        match &slot.kind {
            SlotKind::Nest { record, slots } => {
                self.in_frame(name, |lower| lower.section_nest(*record, slots, data, body))
            }
            SlotKind::Choice { union, arms } => {
                self.in_frame(name, |lower| lower.choice(*union, arms, slot, data, body))
            }
            SlotKind::Pointer { target } => {
                let plus = slot.at - data;
                let have = Have::Within { extent: body.pointers_size, version: CURRENT };
                let rows = Rows { base: body.pointers, have, sure: 0, since: 0 };
                let read = |lower: &mut Self| {
                    let add = What::Add { at: Place { base: body.pointers, plus }, size: Arg::Const(0) };
                    let at = lower.role(add, POS, "at");
                    let pointer = Pointer { at, segment: body.segment, depth: body.depth };
                    vec![lower.in_frame(name, |lower| lower.pointer(pointer, target, &field.ty)).into()]
                };
                let there = rows.there(self, 0, plus + 8);
                match there {
                    Some(there) => self.branch(there, read, |lower| vec![absent(lower).into()])[0],
                    None => absent(self),
                }
            }
            kind => {
                let rows = body.rows();
                let Some(cell) = table::cell(self.shared, slot, &field.ty) else {
                    self.act(What::Refuse { place: rows.place(slot.at) });
                    return self.null();
                };
                let reach = if let SlotKind::Constant { .. } = kind { 0 } else { slot.end() };
                let value =
                    |lower: &mut Self| vec![rows.value(lower, (slot.at, slot.width), &cell, Hint::Name(name)).into()];
                match (rows.there(self, 0, reach), value) {
                    (Some(there), value) => self.branch(there, value, |lower| vec![absent(lower).into()])[0],
                    (None, _) => rows.value(self, (slot.at, slot.width), &cell, Hint::Name(name)),
                }
            }
        }
    }

    /// A union without a name is no step of a path.
    fn in_frame(&mut self, name: crate::NameId, read: impl FnOnce(&mut Self) -> Sym) -> Sym {
        if self.is_unnamed(name) {
            return read(self);
        }
        self.within(Frame::Field(name), |lower| vec![read(lower).into()])[0]
    }

    fn section_nest(&mut self, record: TypeId, slots: &'p [Slot], data: u32, body: Body) -> Sym {
        let mut fields = vec![None; self.shared.plan.schema.record(record).fields.len()];
        for slot in slots {
            let Some(field) = slot.field else { continue };
            fields[field as usize] = Some(self.section_slot(slot, (record, field), data, body));
        }
        self.make(record, fields)
    }

    fn choice(&mut self, union: TypeId, arms: &'p [ArmSlot], slot: &'p Slot, data: u32, body: Body) -> Sym {
        let rows = body.rows();
        let load = |lower: &mut Self| {
            let what = What::Load { place: rows.place(slot.at), repr: Repr::U16 };
            vec![lower.role(what, Ty::Raw(16), "tag").into()]
        };
        let tag = match rows.there(self, 0, slot.end()) {
            Some(there) => self.branch(there, load, |_| vec![Arg::Const(0)])[0].into(),
            None => Arg::Const(0),
        };
        let mut ways = Vec::new();
        let mut tags = Vec::new();
        let before = self.budget();
        for arm in arms {
            let Some(field) = arm.slot.field else { continue };
            tags.push(arm.tag);
            ways.push(
                self.way(Vec::new(), |lower| vec![lower.section_slot(&arm.slot, (union, field), data, body).into()]),
            );
        }
        ways.push(self.way(Vec::new(), |lower| vec![lower.null().into()]));
        let arm = self.statement(before, ways, |mut blocks| {
            let other = blocks.pop().unwrap_or_default();
            What::Switch { on: tag, arms: tags.into_iter().zip(blocks).collect(), other }
        })[0];
        self.role(What::Arm { union, tag, arm }, Ty::Val, "union")
    }

    /// The value that a pointer leads to; null where it is null.
    fn pointer(&mut self, pointer: Pointer, node: &'p Node, ty: &'p Type) -> Sym {
        let (at, segment) = (pointer.at, pointer.segment);
        if let Node::Opaque { .. } = node {
            let word = self.role(What::Load { place: pointer.place(), repr: Repr::U64 }, Ty::Raw(64), "word");
            let null = self.role(What::Equal { a: word.into(), b: Arg::Const(0) }, Ty::Bool, "null");
            return self.branch(
                null,
                |lower| vec![lower.null().into()],
                |lower| {
                    let budget = Some(lower.budget());
                    let keep = Segments::Keep { at, segment, depth: Some(pointer.depth), budget };
                    vec![lower.paid(What::Segments(keep), &[(Ty::Val, Hint::Role("open"))])[0].into()]
                },
            )[0];
        }
        let aim = self.aim(at, segment);
        let null = self.role(What::Segments(Segments::IsNull { aim }), Ty::Bool, "null");
        let read = |lower: &mut Self| vec![lower.target(pointer, aim, node, ty.required()).into()];
        self.branch(null, |lower| vec![lower.null().into()], read)[0]
    }

    fn aim(&mut self, at: Sym, segment: Arg) -> Sym {
        let budget = Some(self.budget());
        let aim = What::Segments(Segments::Aim { at, segment, budget });
        self.paid(aim, &[(Ty::Aim, Hint::Role("aim"))])[0]
    }

    fn target(&mut self, pointer: Pointer, aim: Sym, node: &'p Node, ty: &'p Type) -> Sym {
        let at = pointer.at;
        match node {
            Node::Call { record } => {
                let body = self.aimed_sections(pointer, aim);
                let sizes = (body.data_size, body.pointers_size);
                self.charge_lack(*record, Arg::Const(1), sizes, CURRENT, at);
                self.section_call(*record, body)
            }
            Node::Blob(blob) => {
                let text = matches!(blob.content, Content::Text(_));
                let octets = Segments::Octets { aim, at, text, budget: Some(self.budget()) };
                self.paid(What::Segments(octets), &[(Ty::Val, Hint::Role("bytes"))])[0]
            }
            Node::Repeat(repeat) => {
                self.act(What::Segments(Segments::IsList { aim, at }));
                self.level(pointer.depth, at, |lower, depth| {
                    vec![lower.pointed_list(Pointer { depth, ..pointer }, aim, &repeat.element, ty).into()]
                })[0]
            }
            _ => self.refused(pointer),
        }
    }

    fn refused(&mut self, pointer: Pointer) -> Sym {
        self.act(What::Refuse { place: pointer.place() });
        self.null()
    }

    fn aimed_sections(&mut self, pointer: Pointer, aim: Sym) -> Body {
        let budget = Some(self.budget());
        let sections = Segments::Sections { aim, at: pointer.at, depth: Some(pointer.depth), budget };
        let found = self.paid(
            What::Segments(sections),
            &[
                (Ty::Size, Hint::Role("segment")),
                (POS, Hint::Role("data")),
                (Ty::Size, Hint::Role("dataSize")),
                (POS, Hint::Role("pointers")),
                (Ty::Size, Hint::Role("pointersSize")),
            ],
        );
        Body {
            segment: found[0].into(),
            data: found[1],
            data_size: found[2].into(),
            pointers: found[3],
            pointers_size: found[4].into(),
            depth: pointer.depth,
        }
    }

    fn section_call(&mut self, record: TypeId, body: Body) -> Sym {
        let routine: RoutineId = self.shared.record_routines[&record];
        let budget = self.budget();
        let args = vec![
            body.data.into(),
            body.data_size,
            body.pointers.into(),
            body.pointers_size,
            body.segment,
            budget.into(),
            body.depth.into(),
        ];
        self.paid(What::Call { routine, args }, &[(Ty::Val, Hint::Role("record"))])[0]
    }

    fn pointed_list(&mut self, pointer: Pointer, aim: Sym, element: &'p Element, ty: &'p Type) -> Sym {
        let (at, budget) = (pointer.at, Some(self.budget()));
        let size = |role| (Ty::Size, Hint::Role(role));
        let others = [
            size("segment"),
            (POS, Hint::Role("first")),
            size("count"),
            size("stride"),
            size("dataSize"),
            size("pointersSize"),
            size("bits"),
        ];
        let found = self.paid(What::Segments(Segments::List { aim, at, budget }), &others);
        let of = Listed { at: found[1], count: found[2], stride: found[3], data: found[4], pointers: found[5] };
        let pointer = Pointer { segment: found[0].into(), ..pointer };
        match element {
            Element::One(Node::Call { record }) => self.record_elements(pointer, of, *record, ty),
            Element::One(Node::Cell { slot }) => match &slot.kind {
                SlotKind::Scalar(scalar) => self.scalar_elements(pointer, of, (scalar, found[6]), ty),
                SlotKind::Pointer { target } => self.pointer_elements(pointer, of, target, ty),
                _ => self.void_elements(at, of, ty),
            },
            _ => self.refused(pointer),
        }
    }

    fn seat(&mut self, of: Listed, index: Sym) -> (Sym, Sym) {
        let binds = ["data", "pointers"].map(|role| self.code.sym(POS, Hint::Role(role)));
        self.code.push(Op { binds: binds.to_vec(), what: What::Segments(Segments::Seat { of, index }) });
        (binds[0], binds[1])
    }

    fn record_elements(&mut self, pointer: Pointer, of: Listed, record: TypeId, ty: &'p Type) -> Sym {
        let bits = self.role(What::Equal { a: of.stride.into(), b: Arg::Const(1) }, Ty::Bool, "bits");
        let refuse = |lower: &mut Self| {
            lower.act(What::Refuse { place: pointer.place() });
            Vec::new()
        };
        self.branch(bits, refuse, |_| Vec::new());
        let sizes = (of.data.into(), of.pointers.into());
        self.charge_lack(record, of.count.into(), sizes, CURRENT, pointer.at);
        let list = self.shared.list(Shape::List, ty);
        let each = |lower: &mut Self, index: Sym, _: &[Sym]| {
            let (data, pointers) = lower.seat(of, index);
            let body = Body {
                data,
                data_size: of.data.into(),
                pointers,
                pointers_size: of.pointers.into(),
                segment: pointer.segment,
                depth: pointer.depth,
            };
            (vec![lower.section_call(record, body).into()], Vec::new())
        };
        self.each(of.count.into(), &[], list, each).0
    }

    fn least(&mut self, size: Sym, least: u32, pointer: Pointer) {
        self.role(What::Least { size: size.into(), least, place: pointer.place() }, Ty::Size, "size");
    }

    fn scalar_elements(
        &mut self,
        pointer: Pointer,
        of: Listed,
        (scalar, bits): (&'p Scalar, Sym),
        ty: &'p Type,
    ) -> Sym {
        let list = self.shared.list(Shape::List, ty);
        let (at, count, scalar) = (of.at, Arg::Sym(of.count), scalar.clone());
        if let Repr::Bit(_) = scalar.repr {
            self.least(bits, 1, pointer);
            let eighths = self.role(What::Segments(Segments::Eighths { count }), Ty::Size, "bytes").into();
            let amount = Amount { times: eighths, each: Arg::Const(Limits::EIGHT_BITS) };
            crate::charge::extra(self, amount, pointer.at);
            return self.role(What::Segments(Segments::Bits { at, count, scalar, of: list }), Ty::Val, "list");
        }
        let width = scalar.repr.width();
        self.least(of.data, width, pointer);
        let short = short_of_cell(width.into());
        if short > 0 {
            crate::charge::extra(self, Amount { times: count, each: Arg::Const(short) }, pointer.at);
        }
        self.role(What::Segments(Segments::Strided { of, scalar, list }), Ty::Val, "list")
    }

    fn pointer_elements(&mut self, pointer: Pointer, of: Listed, target: &'p Node, ty: &'p Type) -> Sym {
        self.least(of.pointers, 8, pointer);
        let list = self.shared.list(Shape::List, ty);
        let each = |lower: &mut Self, index: Sym, _: &[Sym]| {
            let (_, at) = lower.seat(of, index);
            (vec![lower.pointer(Pointer { at, ..pointer }, target, ty.element()).into()], Vec::new())
        };
        self.each(of.count.into(), &[], list, each).0
    }

    /// A value of no bytes is charged the same in whatever encoding it comes.
    fn void_elements(&mut self, at: Sym, of: Listed, ty: &'p Type) -> Sym {
        let short = self.role(What::Segments(Segments::Short { bits: of.stride.into() }), Ty::Size, "short");
        crate::charge::extra(self, Amount { times: of.count.into(), each: short.into() }, at);
        let list = self.shared.list(Shape::List, ty);
        self.each_free(of.count.into(), list, |lower, _| lower.null())
    }

    /// The record of a message behind its first pointer; a null pointer is a record without bytes.
    pub(super) fn pointed_root(&mut self, record: TypeId, start: Sym, depth: Sym) -> (Sym, Sym) {
        let at = self.role(What::Segments(Segments::Open), POS, "at");
        let pointer = Pointer { at, segment: Arg::Const(0), depth };
        let aim = self.aim(at, pointer.segment);
        let null = self.role(What::Segments(Segments::IsNull { aim }), Ty::Bool, "null");
        let none = Arg::Const(0);
        let found = self.branch(
            null,
            |_| vec![none, start.into(), none, start.into(), none],
            |lower| {
                let body = lower.aimed_sections(pointer, aim);
                vec![body.segment, body.data.into(), body.data_size, body.pointers.into(), body.pointers_size]
            },
        );
        let body = Body {
            segment: found[0].into(),
            data: found[1],
            data_size: found[2].into(),
            pointers: found[3],
            pointers_size: found[4].into(),
            depth,
        };
        (self.section_call(record, body), self.role(What::End, POS, "size"))
    }
}

/// A field of a record, or an arm of a union.
pub(super) fn member(plan: &Plan, owner: TypeId, index: u32) -> &Field {
    match &plan.schema.type_def(owner).kind {
        TypeKind::Union(union) => &union.arms[index as usize].field,
        _ => &plan.schema.record(owner).fields[index as usize],
    }
}
