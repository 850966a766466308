//! Numbers on the wire that are about the message rather than of it.

use crate::Repr;
use serde::{Deserialize, Serialize};

/// A number that readers obey or check and writers compute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Register {
    /// As the schema or the format's document calls it: `blockLength`, `templateId`, `size`.
    pub name: String,
    pub repr: Repr,
    pub meaning: Meaning,
    /// The schema fixes the value and it takes no bytes (an SBE header member with `presence="constant"`).
    pub constant: Option<u64>,
}

impl Register {
    /// Whether it says how many elements or bytes follow.
    pub fn is_count(&self) -> bool {
        matches!(self.meaning, Meaning::Count { .. })
    }

    /// Whether it says how many bytes a run takes.
    pub fn is_extent(&self) -> bool {
        matches!(self.meaning, Meaning::Extent { .. })
    }
}

/// The meaning of a register's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Meaning {
    /// The size of the whole message in bytes, this head included.
    FrameSize { check: FrameCheck },
    /// How long the frame is that the message travels in: the size of the whole message and `plus`. Readers do not look
    /// at it; writers refuse a message that is too long for it (`out-of-range`).
    FrameLength { plus: i64 },
    /// The offset of the root record from the message's first byte.
    Root,
    /// How many bytes the run that follows (or, for [`crate::Extent::Stated`], this very run) takes; writers put
    /// `writes`, the size that they know.
    Extent { writes: u64 },
    /// The message's or record's type. Another value is `unknown-message` where it decides what the message is (in an
    /// envelope, and in the root record's own run), `bad-value` further in.
    TypeId { expect: u64 },
    /// The schema's id; another value is `unknown-message`.
    SchemaId { expect: u64 },
    /// The version of the schema that the writer had; writers put `writes`.
    Version { writes: u64 },
    /// How many elements or bytes follow. Writers refuse less than `min` or more than `max` (`out-of-range`); readers
    /// do not look at these bounds.
    Count { min: u64, max: u64 },
}

/// The use that a reader makes of a frame size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameCheck {
    /// It bounds every read. More than the bytes given: `truncated`. Less than the envelope's head: `bad-value`.
    Bounds,
    /// It must equal the bytes consumed by the whole message, else `bad-value`; it bounds nothing.
    Exact,
}
