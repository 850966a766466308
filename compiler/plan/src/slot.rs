//! Runs of fixed slots.

use crate::{Node, Register};
use aldis_schema::{Literal, Type, TypeId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The number that at most 8 bytes are, zero-extended.
    #[inline]
    pub fn number(self, bytes: &[u8]) -> u64 {
        let join = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        match (bytes, self) {
            ([a], _) => u64::from(*a),
            ([a, b], Self::Little) => u64::from(u16::from_le_bytes([*a, *b])),
            ([a, b], Self::Big) => u64::from(u16::from_be_bytes([*a, *b])),
            ([a, b, c, d], Self::Little) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
            ([a, b, c, d], Self::Big) => u64::from(u32::from_be_bytes([*a, *b, *c, *d])),
            ([a, b, c, d, e, f, g, h], Self::Little) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            ([a, b, c, d, e, f, g, h], Self::Big) => u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            (_, Self::Little) => bytes.iter().rev().fold(0, join),
            (_, Self::Big) => bytes.iter().fold(0, join),
        }
    }
}

/// Bytes of known size with values at known places: one match, one construction, one bounds check.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// Bytes that writers write; gaps between slots and after the last are zero.
    pub size: u32,
    pub extent: Extent,
    /// In field order, offsets ascending. An older writer mostly knows a prefix of the slots, but not always:
    /// some schemas in use added fields mid-block, so each slot's `since` counts by itself.
    pub slots: Vec<Slot>,
}

impl Run {
    /// The register slot with that meaning, if the run has one.
    pub fn register(&self, wanted: impl Fn(&Register) -> bool) -> Option<(&Slot, &Register)> {
        self.slots.iter().find_map(|slot| match &slot.kind {
            SlotKind::Register(register) if wanted(register) => Some((slot, register)),
            _ => None,
        })
    }
}

/// How many bytes of a run there really are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// [`Run::size`]; fewer bytes are `truncated`.
    #[default]
    Exact,
    /// The number in the last [`crate::Meaning::Extent`] register. Fewer bytes in the message are `truncated`. Slots that
    /// end beyond it are [`Missing`], bytes beyond the last slot are skipped. An SBE message whose block length is 4 has
    /// the slots that end at 4 or before, whatever the schema's own block length.
    Acting,
    /// As `Acting`, but the register is in this very run, within its first `head` bytes, and counts from the run's
    /// first byte. An extent below `head` is `bad-value`.
    Stated { head: u32 },
    /// The sizes in the pointer to the record: a data section, then a section of pointers of 8 bytes each. Slots that end
    /// within `data` lie in the first and are [`Missing`] beyond its bytes; those at `data` and after are pointers,
    /// the first at `data`, and null beyond their section. Writers put `size` bytes there: `data`, then pointers.
    /// The pointer `00 00 00 00 01 00 02 00` says: 8 bytes of data, then two pointers.
    Sections { data: u32 },
}

/// A place in a run.
///
/// `at` counts from the first byte of the enclosing run, or of the enclosing element of an array or table. Slots
/// inside a [`SlotKind::Nest`] count from the same place as the nest itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Slot {
    pub at: u32,
    /// Bytes; 0 for constants.
    pub width: u32,
    /// Index of the field in the record being built (within a nest: the nested record). `None` for registers and
    /// what is ignored, and for cells and elements, which are a value and no field.
    pub field: Option<u32>,
    /// First version that has it; in older messages it is [`Missing`].
    pub since: u32,
    pub missing: Missing,
    pub kind: SlotKind,
}

impl Slot {
    pub fn end(&self) -> u32 {
        self.at + self.width
    }

    /// The bytes that a run must have for the slot to be in it: 4 for a `u16` at 2. A nest is in it when its first version's members are.
    pub fn needed(&self) -> u32 {
        match &self.kind {
            SlotKind::Nest { slots, .. } => {
                let first = slots.iter().filter(|member| member.since <= self.since);
                first.map(Self::end).max().unwrap_or(self.at)
            }
            SlotKind::Constant { .. } => 0,
            _ => self.end(),
        }
    }
}

/// The value of a slot that lies beyond the end of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Null. A nest is null when its first version's members do not all lie within the extent; a member that was
    /// added later may be null by itself.
    Null,
    /// The field's default, or its type's (see `aldis_schema::default_of_field`).
    Default,
    /// Cannot happen: the run's extent is exact.
    Never,
}

