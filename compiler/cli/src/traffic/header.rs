//! The head of datagrams: a record in front of their messages, which may count them.

use crate::failure::{Failure, Outcome};
use crate::near;
use aldis_interpreter::{Codec, Fault, Value};
use aldis_plan::{ByteOrder, Envelope, Extent, Message, Plan, Repr, RootPlace, Run, SlotKind, Step};
use aldis_schema::{MessageDef, Type, TypeId};

/// Reads the head of each datagram.
pub struct PacketHeader {
    codec: Codec,
    message: usize,
    /// The field that counts, and the bits of its number.
    sequence: Option<(usize, u8)>,
    /// The place of that number, when all heads are the same number of bytes.
    fixed: Option<Fixed>,
}

/// A head of a known size with its number at a known place.
struct Fixed {
    size: usize,
    at: usize,
    width: usize,
    order: ByteOrder,
}

impl PacketHeader {
    /// For the record of that name in the first plan that has it, and the field of the other name.
    pub fn new(plans: &[&Plan], name: &str, sequence: Option<&str>) -> Outcome<Self> {
        let found = plans.iter().find_map(|plan| Some((*plan, record(plan, name)?)));
        let (plan, record) = found.ok_or_else(|| no_record(plans, name))?;
        let mut plan = plan.clone();
        let sequence = field(&plan, record, sequence)?;
        for step in plan.layouts[record.index()].iter_mut().flat_map(|layout| &mut layout.steps) {
            match step {
                // Nothing in front of it says its size.
                Step::Run(run) if run.extent == Extent::Acting => run.extent = Extent::Exact,
                _ => {}
            }
        }
        let fixed = sequence.and_then(|(field, _)| Fixed::of(&plan, record, field));
        let message = plan.messages.len();
        plan.schema.messages.push(MessageDef { record, id: None, rank: 0, listed: false });
        plan.messages.push(Message { record, envelope: Envelope { head: Run::default(), root: RootPlace::Follows } });
        Ok(Self { codec: Codec::new(plan), message, sequence, fixed })
    }

    /// The bits of the number that counts datagrams, where there is one.
    pub fn bits(&self) -> Option<u8> {
        self.sequence.map(|(_, bits)| bits)
    }

    /// How many bytes the head of a datagram takes, and its number.
    pub fn read(&self, bytes: &[u8]) -> Result<(usize, Option<u64>), Fault> {
        if let Some((fixed, head)) = self.fixed.as_ref().and_then(|fixed| Some((fixed, bytes.get(..fixed.size)?))) {
            return Ok((fixed.size, Some(fixed.number(head))));
        }
        let (value, used) = self.codec.decode(self.message, bytes)?;
        let number = self.sequence.and_then(|(field, bits)| match &value {
            Value::Record(fields) => match fields.get(field)? {
                Value::UInt(number) => Some(*number),
                Value::Int(number) => Some(*number as u64 & u64::MAX >> (64 - bits)),
                _ => None,
            },
            _ => None,
        });
        Ok((used, number))
    }

    /// The JSON of a datagram's head.
    pub fn json(&self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        self.codec.to_json(self.message, bytes, out).map(drop)
    }
}

impl Fixed {
    fn of(plan: &Plan, record: TypeId, field: usize) -> Option<Self> {
        let layout = plan.layouts[record.index()].as_ref()?;
        let [Step::Run(run)] = &layout.steps[..] else { return None };
        let slot = run.slots.iter().find(|slot| slot.field == Some(field as u32))?;
        let is_plain = matches!(&slot.kind, SlotKind::Scalar(scalar)
            if is_whole(scalar.repr) && scalar.null.is_none() && scalar.xor == 0);
        let (size, at, width) = (run.size as usize, slot.at as usize, slot.width as usize);
        (is_plain && run.extent == Extent::Exact).then_some(Self { size, at, width, order: plan.byte_order })
    }

    fn number(&self, head: &[u8]) -> u64 {
        self.order.number(&head[self.at..self.at + self.width])
    }
}

fn is_whole(repr: Repr) -> bool {
    use Repr::{I16, I32, I64, I8, U16, U32, U64, U8};
    matches!(repr, U8 | U16 | U32 | U64 | I8 | I16 | I32 | I64)
}

/// The record of that name, with or without the package.
fn record(plan: &Plan, name: &str) -> Option<TypeId> {
    let is_it = |full: &str, local: &str| full == name || local == name;
    let found = plan
        .schema
        .types
        .iter()
        .zip(&plan.layouts)
        .position(|(ty, layout)| layout.is_some() && is_it(&ty.name.full(), &ty.name.local()));
    found.map(|index| TypeId(index as u32))
}

fn no_record(plans: &[&Plan], name: &str) -> Failure {
    let types = plans.iter().flat_map(|plan| plan.schema.types.iter().zip(&plan.layouts));
    let names: Vec<String> = types.filter(|(_, layout)| layout.is_some()).map(|(ty, _)| ty.name.full()).collect();
    let meant = near::meant(name, names.iter().map(String::as_str));
    let list = near::list(&names);
    Failure::Usage(format!(
        "--packet-header: the schema has no record `{name}` with bytes of its own; {meant}it has {list}"
    ))
}

/// The field that counts datagrams, and its bits: the one of that name, or the first that is called like a number in a
/// sequence.
fn field(plan: &Plan, record: TypeId, name: Option<&str>) -> Outcome<Option<(usize, u8)>> {
    let fields = &plan.schema.record(record).fields;
    let bits = |ty: &Type| match ty.required() {
        Type::Int(int) => Some(int.bits),
        _ => None,
    };
    let found = |is_it: &dyn Fn(&str) -> bool| {
        let mut numbers = fields.iter().zip(0..).filter(|(field, _)| is_it(&field.name));
        numbers.find_map(|(field, index)| Some((index, bits(&field.ty)?)))
    };
    let Some(name) = name else { return Ok(found(&|field| field.to_lowercase().contains("seq"))) };
    found(&|field| field == name).map(Some).ok_or_else(|| {
        let numbers = fields.iter().filter(|field| bits(&field.ty).is_some());
        let names: Vec<String> = numbers.map(|field| field.name.clone()).collect();
        Failure::Usage(format!("--sequence: the packet header has no number `{name}`; it has {}", near::list(&names)))
    })
}
