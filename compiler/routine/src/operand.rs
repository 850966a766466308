//! Operands, and the numbers of what a module has in its tables.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub u32);)*
    };
}

ids! {
    /// Index into [`crate::Module::routines`].
    RoutineId;
    /// Index into [`crate::Module::tables`].
    TableId;
    /// Index into [`crate::Module::blanks`].
    BlankId;
    /// Index into [`crate::Module::names`].
    NameId;
    /// Index into [`crate::Module::literals`].
    LiteralId;
    /// Index into [`crate::Module::lacks`].
    LackId;
    /// Index into [`crate::Module::lists`].
    ListId;
}

/// A name for a value: local to a routine, assigned once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    Sym(Sym),
    /// A number, as [`crate::Ty::Raw`], [`crate::Ty::Size`] or (0 and 1) [`crate::Ty::Bool`].
    Const(u64),
}

impl From<Sym> for Arg {
    fn from(sym: Sym) -> Self {
        Arg::Sym(sym)
    }
}

/// A position at a known distance behind another one. Sums of constants are folded when routines are made, so that
/// each load has one constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub base: Sym,
    pub plus: u32,
}

/// An amount of budget: `each` for each of `times`, or 2^64 − 1 where that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    pub times: Arg,
    pub each: Arg,
}

impl Amount {
    pub const fn exactly(bytes: u64) -> Self {
        Self { times: Arg::Const(1), each: Arg::Const(bytes) }
    }

    pub fn of(times: impl Into<Arg>) -> Self {
        Self { times: times.into(), each: Arg::Const(1) }
    }
}

/// Bits of a stored number.
pub(crate) fn bits(repr: aldis_plan::Repr) -> u8 {
    repr.width() as u8 * 8
}
