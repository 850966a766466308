//! Every place of a run that a reader looks at.

use super::{Pair, Room, Walk};
use crate::pair::{is_choice, Content, Member};
use aldis_plan::{ByteOrder, Missing, NullValue, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Field, Literal};
use std::collections::HashMap;

/// The bytes that a reader finds in the place of a union's tag.
#[derive(Clone, Copy, Debug)]
enum Tag {
    /// The tag of this union of the writer.
    Written(usize),
    /// Zero, always.
    Zero,
    /// Something else.
    Other,
}

/// The looks into one run.
pub(crate) struct Places<'a, 'p> {
    pair: &'a Pair<'a, 'p>,
    /// The writer's step.
    step: usize,
    room: Room,
    /// By the reader's member that is a tag.
    tags: HashMap<usize, Tag>,
}

/// The writer's member that lies where a reader looks.
enum Found {
    Missing,
    Hole,
    /// This member alone, and whether it is always there.
    One(usize, bool),
    /// Other bytes, some of them of this member.
    Others(usize),
}

impl<'a, 'p> Places<'a, 'p> {
    pub fn new(pair: &'a Pair<'a, 'p>, step: usize, room: Room) -> Self {
        Self { pair, step, room, tags: HashMap::new() }
    }

    /// Looks where the reader's member is. A union's tag is looked for before its arms.
    pub fn look(&mut self, walk: &mut Walk<'p, '_>, reader: usize) {
        let member = &self.pair.reader[reader];
        let mate = self.pair.mate(reader);
        let Some(chosen) = self.chosen(member) else {
            if mate.is_some() {
                walk.problem(mate, Some(reader), true, "readers look for it under another number of the union");
            }
            return;
        };
        let Content::Slot { slot, .. } = member.content else {
            return self.nothing(walk, reader, &chosen);
        };
        let found = self.found(walk, member, &chosen, mate);
        if is_choice(slot) {
            self.tags.insert(reader, self.tag(&found));
        }
        match found {
            Found::One(written, always) if mate == Some(written) => {
                let Content::Slot { slot: from, .. } = self.pair.writer[written].content else { return };
                if let Err(reason) = walk.slots_agree(from, slot, walk.is_key(member)) {
                    walk.problem(mate, Some(reader), false, reason);
                } else if !always && !zero_is_promised(slot, member.field()) {
                    walk.problem(mate, Some(reader), false, "it is zero where the writer chose another arm");
                }
            }
            Found::Others(written) if mate == Some(written) && self.widened(walk, written, slot) => {}
            Found::One(written, _) | Found::Others(written) => self.others(walk, reader, written),
            Found::Hole if mate.is_some() => walk.problem(mate, Some(reader), true, "zeros lie where it is looked for"),
            Found::Hole if !zero_is_promised(slot, member.field()) => {
                walk.problem(None, Some(reader), false, "readers take zeros for its value");
            }
            Found::Missing if mate.is_some() => {
                walk.problem(mate, Some(reader), true, "it is looked for where the writer's bytes have ended");
            }
            Found::Missing if !self.missing_is_promised(walk, member) => {
                walk.problem(None, Some(reader), false, "it is required, but the writer's bytes end before it");
            }
            Found::Hole | Found::Missing => {}
        }
    }

    /// Whether a number is read as it was written with the zeros behind it: nothing else lies there.
    fn widened(&self, walk: &Walk<'p, '_>, written: usize, to: &Slot) -> bool {
        let member = &self.pair.writer[written];
        let (Content::Slot { slot: from, .. }, SlotKind::Scalar(to)) = (member.content, &to.kind) else { return false };
        let SlotKind::Scalar(from) = &from.kind else { return false };
        let plain = |scalar: &Scalar| scalar.null.is_none() && scalar.absent.is_none() && scalar.xor == 0;
        let unsigned = matches!(from.repr, Repr::U8 | Repr::U16 | Repr::U32);
        let wider = match to.repr {
            Repr::I16 | Repr::U16 | Repr::I32 | Repr::U32 | Repr::I64 | Repr::U64 => {
                to.repr.width() > from.repr.width()
            }
            _ => false,
        };
        let behind = member.guards.is_empty() && walk.reader.byte_order == ByteOrder::Little;
        unsigned && wider && behind && plain(from) && plain(to)
    }

