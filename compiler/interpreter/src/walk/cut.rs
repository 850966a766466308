//! Runs that the bytes end within: which field is cut, and for explanations what stands before it.

use super::{Sink, State, Walker};
use crate::fault::{Code, Fault};
use aldis_plan::{Message, Run, Slot, SlotKind};
use aldis_schema::TypeId;

impl<'p, 'b, S: Sink> Walker<'p, 'b, S> {
    /// What is wrong with a message whose frame size is: `fault`, or for explanations, which get what there is, the
    /// field where its bytes end.
    #[cold]
    pub(super) fn cut_frame(&mut self, message: &'p Message, start: usize, fault: Fault) -> Fault {
        if S::EXPLAINS && fault.code == Code::Truncated {
            return self.root(message, start).err().filter(|inner| inner.code == Code::Truncated).unwrap_or(fault);
        }
        fault
    }

    /// What is wrong with a head at the cursor that the bytes end within; explanations get the members before the cut.
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

    /// What is wrong with a run of `extent` bytes at the cursor that the bytes end within; explanations get the fields
    /// before the cut.
    #[cold]
    pub(super) fn cut_run(&mut self, run: &'p Run, extent: u64, record: TypeId) -> Fault {
        let (start, left) = (self.state.cursor, self.left());
        // What is shown twice is charged twice, or links back to cut records would go on for ever.
        if S::EXPLAINS && self.charge(left).is_ok() {
            self.show_whole(&run.slots, start, left, extent, record);
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

    /// Sends the fields up to the first that is cut; one that cannot be read itself is left out.
    fn show_whole(&mut self, slots: &'p [Slot], start: usize, left: u64, extent: u64, record: TypeId) {
        for slot in slots.iter().filter(|slot| self.present(slot, extent)).collect::<Vec<_>>() {
            let (before, level) = (self.state, self.sink.level());
            if u64::from(slot.end()) <= left {
                if self.field_slot(slot, start, record).is_err() {
                    self.sink.close_to(level, start + slot.end() as usize);
                    self.state = State { budget: self.state.budget, ..before };
                }
                continue;
            }
            if let (SlotKind::Nest { record: inner, slots }, Some(field)) = (&slot.kind, slot.field) {
                self.sink.field(self.tables, record, field as usize);
                self.sink.begin_record(*inner, start + slot.at as usize);
                self.show_whole(slots, start, left, extent, *inner);
                self.sink.close_to(level, start + left as usize);
            }
            return;
        }
    }
}

fn too_short(cut: Option<&Slot>, start: usize, left: u64, size: u64) -> Fault {
    let at = cut.map_or(left, |slot| u64::from(slot.at).min(left)) as usize;
    let text = format!("{size} bytes would lie from byte {start} on, but {left} are left");
    Fault::at(Code::Truncated, start + at, text)
}
