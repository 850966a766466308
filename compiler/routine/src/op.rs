//! The operations: what a routine does, one step at a time. Those of writing alone are in
//! [`Write`], those of segments in [`Segments`].
//!
//! Each operation says what it means, its operands, what it binds (after `→`), what must hold before it, the faults that
//! it can end in (after `!`, in the order in which they are looked for) and what it charges (after `$`). This list is
//! the specification for whoever prints routines in a language. An operation marked *large* has an expansion into
//! smaller ones ([`crate::expand`]); a language prints the one or the other.
//!
//! A message's *end* is where its bytes end: those given, or what [`What::Bound`] makes of them. Every position lies at
//! or before it.

use crate::operand::{Amount, Arg, LackId, ListId, LiteralId, NameId, Place, RoutineId, Sym, TableId};
use crate::segments::Segments;
use crate::write::Write;
use aldis_plan::{Repr, Scalar};
use aldis_schema::{Encoding, TypeId};

/// The type of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// An offset in the message, at most its end.
    Pos,
    /// A number of bytes or elements that is known to fit the message.
    Size,
    /// An unsigned number of so many bits, as it was stored and not yet checked.
    Raw(u8),
    Bool,
    /// A value of the message, as the target makes it. Used once.
    Val,
    /// Elements of a list that is not yet closed. A token: used once on each way.
    List,
    /// The rest of the budget. A token: used once on each way.
    Budget,
    /// How many levels are left. No token: leaving a level restores what was before.
    Depth,
    /// A value that the host gives to be written, or a part of it. No token: it is only looked at.
    Given,
    /// The bytes that are written by now. A token: used once on each way.
    Out,
    /// The object of a pointer, not yet known to be there.
    Aim,
}

impl Ty {
    /// Whether it is the state of the work, which most languages keep beside values: the budget, the levels that are left, what is written.
    pub fn is_state(self) -> bool {
        matches!(self, Ty::Budget | Ty::Depth | Ty::Out)
    }
}

/// Operations in order, and what the block as a whole gives to the statement that it belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The symbols that the statement binds anew for the block.
    pub takes: Vec<Sym>,
    pub ops: Vec<Op>,
    pub gives: Vec<Arg>,
}

/// One operation with the symbols that it binds.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    pub binds: Vec<Sym>,
    pub what: What,
}

/// A step of the path of a fault. Frames are put in front of the path, inside out, as the fault leaves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    Field(NameId),
    /// The index of an element.
    Element(Sym),
}

/// The byte that the fault of a [`What::Need`] points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// At the first byte that is asked for.
    Start,
    /// At the first row of the table that does not lie within the bytes left, which is named; behind the bytes left where all do.
    Head(TableId),
    /// As `Head`, but only rows count that the writer's version has and that lie within the size asked for; rows are opened.
    Run { table: TableId, version: Arg },
}

/// The rows of a table that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Have {
    All,
    /// Those that the writer's version has, within so many bytes.
    Within {
        extent: Arg,
        version: Arg,
    },
}

