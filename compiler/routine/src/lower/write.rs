//! Routines that write. A run is filled in, then what its links lead to follows; a repeat of cells is one table, and what
//! its links lead to comes after it.

use super::{text_of, Lower, Shared};
use crate::code::{Code, Emit};
use crate::module::{Hint, Purpose, Put, Routine, Subject};
use crate::op::{Frame, Ty, What};
use crate::operand::{Amount, Arg, BlankId, Place, Sym};
use crate::write::Write;
use aldis_plan::{Element, Layout, Link, Node, Plan, Repeat, Repr, Run, Slot, SlotKind, Step};
use aldis_schema::{Type, TypeId};

/// The options that writing obeys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Env {
    /// The place that links count from.
    pub base: Sym,
    pub depth: Sym,
}

/// An entry of a blank that lies behind a position.
type Spot = (BlankId, u32, Sym);

impl<'s, 'p> Lower<'s, 'p> {
    pub(super) fn record_writer(shared: &'s mut Shared<'p>, record: TypeId) -> Routine {
        let mut lower = Self::new(shared);
        let role = |code: &mut Code, ty, role| code.sym(ty, Hint::Role(role));
        let code = &mut lower.code;
        let value = role(code, Ty::Given, "value");
        let base = role(code, Ty::Pos, "base");
        let out = role(code, Ty::Out, "out");
        let depth = role(code, Ty::Depth, "depth");
        code.budget = Some(out);
        let layout = lower.shared.plan.layout(record);
        let body = lower.block(Vec::new(), |lower| {
            lower.act(What::Write(Write::OfRecord { value, record }));
            let at = lower.here();
            lower.level(depth, at, |lower, depth| {
                let base = if layout.rebase { at } else { base };
                lower.write_steps(layout, value, Env { base, depth });
                Vec::new()
            });
            vec![lower.budget().into()]
        });
        Routine {
            of: Subject::Record(record),
            purpose: Purpose::Write,
            covered: Vec::new(),
            params: vec![value, base, out, depth],
            results: vec![Ty::Out],
            body,
            symbols: lower.code.symbols.into(),
        }
    }

    /// An operation that takes `out` and gives it on.
    pub(super) fn put(&mut self, write: impl FnOnce(Sym) -> Write) {
        let out = self.budget();
        self.paid(What::Write(write(out)), &[]);
    }

    /// The same for one that gives a position too.
    pub(super) fn placed(&mut self, write: impl FnOnce(Sym) -> Write) -> Sym {
        let out = self.budget();
        self.paid(What::Write(write(out)), &[(Ty::Pos, Hint::Role("at"))])[0]
    }

    pub(super) fn here(&mut self) -> Sym {
        self.placed(|out| Write::Here { out })
    }

    pub(super) fn reserve(&mut self, size: Amount) -> Sym {
        self.placed(|out| Write::Reserve { out, size })
    }

    fn is_null(&mut self, value: Sym) -> Sym {
        self.role(What::Write(Write::IsNull { value }), Ty::Bool, "null")
    }

    /// Emits `write`, unless the value is null; then `null`.
    pub(super) fn unless_null(&mut self, value: Sym, null: impl FnOnce(&mut Self), write: impl FnOnce(&mut Self)) {
        let test = self.is_null(value);
        let null = |lower: &mut Self| {
            null(lower);
            Vec::new()
        };
        self.branch(test, null, |lower| {
            write(lower);
            Vec::new()
        });
    }

    /// A union without a name is no step of a path.
    pub(super) fn named(&mut self, name: crate::NameId, fill: impl FnOnce(&mut Self)) {
        match self.is_unnamed(name) {
            true => fill(self),
            false => self.framed(Frame::Field(name), fill),
        }
    }

    fn framed(&mut self, frame: Frame, fill: impl FnOnce(&mut Self)) {
        self.within(frame, |lower| {
            fill(lower);
            Vec::new()
        });
    }

    fn write_steps(&mut self, layout: &'p Layout, value: Sym, env: Env) {
        for step in &layout.steps {
            match step {
                Step::Run(run) => self.write_run(run, layout.record, value, env),
                Step::Part { field, since, node } => self.write_part(layout.record, (*field, *since), node, value, env),
            }
        }
    }

