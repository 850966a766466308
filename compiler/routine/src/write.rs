//! The operations of routines that write: what a host's value is asked for, and what is put where.
//!
//! Faults of writing have a code and a path, and no place. A routine of [`crate::Purpose::Size`] is the one that writes
//! without its stores: its [`Ty::Out`](crate::Ty::Out) has no bytes and counts them. A fault of its says only that the value
//! can't be written; which fault that is, writing tells.

use crate::operand::{Amount, Arg, BlankId, ListId, LiteralId, Place, RoutineId, Sym};
use aldis_plan::{Repr, Scalar};
use aldis_schema::{Encoding, TypeId};

/// The description of its object in a pointer that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// Words of data, and of pointers.
    Record { data: u16, pointers: u16 },
    /// The code of the elements' size, and `count + more` of them; for code 7 so many words.
    List { code: u8, count: Arg, more: u32 },
}

/// The most words of a segment, elements of a list, and bytes of one with its zero byte.
pub(crate) const MOST: u64 = (1 << 29) - 1;

/// An operation of writing. Notation as in [`crate::What`]; operations that take `out` give it on last.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    // ---- Values
    /// `→ Bool`: the value is null.
    IsNull { value: Sym },
    /// The value is a record of that type. `! bad-value`, where it is null too.
    OfRecord { value: Sym, record: TypeId },
    /// `→ Given`: a field of a record; one that the host's value does not have is what the module's `missing` says.
    Get { value: Sym, record: TypeId, field: u32 },
    /// `→ Size`: how many bytes a text has, or where there is no encoding a byte string. `! bad-value` where the value is none,
    /// `! out-of-range` for characters that the encoding lacks.
    Octets { value: Sym, text: Option<Encoding> },
    /// `→ Given`: the elements of a set or the entries of a map in key order, of equals the first. `! bad-value` where it is no
    /// such collection.
    Sorted { value: Sym, of: ListId },
    /// `→ Size`: how many elements or entries a collection has. `! bad-value` where it is no such collection.
    Count { value: Sym, of: ListId },
    /// The value is a list of so many elements. `! bad-value` where it is no list; where it has another number of elements
    /// `! out-of-range` for an array within a run, else `! bad-value`.
    Exactly { value: Sym, count: u32, in_run: bool },
    /// `→ Given`: an element of a list or set; `index` is below its count.
    Item { value: Sym, index: Sym },
    /// `→ Given, Given`: key and value of a map's entry; `index` is below the count.
    Pair { value: Sym, index: Sym },
    /// The value is what the schema fixes; NaN is NaN. `! bad-value`.
    SameAs { value: Sym, literal: LiteralId },
    /// `! out-of-range` where a number of elements or bytes is below `min` or above `max`.
    InRange { number: Arg, min: u64, max: u64 },
    /// `! bad-value`: no value can be written here.
    Wrong,
    /// `→ Size, Given`: the tag of a union's value, and the value of its arm. `! bad-value` where it is no union's value.
    Choice { value: Sym, union: TypeId },

    // ---- Bytes
    /// `→ Pos, Out`: the end of what is written by now.
    Here { out: Sym },
    /// `→ Pos, Out`: so many bytes, all zero, at the end, and where they begin.
    Reserve { out: Sym, size: Amount },
    /// `→ Out`: the `size` bytes of a text or byte string, at the end.
    Append { out: Sym, value: Sym, size: Arg },
    /// `→ Out`: the low bits of a number into reserved bytes.
    Store { out: Sym, place: Place, repr: Repr, number: Arg },
    /// `→ Out`: a scalar into reserved bytes. Null is the scalar's `null` or `absent` bits, `! bad-value` where it has neither.
    /// `! bad-value` for a value of another kind, `! out-of-range` for an integer that does not fit. A NaN is quiet, positive
    /// and without payload; a bit leaves the others of its byte as they are; all is stored with the scalar's `xor`.
    StoreScalar { out: Sym, place: Place, scalar: Scalar, value: Sym },
    /// `→ Out`: text into `width` reserved bytes, the rest of which stay zero. `! bad-value` where it is no text,
    /// `! out-of-range` where it is longer, or has characters that the encoding lacks.
    StoreChars { out: Sym, place: Place, width: u32, encoding: Encoding, value: Sym },
    /// `→ Out`: zeros again in `width` bytes that may have been stored into, or in one `bit` of the one byte.
    Erase { out: Sym, place: Place, width: u32, bit: Option<u8> },
    /// `→ Out`: how far the end of what is written by now lies behind `base`, as a u32.
    Link { out: Sym, place: Place, base: Sym },
    /// `→ Out`: notes `count` elements, for which reading charges although they have no bytes, where nothing was written since `from`.
    Empty { out: Sym, from: Sym, count: Arg },
    /// `→ Size, Out`: how many bytes are written by now. `! out-of-range` for 2^32 and more.
    Total { out: Sym },
    /// `→ Raw`: `total + plus` as a register of `width` bytes says it. `! out-of-range` where it does not fit.
    Framed { total: Arg, plus: i64, width: u32 },
    /// `→ Out`: where what is noted costs more than the limits' base, the `routine` reads what is written, from its first byte
    /// on. `! too-large` where it does, or where packed bytes are too few to be unpacked.
    Readable { out: Sym, routine: RoutineId },

    // ---- Segments
    /// `→ Size`: how many words `count + more` elements of so many bits take.
    Words { count: Arg, more: u32, bits: u32 },
    /// `→ Out`: into the reserved word at `at` the pointer to an object whose words begin at `to`, both in the one segment that is written:
    /// its distance is in words from the word behind the pointer.
    Point { out: Sym, at: Place, to: Sym, object: Object },
    /// `→ Out`: into the reserved word at `at` how many records follow it, and the words of data and of pointers that each has.
    Tag { out: Sym, at: Sym, count: Arg, data: u16, pointers: u16 },
    /// `→ Out`: the `size` bytes of a text or byte string into reserved bytes.
    StoreBytes { out: Sym, at: Sym, value: Sym, size: Arg },
    /// `→ Out`: the `count` elements of a list, as bits side by side, into reserved bytes. `!` as `StoreScalar`, within the element.
    StoreBits { out: Sym, at: Sym, count: Arg, scalar: Scalar, value: Sym },
    /// `→ Out`: a copy of what the root of a flat message leads to, whole, and the pointer to it at `at`: an object, then what its pointers
    /// lead to, left to right. `! bad-value` where the value is no such message; then as [`crate::Segments::Keep`], which charges
    /// nothing here. Notes, as `Empty` does, what reading will be charged for it beyond the bytes that it takes.
    Plant { out: Sym, at: Place, value: Sym, depth: Sym },
    /// `→ Out`: what is written by now, which begins with the pointer to the root, as the module's container has it.
    /// `! out-of-range` for 2^29 words and
    /// more. In canonical form it is copied from its root on as `Plant` copies, but sections end with their last word that is not zero, and in a
    /// list of records all are as long as the longest; `! bad-value` for a capability; notes 8 for each byte that this leaves out. Then the
    /// table of its one segment is put in front, and table and segment are packed, each by itself. Where sizes are told, the table
    /// counts, and nothing is left out or packed. Once a message.
    Finish { out: Sym },

    // ---- Large
    /// *Large.* `→ Pos, Out`: the body of a list of `count + more` elements of so many bits at the end, whole words of zeros, and the
    /// pointer to it at `at`. `! out-of-range` for 2^29 elements and more. Expansion: `InRange`, `Words`, `Reserve`, `Point`; `Here` for elements
    /// without bits.
    List { out: Sym, at: Place, count: Arg, more: u32, code: u8, bits: u32 },
    /// *Large.* `→ Pos, Out`: the first of `count` records of so many words of data and of pointers, which are reserved behind their
    /// tag, and the pointer to that at `at`. `! out-of-range` for 2^29 records or words and more. Expansion: `InRange`,
    /// `Reserve` of the tag, `Words`,
    /// `InRange` and `Reserve` of the words, `Point`, `Tag`.
    Records { out: Sym, at: Place, count: Arg, data: u16, pointers: u16 },
    /// *Large.* `→ Out`: the bytes of a text or byte string at the end, as a list of bytes, for `text` with a zero byte
    /// behind them, and the pointer to it at
    /// `at`. `! bad-value` where it is neither; `! out-of-range` as `List`. Expansion: `Octets`, `List`, `StoreBytes`.
    Blob { out: Sym, at: Place, value: Sym, text: Option<Encoding> },
    /// *Large.* `→ Pos, Out`: a head: the blank's registers, and `count` in the one that counts. `! out-of-range` where that may not
    /// say so much. Expansion: `Reserve`, then entry by entry `Store`, or `InRange` and `Store`.
    Begin { out: Sym, blank: BlankId, count: Arg },
    /// *Large.* `→ Out`: `count` entries of the blank from `first` on, which lie behind `at`, from the fields of a record.
    /// `!` entry by entry what `Cell` says, with the field's name before the path. Expansion, entry by entry: `Store`; or `Get` and
    /// `Within` of `Cell`, where the field may be null of `Null` if it is.
    Fill { out: Sym, blank: BlankId, first: u32, count: u32, at: Sym, value: Sym },
    /// *Large.* `→ Out`: a value into an entry of the blank, which lies behind `at`. Expansion: `StoreScalar`, `StoreChars` or
    /// `SameAs`; for a nest `OfRecord` and `Fill`, for an array `Exactly` and a `Loop` of `Cell`.
    Cell { out: Sym, blank: BlankId, entry: u32, at: Sym, value: Sym },
    /// *Large.* `→ Out`: null into an entry: the bits that stand for it in each scalar that has such, zeros elsewhere. Never
    /// faults. Expansion: `Store`; for a nest `Null` of its entries, for an array a `Loop`.
    Null { out: Sym, blank: BlankId, entry: u32, at: Sym },
    /// *Large.* `→ Out`: the `count` elements of a list into the first entry of the blank each, side by side from `at` on.
    /// Expansion: a `Loop` of `Item` and `Cell` within the element.
    Cells { out: Sym, blank: BlankId, at: Sym, count: Arg, stride: u32, value: Sym },
}

impl Write {
    /// The symbol that goes on as the written bytes, where nothing is stored.
    pub(crate) fn stored(&self) -> Option<Sym> {
        match self {
            Write::Store { out, .. }
            | Write::StoreScalar { out, .. }
            | Write::StoreChars { out, .. }
            | Write::Erase { out, .. }
            | Write::Link { out, .. }
            | Write::Empty { out, .. }
            | Write::Readable { out, .. }
            | Write::Fill { out, .. }
            | Write::Cell { out, .. }
            | Write::Null { out, .. }
            | Write::StoreBits { out, .. }
            | Write::Cells { out, .. }
            | Write::Point { out, .. }
            | Write::Tag { out, .. }
            | Write::StoreBytes { out, .. } => Some(*out),
            _ => None,
        }
    }
}
