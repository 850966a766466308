//! Whether a value that lies where it is looked for is read as it was written.

use super::{heads, Walk};
use crate::pair::{named, Content, Member};
use aldis_plan::{Container, Element, Node, Repeat, Repr, Scalar, Segments, Shape, Slot, SlotKind};
use aldis_schema::{Encoding, Type, TypeId};

type Agreement = Result<(), String>;

fn differ<T>(reason: &str) -> Result<T, String> {
    Err(reason.to_owned())
}

const ANOTHER_TYPE: &str = "its bytes are read as another type";

impl<'p> Walk<'p, '_> {
    /// Two slots in the same place.
    pub(crate) fn slots_agree(&mut self, from: &'p Slot, to: &'p Slot, keyed: bool) -> Agreement {
        if from.width != to.width {
            return differ("it has another size");
        }
        match (&from.kind, &to.kind) {
            (SlotKind::Scalar(from), SlotKind::Scalar(to)) => self.scalars_agree(from, to),
            (SlotKind::Chars { ty: from }, SlotKind::Chars { ty: to }) => match (from, to) {
                (Type::Chars { encoding: from, .. }, Type::Chars { encoding: to, .. }) if from != to => {
                    differ("its text is read in another encoding")
                }
                _ => Ok(()),
            },
            (SlotKind::Array { count, element }, SlotKind::Array { count: wanted, element: read }) => {
                if count != wanted {
                    return differ("it has another number of elements");
                }
                self.slots_agree(element, read, keyed)
            }
            (SlotKind::Link(from), SlotKind::Link(to)) | (SlotKind::Presence(from), SlotKind::Presence(to)) => {
                self.nodes_agree(&from.target, &to.target, keyed, false)
            }
            (SlotKind::Pointer { target: from }, SlotKind::Pointer { target: to }) => {
                self.nodes_agree(from, to, keyed, true)
            }
            (SlotKind::Constant { .. }, SlotKind::Constant { .. })
            | (SlotKind::Choice { .. }, SlotKind::Choice { .. }) => Ok(()),
            (SlotKind::Nest { record, .. }, SlotKind::Nest { record: read, .. }) => {
                self.call(*record, *read, 0, keyed);
                Ok(())
            }
            _ => differ(ANOTHER_TYPE),
        }
    }

    fn scalars_agree(&mut self, from: &Scalar, to: &Scalar) -> Agreement {
        if from.repr != to.repr {
            return differ(ANOTHER_TYPE);
        }
        if from.xor != to.xor {
            return differ("it is stored as the difference from another default");
        }
        if from.null != to.null {
            return differ(match (from.null, to.null) {
                (None, _) => "a number that may be written reads as null",
                (_, None) => "null reads as a number",
                _ => "another number means null",
            });
        }
        let (from, to) = (named(&self.writer.schema, &from.ty), named(&self.reader.schema, &to.ty));
        if let (Some((from, _)), Some((to, _))) = (from, to) {
            self.enums.insert((from, to, self.current));
        }
        Ok(())
    }

    /// Two nodes in the same place; `pointed` where a pointer says how large they are.
    pub(crate) fn nodes_agree(&mut self, from: &'p Node, to: &'p Node, keyed: bool, pointed: bool) -> Agreement {
        match (from, to) {
            (Node::Cell { slot: from }, Node::Cell { slot: to }) => self.slots_agree(from, to, keyed),
            (Node::Call { record: from }, Node::Call { record: to }) => {
                self.call(*from, *to, 0, keyed);
                Ok(())
            }
            (Node::Blob(from), Node::Blob(to)) => {
                heads(&from.head, &to.head)?;
                same_size(from.head.size, to.head.size)?;
                contents_agree(from.content, to.content, pointed)
            }
            (Node::Repeat(from), Node::Repeat(to)) => self.repeats_agree(from, to, keyed, pointed),
            (Node::Blob(blob), Node::Repeat(repeat)) if octets(repeat) => {
                heads(&blob.head, &repeat.head)?;
                same_size(blob.head.size, repeat.head.size)?;
                contents_agree(blob.content, aldis_plan::Content::Bytes, pointed)
            }
            (Node::Repeat(repeat), Node::Blob(blob)) if octets(repeat) => {
                heads(&repeat.head, &blob.head)?;
                same_size(repeat.head.size, blob.head.size)?;
                contents_agree(aldis_plan::Content::Bytes, blob.content, pointed)
            }
            (Node::Series { count, element }, Node::Series { count: wanted, element: read }) => {
                if count != wanted {
                    return differ("it has another number of elements");
                }
                self.nodes_agree(element, read, keyed, pointed)
            }
            (Node::Maybe { value: from }, Node::Maybe { value: to })
            | (Node::Rebase { value: from }, Node::Rebase { value: to }) => self.nodes_agree(from, to, keyed, pointed),
            (Node::Opaque { kind: from }, Node::Opaque { kind: to }) if from == to => Ok(()),
            _ => differ(ANOTHER_TYPE),
        }
    }

    fn repeats_agree(&mut self, from: &'p Repeat, to: &'p Repeat, keyed: bool, pointed: bool) -> Agreement {
        let extent = heads(&from.head, &to.head)?.unwrap_or(0);
        same_size(from.head.size, to.head.size)?;
        match (from.shape, to.shape) {
            (a, b) if a == b => {}
            (Shape::Set, Shape::List) => {}
            _ => return differ("equal elements, or their order, are lost"),
        }
        let keyed = keyed || to.shape != Shape::List;
        match (&from.element, &to.element) {
            (Element::One(Node::Call { record: from }), Element::One(Node::Call { record: to })) => {
                self.call(*from, *to, extent, keyed);
                Ok(())
            }
            (Element::One(from), Element::One(to)) if pointed => self.listed(from, to, keyed),
            (Element::One(from), Element::One(to)) => self.nodes_agree(from, to, keyed, false),
            (Element::Pair { key, value }, Element::Pair { key: read, value: other }) => {
                self.nodes_agree(key, read, true, false)?;
                self.nodes_agree(value, other, keyed && to.shape == Shape::Set, false)
            }
            _ => differ(ANOTHER_TYPE),
        }
    }

    /// Elements of a list behind a pointer, which says how large they are: a number, or a pointer, is read as a record
    /// that begins with it, and the other way.
    fn listed(&mut self, from: &'p Node, to: &'p Node, keyed: bool) -> Agreement {
        match (from, to) {
            (Node::Cell { slot }, Node::Call { record }) => self.as_record(slot, *record),
            (Node::Call { record }, Node::Cell { slot }) => self.as_cell(*record, slot),
            _ => self.nodes_agree(from, to, keyed, true),
        }
    }

    /// A list of cells, read as one of records.
    fn as_record(&mut self, from: &'p Slot, record: TypeId) -> Agreement {
        if is_bit(from) {
            return differ("a list of bits is not read as one of records");
        }
        let members = crate::pair::members(self.reader, record);
        let pointer = matches!(from.kind, SlotKind::Pointer { .. });
        let width = if matches!(from.kind, SlotKind::Constant { .. }) { 0 } else { from.width };
        let mut known = width == 0;
        for member in &members {
            let Content::Slot { at, pointer: far, slot } = member.content else { continue };
            let beyond = far != pointer || at + slot.width > width;
            if beyond || member.guards.iter().any(|(_, arm)| *arm != 0) {
                continue;
            }
            if at > 0 || self.slots_agree(from, slot, false).is_err() {
                return Err(format!("`{}` of its records is read from the bytes of an element", member.name));
            }
            known = true;
        }
        if known {
            Ok(())
        } else {
            differ("its records do not begin with such a value")
        }
    }

    /// A list of records, read as one of cells: each is what its record begins with.
    fn as_cell(&mut self, record: TypeId, to: &'p Slot) -> Agreement {
        if matches!(self.writer.container, Container::Segments(Segments { canonical: true, .. })) {
            return differ("records may end before the value that is looked for in them");
        }
        if is_bit(to) || matches!(to.kind, SlotKind::Constant { .. }) {
            return differ("a list of records is not read as one of such elements");
        }
        let members = crate::pair::members(self.writer, record);
        let pointer = matches!(to.kind, SlotKind::Pointer { .. });
        let first = |member: &&Member| match member.content {
            Content::Slot { at, pointer: far, .. } => at * 8 < to.width * 8 && far == pointer,
            _ => false,
        };
        let there: Vec<&Member> = members.iter().filter(first).collect();
        match there.as_slice() {
            [Member { content: Content::Slot { at: 0, slot, .. }, guards, .. }] if guards.is_empty() => {
                self.slots_agree(slot, to, false)
            }
            _ => differ("its records do not begin with such a value alone"),
        }
    }
}

