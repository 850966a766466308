//! Single fields read where usual messages have them, and messages told apart by where they have their ids.

use super::message::{frame_check, head_segments};
use super::read::written;
use crate::decode::node::is_count;
use crate::erl::{atom, binary, case_of, text_list, Clause};
use crate::gen::Gen;
use crate::slots::{match_segments, name_slots, unsigned, Floats};
use crate::wire::Wire;
use aldis_emit::doc::{text, Doc};
use aldis_plan::{FixedInt, FrameCheck, Message, Node, Run, SlotKind, Step, TypeId};

impl<'a> Gen<'a> {
    /// The clause that reads a field of the root's first run in one match, or text and bytes behind a link of it in two.
    /// `careful` is the function that reads it in all other messages.
    pub fn fast_view(&mut self, wire: Wire<'a>, message: &'a Message, field: u32, careful: &str) -> Option<Clause> {
        self.fit_message(wire, message)?;
        let Some(Step::Run(run)) = wire.layout(message.record).steps.first() else { return None };
        let mut named = name_slots(self.names, message.record, &run.slots);
        let wanted = named.iter().find(|named| named.slot.field == Some(field))?.clone();
        named.retain(|n| n.slot.field == Some(field) || matches!(n.slot.kind, SlotKind::Register(_)));
        let head = &message.envelope.head;
        let since = crate::decode::record::newest(&Run { slots: vec![wanted.slot.clone()], ..run.clone() });
        let (mut segments, version) = head_segments(&wire, message, since);
        segments.extend(match_segments(&named, (0, run.size), wire.plan.byte_order, Floats::Numbers, &written));
        segments.push(text("_/binary"));
        let mut guards: Vec<String> = version.into_iter().collect();
        let framed = frame_check(message) == Some(FrameCheck::Bounds);
        if framed {
            guards.push(format!("FrameSize >= {}", head.size + run.size));
            guards.push("FrameSize =< byte_size(Bin)".to_owned());
        }
        let mut pattern = binary(segments);
        let (result, whole) = match &wanted.slot.kind {
            SlotKind::Link(link) => match &*link.target {
                Node::Blob(blob) if framed => {
                    blob.head.register(is_count)?;
                    guards.push(format!("{} > 0", wanted.at()));
                    let size = super::read::usual_head(&wire, &blob.head, "Size");
                    let end = format!("{} + {} + Size =< FrameSize", head.size + blob.head.size, wanted.at());
                    let place = format!(
                        "<<_:{}/binary, _:{}/binary, {size}, Value:Size/binary, _/binary>>",
                        head.size,
                        wanted.at()
                    );
                    let found = (text(format!("{place} when {end}")), text("{ok, Value}"));
                    (case_of(text("Bin"), [found, (text("_"), text(format!("{careful}(Bin)")))]), true)
                }
                _ => return None,
            },
            SlotKind::Presence(_) | SlotKind::Constant { .. } => return None,
            _ => {
                let value = self.value(&wire, &wanted, Floats::Numbers, "[]");
                (crate::erl::tuple([text("ok"), value]), framed)
            }
        };
        if whole {
            pattern = aldis_emit::doc::concat([pattern, text(" = Bin")]);
        }
        Some(Clause { args: vec![pattern], guards, body: vec![result] })
    }

    /// The clauses of `decode/1` for usual messages, each with its id where writers put it.
    pub fn fast_dispatch(&self, wire: &Wire<'a>, messages: &[(u64, TypeId)]) -> Vec<Clause> {
        let Some(dispatch) = &wire.plan.dispatch else { return Vec::new() };
        let of = |(id, record): &(u64, TypeId)| {
            let message = crate::decode::message::message_of(wire, *record)?;
            let root = u64::from(message.envelope.head.size);
            let mut fixed: Vec<(FixedInt, u64)> = dispatch.expect.clone();
            let mut place = dispatch.id;
            if let Some(via) = &dispatch.via {
                fixed.push((*via, root));
                place.at += message.envelope.head.size;
            }
            fixed.push((place, *id));
            let name = format!("decode_{}{}", self.names.of(*record), wire.suffix());
            let call = text(format!("{}(Bin)", atom(&name)));
            Some(Clause::plain(&[&format!("<<{}, _/binary>> = Bin", text_list(&literals(wire, fixed)))], call))
        };
        messages.iter().filter_map(of).collect()
    }
}

/// Segments of numbers at fixed places.
fn literals(wire: &Wire<'_>, mut fixed: Vec<(FixedInt, u64)>) -> Vec<Doc> {
    fixed.sort_by_key(|(place, _)| place.at);
    let mut at = 0;
    let mut out = Vec::new();
    for (place, value) in fixed {
        if place.at > at {
            out.push(text(format!("_:{}/binary", place.at - at)));
        }
        let width = u32::from(place.bits) / 8;
        out.push(text(unsigned(&value.to_string(), width, wire.plan.byte_order)));
        at = place.at + width;
    }
    out
}
