//! Routines that write into segments: an object's own words, then what its pointers lead to, in the order of the pointers, each with
//! all that it leads to before the next. In a list of records the words of all come first.

use super::sections::member;
use super::write::Env;
use super::{Lower, Shared};
use crate::code::{Code, Emit};
use crate::module::{Hint, Purpose, Routine, Subject};
use crate::op::{Op, Ty, What};
use crate::operand::{Amount, Arg, Place, Sym};
use crate::write::{Object, Write};
use aldis_plan::{ArmSlot, Content, Element, Extent, Node, Plan, Repr, Run, Scalar, Slot, SlotKind, Step};
use aldis_schema::{Type, TypeId};
use std::collections::BTreeSet;

/// A record's run, and the sizes of its two sections in words.
struct Sections<'p> {
    run: &'p Run,
    data: u16,
    pointers: u16,
}

impl<'p> Sections<'p> {
    fn of(plan: &'p Plan, record: TypeId) -> Option<Self> {
        let [Step::Run(run)] = plan.layout(record).steps.as_slice() else { return None };
        let Extent::Sections { data } = run.extent else { return None };
        Some(Self { run, data: (data / 8) as u16, pointers: ((run.size - data) / 8) as u16 })
    }
}

/// Those records that have pointers.
pub(super) fn with_pointers(plan: &Plan, mut records: Vec<TypeId>) -> Vec<TypeId> {
    records.retain(|record| Sections::of(plan, *record).is_some_and(|sections| sections.pointers > 0));
    records
}

/// The places of the pointers of slots, those of arms too.
fn pointers(slots: &[Slot]) -> BTreeSet<u32> {
    slots.iter().flat_map(pointers_of).collect()
}

fn pointers_of(slot: &Slot) -> BTreeSet<u32> {
    match &slot.kind {
        SlotKind::Pointer { .. } => BTreeSet::from([slot.at]),
        SlotKind::Nest { slots, .. } => pointers(slots),
        SlotKind::Choice { arms, .. } => arms.iter().flat_map(|arm| pointers_of(&arm.slot)).collect(),
        _ => BTreeSet::new(),
    }
}

/// The pointer to a record without words: one that leads behind itself, since a word of zeros is null.
const NOWHERE: u64 = 0xFFFF_FFFC;

impl<'s, 'p> Lower<'s, 'p> {
    /// The routine that fills in a record's own words.
    pub(super) fn words_writer(shared: &'s mut Shared<'p>, record: TypeId) -> Routine {
        Self::section_writer(shared, record, Purpose::Write, |lower, run, (value, at, depth)| {
            let blank = lower.shared.blank(run, Some(record));
            lower.write_slots(&run.slots, (blank, at), value, Env { base: at, depth });
        })
    }

    /// The routine that writes the targets of its pointers.
    pub(super) fn targets_writer(shared: &'s mut Shared<'p>, record: TypeId) -> Routine {
        Self::section_writer(shared, record, Purpose::Targets, |lower, run, given| {
            let places: Vec<u32> = pointers(&run.slots).into_iter().collect();
            lower.targets((&run.slots, record), &places, given);
        })
    }