/// The content of a slot.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "slot", rename_all = "snake_case")]
pub enum SlotKind {
    Scalar(Scalar),
    /// Text in all of the slot's bytes, NUL-padded at the end; reading stops at the first NUL. Its type is
    /// [`Type::Chars`]. Text too long is `out-of-range`.
    Chars {
        ty: Type,
    },
    /// `count` elements at a stride of `element.width`; `element.at` is 0.
    Array {
        count: u32,
        element: Box<Slot>,
    },
    /// A record whose bytes lie within this run.
    Nest {
        record: TypeId,
        slots: Vec<Slot>,
    },
    /// No bytes: the value is in the schema.
    Constant {
        ty: Type,
        value: Literal,
    },
    /// A number about the message.
    Register(Register),
    /// A value that the schema names and that is no field: a further member of a header. Written as zero, and never
    /// read on the way to the message's value, whatever it holds; explanations show it.
    Ignored {
        name: String,
        /// It is part of the plan's [`crate::HeaderValue`], by which it is read and given.
        header: bool,
        ty: Type,
        /// A scalar, chars, an array or a constant; its `at` is 0.
        value: Box<Slot>,
    },
    /// A u32 that tells where the value is, counted from the current base: after `10 00 00 00` it begins 16 bytes behind the base.
    Link(Link),
    /// 64 bits that tell where the value is and how large, counted from the word after them; zero is null. The target
    /// is a record ([`Node::Call`]), text or bytes ([`Node::Blob`]), a list ([`Node::Repeat`]) or [`Node::Opaque`];
    /// heads are empty, as the pointer says what they would. `01 00 00 00 1a 00 00 00` leads to the next word, where three
    /// bytes lie. (Cap'n Proto encoding specification, "Pointers".)
    Pointer {
        target: Box<Node>,
    },
    /// A number in the slot's own bytes, then the place of the alternative that it names. Arms share bytes.
    Choice {
        union: TypeId,
        arms: Vec<ArmSlot>,
    },
    /// One byte that tells presence (0: null, and the rest is written zero and not looked at), then a u32 as in
    /// `Link`: `01 10 00 00 00`, or `00 00 00 00 00` for null.
    Presence(Link),
}

/// The place of an arm of a [`SlotKind::Choice`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArmSlot {
    pub tag: u64,
    /// Its `field` is the arm's index in [`aldis_schema::Union::arms`]. It counts from the same place as the choice.
    pub slot: Slot,
}

/// The target of a link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Link {
    pub null: NullLink,
    pub target: Box<Node>,
}

/// The meaning of a link that is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NullLink {
    /// An empty text, byte string or collection; never written.
    Empty,
    /// A fault: `bad-pointer`.
    Refused,
}

/// A number (or a small value of fixed size) and its meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scalar {
    pub repr: Repr,
    /// Never [`Type::Optional`]: see `null`.
    pub ty: Type,
    /// The stored value that reads as null and is written for null, where the field is optional.
    pub null: Option<NullValue>,
    /// The number that is written for a null which may be given but is never read back: in a field newer than the first
    /// version (an older writer's message has no value for it), in a field that is optional by name only
    /// ([`aldis_schema::Field::optional`]), and in the members of such fields. Reading it back gives the number, not
    /// null. `None` wherever `null` is some.
    pub absent: Option<NullValue>,
    /// Bits by which what is stored differs from the value, in the place of what is stored (for [`Repr::Bit`]: in its
    /// byte): the value's default, so that zeros mean it.
    #[serde(default)]
    pub xor: u64,
}

impl Scalar {
    /// A required number that is stored as it is.
    pub fn new(repr: Repr, ty: Type) -> Self {
        Self { repr, ty, null: None, absent: None, xor: 0 }
    }
}

/// The stored value that means null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NullValue {
    /// This very bit pattern (zero-extended to 64 bits): 0xFFFF for an optional `uint16` of SBE.
    Bits(u64),
    /// Any NaN; these bits are written.
    Nan(u64),
}

/// How a scalar is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repr {
    /// One byte, 0 or 1; any other value reads as true.
    Bool,
    /// One bit of a byte, 0 the lowest; the byte's other bits belong to other slots.
    Bit(u8),
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    /// IEEE 754. Any NaN is read; the one that is written is quiet, positive and without payload (0x7FC00000).
    F32,
    /// IEEE 754, NaN as for `F32` (0x7FF8000000000000).
    F64,
    /// 16 bytes: coefficient u96 little endian, two zero bytes, scale u8, sign 0x00 or 0x80. A scale above 28, another
    /// sign or other non-zero bytes are `bad-value`.
    Decimal,
    /// 16 bytes in the order of the text.
    Uuid,
}

impl Repr {
    /// `u16`, `f64` …
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Bit(_) => "bit",
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Decimal => "decimal",
            Self::Uuid => "uuid",
        }
    }

    pub const fn width(self) -> u32 {
        match self {
            Repr::Bool | Repr::Bit(_) | Repr::I8 | Repr::U8 => 1,
            Repr::I16 | Repr::U16 => 2,
            Repr::I32 | Repr::U32 | Repr::F32 => 4,
            Repr::I64 | Repr::U64 | Repr::F64 => 8,
            Repr::Decimal | Repr::Uuid => 16,
        }
    }

    pub const fn int(bits: u8, signed: bool) -> Self {
        match (bits, signed) {
            (8, true) => Repr::I8,
            (8, false) => Repr::U8,
            (16, true) => Repr::I16,
            (16, false) => Repr::U16,
            (32, true) => Repr::I32,
            (32, false) => Repr::U32,
            (64, true) => Repr::I64,
            _ => Repr::U64,
        }
    }
}
