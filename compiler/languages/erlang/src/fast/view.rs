//! Single fields read where usual messages have them, and messages told apart by where they have their ids.

use super::fit::{checked, fit_envelope, fit_extent, plain};
use super::message::head_segments;
use super::read::{usual_head, written};
use super::stage::{Chain, Distance, First};
use crate::code::{quote, quote_with, Expr};
use crate::decode::field::BLOCK;
use crate::decode::message::either;
use crate::erl::{atom, binary, bind, case_of, choice, guarded_by, statements, tuple, Atom, Clause};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::{alone, match_segments, name_field, name_slots, unsigned, Floats, Named};
use crate::wire::Wire;
use aldis_plan::{Extent, FixedInt, FrameCheck, Message, Node, Register, Slot, SlotKind, Step, TypeId};

/// The most fields for which clauses are tried one after another.
const TRIED: usize = 8;

/// The place of a value: the first byte that links count from, and the variable of a link.
struct Place {
    base: Distance,
    at: String,
}

impl Place {
    fn whole(&self) -> Distance {
        let mut whole = self.base.clone();
        whole.add(&Distance::of(0, Some(&self.at)));
        whole
    }
}

impl<'a> Gen<'a> {
    /// The clause of `M_get(Field, Bin)` for the fields of the root's first run that lie in it, where it is whole and there are so many
    /// that trying one clause after another takes longer than to look the name up.
    pub fn fast_fields(&mut self, wire: Wire<'a>, message: &'a Message, careful: &Atom) -> Option<Clause> {
        let id = message.record;
        let Some(Step::Run(run)) = wire.layout(id).steps.first() else { return None };
        let framed = message.envelope.head.frame_check().is_some();
        let sized = matches!(run.extent, Extent::Exact | Extent::Acting);
        let registers = run.slots.iter().any(|slot| matches!(slot.kind, SlotKind::Register(_)));
        let looked_up = |gen: &Self, slot: &Slot| plain(slot) && gen.is_in_block(&wire, slot);
        let count = run.slots.iter().filter(|slot| looked_up(self, slot)).count();
        if !fit_envelope(message) || framed || !sized || registers || wire.links || count <= TRIED {
            return None;
        }
        let newest = crate::decode::record::newest(&run.slots);
        let (mut segments, version) = head_segments(&wire, message, newest);
        let mut found = Vec::new();
        for named in name_slots(self.names, id, &run.slots) {
            // Fields that another version did not have are for the careful function.
            let Some(field) = named.slot.field.filter(|_| looked_up(self, named.slot)) else { continue };
            if named.slot.since > 0 && version.is_none() {
                continue;
            }
            let mut ways = self.found_in_block(&wire, run, &named);
            if ways.iter().any(|(pattern, ..)| *pattern == quote(BLOCK)) {
                continue;
            }
            let own = self.names.field_atom(id, field as usize);
            let tests = ways.first().map(|(_, guards, _)| guards.clone()).unwrap_or_default();
            let ok = |value: Expr| tuple([quote("ok"), value]);
            let value = match ways.len() {
                1 => {
                    let (pattern, _, value) = ways.remove(0);
                    statements(vec![bind(pattern, BLOCK), ok(value)])
                }
                _ => case_of(BLOCK, ways.into_iter().map(|(pattern, _, value)| (pattern, ok(value)))),
            };
            found.push((guarded_by(own.into(), tests), value));
        }
        found.push((quote("_"), quote(format!("{careful}(Field, Bin, default)"))));
        segments.push(quote(format!("{BLOCK}/binary")));
        let size = message.envelope.head.size + run.size;
        let pattern = bind(binary(segments), "Bin");
        let clause = Clause::new([quote("Field"), pattern], [choice("Field", found)]);
        Some(clause.when(format!("byte_size(Bin) >= {size}")))
    }

    /// The clauses that read a field of the root's first run in one match, with one more for each link on the way to it.
    /// `careful` is the call that reads it in all other messages. What else the record has does not matter.
    pub fn fast_view(&mut self, wire: Wire<'a>, message: &'a Message, field: u32, careful: &str) -> Vec<Clause> {
        self.usual_view(wire, message, field, careful).unwrap_or_default()
    }

