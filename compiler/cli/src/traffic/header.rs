//! The head of datagrams: a record in front of their messages, which may count them.

use crate::compile::Compiled;
use crate::failure::{Failure, Outcome};
use crate::near;
use aldis_captures::Flow;
use aldis_interpreter::{Codec, Fault, Value};
use aldis_plan::{Envelope, Extent, Message, Plan, RootPlace, Run, Step};
use aldis_schema::{MessageDef, Type, TypeId};
use std::collections::HashMap;

/// Reads the head of each datagram, and counts those that are missing.
pub struct PacketHeader {
    codec: Codec,
    message: usize,
    /// The field that counts.
    sequence: Option<usize>,
    channels: HashMap<Flow, Channel>,
}

/// The count of one channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Channel {
    next: u64,
    pub gaps: u64,
    pub missing: u64,
    /// Datagrams whose number came before: doubled, or out of order.
    pub earlier: u64,
}

impl PacketHeader {
    /// For the record of that name, and the field of the other.
    pub fn new(compiled: &Compiled, form: Option<&str>, name: &str, sequence: Option<&str>) -> Outcome<Self> {
        let mut plan = compiled.form(form)?.clone();
        let record = record(&plan, name)?;
        let field = field(&plan, record, sequence)?;
        for step in plan.layouts[record.index()].iter_mut().flat_map(|layout| &mut layout.steps) {
            match step {
                // Nothing in front of it says its size.
                Step::Run(run) if run.extent == Extent::Acting => run.extent = Extent::Exact,
                _ => {}
            }
        }
        let message = plan.messages.len();
        plan.schema.messages.push(MessageDef { record, id: None, rank: 0, listed: false });
        plan.messages.push(Message { record, envelope: Envelope { head: Run::default(), root: RootPlace::Follows } });
        Ok(Self { codec: Codec::new(plan), message, sequence: field, channels: HashMap::new() })
    }

    /// How many bytes the head of a datagram takes, and how many datagrams are missing before it.
    pub fn read(&mut self, flow: Flow, bytes: &[u8]) -> Result<(usize, u64), Fault> {
        let (value, used) = self.codec.decode(self.message, bytes)?;
        let number = self.sequence.and_then(|field| match &value {
            Value::Record(fields) => match fields.get(field)? {
                Value::UInt(number) => Some(*number),
                Value::Int(number) => u64::try_from(*number).ok(),
                _ => None,
            },
            _ => None,
        });
        let Some(number) = number else { return Ok((used, 0)) };
        let known = self.channels.contains_key(&flow);
        let channel = self.channels.entry(flow).or_default();
        let missing = if known { number.saturating_sub(channel.next) } else { 0 };
        if known && number < channel.next {
            channel.earlier += 1;
        } else {
            channel.gaps += u64::from(missing > 0);
            channel.missing += missing;
            channel.next = number.saturating_add(1);
        }
        Ok((used, missing))
    }

    /// The JSON of a datagram's head.
    pub fn json(&self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        self.codec.to_json(self.message, bytes, out).map(drop)
    }

    /// All channels in which something was missing or came late, in order.
    pub fn channels(&self) -> Vec<(Flow, Channel)> {
        let mut all: Vec<(Flow, Channel)> = self.channels.iter().map(|(flow, channel)| (*flow, *channel)).collect();
        all.retain(|(_, channel)| channel.gaps + channel.earlier > 0);
        all.sort_by_key(|(flow, _)| *flow);
        all
    }
}

/// The record of that name, with or without the package.
fn record(plan: &Plan, name: &str) -> Outcome<TypeId> {
    let types = || plan.schema.types.iter().zip(&plan.layouts).filter(|(_, layout)| layout.is_some());
    let is_it = |full: &str, local: &str| full == name || local == name;
    let found = plan
        .schema
        .types
        .iter()
        .zip(&plan.layouts)
        .position(|(ty, layout)| layout.is_some() && is_it(&ty.name.full(), &ty.name.local()));
    found.map(|index| TypeId(index as u32)).ok_or_else(|| {
        let names: Vec<String> = types().map(|(ty, _)| ty.name.full()).collect();
        let meant = near::meant(name, names.iter().map(String::as_str));
        let text = format!(
            "--packet-header: the schema has no record `{name}` with bytes of its own; {meant}it has {}",
            near::list(&names)
        );
        Failure::Usage(text)
    })
}

/// The field that counts datagrams: the one of that name, or the first that is called like a number in a sequence.
fn field(plan: &Plan, record: TypeId, name: Option<&str>) -> Outcome<Option<usize>> {
    let fields = &plan.schema.record(record).fields;
    let is_number = |ty: &Type| matches!(ty.required(), Type::Int(_));
    match name {
        Some(name) => match fields.iter().position(|field| field.name == name && is_number(&field.ty)) {
            Some(index) => Ok(Some(index)),
            None => {
                let names: Vec<String> =
                    fields.iter().filter(|field| is_number(&field.ty)).map(|field| field.name.clone()).collect();
                let text =
                    format!("--sequence: the packet header has no number `{name}`; it has {}", near::list(&names));
                Err(Failure::Usage(text))
            }
        },
        None => Ok(fields.iter().position(|field| field.name.to_lowercase().contains("seq") && is_number(&field.ty))),
    }
}