    fn write_part(&mut self, record: TypeId, (field, since): (u32, u32), node: &'p Node, value: Sym, env: Env) {
        let ty = &self.shared.plan.schema.record(record).fields[field as usize].ty;
        let (name, value) = self.get(value, record, field);
        self.framed(Frame::Field(name), |lower| match since {
            0 => lower.write_node(node, value, ty, env),
            _ => lower.unless_null(value, |lower| lower.empty(node), |lower| lower.write_node(node, value, ty, env)),
        });
    }

    pub(super) fn get(&mut self, value: Sym, record: TypeId, field: u32) -> (crate::NameId, Sym) {
        let name = self.shared.field_name(record, field);
        let value = self.bind(What::Write(Write::Get { value, record, field }), Ty::Given, Hint::Name(name));
        (name, value)
    }

    fn write_run(&mut self, run: &'p Run, record: TypeId, value: Sym, env: Env) {
        let blank = self.shared.blank(run, Some(record));
        let at = self.reserve(Amount::exactly(run.size.into()));
        self.write_slots(&run.slots, (blank, at), value, env);
    }

    /// Fills in what is plain, in stretches, and writes what is between them.
    pub(super) fn write_slots(&mut self, slots: &'p [Slot], (blank, at): (BlankId, Sym), value: Sym, env: Env) {
        let mut first = 0;
        while first < slots.len() {
            let count = (first..slots.len()).take_while(|entry| self.shared.is_plain(blank, *entry)).count();
            if count == 0 {
                self.write_other(&slots[first], (blank, first as u32, at), value, env);
                first += 1;
                continue;
            }
            let entries = &self.shared.blanks[blank.0 as usize].entries[first..first + count];
            if entries.iter().any(|entry| entry.put != Put::Nothing) {
                self.put(|out| Write::Fill { out, blank, first: first as u32, count: count as u32, at, value });
            }
            first += count;
        }
    }

    /// A field that is not plain.
    fn write_other(&mut self, slot: &'p Slot, spot: Spot, value: Sym, env: Env) {
        let blank = &self.shared.blanks[spot.0 .0 as usize];
        let (Some(record), Some(field)) = (blank.record, slot.field) else { return };
        if let SlotKind::Pointer { .. } = slot.kind {
            return; // Zero, until what it leads to is written.
        }
        let entry = &blank.entries[spot.1 as usize];
        // A byte that tells presence asks for itself.
        let nullable = entry.nullable && !matches!(slot.kind, SlotKind::Presence(_));
        let holds_scalars = entry.put != Put::Other;
        let ty = &self.shared.plan.schema.record(record).fields[field as usize].ty;
        let (name, value) = self.get(value, record, field);
        self.named(name, |lower| match nullable {
            false => lower.write_slot(slot, spot, value, ty, env),
            true => {
                let null = |lower: &mut Self| {
                    if holds_scalars {
                        lower.put(|out| Write::Null { out, blank: spot.0, entry: spot.1, at: spot.2 });
                    }
                };
                lower.unless_null(value, null, |lower| lower.write_slot(slot, spot, value, ty, env));
            }
        });
    }

    /// A value of type `ty` into a slot whose bytes are reserved.
    pub(super) fn write_slot(&mut self, slot: &'p Slot, (blank, entry, at): Spot, value: Sym, ty: &'p Type, env: Env) {
        if self.shared.is_plain(blank, entry as usize) {
            return self.put(|out| Write::Cell { out, blank, entry, at, value });
        }
        let put = self.shared.blanks[blank.0 as usize].entries[entry as usize].put.clone();
        let place = Place { base: at, plus: slot.at };
        match (&slot.kind, put) {
            (SlotKind::Array { element: slot, .. }, Put::Array { count, stride, element }) => {
                self.act(What::Write(Write::Exactly { value, count, in_run: true }));
                let count = Arg::Const(count.into());
                self.write_items(count, value, |lower, index, item| {
                    let at = lower.role(What::Element { place, index, stride, count }, Ty::Pos, "at");
                    lower.write_slot(slot, (element, 0, at), item, ty.element(), env);
                });
            }
            (SlotKind::Nest { slots, .. }, Put::Nest { record, members }) => {
                self.act(What::Write(Write::OfRecord { value, record }));
                self.write_slots(slots, (members, at), value, env);
            }
            (SlotKind::Choice { union, arms }, _) => self.write_choice((*union, arms), place, value, env),
            (SlotKind::Link(link), _) => self.write_link(link, place, value, ty, env),
            (SlotKind::Presence(link), _) => {
                let there = |lower: &mut Self| {
                    lower.put(|out| Write::Store { out, place, repr: Repr::U8, number: Arg::Const(1) });
                    let place = Place { plus: place.plus + 1, ..place };
                    lower.write_link(link, place, value, ty.required(), env);
                };
                self.unless_null(value, |_| {}, there);
            }
            _ => self.act(What::Write(Write::Wrong)),
        }
    }