    fn others(&self, walk: &mut Walk<'p, '_>, reader: usize, written: usize) {
        let mate = self.pair.mate(reader);
        let name = &self.pair.writer[written].name;
        let moved = mate.is_some_and(|mate| self.pair.writer[mate].position() != self.pair.reader[reader].position());
        let width = |member: &Member| member.bits().end - member.bits().start;
        let reason = match mate.filter(|_| !moved) {
            Some(mate) if width(&self.pair.writer[mate]) != width(&self.pair.reader[reader]) => {
                "it has another size".into()
            }
            Some(mate) if mate != written => format!("it shares its bytes with `{name}`"),
            Some(_) => "it lies elsewhere in its byte".to_owned(),
            None => format!("bytes of `{name}` lie where it is looked for"),
        };
        walk.problem(mate, Some(reader), moved, reason);
    }

    /// A member without bytes: a constant, or an arm that is nothing but its number.
    fn nothing(&self, walk: &mut Walk<'p, '_>, reader: usize, chosen: &[(usize, u64)]) {
        let member = &self.pair.reader[reader];
        let Some(written) = self.pair.mate(reader) else { return };
        let other = &self.pair.writer[written];
        if member.field().constant != other.field().constant {
            walk.problem(Some(written), Some(reader), false, "it is a constant, which the writer does not write");
        } else if !matches!(other.content, Content::Nothing) {
            walk.problem(Some(written), Some(reader), false, "readers expect no bytes");
        } else if chosen.iter().any(|choice| other.guards.iter().any(|own| own.0 == choice.0 && own.1 != choice.1)) {
            walk.problem(Some(written), Some(reader), true, "it has another number in the union");
        }
    }

    /// The arms of the writer that a member of the reader can come from; `None` where no message has it.
    fn chosen(&self, member: &Member<'p>) -> Option<Vec<(usize, u64)>> {
        let mut chosen = Vec::new();
        for (tag, arm) in &member.guards {
            match self.tags.get(tag)? {
                Tag::Written(union) => {
                    let Content::Slot { slot, .. } = self.pair.writer[*union].content else { return None };
                    let SlotKind::Choice { arms, .. } = &slot.kind else { return None };
                    if arms.iter().all(|known| known.tag != *arm) {
                        return None;
                    }
                    chosen.push((*union, *arm));
                }
                Tag::Zero if *arm == 0 => {}
                Tag::Zero | Tag::Other => return None,
            }
        }
        Some(chosen)
    }

    fn tag(&self, found: &Found) -> Tag {
        match found {
            Found::Missing | Found::Hole => Tag::Zero,
            Found::One(written, _) => match self.pair.writer[*written].content {
                Content::Slot { slot, .. } if is_choice(slot) => Tag::Written(*written),
                _ => Tag::Other,
            },
            Found::Others(_) => Tag::Other,
        }
    }

