//! The operations of segments: words, and pointers between them that say where objects are and how large.
//!
//! A language has a function of its runtime for each; what the bytes mean is the same in every schema. An object's *words*
//! are 8 bytes each. Where a fault is at a pointer, it is at the pointer's first byte, `at`.

use crate::operand::{Arg, ListId, Sym};
use aldis_plan::Scalar;

/// A list as it lies in the bytes; the symbols that [`Segments::List`] bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The first byte of the first element.
    pub at: Sym,
    pub count: Sym,
    /// Bits from one element to the next.
    pub stride: Sym,
    /// Bytes of data in each, whole ones: none in a bit.
    pub data: Sym,
    /// Bytes of pointers in each, behind its data.
    pub pointers: Sym,
}

/// An operation on segments. Notation as in [`crate::What`]; operations that take the budget give it on last. Views have neither
/// budget nor depth: what they read was checked, so that nothing faults, and nothing is charged.
#[derive(Clone, Debug, PartialEq)]
pub enum Segments {
    /// `→ Pos`: where the first segment begins; all segments are known from here on, and the message's end is that of the
    /// last. Without a table the bytes are one segment, of whole words. With one: `! truncated` at the end where the first
    /// number of the table is not there, `! bad-count` at the first byte for more segments than
    /// [`aldis_plan::Segments::MAX`], `! truncated` at the end where the table is not all there, `! truncated` at a segment's size
    /// where it has not so many words. Then `! truncated` where the first segment begins, if it has no word. Once a message.
    Open,
    /// `→ Aim, Budget`: what the pointer at `at` leads to, on whatever way. A word of zeros is null. Near: words from the word
    /// behind the pointer on. Far: a pad in the segment that is named, whose first word is a near pointer; or, if the far pointer is a
    /// double one, a far pointer to the object, and a tag that says what it is. `! bad-pointer` at `at` (of the second
    /// of two at the pad) where there is
    /// no such segment, or the pad is not in it; `! bad-value` at the pad where its word is a far pointer (for two: is no
    /// single one), and at the tag where that is; `! bad-value` at a word that is no pointer of a known kind. `$` the words of
    /// the pad, at `at`.
    Aim { at: Sym, segment: Arg, budget: Option<Sym> },
    /// `→ Bool`: the pointer was null.
    IsNull { aim: Sym },
    /// `→ Size, Pos, Size, Pos, Size, Budget`: the segment of a record, its data and how many bytes that has, its pointers and how many
    /// bytes they have. `! bad-value` at `at` unless the aim is a record; `! too-deep` where no level is left; `! bad-pointer` where it is not
    /// in its segment. `$` its words, at `at`.
    Sections { aim: Sym, at: Sym, depth: Option<Sym>, budget: Option<Sym> },
    /// `→ Val, Budget`: the bytes of a list of bytes, for `text` without the last. `! bad-value` at `at` unless it is one;
    /// `! bad-pointer` where it begins outside of its segment, `! bad-count` where it ends outside. `$` its words, at `at`.
    /// `! bad-value` where the last byte of `text` is not zero, or missing.
    Octets { aim: Sym, at: Sym, text: bool, budget: Option<Sym> },
    /// `! bad-value` at `at` unless the aim is a list.
    IsList { aim: Sym, at: Sym },
    /// `→ Size, Pos, Size, Size, Size, Size, Size, Budget`: the segment of a list; as [`Listed`] has them the first element, count,
    /// stride, data, pointers; and how many bits each element has that is no record and no pointer, else 0. `! bad-pointer`,
    /// `! bad-count` as in `Octets`. `$` its words, at `at`. For a list of records the first word is a tag: `! bad-value` at the tag
    /// unless it is a record's pointer, `! bad-count` there where that many records take more words than the list has.
    /// `$` [`aldis_plan::Limits::EMPTY_ELEMENT`] for each element without bytes, and as [`crate::What::Extra`] `$`
    /// [`aldis_plan::Limits::LINK`] for each pointer in an element; both at `at`.
    List { aim: Sym, at: Sym, budget: Option<Sym> },
    /// `→ Pos, Pos`: an element's data and its pointers. `index` is below the list's count, the index of a loop over it.
    Seat { of: Listed, index: Sym },
    /// `→ Size`: eighths of a number, rounded up.
    Eighths { count: Arg },
    /// `→ Size`: what an element of so many bits is cheaper than one without bytes; 0 for one that has none.
    Short { bits: Arg },
    /// `→ Val`: bits side by side from `at` on, as many as the list has elements.
    Bits { at: Sym, count: Arg, scalar: Scalar, of: ListId },
    /// *Large.* `→ Val`: the scalars at the front of the elements, which have as many bytes of data. Expansion: `Each` of `Seat`
    /// and `Scalar`.
    Strided { of: Listed, scalar: Scalar, list: ListId },
    /// `→ Val, Budget`: a flat message whose root is what the pointer at `at`, which is not null, leads to, copied whole: an object, then what its
    /// pointers lead to, left to right. Faults and charges are those of `Aim`, then for a record of `Sections`, for a list those of
    /// `List`, but for what that charges as `Extra`; each object is a level, `! too-deep` at its pointer; a capability costs nothing.
    Keep { at: Sym, segment: Arg, depth: Option<Sym>, budget: Option<Sym> },
}

impl Segments {
    /// The same in a view.
    pub(crate) fn free(&mut self) {
        match self {
            Segments::Aim { budget, .. } | Segments::Octets { budget, .. } | Segments::List { budget, .. } => {
                *budget = None;
            }
            Segments::Sections { depth, budget, .. } | Segments::Keep { depth, budget, .. } => {
                (*depth, *budget) = (None, None);
            }
            _ => {}
        }
    }
}