    fn write_link(&mut self, link: &'p Link, place: Place, value: Sym, ty: &'p Type, env: Env) {
        self.put(|out| Write::Link { out, place, base: env.base });
        self.write_node(&link.target, value, ty, env);
    }

    /// The elements of a list, each in its frame.
    pub(super) fn write_items(&mut self, count: Arg, value: Sym, fill: impl FnOnce(&mut Self, Sym, Sym)) {
        self.repeated(count, |lower, index| {
            let item = lower.role(What::Write(Write::Item { value, index }), Ty::Given, "item");
            lower.framed(Frame::Element(index), |lower| fill(lower, index, item));
        });
    }

    /// The entries of a map, each in its frame.
    fn write_pairs(&mut self, count: Arg, value: Sym, fill: impl FnOnce(&mut Self, Sym, (Sym, Sym))) {
        self.repeated(count, |lower, index| {
            let pair = ["key", "value"].map(|role| lower.code.sym(Ty::Given, Hint::Role(role)));
            lower.code.push(crate::Op { binds: pair.to_vec(), what: What::Write(Write::Pair { value, index }) });
            lower.framed(Frame::Element(index), |lower| fill(lower, index, (pair[0], pair[1])));
        });
    }

    fn write_node(&mut self, node: &'p Node, value: Sym, ty: &'p Type, env: Env) {
        match node {
            Node::Cell { slot } => {
                let blank = self.shared.cell_blank(slot, ty);
                let at = self.reserve(Amount::exactly(slot.width.into()));
                self.write_slot(slot, (blank, 0, at), value, ty, env);
            }
            Node::Call { record } => self.call_writer(*record, value, env),
            Node::Blob(blob) => {
                let size = self.role(What::Write(Write::Octets { value, text: text_of(ty) }), Ty::Size, "size").into();
                self.begin(&blob.head, size);
                self.put(|out| Write::Append { out, value, size });
            }
            Node::Repeat(repeat) => self.write_repeat(repeat, value, ty, env),
            Node::Series { count, element } => {
                self.act(What::Write(Write::Exactly { value, count: *count, in_run: false }));
                self.one_by_one(element, (Arg::Const((*count).into()), value), ty, env);
            }
            Node::Maybe { value: inner } => {
                let at = self.reserve(Amount::exactly(1));
                let there = |lower: &mut Self| {
                    let place = Place { base: at, plus: 0 };
                    lower.put(|out| Write::Store { out, place, repr: Repr::U8, number: Arg::Const(1) });
                    lower.write_node(inner, value, ty.required(), env);
                };
                self.unless_null(value, |_| {}, there);
            }
            Node::Rebase { value: inner } => {
                let base = self.here();
                self.write_node(inner, value, ty, Env { base, ..env });
            }
            Node::Opaque { .. } => self.act(What::Write(Write::Wrong)),
        }
    }

    pub(super) fn call_writer(&mut self, record: TypeId, value: Sym, env: Env) {
        let routine = self.shared.write_routines[&record];
        let out = self.budget();
        let args = vec![value.into(), env.base.into(), out.into(), env.depth.into()];
        self.paid(What::Call { routine, args }, &[]);
    }

    pub(super) fn begin(&mut self, head: &'p Run, count: Arg) -> Sym {
        let blank = self.shared.blank(head, None);
        self.placed(|out| Write::Begin { out, blank, count })
    }

    /// A part that an older writer's message has none of.
    fn empty(&mut self, node: &'p Node) {
        match node {
            Node::Blob(blob) => _ = self.begin(&blob.head, Arg::Const(0)),
            Node::Repeat(repeat) => _ = self.begin(&repeat.head, Arg::Const(0)),
            _ => self.act(What::Write(Write::Wrong)),
        }
    }