    fn found(&self, walk: &Walk<'p, '_>, member: &Member<'p>, chosen: &[(usize, u64)], mate: Option<usize>) -> Found {
        if !self.present(walk, member) {
            return Found::Missing;
        }
        let pointer = matches!(member.content, Content::Slot { pointer: true, .. });
        let bits = member.bits();
        let there = |other: &Member| {
            let possible = other
                .guards
                .iter()
                .all(|(tag, arm)| chosen.iter().all(|(union, wanted)| union != tag || wanted == arm));
            let far = matches!(other.content, Content::Slot { pointer: true, .. });
            let own = other.bits();
            other.step == self.step && possible && far == pointer && own.start < bits.end && bits.start < own.end
        };
        let all: Vec<usize> = (0..self.pair.writer.len()).filter(|&index| there(&self.pair.writer[index])).collect();
        let same = |index: &&usize| {
            let mut other = self.pair.writer[**index].clone();
            other.step = member.step;
            other.is_at(member)
        };
        let exact: Vec<usize> = all.iter().filter(same).copied().collect();
        let sure = |index: usize| {
            self.pair.writer[index].guards.iter().all(|(tag, _)| chosen.iter().any(|(union, _)| union == tag))
        };
        match (all.as_slice(), exact.as_slice()) {
            ([], _) => Found::Hole,
            ([one], [_]) => Found::One(*one, sure(*one)),
            (all, _) => {
                let other = all.iter().find(|index| Some(**index) != mate);
                Found::Others(*other.unwrap_or(&all[0]))
            }
        }
    }

    /// Whether the reader takes the bytes to be there. A nested record is there when its first members are.
    fn present(&self, walk: &Walk<'p, '_>, member: &Member<'p>) -> bool {
        let Content::Slot { at, pointer, slot } = member.content else { return true };
        let room = if pointer { self.room.pointers } else { self.room.bytes };
        let whole = self.room.pointers > 0 || slot_is_sectioned(member);
        let nests = whole || member.nests.iter().all(|(nest, _)| self.nest_is_there(walk, nest));
        nests && u64::from(slot.since) <= walk.version && u64::from(at + slot.width) <= room
    }

    fn nest_is_there(&self, walk: &Walk<'p, '_>, nest: &Slot) -> bool {
        let SlotKind::Nest { slots, .. } = &nest.kind else { return true };
        let end = slots.iter().filter(|member| member.since <= nest.since).map(Slot::end).max().unwrap_or(nest.at);
        u64::from(nest.since) <= walk.version && u64::from(end) <= self.room.bytes
    }

    /// Whether the reader's format promises what stands for missing bytes.
    fn missing_is_promised(&self, walk: &Walk<'p, '_>, member: &Member<'p>) -> bool {
        let Content::Slot { slot, .. } = member.content else { return true };
        let nest = member.nests.iter().find(|(nest, _)| {
            nest.missing == Missing::Null && !slot_is_sectioned(member) && !self.nest_is_there(walk, nest)
        });
        let (slot, field) = nest.copied().unwrap_or((slot, member.field()));
        match slot.missing {
            Missing::Null => field.nullable() || matches!(slot.kind, SlotKind::Pointer { .. }),
            Missing::Default => true,
            Missing::Never => false,
        }
    }
}

/// Whether a member lies in a section, where records nested in records are scattered.
fn slot_is_sectioned(member: &Member) -> bool {
    matches!(member.content, Content::Slot { slot, .. } if slot.missing == Missing::Default)
        || matches!(member.content, Content::Slot { pointer: true, .. })
}

/// Whether zero bytes in a slot that the writer does not know mean what missing ones do.
fn zero_is_promised(slot: &Slot, field: &Field) -> bool {
    match &slot.kind {
        SlotKind::Pointer { .. } | SlotKind::Choice { .. } | SlotKind::Presence(_) => true,
        SlotKind::Scalar(scalar) if slot.missing == Missing::Null => {
            scalar.null == Some(NullValue::Bits(0)) && field.nullable()
        }
        // The stored number differs from the default where it is not zero, or the default is zero itself.
        SlotKind::Scalar(scalar) => {
            let zero = |literal: &Literal| match literal {
                Literal::Int(number) => *number == 0,
                Literal::Bool(value) => !value,
                Literal::Float(number) => *number == 0.0,
                _ => false,
            };
            slot.missing == Missing::Default && (scalar.xor != 0 || field.default.as_ref().is_none_or(zero))
        }
        _ => false,
    }
}
