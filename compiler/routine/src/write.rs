//! The operations of routines that write: what a host's value is asked for, and what is put where.
//!
//! Faults of writing have a code and a path, and no place. A routine of [`crate::Purpose::Size`] is the one that writes
//! without its stores: its [`Ty::Out`](crate::Ty::Out) has no bytes and counts them. A fault of its says only that the value
//! can't be written; which fault that is, writing tells.

use crate::module::{BlankId, ListId, LiteralId, RoutineId};
use crate::op::{Amount, Arg, Place, Sym};
use aldis_plan::{Repr, Scalar};
use aldis_schema::{Encoding, TypeId};

/// What an operation of writing does. Notation as in [`crate::What`]; operations that take `out` give it on last.
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
    /// `→ Out`: how far the end of what is written by now lies behind `base`, as a u32.
    Link { out: Sym, place: Place, base: Sym },
    /// `→ Out`: notes `count` elements, for which reading charges although they have no bytes, where nothing was written since `from`.
    Empty { out: Sym, from: Sym, count: Arg },
    /// `→ Size, Out`: how many bytes are written by now. `! out-of-range` for 2^32 and more.
    Total { out: Sym },
    /// `→ Raw`: `total + plus` as a register of `width` bytes says it. `! out-of-range` where it does not fit.
    Framed { total: Arg, plus: i64, width: u32 },
    /// `→ Out`: where noted elements cost more than the limits' base, the `routine` reads what is written, from its first byte
    /// on. `!` what it faults with, without path.
    Readable { out: Sym, routine: RoutineId },

    // ---- Large
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
