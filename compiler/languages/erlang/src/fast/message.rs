//! Whole messages, read and written fast: what `decode_M` and `encode_M` try first.

use super::fit::fit_envelope;
use super::read::written;
use super::stage::{Chain, Distance, First};
use crate::code::{quote, Expr};
use crate::erl::{tuple, Callee};
use crate::gen::Gen;
use crate::slots::{match_segments, unnamed, Floats, Named};
use crate::wire::Wire;
use aldis_plan::{FrameCheck, Meaning, Message, Node, Register, Step, TypeId};

/// The most bytes of a small record.
const SMALL: u64 = 4096;

impl<'a> Gen<'a> {
    /// The function `f(Bin) -> {ok, Record, Rest}` for usual messages.
    pub fn fast_decode(&mut self, wire: Wire<'a>, message: &'a Message) -> Option<Callee> {
        let newest = self.fit_message(wire, message)?;
        let id = message.record;
        let name = format!("fast_decode_{}{}", self.names.of(id), wire.suffix());
        Some(self.define_in(id, &name, &name, |gen, own| {
            let mut chain = Chain::new();
            let head = &message.envelope.head;
            let (segments, version) = head_segments(&wire, message, newest);
            chain.segments(&segments);
            if let Some(version) = version {
                chain.guard(version);
            }
            let value = gen.chain_record(wire, id, None, &mut chain);
            match message.envelope.head.frame_check() {
                Some(FrameCheck::Bounds) => {
                    let mut whole = Distance::of(head.size.into(), None);
                    whole.add(&chain.place);
                    chain.guard(format!("FrameSize =:= {whole}"));
                }
                Some(FrameCheck::Exact) => chain.check_size(),
                None => {}
            }
            let names = gen.chain_names(own, &chain);
            chain.functions(&names, &First::default(), &|rest| tuple([quote("ok"), value.clone(), quote(rest)]))
        }))
    }

    /// Whether a record is only ever read and written as a message that fast functions are for: careful ones see what is unusual.
    pub fn only_unusual(&mut self, wire: Wire<'a>, id: TypeId) -> bool {
        let message = crate::decode::message::message_of(&wire, id).filter(|_| !self.is_held(id));
        let fit = message.is_some_and(|message| self.fit_message(wire, message).is_some());
        fit && !self.strict_text.reaches_from(id) && !aldis_emit::writes_unpaid(wire.plan, id)
    }

    /// Whether a record is so small that copying it costs less than a list of its parts.
    pub fn is_small(&self, wire: Wire<'a>, id: TypeId) -> bool {
        let size = |step: &Step| match step {
            Step::Run(run) => Some(u64::from(run.size)),
            Step::Part { node: Node::Blob(blob), .. } => {
                let (_, most) = blob.head.count_bounds()?;
                most.checked_add(blob.head.size.into())
            }
            Step::Part { .. } => None,
        };
        let sizes: Option<Vec<u64>> = wire.layout(id).steps.iter().map(size).collect();
        sizes.is_some_and(|sizes| sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(*size)) <= SMALL)
    }

    /// Whether a message is fit for fast functions, and the first version whose writers write it whole.
    pub(super) fn fit_message(&mut self, wire: Wire<'a>, message: &'a Message) -> Option<u32> {
        if !fit_envelope(message) {
            return None;
        }
        self.fit(wire, message.record)
    }
}

/// The segments of a usual message's head, and what must hold of its version for everything up to `newest` to be there.
pub(super) fn head_segments(wire: &Wire<'_>, message: &Message, newest: u32) -> (Vec<Expr>, Option<Expr>) {
    let head = &message.envelope.head;
    let named: Vec<Named<'_>> = unnamed(&head.slots);
    let stated = head.register(|r| matches!(r.meaning, Meaning::Version { .. }) && r.constant.is_none());
    let versioned = newest > 0 && stated.is_some();
    let register = |register: &Register| match register.meaning {
        Meaning::Root => Some(head.size.to_string()),
        Meaning::FrameSize { .. } => Some("FrameSize".to_owned()),
        Meaning::FrameLength { .. } => Some("_".to_owned()),
        Meaning::Version { .. } if versioned => Some("Version".to_owned()),
        _ => written(register).or_else(|| Some("_".to_owned())),
    };
    let segments = match_segments(&named, (0, head.size), wire.plan.byte_order, Floats::Numbers, &register);
    (segments, versioned.then(|| quote(format!("Version >= {newest}"))))
}
