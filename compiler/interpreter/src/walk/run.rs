//! Runs and their slots.

use super::{Sink, Taken, Walker};
use crate::fault::{Code, Fault};
use crate::scalar::{self, Datum};
use crate::tables::RunTable;
use crate::Value;
use aldis_plan::{surcharge_within, Extent, Link, NullLink, Register, Run, Slot, SlotKind};
use aldis_schema::{Literal, Type, TypeId};
use std::ops::Range;

impl<'p, 'b, S: Sink> Walker<'p, 'b, S> {
    /// Walks a run at the cursor, which is that step of the record, and moves past it.
    pub(super) fn run(&mut self, run: &'p Run, step: usize, record: TypeId) -> Result<(), Fault> {
        let start = self.state.cursor;
        let extent = self.extent(run)?;
        if extent > self.left() {
            return Err(self.cut_run(run, extent, record));
        }
        self.charge(extent)?;
        // The charge for missing fields was taken with the head if the head told the extent of runs.
        if matches!(run.extent, Extent::Stated { .. }) && extent < u64::from(run.size) {
            self.charge(self.lack(record, extent, 0))?;
        }
        let table: &'p RunTable = &self.tables.record(record).runs[step];
        let is_whole = extent >= u64::from(run.size);
        let surcharge = if is_whole { table.surcharge } else { surcharge_within(&run.slots, extent) };
        self.surcharge(surcharge, start)?;
        // The extent fits the message, hence a usize.
        let end = start + extent as usize;
        self.sink.run(start..end);
        if S::EXPLAINS {
            self.show_slots(&run.slots, start, (extent, extent), record)?;
        } else if is_whole && self.state.current {
            self.whole_run((run, table), start..end, record)?;
        } else {
            for slot in &run.slots {
                if self.present(slot, extent) {
                    self.field_slot_within(slot, start, extent, record)?;
                } else {
                    self.missing(slot, end, record)?;
                }
            }
        }
        self.state.cursor = end;
        Ok(())
    }

    /// Walks the slots of a run whose bytes are all there.
    fn whole_run(
        &mut self,
        (run, table): (&'p Run, &'p RunTable),
        place: Range<usize>,
        record: TypeId,
    ) -> Result<(), Fault> {
        if S::FAULTS_ALONE {
            for index in &table.risky {
                self.field_slot(&run.slots[*index as usize], place.start, record)?;
            }
            return Ok(());
        }
        let taken = self.sink.fixed(record, run, &self.bytes[place.clone()]);
        if taken == Taken::All {
            return Ok(());
        }
        for slot in run.slots.iter().filter(|slot| taken == Taken::Nothing || !S::takes(slot)) {
            self.field_slot(slot, place.start, record)?;
        }
        Ok(())
    }

    /// Sends what stands for a slot whose bytes are not there, those of its run ending at `end`.
    pub(super) fn missing(&mut self, slot: &Slot, end: usize, record: TypeId) -> Result<(), Fault> {
        let Some(field) = slot.field else { return Ok(()) };
        self.sink.field(self.tables, record, field as usize);
        self.sink.missing(self.tables, record, field as usize, end)
    }

    /// How many bytes the run takes.
    fn extent(&mut self, run: &Run) -> Result<u64, Fault> {
        match run.extent {
            // A record of sections is walked from its pointer, never from here.
            Extent::Exact | Extent::Sections { .. } => Ok(u64::from(run.size)),
            Extent::Acting => Ok(self.state.extent),
            Extent::Stated { head } => {
                let start = self.state.cursor;
                let left = self.bytes.len() - start;
                if (left as u64) < u64::from(head) {
                    let text = format!("a record's head of {head} bytes would lie here, but {left} are left");
                    return Err(Fault::at(Code::Truncated, start, text));
                }
                let Some((slot, _)) = run.register(Register::is_extent) else {
                    return Ok(u64::from(run.size));
                };
                let at = start + slot.at as usize;
                let extent = self.order.number(&self.bytes[at..at + slot.width as usize]);
                if extent < u64::from(head) {
                    let text = format!("a record size of {extent} is less than its head takes");
                    return Err(Fault::at(Code::BadValue, at, text));
                }
                Ok(extent)
            }
        }
    }

    /// Whether the bytes of a slot are there. A nest is there when its first version's members are.
    pub(super) fn present(&self, slot: &Slot, extent: u64) -> bool {
        if u64::from(slot.since) > self.state.version {
            return false;
        }
        let end = match &slot.kind {
            SlotKind::Nest { slots, .. } => {
                let first = slots.iter().filter(|member| member.since <= slot.since);
                first.map(Slot::end).max().unwrap_or(slot.at)
            }
            SlotKind::Constant { .. } => 0,
            _ => slot.end(),
        };
        u64::from(end) <= extent
    }

    pub(super) fn field_slot(&mut self, slot: &'p Slot, start: usize, record: TypeId) -> Result<(), Fault> {
        match (slot.field, &slot.kind) {
            (Some(field), _) => {
                self.sink.field(self.tables, record, field as usize);
                let ty = &self.tables.schema.record(record).fields[field as usize].ty;
                self.slot(slot, start, ty).map_err(|f| f.in_field(self.tables.field_name(record, field as usize)))
            }
            (None, _) => self.head_slot(slot, start),
        }
    }