    fn usual_view(&mut self, wire: Wire<'a>, message: &'a Message, field: u32, careful: &str) -> Option<Vec<Clause>> {
        let layout = wire.layout(message.record);
        let Some(Step::Run(run)) = layout.steps.first() else { return None };
        if !fit_envelope(message) || !fit_extent(run) || wire.links && !layout.rebase {
            return None;
        }
        let mut named = name_field(self.names, message.record, &run.slots, field);
        let wanted = named.iter().find(|named| named.slot.field == Some(field))?.clone();
        named.retain(|n| n.slot.field == Some(field) || matches!(n.slot.kind, SlotKind::Register(_)));
        let head = &message.envelope.head;
        let since = crate::decode::record::newest(std::slice::from_ref(wanted.slot));
        let (head_parts, version) = head_segments(&wire, message, since);
        let mut guards: Vec<Expr> = version.into_iter().collect();
        let framed = message.envelope.head.frame_check() == Some(FrameCheck::Bounds);
        if framed {
            guards.push(quote(format!("FrameSize >= {}", head.size + run.size)));
            guards.push(quote("FrameSize =< byte_size(Bin)"));
        }
        let clause = |named: &[Named<'_>], guards: Vec<Expr>, result: Expr| {
            let parts = match_segments(named, (0, run.size), wire.plan.byte_order, Floats::Numbers, &written);
            let segments = head_parts.iter().cloned().chain(parts).chain([quote("_/binary")]);
            let pattern = if framed { bind(binary(segments), "Bin") } else { binary(segments) };
            Clause::new([pattern], [result]).when_all(guards)
        };
        let goal = self.goal(message.record, field as usize);
        let (target, goal) = match &wanted.slot.kind {
            SlotKind::Link(link) if framed => (&*link.target, goal),
            SlotKind::Presence(link) if framed => match &*link.target {
                Node::Rebase { value } => (&**value, goal.required()),
                _ => return None,
            },
            SlotKind::Constant { .. } => return None,
            _ if plain(wanted.slot) && !checked(wanted.slot) => {
                let value = self.value(&wire, &wanted, Floats::Numbers, "[]");
                return Some(vec![clause(&named, guards, tuple([quote("ok"), value]))]);
            }
            _ => return None,
        };
        let place = Place { base: Distance::of(head.size.into(), None), at: wanted.at() };
        let found = self.view_target(wire, target, &goal, &place, careful)?;
        let mut clauses = Vec::new();
        if let SlotKind::Presence(_) = &wanted.slot.kind {
            let mut with_flag = |flag: bool| {
                named.iter_mut().filter(|n| n.slot.field == Some(field)).for_each(|n| n.flag = Some(flag));
                named.clone()
            };
            clauses.push(clause(&with_flag(false), guards.clone(), quote("{ok, undefined}")));
            with_flag(true);
        }
        guards.push(quote(format!("{} > 0", wanted.at())));
        clauses.push(clause(&named, guards, found));
        Some(clauses)
    }

    /// The expression that reads a node at a place of `Bin`, a message of `FrameSize` bytes.
    fn view_target(
        &mut self,
        wire: Wire<'a>,
        node: &'a Node,
        goal: &Goal<'a>,
        place: &Place,
        careful: &str,
    ) -> Option<Expr> {
        let order = wire.plan.byte_order;
        let whole = place.whole();
        let within = |size: &str| format!("{whole} + {size} =< FrameSize");
        let (segments, guard, result) = match node {
            Node::Cell { slot } => match &slot.kind {
                SlotKind::Link(link) => {
                    // Such a slot counts links from itself.
                    let there = Place { base: whole.clone(), at: "More".to_owned() };
                    let found = self.view_target(wire, &link.target, goal, &there, careful)?;
                    (unsigned("More", slot.width, order), "More > 0".to_owned(), found)
                }
                _ if plain(slot) && !checked(slot) => {
                    let named = alone(self.names, slot, "Found");
                    let one = std::slice::from_ref(&named);
                    let segments = match_segments(one, (0, slot.width), order, Floats::Numbers, &written);
                    let value = self.value(&wire, &named, Floats::Numbers, "[]");
                    (Expr::Row(segments), within(&slot.width.to_string()), tuple([quote("ok"), value]))
                }
                _ => return None,
            },
            Node::Blob(blob) => {
                blob.head.register(Register::is_count)?;
                let head = usual_head(&wire, &blob.head, "Size");
                let guard = within(&format!("{} + Size", blob.head.size));
                (Expr::Row(head.into_iter().chain([quote("Value:Size/binary")]).collect()), guard, quote("{ok, Value}"))
            }
            _ => return self.view_read(wire, node, goal, place, careful),
        };
        let pattern = format!("<<{}, ?1, _/binary>> when {guard}", whole.skipped());
        Some(case_of("Bin", [(quote_with(pattern, [segments]), result), (quote("_"), quote(careful))]))
    }

    /// As [`Gen::view_target`], for records and lists, which have readers.
    fn view_read(
        &mut self,
        wire: Wire<'a>,
        node: &'a Node,
        goal: &Goal<'a>,
        place: &Place,
        careful: &str,
    ) -> Option<Expr> {
        self.fit_node(wire, node)?;
        let mut chain = Chain::new();
        chain.place = Distance::of(0, Some("At"));
        let value = self.chain_node(wire, node, "Found", goal, &mut chain);
        chain.guard(format!("{} =< Most", chain.place));
        let first = First { args: vec![quote("At"), quote("Most")], clauses: Vec::new() };
        let name = format!("fast_view_{}{}", goal.hint, wire.suffix());
        let function =
            self.chain_function(&name, &chain, &|_| first.clone(), &|_, _| tuple([quote("ok"), value.clone()]));
        let most = format!("FrameSize - {}", place.base.as_operand());
        let read = either(&format!("{function}(Rest, {}, {most})", place.at), careful);
        let pattern = format!("<<{}, Rest/binary>>", place.whole().skipped());
        Some(case_of("Bin", [(quote(pattern), read), (quote("_"), quote(careful))]))
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
            let call = quote(format!("{}(Bin)", atom(&name)));
            let pattern = bind(binary(literals(wire, fixed).into_iter().chain([quote("_/binary")])), "Bin");
            Some(Clause::new([pattern], [call]))
        };
        messages.iter().filter_map(of).collect()
    }
}

/// Segments of numbers at fixed places.
fn literals(wire: &Wire<'_>, mut fixed: Vec<(FixedInt, u64)>) -> Vec<Expr> {
    fixed.sort_by_key(|(place, _)| place.at);
    let mut at = 0;
    let mut out = Vec::new();
    for (place, value) in fixed {
        if place.at > at {
            out.push(quote(format!("_:{}/binary", place.at - at)));
        }
        let width = u32::from(place.bits) / 8;
        out.push(unsigned(value.to_string(), width, wire.plan.byte_order));
        at = place.at + width;
    }
    out
}