/// The kinds of operations.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    // ---- Numbers
    /// `→ Raw`: the unsigned number at `place`, in the module's byte order. Its bytes are known to be there.
    Load { place: Place, repr: Repr },
    /// `→ Pos`: `size` bytes behind `at`, which are known to be there.
    Add { at: Place, size: Arg },
    /// `→ Pos`: `count` elements of `each` bytes behind `at`, which are known to be there.
    Behind { at: Sym, count: Arg, each: u32 },
    /// `→ Pos`: the place of an element of a table in a run: `index × stride` behind `place`. The bytes of `count`
    /// elements are known to be there, and `index` is less than `count`.
    Element { place: Place, index: Sym, stride: u32, count: Arg },
    /// `→ Bool`: a is b.
    Equal { a: Arg, b: Arg },
    /// `→ Bool`: a is b or more.
    AtLeast { a: Arg, b: Arg },
    /// `→ Bool`: a slot that ends after `reach` bytes and that version `since` added is there: `version ≥ since` and
    /// `extent ≥ reach`.
    Present { since: u32, reach: u32, extent: Arg, version: Arg },
    /// `→ Bool`: all rows of the table are there: `extent` is the table's size or more, and `version` that of its newest row. Never faults. It
    /// is what divides fast from careful: where it holds, [`Have::All`] gives what [`Have::Within`] gives.
    Whole { table: TableId, extent: Arg, version: Arg },

    // ---- Guards
    /// `→ Size`: `size` bytes are there behind `at`. `! truncated` as `cut` says.
    Need { at: Sym, size: Arg, cut: Cut },
    /// `→ Size`: `size`, which was read at `place`, is `least` or more. `! bad-value` at `place`.
    Least { size: Arg, least: u32, place: Place },
    /// The number `have`, read at `place`, must be `want`. `! unknown-message` at `place` where `root` is true (the number decides
    /// what the message is), else `! bad-value`.
    Expect { have: Arg, want: u64, place: Place, root: Arg },
    /// `→ Size`: `count` elements of `least` bytes or more can lie behind `at`. `! bad-count` at `blame` where `count × least`, taken
    /// in 128 bits, is more than the bytes left.
    Fit { count: Arg, least: Arg, at: Sym, blame: Sym },
    /// `→ Pos`: `offset`, read at `place`, behind `base`. `! bad-pointer` at `place` where it is zero, or leads beyond the end.
    Follow { base: Sym, offset: Arg, place: Place },
    /// `→ Pos`: `offset` behind the message's first byte `start`. `! bad-pointer` at `start` where that is beyond the end.
    Root { offset: Arg, start: Sym },
    /// The message ends `size` bytes behind its first byte, as was read at `place`. `! truncated` where there are not as many,
    /// `! bad-value` where they are less than the `head` that was read; both at `place`. Once a message, before its record.
    Bound { size: Arg, head: u32, place: Place },
    /// The message's `size`, read at `place`, is where reading ended. `! bad-value` at `place`.
    Same { size: Arg, end: Sym, place: Place },
    /// `→ Pos`: the message's end.
    End,
    /// `! bad-value` at `place`: what lies here can't be read.
    Refuse { place: Place },

    // ---- Budget
    /// `→ Budget`. `$ amount`. `! too-large` at `at`.
    Charge { budget: Sym, amount: Amount, at: Sym },
    /// As [`What::Charge`], for memory beyond the bytes: nothing where the limits have no surcharge.
    Extra { budget: Sym, amount: Amount, at: Sym },
    /// As [`What::Extra`], of what the table's [`crate::Table::extra_within`] says for `extent`.
    ExtraWithin { budget: Sym, table: TableId, extent: Arg, at: Sym },

    /// `→ Raw`: what [`aldis_plan::Lacks::within`] says that a record lacks of which so many bytes are there: of its block (or section of
    /// data), and of its pointers.
    Lack { of: LackId, block: Arg, pointers: Arg, version: Arg },

    // ---- Control
    /// Binds what the block gives that `test` chooses.
    If { test: Sym, then: Block, other: Block },
    /// Runs the block `count` times; it takes the index and what is carried, and gives what is carried on. Binds the last.
    Loop { count: Arg, carry: Vec<Arg>, body: Block },
    /// Binds what the block gives. A fault that leaves it has `frame` put before its path.
    Within { frame: Frame, body: Block },
    /// One level down: the block takes the depth that is left. `! too-deep` at `at` where none is. Binds what the block gives.
    Level { depth: Sym, at: Sym, body: Block },
    /// Binds the results of another routine.
    Call { routine: RoutineId, args: Vec<Arg> },

    /// Binds what the block gives whose number `on` is; `other` where none has it.
    Switch { on: Arg, arms: Vec<(u64, Block)>, other: Block },

    // ---- Values
    /// `→ Val`: the scalar at `place`, whose bytes are there: null where the stored number stands for it. No decimal.
    Scalar { place: Place, scalar: Scalar },
    /// `→ Val`: the decimal at `place`, whose 16 bytes are there. `! bad-value` at `place` where scale, sign or spare bytes are out
    /// of bounds.
    Decimal { place: Place },
    /// `→ Val`: the text in `width` bytes at `place`, which are there, up to the first zero byte.
    Chars { place: Place, width: u32, encoding: Encoding },
    /// `→ Val`: `size` bytes at `at`, which are there: a text where they have an encoding, which is not checked.
    Bytes { at: Sym, size: Arg, text: Option<Encoding> },
    /// `→ Val`: a value of the module's: a constant, a default, null.
    Literal { value: LiteralId },
    /// `→ Val`: a record of its fields in order.
    Make { record: TypeId, fields: Vec<Sym> },
    /// `→ Val`: a union with a tag, and the value of the arm that it names; null for a tag that names none.
    Arm { union: TypeId, tag: Arg, arm: Sym },
    /// `→ List`: without elements. No more memory may be taken for `count` elements than their bytes justify, which are only
    /// known to be there where a [`What::Fit`] with a `least` above zero gave the count.
    Open { count: Arg },
    /// `→ List`: one more element, for a map a key and its value.
    Push { list: Sym, items: Vec<Sym> },
    /// `→ Val`: the elements as a list, or as a set or map: in key order, of equals the first.
    Close { list: Sym, of: ListId },

    // ---- Large
    /// *Large.* `→ Size, Budget`: how many bytes the run at `at` has, all of which are there: as the table's
    /// [`crate::Extent`] says, from `acting`, or from the run itself.
    /// Expansion, where the run states its size: `Need` its head (`! truncated` at `at`), `Load`, `Least` (`! bad-value` at the register).
    /// Then: `Need` all (`! truncated`, [`Cut::Run`]), `Charge` them, `ExtraWithin` them, both at `at`.
    Extent { table: TableId, at: Sym, acting: Arg, version: Arg, budget: Sym },
    /// *Large.* `→ Raw …, Pos, Budget`: the head at `at`: its registers that are wanted, in order; the first byte behind it.
    /// Expansion: `Need` ([`Cut::Head`]), `Charge` its size at `at`, then row by row `Load` or `Expect`.
    Head { table: TableId, at: Sym, root: Arg, budget: Sym },
    /// *Large.* `→ Val, Pos, Budget`: bytes behind a head that counts them. Expansion: `Head`, `Fit` (`! bad-count` at the head),
    /// `Charge` the bytes at the first, `Bytes`, `Add`.
    Counted { table: TableId, at: Sym, root: Arg, text: Option<Encoding>, budget: Sym },
    /// *Large.* `→ Val …`: the table's plain rows in order, each as its [`crate::Cell`] or as missing. Never faults, charges
    /// nothing. The bytes that `have` tells of are there, behind `at`. Expansion: row by row `Present`, `If`, and the operations of a cell.
    Fields { table: TableId, at: Sym, have: Have },
    /// *Large.* `→ Val`: `count` scalars side by side, without null and no decimals, whose bytes are there. Expansion: `Each`, with
    /// `Scalar` for its body.
    Row { at: Place, count: Arg, scalar: Scalar, of: ListId },
    /// *Large.* `→ Val, …`: a value of `count` elements, and what is carried last; the block takes the index and what is carried (the
    /// budget last, where elements charge), and gives the element (a key and its value for a map) and what is carried
    /// on. A fault has the element's index before its path.
    /// Expansion: `Open`, `Loop` of `Within` and `Push`, `Close`.
    Each { count: Arg, carry: Vec<Arg>, of: ListId, body: Block },
    /// *Large.* `→ Val, Pos, Budget`: `count` scalars as `Row` from `at` on; the first byte behind them. Their bytes are there.
    /// `$` them all at `at`. Expansion: `Charge`, `Row`, `Add`.
    Scalars { at: Sym, count: Arg, scalar: Scalar, of: ListId, budget: Sym },
    /// *Large.* `→ Budget`: `$ amount` at `at` where an element that began at `from` and ended there took no bytes. Expansion:
    /// `Equal`, `If`, `Charge`.
    Unpaid { from: Sym, at: Sym, amount: u64, budget: Sym },

    /// Operations of routines that read segments.
    Segments(Segments),

    /// Operations of routines that write or tell sizes.
    Write(Write),
}

impl What {
    /// Whether an operation does nothing but bind a number: it never faults.
    pub fn is_pure(&self) -> bool {
        matches!(
            self,
            Self::Load { .. }
                | Self::Add { .. }
                | Self::Behind { .. }
                | Self::Element { .. }
                | Self::Equal { .. }
                | Self::AtLeast { .. }
                | Self::Present { .. }
                | Self::Whole { .. }
                | Self::Lack { .. }
                | Self::End
                | Self::Segments(
                    Segments::Seat { .. } | Segments::Eighths { .. } | Segments::Short { .. } | Segments::IsNull { .. }
                )
        )
    }
}
