//! A plan as a whole: its layouts, messages and policies.

use crate::{ByteOrder, Node, Run};
use aldis_schema::{Schema, TypeId};
use serde::{Deserialize, Serialize};

/// One schema in one wire form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub form: Form,
    pub schema: Schema,
    /// What the bytes of a message are wrapped in.
    #[serde(default)]
    pub container: Container,
    /// Of every number on the wire.
    pub byte_order: ByteOrder,
    /// Parallel to [`Schema::types`]: how each record lies in bytes; `None` for enums, flags, and for records that
    /// only ever lie inside another's run ([`crate::SlotKind::Nest`]).
    pub layouts: Vec<Option<Layout>>,
    /// Parallel to [`Schema::messages`].
    pub messages: Vec<Message>,
    /// How to tell from the bytes which message they are, where the form allows it.
    pub dispatch: Option<Dispatch>,
    pub json: JsonPolicy,
}

impl Plan {
    /// The layout of a record. Front ends guarantee one for whatever a [`Node::Call`] names.
    pub fn layout(&self, record: TypeId) -> &Layout {
        self.layouts[record.index()].as_ref().expect("a called record has a layout")
    }

    /// The message of that full name.
    pub fn message(&self, full_name: &str) -> Option<&Message> {
        self.messages.iter().find(|m| self.schema.type_def(m.record).name.full() == full_name)
    }
}

/// A wire form's name and how it is told apart in generated code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// As the testee protocol spells it: `sbe`, `fbe`, `fbe-final`.
    pub name: String,
    /// What functions of this form carry at their name's end (`final`); empty for a schema's main form.
    pub suffix: String,
    /// How messages of this form lie one after another in a stream, where the form itself says so.
    pub framing: Option<Framing>,
}

/// What the bytes of a message are wrapped in.
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

/// What stands in front of a message's record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Envelope {
    pub head: Run,
    pub root: RootPlace,
}

/// Where the record of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootPlace {
    /// Right after the head.
    Follows,
    /// Where the head's [`crate::Meaning::Root`] register says, counted from the message's first byte; written right
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

/// Where a message's id lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispatch {
    /// Where an offset lies that the id's place counts from; the id counts from the first byte when `None`.
    pub via: Option<FixedInt>,
    pub id: FixedInt,
    /// Values that must be found for the id to mean anything (SBE schema id).
    pub expect: Vec<(FixedInt, u64)>,
}

/// What a form's JSON looks like where forms differ.
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
    /// Null fields are left out, but for a union's arm with another tag than 0; null and left out are read alike.
    #[serde(default)]
    pub omit_null: bool,
    /// Keys that mean nothing are skipped; refused when false.
    #[serde(default)]
    pub skip_unknown: bool,
}