    /// As [`Self::field_slot`], in a run that may end within a nest.
    pub(super) fn field_slot_within(
        &mut self,
        slot: &'p Slot,
        start: usize,
        extent: u64,
        record: TypeId,
    ) -> Result<(), Fault> {
        let (SlotKind::Nest { record: inner, slots }, Some(field)) = (&slot.kind, slot.field) else {
            return self.field_slot(slot, start, record);
        };
        self.sink.field(self.tables, record, field as usize);
        self.sink.begin_record(*inner, start + slot.at as usize);
        for member in slots {
            if self.present(member, extent) {
                let result = self.field_slot_within(member, start, extent, *inner);
                result.map_err(|f| f.in_field(self.tables.field_name(record, field as usize)))?;
            } else if let Some(index) = member.field {
                self.sink.field(self.tables, *inner, index as usize);
                self.sink.missing(self.tables, *inner, index as usize, start + extent as usize)?;
            }
        }
        self.sink.end_record(*inner, start + slot.end() as usize);
        Ok(())
    }

    /// Reads the value of type `ty` in a slot whose bytes are known to be there. `start` is what `slot.at` counts from.
    pub(super) fn slot(&mut self, slot: &'p Slot, start: usize, ty: &'p Type) -> Result<(), Fault> {
        let (from, to) = (start + slot.at as usize, start + slot.end() as usize);
        match &slot.kind {
            SlotKind::Scalar(scalar) => {
                let datum = scalar::read(scalar, &self.bytes[from..to], self.order, from)?;
                self.sink.value(self.tables, &scalar.ty, datum, from..to)
            }
            SlotKind::Chars { ty } => {
                let bytes = &self.bytes[from..to];
                let length = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
                self.octets(ty, from..from + length, from..to)
            }
            SlotKind::Array { count, element } => self.array(*count as usize, element, from, ty),
            SlotKind::Nest { record, slots } => {
                self.sink.begin_record(*record, from);
                for member in slots {
                    self.field_slot(member, start, *record)?;
                }
                self.sink.end_record(*record, to);
                Ok(())
            }
            SlotKind::Constant { ty, value } => self.constant(ty, value, from),
            SlotKind::Register(_) | SlotKind::Ignored { .. } => self.head_slot(slot, start),
            SlotKind::Pointer { .. } | SlotKind::Choice { .. } => {
                Err(Fault::at(Code::BadValue, from, "pointers and unions lie in sections"))
            }
            SlotKind::Link(link) => self.link(link, from, ty),
            SlotKind::Presence(link) => {
                let present = self.bytes[from] != 0;
                self.sink.register("present", u64::from(self.bytes[from]), from..from + 1);
                if present {
                    self.link(link, from + 1, ty.required())
                } else {
                    self.sink.value(self.tables, ty.required(), Datum::Null, from..to)
                }
            }
        }
    }

    fn array(&mut self, count: usize, element: &'p Slot, from: usize, ty: &'p Type) -> Result<(), Fault> {
        let stride = element.width as usize;
        let end = from + count * stride;
        if let SlotKind::Scalar(scalar) = &element.kind {
            if scalar.null.is_none() && S::packs(scalar) {
                self.sink.packed(scalar, &self.bytes[from..end]);
                return Ok(());
            }
        }
        self.sink.begin_list(count, from);
        for index in 0..count {
            self.sink.element(index);
            self.slot(element, from + index * stride, ty.element()).map_err(|f| f.in_element(index))?;
        }
        self.sink.end_list(end);
        Ok(())
    }

    fn constant(&mut self, ty: &'p Type, literal: &Literal, at: usize) -> Result<(), Fault> {
        match literal {
            Literal::Int(number) if !matches!(ty.required(), Type::Float32 | Type::Float64) => {
                let datum = if self.tables.is_signed(ty.required()) {
                    Datum::Int(*number as i64)
                } else {
                    Datum::UInt(*number as u64)
                };
                self.sink.value(self.tables, ty.required(), datum, at..at)
            }
            other => {
                let value = Value::from_literal(other, ty, self.tables);
                self.sink.tree(self.tables, ty, &value, at)
            }
        }
    }

    /// Follows the u32 link at `from`, and comes back.
    fn link(&mut self, link: &'p Link, from: usize, ty: &'p Type) -> Result<(), Fault> {
        let offset = self.order.number(&self.bytes[from..from + 4]);
        self.sink.register("offset", offset, from..from + 4);
        if offset == 0 {
            return match link.null {
                NullLink::Empty => {
                    let empty = empty_value(&link.target);
                    self.sink.tree(self.tables, ty, &empty, from)
                }
                NullLink::Refused => {
                    Err(Fault::at(Code::BadPointer, from, "the offset is zero, but there must be a value"))
                }
            };
        }
        // Both fit 32 bits or the message, so the sum cannot overflow 64.
        let target = self.state.base as u64 + offset;
        if target > self.bytes.len() as u64 {
            let text = format!("an offset of {offset} leads to byte {target}, beyond the message");
            return Err(Fault::at(Code::BadPointer, from, text));
        }
        let (cursor, at_root) = (self.state.cursor, self.state.at_root);
        self.state.cursor = target as usize;
        self.state.at_root = false;
        self.node(&link.target, ty)?;
        self.state.cursor = cursor;
        self.state.at_root = at_root;
        Ok(())
    }
}

fn empty_value(target: &aldis_plan::Node) -> Value {
    match target {
        aldis_plan::Node::Repeat(repeat) if repeat.shape == aldis_plan::Shape::Map => Value::Map(Box::default()),
        aldis_plan::Node::Repeat(_) => Value::List(Box::default()),
        _ => Value::Bytes(Box::default()),
    }
}
