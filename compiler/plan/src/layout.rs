//! A plan as a whole: its layouts, messages and policies.

use crate::{ByteOrder, Meaning, Node, Run, SlotKind};
use aldis_schema::{BytesText, Schema, Type, TypeId};
use serde::{Deserialize, Serialize};

/// One schema in one wire form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub form: Form,
    pub schema: Schema,
    /// The container of a message's bytes.
    #[serde(default)]
    pub container: Container,
    /// The byte order of every number on the wire.
    pub byte_order: ByteOrder,
    /// Parallel to [`Schema::types`]: how each record lies in bytes; `None` for enums, flags, and for records that
    /// only ever lie inside another's run ([`crate::SlotKind::Nest`]).
    pub layouts: Vec<Option<Layout>>,
    /// Parallel to [`Schema::messages`].
    pub messages: Vec<Message>,
    /// The value that the heads of all messages hold beside their registers, where they hold one.
    #[serde(default)]
    pub header: Option<HeaderValue>,
    /// How to tell from the bytes which message they are, where the form allows it.
    pub dispatch: Option<Dispatch>,
    pub json: JsonPolicy,
}

impl Plan {
    /// The layout of a record. Front ends guarantee one for whatever a [`Node::Call`] names.
    pub fn layout(&self, record: TypeId) -> &Layout {
        self.layouts[record.index()].as_ref().expect("a called record has a layout")
    }

    /// The register of the messages' heads that says how long a frame is ([`crate::Meaning::FrameLength`]): where it
    /// lies, and what it says beyond the message's bytes.
    pub fn frame_length(&self) -> Option<(FixedInt, i64)> {
        let head = &self.messages.first()?.envelope.head;
        head.slots.iter().find_map(|slot| match &slot.kind {
            SlotKind::Register(register) => match register.meaning {
                Meaning::FrameLength { plus } => Some((FixedInt { at: slot.at, bits: (slot.width * 8) as u8 }, plus)),
                _ => None,
            },
            _ => None,
        })
    }

    /// The message of that full name.
    pub fn message(&self, full_name: &str) -> Option<&Message> {
        self.messages.iter().find(|m| self.schema.type_def(m.record).name.full() == full_name)
    }
}

/// A value beside the message: what the schema names in the messages' head and what is no register.
///
/// Its record is one of [`Plan::messages`] too, with an empty head and unlisted: so it is read from a message's first
/// bytes as any message is, by decoders, views and JSON. What encoding it alone gives is the head with its registers
/// zero, and to put it into a message is to copy `given` of that. Messages are encoded with zeros there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderValue {
    pub record: TypeId,
    /// Bytes of the head, which every message begins with.
    pub size: u32,
    /// The bytes of the head that are this value's, ascending: all but those of registers.
    pub given: Vec<Span>,
}

/// Some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub at: u32,
    pub size: u32,
}

/// A wire form's name and how it is told apart in generated code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// As the testee protocol spells it: `sbe`, `fbe`, `fbe-final`.
    pub name: String,
    /// The suffix of the names of this form's functions (`final`); empty for a schema's main form.
    pub suffix: String,
    /// How messages of this form lie one after another in a stream, where the form itself says so.
    pub framing: Option<Framing>,
}

/// The container of a message's bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Container {
    /// Nothing: the envelope's head is the first byte.
    #[default]
    Plain,
    /// Segments of 8-byte words, and objects in them behind [`crate::SlotKind::Pointer`]s.
    Segments(Segments),
}

/// How segments lie in the bytes. (Cap'n Proto encoding specification, "Serialization Over a Stream", "Packing",
/// "Canonicalization".)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segments {
    /// A table stands in front: u32 count - 1, then a u32 for each segment, its words, then zeros to a whole word.
    /// Without it the bytes are one segment.
    pub table: bool,
    /// Zero bytes are squeezed out; the table and each segment by themselves.
    pub packed: bool,
    /// Writers leave out the zero words at the end of data sections and the null pointers at the end of pointer
    /// sections; in a list of records all of one size.
    pub canonical: bool,
}

impl Segments {
    /// More segments than this are refused (`bad-count`), as the reference's stream reader does.
    pub const MAX: u32 = 511;
}

/// A stream's frames: every message begins with its own length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Framing {
    /// The frame's length in bytes, the length itself included.
    pub length: FixedInt,
    /// A shorter length than this is a broken stream.
    pub min: u32,
}

/// How one record type lies in bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layout {
    pub record: TypeId,
    /// The record's first byte is the base of the links within it.
    pub rebase: bool,
    /// In wire order, which is also the order of the record's fields.
    pub steps: Vec<Step>,
}

/// One step through a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// Bytes of known size that hold many fields.
    Run(Run),
    /// One field of variable size. Where the message's version is below `since` there is nothing on the wire, not
    /// even a count, and the field is empty or null.
    Part { field: u32, since: u32, node: Node },
}

/// A record that travels on its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Message {
    pub record: TypeId,
    pub envelope: Envelope,
}

/// The bytes in front of a message's record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Envelope {
    pub head: Run,
    pub root: RootPlace,
}

/// The place of a message's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootPlace {
    /// Right after the head.
    Follows,
    /// The byte that the head's [`crate::Meaning::Root`] register says, counted from the message's first byte; written right
    /// after the head.
    Registered,
    /// Behind the pointer in the first word of the first segment; a null pointer is a record of defaults.
    Pointed,
}

/// An unsigned integer at a fixed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedInt {
    pub at: u32,
    /// 8, 16, 32 or 64.
    pub bits: u8,
}

/// The place of a message's id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispatch {
    /// The offset in the message that the id's place counts from; the id counts from the first byte when `None`.
    pub via: Option<FixedInt>,
    pub id: FixedInt,
    /// Values that must be found for the id to mean anything (SBE schema id).
    pub expect: Vec<(FixedInt, u64)>,
}

/// The ways in which the JSON of forms differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JsonPolicy {
    /// Enums as names and flags as lists of names; numbers when false. Names are read in any case.
    pub names: bool,
    /// NaN and infinities as strings; refused when false.
    pub non_finite: bool,
    /// A key missing from the input takes the field's default. When false only optionals (null), groups and lists
    /// (empty) and text and bytes of variable size (empty) may be missing.
    pub defaults: bool,
    /// Integers of 64 bits as strings of digits; both are read.
    #[serde(default)]
    pub wide_text: bool,
    /// Bytes as arrays of numbers; base64 text when false.
    #[serde(default)]
    pub byte_arrays: bool,
    /// Null fields are left out, but for a union's arm with another tag than 0; null and left out are read alike. Elements
    /// that are null are empty values of their type.
    #[serde(default)]
    pub omit_null: bool,
    /// Keys that mean nothing are skipped; refused when false.
    #[serde(default)]
    pub skip_unknown: bool,
}

impl JsonPolicy {
    /// The JSON text of an empty value of the type, where what is null is written as one; bytes are in the `form` that
    /// their field asks for. None for types that have no empty value.
    pub fn empty(&self, ty: &Type, form: Option<BytesText>) -> Option<&'static str> {
        match ty.required() {
            Type::Text(_) => Some("\"\""),
            Type::Bytes if form.is_none() && self.byte_arrays => Some("[]"),
            Type::Bytes => Some("\"\""),
            Type::List(_) => Some("[]"),
            Type::Named(_) => Some("{}"),
            _ => None,
        }
    }
}
