//! Records, groups and unions by where they are in sections: what views and writers have a class of.

use super::{sections, target, Segments, Target, WORD};
use crate::code::{block, code, hex, short_function, stmt, Code, Stmt};
use crate::names::Site;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_plan::{ArmSlot, Node, Repr, Scalar, Slot, SlotKind};
use aldis_schema::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// The slots of a record or group, or the arms of a union and the byte of its tag; places count from the record's first byte.
#[derive(Clone, Copy)]
pub(super) enum Shape<'p> {
    Record(&'p [Slot]),
    Union { tag: u32, arms: &'p [ArmSlot] },
}

/// A value with a shape, with the bytes of data of the record that it is in.
#[derive(Clone, Copy)]
pub(super) struct Shaped<'p> {
    pub id: TypeId,
    pub shape: Shape<'p>,
    pub data: u32,
}

/// Makes the class or type of what has a shape.
pub(super) type Define<'d> = dyn Fn(&Shaped<'_>, &BTreeSet<TypeId>, &mut Vec<Stmt>) -> Vec<Stmt> + 'd;

impl<'a> Segments<'_, 'a> {
    /// All of a unit that has a shape, each after what it holds. Groups are of the unit of their record.
    pub(super) fn shapes(&self, unit: &Unit) -> Vec<Shaped<'a>> {
        let mut found = BTreeMap::new();
        for layout in unit.types.iter().filter_map(|id| self.plan.layouts[id.index()].as_ref()) {
            let run = sections(self.plan, layout.record);
            let shaped = Shaped { id: layout.record, shape: Shape::Record(run.slots), data: run.data };
            found.insert(layout.record, shaped);
            note(run.slots, run.data, &mut found);
        }
        unit.ordered.iter().filter_map(|id| found.get(id).copied()).collect()
    }

    /// A class of each record and group of a unit and a type of each union, as `define` makes them of those that are not yet
    /// defined and of what stands behind all.
    pub(super) fn classes(&self, space: &str, unit: &Unit, define: &Define<'_>, sheet: &mut Sheet) {
        let shapes = self.shapes(unit);
        for shaped in shapes.iter().filter(|shaped| matches!(shaped.shape, Shape::Record(_))) {
            sheet.add(shaped.id, space, [stmt!("class {};", self.gen.names.of(shaped.id))]);
        }
        sheet.blank();
        let mut undefined: BTreeSet<TypeId> = unit.types.iter().copied().collect();
        let mut behind = Vec::new();
        for shaped in &shapes {
            undefined.remove(&shaped.id);
            let mut later = Vec::new();
            sheet.add(shaped.id, space, define(shaped, &undefined, &mut later));
            sheet.blank();
            behind.push((shaped.id, later));
        }
        behind.into_iter().for_each(|(id, later)| sheet.add(id, space, later));
    }

    /// `in_place::records<view::Person>`: how the value behind a pointer is read or written; `record` makes the kind of
    /// records, of one or of a list.
    pub(super) fn kind(&self, node: &Node, of: &Code, within: TypeId, record: &dyn Fn(&str, TypeId) -> Code) -> Code {
        match target(node) {
            Target::Text => code!("{of}::text"),
            Target::Data => code!("{of}::data"),
            Target::Any => code!("{of}::any"),
            Target::Numbers(scalar) => {
                code!("{of}::numbers<{}>", self.gen.cpp_type(&scalar.ty, Site::Record(within)))
            }
            Target::Bits => code!("{of}::bits"),
            Target::Voids => code!("{of}::voids"),
            Target::Record(id) => record("record", id),
            Target::Records(id) => record("records", id),
            Target::Pointers(inner) => code!("{of}::pointers<{}>", self.kind(inner, of, within, record)),
        }
    }

    /// `in_place::number<std::uint32_t, 8>`: how an arm of a union is read or written.
    pub(super) fn number_arm(&self, scalar: &Scalar, at: u32, of: &Code, union: TypeId) -> Code {
        match scalar.repr {
            Repr::Bit(bit) => code!("{of}::bit<{at}, {bit}{}>", if scalar.xor == 0 { "" } else { ", true" }),
            _ => {
                let meant = (scalar.xor != 0).then(|| code!(", {}", hex(scalar.xor)));
                code!("{of}::number<{}, {at}{meant}>", self.gen.cpp_type(&scalar.ty, Site::Record(union)))
            }
        }
    }

    /// The value that zeros stand for, as it is spelled in a class of the record.
    pub(super) fn meant_within(&self, scalar: &Scalar, within: TypeId) -> Code {
        let meant = self.meant(scalar, Site::Record(within));
        meant.map(|meant| code!(", {meant}")).unwrap_or_default()
    }
}

