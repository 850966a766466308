//! Runs that the bytes end within: which field is cut. And runs as explanations get them: all that can be read of them.

use super::{Sink, State, Walker};
use crate::fault::{Code, Fault};
use aldis_plan::{Message, Run, Slot, SlotKind};
use aldis_schema::TypeId;

impl<'p, 'b, S: Sink> Walker<'p, 'b, S> {
    /// The fault of a message whose frame size is wrong: `fault`, or for explanations, which get what there is, the
    /// field where its bytes end.
    #[cold]
    pub(super) fn cut_frame(&mut self, message: &'p Message, start: usize, fault: Fault) -> Fault {
        if S::EXPLAINS && fault.code == Code::Truncated {
            return self.root(message, start).err().filter(|inner| inner.code == Code::Truncated).unwrap_or(fault);
        }
        fault
    }

    /// The fault of a head at the cursor that the bytes end within; explanations get the members before the cut.
    #[cold]
    pub(super) fn cut_head(&mut self, head: &'p Run) -> Fault {
        let (start, left) = (self.state.cursor, self.left());
        let whole = head.slots.iter().take_while(|slot| u64::from(slot.end()) <= left).count();
        let cut = head.slots.get(whole);
        self.sink.run(start..start + cut.map_or(left as usize, |slot| slot.at as usize));
        if S::EXPLAINS {
            // A number that is wrong comes second to one that is not there.
            let _ = head.slots[..whole].iter().try_for_each(|slot| self.head_slot(slot, start));
        }
        let fault = too_short(cut, start, left, u64::from(head.size));
        match cut.map(|slot| &slot.kind) {
            Some(SlotKind::Register(register)) => fault.in_field(&register.name),
            Some(SlotKind::Ignored { name, .. }) => fault.in_field(name),
            _ => fault,
        }
    }

    /// The fault of a run of `extent` bytes at the cursor that the bytes end within; explanations get the fields
    /// before the cut.
    #[cold]
    pub(super) fn cut_run(&mut self, run: &'p Run, extent: u64, record: TypeId) -> Fault {
        let (start, left) = (self.state.cursor, self.left());
        // A record that is shown twice is charged twice; else links back to cut records would go on for ever.
        if S::EXPLAINS && self.charge(left).is_ok() {
            let _ = self.show_slots(&run.slots, start, (extent, left), record);
        }
        let (cut, path) = self.first_cut(&run.slots, left, extent, record);
        self.sink.run(start..start + cut.map_or(left as usize, |slot| (slot.at as usize).min(left as usize)));
        let fault = too_short(cut, start, left, extent);
        path.into_iter().rev().fold(fault, |fault, name| fault.in_field(name))
    }

    /// Bytes from the cursor to the message's end.
    pub(super) fn left(&self) -> u64 {
        self.bytes.len().saturating_sub(self.state.cursor) as u64
    }

    /// The first slot that the bytes end within or before, though the run should have it, and the names that lead to it.
    fn first_cut(&self, slots: &'p [Slot], left: u64, extent: u64, record: TypeId) -> (Option<&'p Slot>, Vec<&'p str>) {
        let Some(slot) = slots.iter().find(|slot| self.present(slot, extent) && u64::from(slot.end()) > left) else {
            return (None, Vec::new());
        };
        let mut path: Vec<&'p str> =
            slot.field.map(|field| self.tables.field_name(record, field as usize)).into_iter().collect();
        if let SlotKind::Nest { record, slots } = &slot.kind {
            let (inner, names) = self.first_cut(slots, left, extent, *record);
            path.extend(names);
            return (inner.or(Some(slot)), path);
        }
        (Some(slot), path)
    }

    /// Sends the fields of a run that says it has `extent` bytes up to the first that ends beyond the `left` that there
    /// are. One that cannot be read does not hide those after it, unless it is a register, which says what they are; the
    /// first fault is given.
    pub(super) fn show_slots(
        &mut self,
        slots: &'p [Slot],
        start: usize,
        (extent, left): (u64, u64),
        record: TypeId,
    ) -> Result<(), Fault> {
        let mut result = Ok(());
        for slot in slots {
            let (before, level) = (self.state, self.sink.level());
            let shown = if !self.present(slot, extent) {
                self.missing(slot, start + extent.min(left) as usize, record)
            } else if left < extent && u64::from(slot.end()) > left {
                self.show_cut(slot, start, (extent, left), record);
                return result;
            } else {
                self.field_slot_within(slot, start, extent, record)
            };
            if let Err(fault) = shown {
                self.sink.close_to(level, start + slot.end() as usize);
                self.state = State { budget: self.state.budget, ..before };
                result = result.and(Err(fault));
                if matches!(slot.kind, SlotKind::Register(_)) {
                    return result;
                }
            }
        }
        result
    }

    /// Sends the members before the cut of a nest.
    fn show_cut(&mut self, slot: &'p Slot, start: usize, (extent, left): (u64, u64), record: TypeId) {
        let (SlotKind::Nest { record: inner, slots }, Some(field)) = (&slot.kind, slot.field) else { return };
        let level = self.sink.level();
        self.sink.field(self.tables, record, field as usize);
        self.sink.begin_record(*inner, start + slot.at as usize);
        let _ = self.show_slots(slots, start, (extent, left), *inner);
        self.sink.close_to(level, start + left as usize);
    }
}

fn too_short(cut: Option<&Slot>, start: usize, left: u64, size: u64) -> Fault {
    let at = cut.map_or(left, |slot| u64::from(slot.at).min(left)) as usize;
    let text = format!("{size} bytes would lie from byte {start} on, but {left} are left");
    Fault::at(Code::Truncated, start + at, text)
}
