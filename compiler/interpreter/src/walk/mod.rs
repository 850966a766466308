//! The walk over bytes: one pass that emits events, checked at every step.

mod collection;
mod cut;
mod node;
mod nothing;
mod pointed_list;
mod run;
mod sections;
mod sink;
mod values;

pub(crate) use nothing::Nothing;
pub use sink::{Sink, Taken};
pub use values::ValueSink;

use crate::fault::{Code, Fault};
use crate::scalar::Datum;
use crate::tables::Tables;
use aldis_plan::{
    ByteOrder, FrameCheck, Layout, Limits, Meaning, Message, Plan, Register, RootPlace, Run, Slot, SlotKind, Step,
};
use aldis_schema::{Encoding, Type, TypeId};
use std::ops::Range;

/// A position in bytes with everything that reading depends on.
pub(crate) struct Walker<'p, 'b, S> {
    pub plan: &'p Plan,
    pub tables: &'p Tables,
    pub order: ByteOrder,
    /// The message: cut to its frame where a frame size bounds it.
    pub bytes: &'b [u8],
    /// The segments of `bytes`, if the form has segments.
    pub segments: &'b [Range<usize>],
    pub sink: S,
    pub state: State,
}

/// The registers of a walk; copied into and out of the sub-walks that collect sets and maps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub cursor: usize,
    /// The place from which links count.
    pub base: usize,
    /// The number in the last extent register.
    pub extent: u64,
    /// The number in the last count register.
    pub count: u64,
    /// The writer's schema version.
    pub version: u64,
    /// The writer's version is ours or newer, so nothing is missing for its sake.
    pub current: bool,
    /// Still in the message's envelope or root record.
    pub at_root: bool,
    /// Levels of records left.
    pub depth: u32,
    /// Bytes that may still be visited.
    pub budget: u64,
    pub surcharge: bool,
    /// Text that is not in its encoding is a fault.
    pub strict_text: bool,
    frame: Option<(usize, u64)>,
    root: usize,
}

impl<'p, 'b, S: Sink> Walker<'p, 'b, S> {
    pub fn new(plan: &'p Plan, tables: &'p Tables, limits: &Limits, bytes: &'b [u8], sink: S) -> Self {
        let state = State {
            cursor: 0,
            base: 0,
            extent: 0,
            count: 0,
            version: u64::MAX,
            current: true,
            at_root: true,
            depth: limits.depth,
            budget: limits.budget(bytes.len()),
            surcharge: limits.surcharge,
            strict_text: false,
            frame: None,
            root: 0,
        };
        Self { plan, tables, order: plan.byte_order, bytes, segments: &[], sink, state }
    }

    /// The same over a message's segments; `input` is the size of what was given, unpacked.
    pub fn over(mut self, segments: &'b [Range<usize>], limits: &Limits, input: usize) -> Self {
        self.segments = segments;
        self.state.budget = limits.budget(input);
        self
    }

    /// The same, and text must be in its encoding.
    pub fn strict(mut self, strict_text: bool) -> Self {
        self.state.strict_text = strict_text;
        self
    }

    /// Sends the text or the bytes at `range`, which is the front of `place`.
    fn octets(&mut self, ty: &Type, range: Range<usize>, place: Range<usize>) -> Result<(), Fault> {
        let bytes = &self.bytes[range.clone()];
        if let (true, Type::Text(Encoding::Utf8) | Type::Chars { encoding: Encoding::Utf8, .. }) =
            (self.state.strict_text, ty)
        {
            std::str::from_utf8(bytes).map_err(|error| {
                let wrong = range.start + error.valid_up_to();
                Fault::at(Code::BadText, range.start, format!("the text is not UTF-8 from byte {wrong} on"))
            })?;
        }
        self.sink.value(self.tables, ty, Datum::Bytes(bytes), place)
    }

    /// Walks one message from the first byte. Gives how many bytes it takes.
    pub fn message(&mut self, message: &'p Message) -> Result<usize, Fault> {
        let head = &message.envelope.head;
        let start = self.registers(head)?;
        if let Err(fault) = self.bound_frame(head) {
            return Err(self.cut_frame(message, start, fault));
        }
        self.root(message, start)?;
        self.check_frame(head)
    }

    /// Walks a message's root record, its envelope having been read at `start`.
    fn root(&mut self, message: &'p Message, start: usize) -> Result<(), Fault> {
        let head = &message.envelope.head;
        self.state.cursor = match message.envelope.root {
            RootPlace::Follows => start + head.size as usize,
            RootPlace::Registered => self.state.root,
            RootPlace::Pointed => return self.pointed_root(message.record),
        };
        if self.state.cursor > self.bytes.len() {
            let text = format!("the root record would start at byte {}, beyond the message", self.state.cursor);
            return Err(Fault::at(Code::BadPointer, start, text));
        }
        self.record(message.record)
    }

    /// Obeys a frame size that bounds the message.
    fn bound_frame(&mut self, head: &Run) -> Result<(), Fault> {
        let Some((at, size)) = self.state.frame.filter(|_| head.frame_check() == Some(FrameCheck::Bounds)) else {
            return Ok(());
        };
        if size > self.bytes.len() as u64 {
            let text = format!("the message says that it has {size} bytes, but there are {}", self.bytes.len());
            return Err(Fault::at(Code::Truncated, at, text));
        }
        if size < u64::from(head.size) {
            return Err(Fault::at(Code::BadValue, at, format!("a message size of {size} is less than its head takes")));
        }
        self.bytes = &self.bytes[..size as usize];
        Ok(())
    }