fn note<'p>(slots: &'p [Slot], data: u32, found: &mut BTreeMap<TypeId, Shaped<'p>>) {
    for slot in slots {
        note_slot(slot, data, found);
    }
}

fn note_slot<'p>(slot: &'p Slot, data: u32, found: &mut BTreeMap<TypeId, Shaped<'p>>) {
    match &slot.kind {
        SlotKind::Nest { record, slots } => {
            found.entry(*record).or_insert(Shaped { id: *record, shape: Shape::Record(slots), data });
            note(slots, data, found);
        }
        SlotKind::Choice { union, arms } => {
            found.insert(*union, Shaped { id: *union, shape: Shape::Union { tag: slot.at, arms }, data });
            arms.iter().for_each(|arm| note_slot(&arm.slot, data, found));
        }
        _ => {}
    }
}

/// The bits of each word that slots use, by the word's first byte.
pub(super) fn used_bits(slot: &Slot, found: &mut BTreeMap<u32, u64>) {
    let mut mark = |at: u32, width: u32| {
        let bits = if width >= WORD { u64::MAX } else { (1 << (8 * width)) - 1 };
        *found.entry(at / WORD * WORD).or_default() |= bits << (8 * (at % WORD));
    };
    match &slot.kind {
        SlotKind::Scalar(Scalar { repr: Repr::Bit(bit), .. }) => {
            let shift = 8 * (slot.at % WORD) + u32::from(*bit);
            *found.entry(slot.at / WORD * WORD).or_default() |= 1 << shift;
        }
        SlotKind::Scalar(scalar) => mark(slot.at, scalar.repr.width()),
        SlotKind::Pointer { .. } => mark(slot.at, WORD),
        SlotKind::Nest { slots, .. } => slots.iter().for_each(|slot| used_bits(slot, found)),
        SlotKind::Choice { arms, .. } => {
            mark(slot.at, 2);
            arms.iter().for_each(|arm| used_bits(&arm.slot, found));
        }
        _ => {}
    }
}

/// A function of a class.
pub(super) struct Method {
    pub docs: Vec<Stmt>,
    /// `[[nodiscard]] ` and the like, where it is declared only.
    pub before: &'static str,
    pub ty: Code,
    /// Name, parameters and what follows them.
    pub name: Code,
    pub body: Code,
    /// The class that must be known where the body stands.
    pub needs: Option<TypeId>,
}

impl Method {
    /// In the class, or, where it needs one that is not defined yet, behind all classes.
    pub fn print(self, class: &str, undefined: &BTreeSet<TypeId>, later: &mut Vec<Stmt>) -> Vec<Stmt> {
        let Self { mut docs, before, ty, name, body, needs } = self;
        let head = code!("{before}{ty} {name}");
        if needs.is_some_and(|needs| undefined.contains(&needs)) {
            later.extend([block(code!("inline {ty} {class}::{name}"), vec![Stmt::Line(body)]), Stmt::Blank]);
            docs.push(stmt!("{head};"));
        } else {
            docs.push(short_function(head, vec![Stmt::Line(body)]));
        }
        docs
    }
}
