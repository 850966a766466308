//! Records of two sections, and the pointers that lead to them ("Structs", "Pointers").

use super::{Sink, Walker};
use crate::fault::{Code, Fault};
use crate::scalar::{self, Datum};
use crate::segments::{Arena, Copier, Kind, Mode, Target, WORD};
use aldis_plan::{ArmSlot, ByteOrder, Content, Extent, Node, Run, Slot, SlotKind, Step};
use aldis_schema::{Type, TypeId};

/// The places of a record's sections.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub segment: usize,
    pub data: usize,
    /// Bytes; not always whole words, where a list of scalars is read as one of records.
    pub data_size: usize,
    pub pointers: usize,
    pub pointer_count: usize,
}

impl<'p, 'b, S: Sink> Walker<'p, 'b, S> {
    pub(super) fn arena(&self) -> Arena<'b> {
        Arena { bytes: self.bytes, segments: self.segments }
    }

    /// Walks the record behind the first word of the first segment.
    pub(super) fn pointed_root(&mut self, record: TypeId) -> Result<(), Fault> {
        let at = self.segments[0].start;
        self.sink.segments(self.bytes, self.segments);
        match self.follow(at, 0)? {
            Some(target) => {
                let body = self.sections(&target, at)?;
                self.body(record, body)?;
            }
            None => self.body(record, Body::default())?,
        }
        self.state.cursor = self.bytes.len();
        Ok(())
    }

    /// Follows the pointer at `at` and charges its landing pads.
    fn follow(&mut self, at: usize, segment: usize) -> Result<Option<Target>, Fault> {
        let target = self.arena().follow(at, segment)?;
        if let Some(target) = &target {
            self.sink.pointer(at, target);
            self.charge_words(target.pads(), at)?;
        }
        Ok(target)
    }

    pub(super) fn charge_words(&mut self, words: u64, at: usize) -> Result<(), Fault> {
        self.charge_at(words * WORD as u64, at)
    }

    pub(super) fn enter(&mut self, at: usize) -> Result<(), Fault> {
        if self.state.depth == 0 {
            return Err(Fault::at(Code::TooDeep, at, "pointers and records nest deeper than the limit"));
        }
        self.state.depth -= 1;
        Ok(())
    }

    /// Walks what the pointer at `at` leads to; null where it is null.
    pub(super) fn pointer(&mut self, at: usize, segment: usize, node: &'p Node, ty: &'p Type) -> Result<(), Fault> {
        let ty = ty.required();
        if let (Node::Opaque { .. }, true) = (node, self.arena().word(at) != 0) {
            return self.opaque(at, segment, ty);
        }
        let Some(target) = self.follow(at, segment)? else {
            return self.sink.value(self.tables, ty, Datum::Null, at..at + WORD);
        };
        match (node, target.kind) {
            (Node::Call { record }, _) => self.pointed_record(&target, at, *record),
            (Node::Blob(blob), Kind::List { size: 2, count }) => {
                self.pointed_blob(&target, at, blob.content, count, ty)
            }
            (Node::Blob(_), kind) => Err(wrong(at, kind, "text or bytes")),
            (Node::Repeat(repeat), Kind::List { size, count }) => {
                self.pointed_list(&target, at, &repeat.element, (size, count), ty)
            }
            (_, kind) => Err(wrong(at, kind, "a list")),
        }
    }

    /// Walks a record that is no root: for what its sections lack it is charged.
    fn pointed_record(&mut self, target: &Target, at: usize, record: TypeId) -> Result<(), Fault> {
        let body = self.sections(target, at)?;
        let lack = self.lack(record, body.data_size as u64, (body.pointer_count * WORD) as u64);
        self.charge_at(lack, at)?;
        self.body(record, body)
    }

    /// The sections of the record that a pointer leads to.
    fn sections(&mut self, target: &Target, at: usize) -> Result<Body, Fault> {
        let Kind::Record { data, pointers } = target.kind else { return Err(wrong(at, target.kind, "a struct")) };
        let (data, pointers) = (usize::from(data), usize::from(pointers));
        self.in_depth(at)?;
        let start = self.arena().body(target, at, ((data + pointers) * WORD) as u64)?;
        self.charge_words((data + pointers) as u64, at)?;
        Ok(Body {
            segment: target.segment,
            data: start,
            data_size: data * WORD,
            pointers: start + data * WORD,
            pointer_count: pointers,
        })
    }

    /// Checks that there is a level of depth left, before anything is charged for it.
    pub(super) fn in_depth(&mut self, at: usize) -> Result<(), Fault> {
        self.enter(at)?;
        self.state.depth += 1;
        Ok(())
    }

    /// Walks a record one level down.
    pub(super) fn body(&mut self, record: TypeId, body: Body) -> Result<(), Fault> {
        self.enter(body.data)?;
        self.sink.begin_record(record, body.data);
        for step in &self.plan.layout(record).steps {
            if let Step::Run(Run { extent: Extent::Sections { data }, slots, .. }) = step {
                self.sink.run(body.data..body.data + body.data_size);
                self.sink.run(body.pointers..body.pointers + body.pointer_count * WORD);
                self.section_slots(slots, *data, body, record)?;
            }
        }
        self.sink.end_record(record, body.data + body.data_size + body.pointer_count * WORD);
        self.state.depth += 1;
        Ok(())
    }

    fn section_slots(&mut self, slots: &'p [Slot], data: u32, body: Body, record: TypeId) -> Result<(), Fault> {
        for slot in slots {
            let Some(field) = slot.field else { continue };
            self.sink.field(self.tables, record, field as usize);
            if is_there(slot, data, body) {
                let ty = &self.tables.schema.record(record).fields[field as usize].ty;
                let result = self.section_slot(slot, data, body, ty);
                result.map_err(|f| f.in_field(self.tables.field_name(record, field as usize)))?;
            } else {
                self.sink.missing(self.tables, record, field as usize, body.data + body.data_size)?;
            }
        }
        Ok(())
    }

    fn section_slot(&mut self, slot: &'p Slot, data: u32, body: Body, ty: &'p Type) -> Result<(), Fault> {
        let from = body.data + slot.at as usize;
        match &slot.kind {
            SlotKind::Scalar(scalar) => {
                let to = from + slot.width as usize;
                let datum = scalar::read(scalar, &self.bytes[from..to], ByteOrder::Little, from)?;
                self.sink.value(self.tables, &scalar.ty, datum, from..to)
            }
            SlotKind::Pointer { target } => {
                let at = body.pointers + (slot.at - data) as usize;
                self.pointer(at, body.segment, target, ty)
            }
            SlotKind::Nest { record, slots } => {
                self.sink.begin_record(*record, body.data);
                self.section_slots(slots, data, body, *record)?;
                self.sink.end_record(*record, body.data);
                Ok(())
            }
            SlotKind::Choice { union, arms } => self.choice(*union, arms, slot, data, body),
            SlotKind::Constant { ty, .. } => self.sink.value(self.tables, ty, Datum::Null, from..from),
            _ => Err(Fault::at(Code::BadValue, from, "this has no place in a section")),
        }
    }

    fn choice(
        &mut self,
        union: TypeId,
        arms: &'p [ArmSlot],
        slot: &'p Slot,
        data: u32,
        body: Body,
    ) -> Result<(), Fault> {
        let (from, to) = (body.data + slot.at as usize, body.data + slot.end() as usize);
        let (tag, at) = if slot.end() as usize <= body.data_size {
            (ByteOrder::Little.number(&self.bytes[from..to]), from..to)
        } else {
            (0, body.data + body.data_size..body.data + body.data_size)
        };
        let arm = arms.iter().find(|arm| arm.tag == tag);
        let index = arm.and_then(|arm| arm.slot.field).map(|field| field as usize);
        self.sink.begin_choice(self.tables, union, tag, index, at);
        if let (Some(arm), Some(index)) = (arm, index) {
            let field = &self.tables.schema.union(union).arms[index].field;
            if is_there(&arm.slot, data, body) {
                self.section_slot(&arm.slot, data, body, &field.ty).map_err(|f| f.in_field(&field.name))?;
            } else {
                let missing = &self.tables.union(union).missing[index];
                self.sink.tree(self.tables, &field.ty, missing, body.data + body.data_size)?;
            }
        }
        self.sink.end_choice(self.tables, union);
        Ok(())
    }

    fn pointed_blob(
        &mut self,
        target: &Target,
        at: usize,
        content: Content,
        count: u32,
        ty: &Type,
    ) -> Result<(), Fault> {
        let words = u64::from(count).div_ceil(WORD as u64);
        let from = self.arena().body(target, at, words * WORD as u64)?;
        self.charge_words(words, at)?;
        let mut to = from + count as usize;
        if let Content::Text(_) = content {
            if count == 0 || self.bytes[to - 1] != 0 {
                return Err(Fault::at(Code::BadValue, at, "text without the zero byte at its end"));
            }
            to -= 1;
        }
        self.octets(ty, from..to, from..to)
    }

    /// Copies what a pointer leads to, so that it stands for itself. The copier charges all that it visits, landing pads
    /// too.
    fn opaque(&mut self, at: usize, segment: usize, ty: &Type) -> Result<(), Fault> {
        if let Some(target) = self.arena().follow(at, segment)? {
            self.sink.pointer(at, &target);
        }
        let mut out = vec![0; WORD];
        let (budget, depth) = (self.state.budget, self.state.depth);
        let mut copier = Copier { arena: self.arena(), mode: Mode::Whole, out: &mut out, budget, depth };
        copier.pointer(at, segment, 0)?;
        self.state.budget = copier.budget;
        self.sink.value(self.tables, ty, Datum::Opaque(&out), at..at + WORD)
    }
}

/// Whether any of a slot's bytes are there. A slot in pieces is walked if one of them is there.
fn is_there(slot: &Slot, data: u32, body: Body) -> bool {
    match &slot.kind {
        SlotKind::Nest { slots, .. } => slots.iter().any(|slot| is_there(slot, data, body)),
        SlotKind::Choice { arms, .. } => {
            slot.end() as usize <= body.data_size || arms.iter().any(|arm| is_there(&arm.slot, data, body))
        }
        SlotKind::Pointer { .. } => ((slot.at - data) as usize) < body.pointer_count * WORD,
        SlotKind::Constant { .. } => false,
        _ => slot.end() as usize <= body.data_size,
    }
}

pub(super) fn wrong(at: usize, kind: Kind, wanted: &str) -> Fault {
    Fault::at(Code::BadValue, at, format!("{} where {wanted} belongs", kind.describe()))
}