    fn section_writer(
        shared: &'s mut Shared<'p>,
        record: TypeId,
        purpose: Purpose,
        fill: impl FnOnce(&mut Self, &'p Run, (Sym, Sym, Sym)),
    ) -> Routine {
        let mut lower = Self::new(shared);
        let role = |code: &mut Code, ty, role| code.sym(ty, Hint::Role(role));
        let value = role(&mut lower.code, Ty::Given, "value");
        let at = role(&mut lower.code, Ty::Pos, "at");
        let depth = role(&mut lower.code, Ty::Depth, "depth");
        let out = role(&mut lower.code, Ty::Out, "out");
        lower.code.budget = Some(out);
        let sections = Sections::of(lower.shared.plan, record);
        let size = sections.as_ref().map_or(0, |sections| u64::from(sections.run.size));
        let body = lower.block(Vec::new(), |lower| {
            lower.act(What::Write(Write::OfRecord { value, record }));
            match sections {
                Some(sections) => fill(lower, sections.run, (value, at, depth)),
                None => lower.act(What::Write(Write::Wrong)),
            }
            vec![lower.budget().into()]
        });
        Routine {
            of: Subject::Record(record),
            purpose,
            covered: vec![(at, Arg::Const(size))],
            params: vec![value, at, depth, out],
            results: vec![Ty::Out],
            body,
            symbols: lower.code.symbols.into(),
        }
    }

    /// A union: its tag, and what lies in the arm that it names. A tag that names none is written alone.
    pub(super) fn write_choice(&mut self, (union, arms): (TypeId, &'p [ArmSlot]), place: Place, value: Sym, env: Env) {
        let (tag, given) = self.chosen(union, value);
        self.act(What::Write(Write::InRange { number: tag.into(), min: 0, max: u64::from(u16::MAX) }));
        self.put(|out| Write::Store { out, place, repr: Repr::U16, number: tag.into() });
        let has_words = |arm: &&ArmSlot| !matches!(arm.slot.kind, SlotKind::Pointer { .. });
        self.by_arm((union, arms), tag, has_words, |lower, arm, ty| {
            let blank = lower.shared.cell_blank(&arm.slot, ty);
            lower.write_slot(&arm.slot, (blank, 0, env.base), given, ty, env);
        });
    }

    /// The tag of a union, and the value of its arm.
    fn chosen(&mut self, union: TypeId, value: Sym) -> (Sym, Sym) {
        let binds = [(Ty::Size, "tag"), (Ty::Given, "arm")].map(|(ty, role)| self.code.sym(ty, Hint::Role(role)));
        self.code.push(Op { binds: binds.to_vec(), what: What::Write(Write::Choice { value, union }) });
        (binds[0], binds[1])
    }

    /// Emits the bytes that `write` appends for the arm that the tag names, if it is one of those wanted.
    fn by_arm(
        &mut self,
        (union, arms): (TypeId, &'p [ArmSlot]),
        tag: Sym,
        wanted: impl Fn(&&'p ArmSlot) -> bool,
        mut write: impl FnMut(&mut Self, &'p ArmSlot, &'p Type),
    ) {
        let before = self.budget();
        let (mut tags, mut ways) = (Vec::new(), Vec::new());
        for arm in arms.iter().filter(wanted) {
            let field = member(self.shared.plan, union, arm.slot.field.unwrap_or_default());
            let name = self.shared.name(&field.name);
            tags.push(arm.tag);
            ways.push(self.way(Vec::new(), |lower| {
                lower.named(name, |lower| write(lower, arm, &field.ty));
                Vec::new()
            }));
        }
        ways.push(self.way(Vec::new(), |_| Vec::new()));
        self.statement(before, ways, |mut blocks| {
            let other = blocks.pop().unwrap_or_default();
            What::Switch { on: tag.into(), arms: tags.into_iter().zip(blocks).collect(), other }
        });
    }

    /// Emits the objects of the pointers at `places`, which are ascending and all among these slots of a record.
    fn targets(&mut self, (slots, record): (&'p [Slot], TypeId), places: &[u32], (value, at, depth): (Sym, Sym, Sym)) {
        let mut rest = places;
        while let Some(first) = rest.first() {
            let Some(slot) = slots.iter().find(|slot| pointers_of(slot).contains(first)) else { return };
            let within = pointers_of(slot);
            let (of_slot, others) = rest.split_at(rest.iter().take_while(|place| within.contains(place)).count());
            rest = others;
            let Some(field) = slot.field else { continue };
            let ty = &member(self.shared.plan, record, field).ty;
            let (name, value) = self.get(value, record, field);
            self.named(name, |lower| lower.slot_targets((slot, ty), of_slot, (value, at, depth)));
        }
    }

    fn slot_targets(&mut self, (slot, ty): (&'p Slot, &'p Type), places: &[u32], (value, at, depth): (Sym, Sym, Sym)) {
        match &slot.kind {
            SlotKind::Pointer { target } => {
                let pointer = Place { base: at, plus: slot.at };
                self.write_target(pointer, (target, ty), value, depth);
            }
            SlotKind::Nest { record, slots } => {
                self.act(What::Write(Write::OfRecord { value, record: *record }));
                self.targets((slots, *record), places, (value, at, depth));
            }
            SlotKind::Choice { union, arms } => {
                let (tag, given) = self.chosen(*union, value);
                let here = |slot: &Slot| -> Vec<u32> {
                    let within = pointers_of(slot);
                    places.iter().copied().filter(|place| within.contains(place)).collect()
                };
                let wanted = |arm: &&'p ArmSlot| !here(&arm.slot).is_empty();
                self.by_arm((*union, arms), tag, wanted, |lower, arm, ty| {
                    lower.slot_targets((&arm.slot, ty), &here(&arm.slot), (given, at, depth));
                });
            }
            _ => {}
        }
    }

    /// A value behind the pointer at `at`, whose word is reserved; nothing where it is null.
    fn write_target(&mut self, at: Place, (target, ty): (&'p Node, &'p Type), value: Sym, depth: Sym) {
        let write = |lower: &mut Self| match target {
            Node::Call { record } => lower.write_object(at, *record, value, depth),
            Node::Blob(blob) => {
                let text = match blob.content {
                    Content::Text(encoding) => Some(encoding),
                    Content::Bytes => None,
                };
                lower.put(|out| Write::Blob { out, at, value, text });
            }
            Node::Opaque { .. } => lower.put(|out| Write::Plant { out, at, value, depth }),
            Node::Repeat(repeat) => {
                lower.level(depth, at.base, |lower, depth| {
                    lower.write_pointed_list(at, (&repeat.element, ty.required()), value, depth);
                    Vec::new()
                });
            }
            _ => lower.act(What::Write(Write::Wrong)),
        };
        self.unless_null(value, |_| {}, write);
    }

    fn write_object(&mut self, at: Place, record: TypeId, value: Sym, depth: Sym) {
        let Some(sections) = Sections::of(self.shared.plan, record) else {
            return self.act(What::Write(Write::Wrong));
        };
        self.level(depth, at.base, |lower, depth| {
            let words = if sections.run.size == 0 {
                lower.put(|out| Write::Store { out, place: at, repr: Repr::U64, number: Arg::Const(NOWHERE) });
                lower.here()
            } else {
                let to = lower.reserve(Amount::exactly(sections.run.size.into()));
                let object = Object::Record { data: sections.data, pointers: sections.pointers };
                lower.put(|out| Write::Point { out, at, to, object });
                to
            };
            lower.write_words(record, value, words, depth);
            lower.write_targets(record, value, words, depth);
            Vec::new()
        });
    }

    fn write_words(&mut self, record: TypeId, value: Sym, at: Sym, depth: Sym) {
        self.call_section_writer(self.shared.write_routines[&record], (value, at, depth));
    }

    fn write_targets(&mut self, record: TypeId, value: Sym, at: Sym, depth: Sym) {
        if let Some(routine) = self.shared.target_routines.get(&record) {
            self.call_section_writer(*routine, (value, at, depth));
        }
    }

    fn call_section_writer(&mut self, routine: crate::RoutineId, (value, at, depth): (Sym, Sym, Sym)) {
        let out = self.budget();
        let args = vec![value.into(), at.into(), depth.into(), out.into()];
        self.paid(What::Call { routine, args }, &[]);
    }

    fn write_pointed_list(&mut self, at: Place, (element, ty): (&'p Element, &'p Type), value: Sym, depth: Sym) {
        let of = self.shared.list(aldis_plan::Shape::List, ty);
        let count = self.role(What::Write(Write::Count { value, of }), Ty::Size, "count").into();
        match element {
            Element::One(Node::Call { record }) => self.write_records(at, *record, (count, value), depth),
            Element::One(Node::Cell { slot }) => match &slot.kind {
                SlotKind::Scalar(scalar) => self.write_scalars(at, (slot, scalar), (count, value), ty.element()),
                SlotKind::Pointer { target } => {
                    let first = self.placed(|out| Write::List { out, at, count, more: 0, code: 6, bits: 64 });
                    self.write_elements((first, 8), (count, value), |lower, at, item| {
                        lower.write_target(Place { base: at, plus: 0 }, (target, ty.element()), item, depth);
                    });
                }
                _ => {
                    let first = self.placed(|out| Write::List { out, at, count, more: 0, code: 0, bits: 0 });
                    self.note_empty(first, count);
                }
            },
            _ => self.act(What::Write(Write::Wrong)),
        }
    }

    /// Elements at a stride, each in its frame.
    fn write_elements(
        &mut self,
        (first, stride): (Sym, u32),
        (count, value): (Arg, Sym),
        fill: impl FnOnce(&mut Self, Sym, Sym),
    ) {
        let place = Place { base: first, plus: 0 };
        self.write_items(count, value, |lower, index, item| {
            let at = lower.role(What::Element { place, index, stride, count }, Ty::Pos, "at");
            fill(lower, at, item);
        });
    }

    fn write_records(&mut self, at: Place, record: TypeId, (count, value): (Arg, Sym), depth: Sym) {
        let Some(Sections { run, data, pointers }) = Sections::of(self.shared.plan, record) else {
            return self.act(What::Write(Write::Wrong));
        };
        let first = self.placed(|out| Write::Records { out, at, count, data, pointers });
        if run.size == 0 {
            self.note_empty(first, count);
        }
        self.level(depth, at.base, |lower, depth| {
            lower.write_elements((first, run.size), (count, value), |lower, at, item| {
                lower.write_words(record, item, at, depth);
            });
            if pointers > 0 {
                lower.write_elements((first, run.size), (count, value), |lower, at, item| {
                    lower.write_targets(record, item, at, depth);
                });
            }
            Vec::new()
        });
    }

    fn write_scalars(
        &mut self,
        at: Place,
        (slot, scalar): (&'p Slot, &'p Scalar),
        (count, value): (Arg, Sym),
        ty: &'p Type,
    ) {
        if let Repr::Bit(_) = scalar.repr {
            let at = self.placed(|out| Write::List { out, at, count, more: 0, code: 1, bits: 1 });
            let scalar = scalar.clone();
            return self.put(|out| Write::StoreBits { out, at, count, scalar, value });
        }
        let (blank, stride) = (self.shared.cell_blank(slot, ty), slot.width);
        let code = 2 + stride.trailing_zeros().min(3) as u8;
        let at = self.placed(|out| Write::List { out, at, count, more: 0, code, bits: 8 * stride });
        self.put(|out| Write::Cells { out, blank, at, count, stride, value });
    }

    /// The message's record behind the first word, and what its container makes of all that.
    pub(super) fn write_root(&mut self, record: TypeId, value: Sym, depth: Sym) {
        let at = self.reserve(Amount::exactly(8));
        self.write_object(Place { base: at, plus: 0 }, record, value, depth);
        self.put(|out| Write::Finish { out });
    }
}