    /// Checks an exact frame size, and gives the message's size.
    fn check_frame(&self, head: &Run) -> Result<usize, Fault> {
        match (head.frame_check(), self.state.frame) {
            (Some(FrameCheck::Bounds), _) => Ok(self.bytes.len()),
            (Some(FrameCheck::Exact), Some((at, size))) if size != self.state.cursor as u64 => {
                let text = format!("the message says that it has {size} bytes, but it takes {}", self.state.cursor);
                Err(Fault::at(Code::BadValue, at, text))
            }
            _ => Ok(self.state.cursor),
        }
    }

    /// Walks a record at the cursor.
    pub fn record(&mut self, record: TypeId) -> Result<(), Fault> {
        let layout: &'p Layout = self.plan.layout(record);
        if self.state.depth == 0 {
            return Err(Fault::at(Code::TooDeep, self.state.cursor, "records nest deeper than the limit"));
        }
        self.state.depth -= 1;
        let outer_base = self.state.base;
        if layout.rebase {
            self.state.base = self.state.cursor;
        }
        self.sink.begin_record(record, self.state.cursor);
        for (index, step) in layout.steps.iter().enumerate() {
            match step {
                Step::Run(run) => self.run(run, index, record)?,
                Step::Part { field, since, node } => {
                    let result = self.part(record, *field, *since, node);
                    result.map_err(|f| f.in_field(self.tables.field_name(record, *field as usize)))?;
                }
            }
            self.state.at_root = false;
        }
        self.sink.end_record(record, self.state.cursor);
        self.state.base = outer_base;
        self.state.depth += 1;
        Ok(())
    }

    fn part(&mut self, record: TypeId, field: u32, since: u32, node: &'p aldis_plan::Node) -> Result<(), Fault> {
        self.sink.field(self.tables, record, field as usize);
        if u64::from(since) > self.state.version {
            let missing = &self.tables.record(record).missing[field as usize];
            let ty = &self.tables.schema.record(record).fields[field as usize].ty;
            return self.sink.tree(self.tables, ty, missing, self.state.cursor);
        }
        let ty = &self.tables.schema.record(record).fields[field as usize].ty;
        self.node(node, ty)
    }

    /// Charges the budget.
    pub fn charge(&mut self, bytes: u64) -> Result<(), Fault> {
        self.charge_at(bytes, self.state.cursor)
    }

    /// The charge for the fields of a record that lie beyond the end of its bytes, where it has a block of so many bytes, or
    /// sections.
    pub(super) fn lack(&self, record: TypeId, block: u64, pointers: u64) -> u64 {
        self.tables.record(record).lacks.within(block, pointers, self.state.version)
    }

    /// Charges what memory takes beyond bytes, where the limits ask for that.
    fn surcharge(&mut self, bytes: u64, at: usize) -> Result<(), Fault> {
        if bytes == 0 || !self.state.surcharge {
            return Ok(());
        }
        self.charge_at(bytes, at)
    }

    /// Charges the budget for what `at` asks for.
    fn charge_at(&mut self, bytes: u64, at: usize) -> Result<(), Fault> {
        match self.state.budget.checked_sub(bytes) {
            Some(left) => {
                self.state.budget = left;
                Ok(())
            }
            None => Err(Fault::at(
                Code::TooLarge,
                at,
                "more bytes would be visited than this input's budget allows: links overlap, or elements are empty",
            )),
        }
    }

    /// Reads the registers of a head at the cursor, which stays, and gives where that is.
    pub fn registers(&mut self, head: &'p Run) -> Result<usize, Fault> {
        let start = self.state.cursor;
        if u64::from(head.size) > self.left() {
            return Err(self.cut_head(head));
        }
        self.charge(u64::from(head.size))?;
        self.sink.run(start..start + head.size as usize);
        for slot in &head.slots {
            self.head_slot(slot, start)?;
        }
        Ok(start)
    }

    fn head_slot(&mut self, slot: &'p Slot, start: usize) -> Result<(), Fault> {
        match &slot.kind {
            SlotKind::Register(register) => self.register(slot, register, start),
            SlotKind::Ignored { name, header, ty, value } if S::EXPLAINS => {
                self.sink.begin_ignored(name, *header);
                self.ignored(ty, value, start + slot.at as usize);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Shows what is no part of the message's value; it has no say in whether the message can be read.
    fn ignored(&mut self, ty: &'p Type, value: &'p Slot, start: usize) {
        let before = self.state;
        let _ = self.slot(value, start, ty);
        self.sink.end_ignored();
        self.state = before;
    }

    /// Reads one register and obeys or checks it.
    pub fn register(&mut self, slot: &Slot, register: &Register, start: usize) -> Result<(), Fault> {
        let (from, to) = (start + slot.at as usize, start + slot.end() as usize);
        let value = match register.constant {
            Some(value) => value,
            None => self.order.number(&self.bytes[from..to]),
        };
        self.sink.register(&register.name, value, from..to);
        match register.meaning {
            Meaning::FrameSize { .. } => self.state.frame = Some((from, value)),
            Meaning::Root => self.state.root = usize::try_from(value).unwrap_or(usize::MAX),
            Meaning::Extent { .. } => self.state.extent = value,
            Meaning::Count { .. } => self.state.count = value,
            Meaning::Version { writes } => {
                self.state.version = value;
                self.state.current = value >= writes;
            }
            Meaning::TypeId { expect } | Meaning::SchemaId { expect } if value != expect => {
                let code = if self.state.at_root { Code::UnknownMessage } else { Code::BadValue };
                return Err(Fault::at(code, from, format!("{} is {value}, not {expect}", register.name)));
            }
            Meaning::TypeId { .. } | Meaning::SchemaId { .. } | Meaning::FrameLength { .. } => {}
        }
        Ok(())
    }
}
