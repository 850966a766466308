//! Values to bytes.

mod node;
mod run;
mod sections;

use crate::fault::{Code, Fault};
use crate::scalar;
use crate::tables::Tables;
use crate::Value;
use aldis_plan::{
    ByteOrder, Container, Limits, Meaning, Message, Plan, Register, RootPlace, Run, Slot, SlotKind, Step,
};
use aldis_schema::TypeId;

/// The bytes of one message, and how much of the budget of decoding may be spent on what has none: where that is not
/// more than [`Limits::budget_base`], the budget suffices.
///
/// # Errors
/// `out-of-range`, `bad-value` and `too-deep`, with the path and no offset that means anything.
pub(crate) fn encode(
    plan: &Plan,
    tables: &Tables,
    limits: &Limits,
    message: &Message,
    value: &Value,
) -> Result<(Vec<u8>, u64), Fault> {
    let mut encoder = Encoder {
        plan,
        tables,
        order: plan.byte_order,
        out: Vec::with_capacity(256),
        base: 0,
        depth: limits.depth,
        unpaid: 0,
    };
    if let Container::Segments(form) = plan.container {
        return encoder.segments(message.record, value, form);
    }
    let head = &message.envelope.head;
    encoder.head(head, 0)?;
    if message.envelope.root == RootPlace::Registered {
        encoder.patch(head, 0, |meaning| match meaning {
            Meaning::Root => Some(u64::from(head.size)),
            _ => None,
        });
    }
    encoder.record(message.record, value)?;
    let total = encoder.out.len() as u64;
    if total > u64::from(u32::MAX) {
        return Err(Fault::new(Code::OutOfRange, "a message of more than 4 GiB"));
    }
    encoder.patch(head, 0, |meaning| match meaning {
        Meaning::FrameSize { .. } => Some(total),
        Meaning::FrameLength { plus } => Some(total.wrapping_add_signed(*plus)),
        _ => None,
    });
    check_frame_length(head, total)?;
    Ok((encoder.out, encoder.unpaid))
}

/// Refuses a message that is too long for what says how long its frame is.
fn check_frame_length(head: &Run, total: u64) -> Result<(), Fault> {
    let Some((slot, register)) = head.register(|r| matches!(r.meaning, Meaning::FrameLength { .. })) else {
        return Ok(());
    };
    let Meaning::FrameLength { plus } = register.meaning else { return Ok(()) };
    let length = total.wrapping_add_signed(plus);
    if slot.width < 8 && length >> (8 * slot.width) != 0 {
        let text = format!("a message of {total} bytes is too long for `{}`", register.name);
        return Err(Fault::new(Code::OutOfRange, text));
    }
    Ok(())
}

/// A message being written.
pub(super) struct Encoder<'p> {
    plan: &'p Plan,
    tables: &'p Tables,
    order: ByteOrder,
    out: Vec<u8>,
    base: usize,
    depth: u32,
    /// The charge that decoding takes for values without bytes.
    unpaid: u64,
}

impl<'p> Encoder<'p> {
    fn record(&mut self, record: TypeId, value: &Value) -> Result<(), Fault> {
        let Value::Record(fields) = value else {
            return Err(run::wrong(value, "a record"));
        };
        if self.depth == 0 {
            return Err(Fault::new(Code::TooDeep, "records nest deeper than the limit"));
        }
        self.depth -= 1;
        let layout = self.plan.layout(record);
        let outer_base = self.base;
        if layout.rebase {
            self.base = self.out.len();
        }
        for step in &layout.steps {
            match step {
                Step::Run(run) => self.run(run, record, fields)?,
                Step::Part { field, since, node } => {
                    let value = self.field(record, fields, *field);
                    let definition = &self.tables.schema.record(record).fields[*field as usize];
                    let result = match value {
                        Value::Null if *since > 0 => self.empty(node),
                        value => self.node(node, value, &definition.ty),
                    };
                    result.map_err(|f| f.leaving(definition).in_field(&definition.name))?;
                }
            }
        }
        self.base = outer_base;
        self.depth += 1;
        Ok(())
    }

    /// The value of a field; one beyond a shortened record is what it is where bytes end before it.
    fn field<'v>(&self, record: TypeId, fields: &'v [Value], field: u32) -> &'v Value
    where
        'p: 'v,
    {
        fields.get(field as usize).unwrap_or(&self.tables.record(record).missing[field as usize])
    }

    /// Notes `count` elements, the bytes of which began at `start`, if they have none.
    fn note_empty(&mut self, count: usize, start: usize) {
        if self.out.len() == start {
            self.unpaid = self.unpaid.saturating_add(Limits::EMPTY_ELEMENT.saturating_mul(count as u64));
        }
    }

    /// Appends `size` zero bytes and gives their place.
    fn reserve(&mut self, size: usize) -> usize {
        let start = self.out.len();
        self.out.resize(start + size, 0);
        start
    }

    /// Appends a head whose count register, if it has one, is `count`.
    ///
    /// # Errors
    /// `out-of-range` where the count is beyond what the register may say.
    fn head(&mut self, head: &Run, count: u64) -> Result<usize, Fault> {
        let start = self.reserve(head.size as usize);
        for slot in &head.slots {
            if let SlotKind::Register(register) = &slot.kind {
                self.register(slot, register, start, count)?;
            }
        }
        Ok(start)
    }

    fn register(&mut self, slot: &Slot, register: &Register, start: usize, count: u64) -> Result<(), Fault> {
        let value = match register.meaning {
            Meaning::FrameSize { .. } | Meaning::FrameLength { .. } | Meaning::Root => return Ok(()),
            Meaning::Extent { writes } | Meaning::Version { writes } => writes,
            Meaning::TypeId { expect } | Meaning::SchemaId { expect } => expect,
            Meaning::Count { min, max } if (min..=max).contains(&count) => count,
            Meaning::Count { min, max } => {
                let text = format!("{count} elements or bytes, where the schema allows {min} to {max}");
                return Err(Fault::new(Code::OutOfRange, text));
            }
        };
        self.store(slot, register, start, value);
        Ok(())
    }

    fn store(&mut self, slot: &Slot, register: &Register, start: usize, value: u64) {
        if register.constant.is_none() {
            let at = start + slot.at as usize;
            scalar::store(&mut self.out[at..at + slot.width as usize], self.order, value);
        }
    }

    /// Stores what is known only later into the registers of a head.
    fn patch(&mut self, head: &Run, start: usize, value: impl Fn(&Meaning) -> Option<u64>) {
        for slot in &head.slots {
            if let SlotKind::Register(register) = &slot.kind {
                if let Some(value) = value(&register.meaning) {
                    self.store(slot, register, start, value);
                }
            }
        }
    }
}