    fn write_repeat(&mut self, repeat: &'p Repeat, value: Sym, ty: &'p Type, env: Env) {
        let of = self.shared.list(repeat.shape, ty);
        let value = match repeat.shape {
            aldis_plan::Shape::List => value,
            _ => self.role(What::Write(Write::Sorted { value, of }), Ty::Given, "sorted"),
        };
        let count = self.role(What::Write(Write::Count { value, of }), Ty::Size, "count").into();
        self.begin(&repeat.head, count);
        match (&repeat.element, ty.required()) {
            (Element::Pair { key, value: node }, Type::Map { key: key_type, value: value_type, .. }) => {
                self.write_map((key, key_type), (node, value_type), (count, value), env);
            }
            (Element::One(Node::Cell { slot }), ty) => self.write_table(slot, (count, value), ty.element(), env),
            (Element::One(node), ty) => self.one_by_one(node, (count, value), ty, env),
            _ => self.act(What::Write(Write::Wrong)),
        }
    }

    /// Cells side by side.
    fn write_table(&mut self, slot: &'p Slot, (count, value): (Arg, Sym), ty: &'p Type, env: Env) {
        let (blank, stride) = (self.shared.cell_blank(slot, ty), slot.width);
        let at = self.reserve(Amount { times: count, each: Arg::Const(stride.into()) });
        if stride == 0 {
            self.note_empty(at, count);
        }
        if self.shared.is_plain(blank, 0) {
            return self.put(|out| Write::Cells { out, blank, at, count, stride, value });
        }
        self.write_items(count, value, |lower, index, item| {
            let place = Place { base: at, plus: 0 };
            let at = lower.role(What::Element { place, index, stride, count }, Ty::Pos, "at");
            lower.write_slot(slot, (blank, 0, at), item, ty, env);
        });
    }

    fn write_map(
        &mut self,
        key: (&'p Node, &'p Type),
        value: (&'p Node, &'p Type),
        (count, entries): (Arg, Sym),
        env: Env,
    ) {
        let (Node::Cell { slot: key_slot }, Node::Cell { slot: value_slot }) = (key.0, value.0) else {
            let may_be_empty = ![key.0, value.0].iter().any(|node| writes_bytes(self.shared.plan, node));
            return self.write_pairs(count, entries, |lower, _, (first, second)| {
                lower.noting_empty(may_be_empty, |lower| {
                    lower.write_node(key.0, first, key.1, env);
                    lower.write_node(value.0, second, value.1, env);
                });
            });
        };
        let stride = key_slot.width + value_slot.width;
        let at = self.reserve(Amount { times: count, each: Arg::Const(stride.into()) });
        if stride == 0 {
            self.note_empty(at, count);
        }
        let blanks = [(key_slot, key.1), (value_slot, value.1)].map(|(slot, ty)| self.shared.cell_blank(slot, ty));
        self.write_pairs(count, entries, |lower, index, (first, second)| {
            let place = Place { base: at, plus: 0 };
            let at = lower.role(What::Element { place, index, stride, count }, Ty::Pos, "at");
            lower.write_slot(key_slot, (blanks[0], 0, at), first, key.1, env);
            lower.write_slot(value_slot, (blanks[1], 0, at), second, value.1, env);
        });
    }

    fn one_by_one(&mut self, element: &'p Node, (count, value): (Arg, Sym), ty: &'p Type, env: Env) {
        let may_be_empty = !writes_bytes(self.shared.plan, element);
        self.write_items(count, value, |lower, _, item| {
            lower.noting_empty(may_be_empty, |lower| lower.write_node(element, item, ty.element(), env));
        });
    }

    /// An element, noted where it turns out to have no bytes.
    fn noting_empty(&mut self, may_be: bool, write: impl FnOnce(&mut Self)) {
        if !may_be {
            return write(self);
        }
        let from = self.here();
        write(self);
        self.note_empty(from, Arg::Const(1));
    }

    pub(super) fn note_empty(&mut self, from: Sym, count: Arg) {
        self.shared.may_be_unpaid = true;
        self.put(|out| Write::Empty { out, from, count });
    }
}

/// Whether a value takes bytes in place, whatever it is.
fn writes_bytes(plan: &Plan, node: &Node) -> bool {
    match node {
        Node::Cell { slot } => slot.width > 0,
        Node::Call { record } => plan.layout(*record).steps.iter().any(|step| match step {
            Step::Run(run) => run.size > 0,
            Step::Part { node, .. } => writes_bytes(plan, node),
        }),
        Node::Blob(blob) => blob.head.size > 0,
        Node::Repeat(repeat) => repeat.head.size > 0,
        Node::Series { count, element } => *count > 0 && writes_bytes(plan, element),
        Node::Maybe { .. } => true,
        Node::Rebase { value } => writes_bytes(plan, value),
        Node::Opaque { .. } => false,
    }
}