fn is_bit(slot: &Slot) -> bool {
    matches!(slot.kind, SlotKind::Scalar(Scalar { repr: Repr::Bit(_), .. }))
}

fn same_size(from: u32, to: u32) -> Agreement {
    if from == to {
        Ok(())
    } else {
        differ("what says its size has another size")
    }
}

/// Whether the elements of a list are plain bytes.
fn octets(repeat: &Repeat) -> bool {
    match &repeat.element {
        Element::One(Node::Cell { slot }) => match &slot.kind {
            SlotKind::Scalar(Scalar { repr: Repr::U8, null: None, xor: 0, ty: Type::Int(_), .. }) => {
                repeat.shape == Shape::List
            }
            _ => false,
        },
        _ => false,
    }
}

fn contents_agree(from: aldis_plan::Content, to: aldis_plan::Content, pointed: bool) -> Agreement {
    use aldis_plan::Content::{Bytes, Text};
    match (from, to) {
        (from, to) if from == to => Ok(()),
        // Behind a pointer text has a zero byte at its end.
        (Text(_), Bytes) if !pointed => Ok(()),
        (Bytes, Text(Encoding::Latin1)) => Ok(()),
        (Bytes, Text(Encoding::Utf8)) => differ("bytes may be no text"),
        (Text(_), Bytes) => differ("text has a byte more than it shows"),
        _ => differ("its text is read in another encoding"),
    }
}
