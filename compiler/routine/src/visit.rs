//! The parts that all operations have: operands and blocks.

use crate::op::{Block, Cut, Frame, Have, Op, What};
use crate::operand::{Amount, Arg, Place, Sym};
use crate::segments::{Listed, Segments};
use crate::write::{Object, Write};

/// The symbols in something that is an operand.
macro_rules! symbols {
    ($name:ident $(, $mut:tt)?) => {
        trait $name {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym));
        }

        impl $name for Sym {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                see(self);
            }
        }

        impl $name for Arg {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                if let Arg::Sym(sym) = self {
                    see(sym);
                }
            }
        }

        impl $name for Place {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                see(&$($mut)? self.base);
            }
        }

        impl $name for Amount {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                $name::see(&$($mut)? self.times, see);
                $name::see(&$($mut)? self.each, see);
            }
        }

        impl $name for Listed {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                see(&$($mut)? self.at);
                see(&$($mut)? self.count);
                see(&$($mut)? self.stride);
                see(&$($mut)? self.data);
                see(&$($mut)? self.pointers);
            }
        }

        impl $name for Cut {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                if let Cut::Run { version, .. } = self {
                    $name::see(version, see);
                }
            }
        }

        impl $name for Have {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                if let Have::Within { extent, version } = self {
                    $name::see(extent, see);
                    $name::see(version, see);
                }
            }
        }

        impl $name for Frame {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                if let Frame::Element(index) = self {
                    see(index);
                }
            }
        }

        impl $name for Object {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                if let Object::List { count, .. } = self {
                    $name::see(count, see);
                }
            }
        }

        impl<T: $name> $name for Option<T> {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                if let Some(operand) = self {
                    $name::see(operand, see);
                }
            }
        }

        impl<T: $name> $name for Vec<T> {
            fn see(&$($mut)? self, see: &mut impl FnMut(&$($mut)? Sym)) {
                for operand in self {
                    $name::see(operand, see);
                }
            }
        }
    };
}

symbols!(Operand);
symbols!(OperandMut, mut);

/// The same walk over operands that are looked at, and over operands that are changed. `$d` is the dollar of the macro inside.
macro_rules! operands {
    ($d:tt $(#[$doc:meta])* $name:ident, $operand:ident, $writes:ident, $segments:ident, $blocks:ident $(, $mut:tt)?) => {
        $(#[$doc])*
        pub fn $name(what: &$($mut)? What, see: &mut impl FnMut(&$($mut)? Sym)) {
            macro_rules! all {
                ($d($d one:ident)*) => {{ $d($operand::see($d one, see);)* }};
            }
            match what {
                What::End | What::Literal { .. } => {}
                What::Load { place, .. } | What::Scalar { place, .. } => all!(place),
                What::Decimal { place } | What::Chars { place, .. } | What::Refuse { place } => all!(place),
                What::Add { at, size } => all!(at size),
                What::Behind { at, count, .. } => all!(at count),
                What::Element { place, index, count, .. } => all!(place index count),
                What::Equal { a, b } | What::AtLeast { a, b } => all!(a b),
                What::Present { extent, version, .. } | What::Whole { extent, version, .. } => all!(extent version),
                What::Need { at, size, cut } => all!(at size cut),
                What::Least { size, place, .. } | What::Bound { size, place, .. } => all!(size place),
                What::Expect { have, place, root, .. } => all!(have place root),
                What::Fit { count, least, at, blame } => all!(count least at blame),
                What::Follow { base, offset, place } => all!(base offset place),
                What::Root { offset, start } => all!(offset start),
                What::Same { size, end, place } => all!(size end place),
                What::Charge { budget, amount, at } | What::Extra { budget, amount, at } => all!(budget amount at),
                What::ExtraWithin { budget, extent, at, .. } => all!(budget extent at),
                What::Lack { block, pointers, version, .. } => all!(block pointers version),
                What::If { test, .. } => all!(test),
                What::Loop { count, carry, .. } | What::Each { count, carry, .. } => all!(count carry),
                What::Within { frame, .. } => all!(frame),
                What::Level { depth, at, .. } => all!(depth at),
                What::Call { args, .. } => all!(args),
                What::Bytes { at, size, .. } => all!(at size),
                What::Make { fields, .. } => all!(fields),
                What::Open { count } => all!(count),
                What::Push { list, items } => all!(list items),
                What::Close { list, .. } => all!(list),
                What::Extent { at, acting, version, budget, .. } => all!(at acting version budget),
                What::Head { at, root, budget, .. } => all!(at root budget),
                What::Counted { at, root, budget, .. } => all!(at root budget),
                What::Fields { at, have, .. } => all!(at have),
                What::Row { at, count, .. } => all!(at count),
                What::Scalars { at, count, budget, .. } => all!(at count budget),
                What::Unpaid { from, at, budget, .. } => all!(from at budget),
                What::Switch { on, .. } => all!(on),
                What::Arm { tag, arm, .. } => all!(tag arm),
                What::Segments(segments) => $segments(segments, see),
                What::Write(write) => $writes(write, see),
            }
        }

        fn $segments(segments: &$($mut)? Segments, see: &mut impl FnMut(&$($mut)? Sym)) {
            macro_rules! all {
                ($d($d one:ident)*) => {{ $d($operand::see($d one, see);)* }};
            }
            match segments {
                Segments::Open => {}
                Segments::Aim { at, segment, budget } => all!(at segment budget),
                Segments::IsNull { aim } => all!(aim),
                Segments::Sections { aim, at, depth, budget } => all!(aim at depth budget),
                Segments::Octets { aim, at, budget, .. } | Segments::List { aim, at, budget } => all!(aim at budget),
                Segments::IsList { aim, at } => all!(aim at),
                Segments::Seat { of, index } => all!(of index),
                Segments::Eighths { count } => all!(count),
                Segments::Short { bits } => all!(bits),
                Segments::Bits { at, count, .. } => all!(at count),
                Segments::Strided { of, .. } => all!(of),
                Segments::Keep { at, segment, depth, budget } => all!(at segment depth budget),
            }
        }

        fn $writes(write: &$($mut)? Write, see: &mut impl FnMut(&$($mut)? Sym)) {
            macro_rules! all {
                ($d($d one:ident)*) => {{ $d($operand::see($d one, see);)* }};
            }
            match write {
                Write::IsNull { value } | Write::OfRecord { value, .. } | Write::Get { value, .. } => all!(value),
                Write::Octets { value, .. } | Write::Sorted { value, .. } | Write::Count { value, .. } => all!(value),
                Write::Exactly { value, .. } | Write::SameAs { value, .. } => all!(value),
                Write::Item { value, index } | Write::Pair { value, index } => all!(value index),
                Write::InRange { number, .. } => all!(number),
                Write::Wrong => {}
                Write::Here { out } | Write::Total { out } | Write::Readable { out, .. } => all!(out),
                Write::Reserve { out, size } => all!(out size),
                Write::Append { out, value, size } => all!(out value size),
                Write::Store { out, place, number, .. } => all!(out place number),
                Write::StoreScalar { out, place, value, .. } => all!(out place value),
                Write::StoreChars { out, place, value, .. } => all!(out place value),
                Write::Erase { out, place, .. } => all!(out place),
                Write::Link { out, place, base } => all!(out place base),
                Write::Empty { out, from, count } => all!(out from count),
                Write::Framed { total, .. } => all!(total),
                Write::Begin { out, count, .. } => all!(out count),
                Write::Fill { out, at, value, .. } | Write::Cell { out, at, value, .. } => all!(out at value),
                Write::Null { out, at, .. } => all!(out at),
                Write::Cells { out, at, count, value, .. } => all!(out at count value),
                Write::Choice { value, .. } => all!(value),
                Write::Words { count, .. } => all!(count),
                Write::Point { out, at, to, object } => all!(out at to object),
                Write::Tag { out, at, count, .. } => all!(out at count),
                Write::StoreBytes { out, at, value, size } => all!(out at value size),
                Write::StoreBits { out, at, count, value, .. } => all!(out at count value),
                Write::Plant { out, at, value, depth } => all!(out at value depth),
                Write::Finish { out } => all!(out),
                Write::List { out, at, count, .. } | Write::Records { out, at, count, .. } => all!(out at count),
                Write::Blob { out, at, value, .. } => all!(out at value),
            }
        }

        /// The blocks of a statement.
        pub fn $blocks(what: &$($mut)? What) -> Vec<&$($mut)? Block> {
            match what {
                What::If { then, other, .. } => vec![then, other],
                What::Switch { arms, other, .. } => {
                    let arms: Vec<&$($mut)? Block> = arms.into_iter().map(|(_, block)| block).collect();
                    arms.into_iter().chain([other]).collect()
                }
                What::Loop { body, .. }
                | What::Within { body, .. }
                | What::Level { body, .. }
                | What::Each { body, .. } => vec![body],
                _ => Vec::new(),
            }
        }
    };
}

operands! {
    $
    /// The symbols that an operation uses, in the order of its definition; those of its blocks are not among them.
    operands, Operand, of_write, of_segments, blocks
}

operands! {
    $
    /// As [`operands`], to be changed.
    operands_mut, OperandMut, of_write_mut, of_segments_mut, blocks_mut, mut
}

/// The symbols that a block gives.
pub fn gives(block: &Block) -> impl Iterator<Item = Sym> + '_ {
    block.gives.iter().filter_map(|arg| match arg {
        Arg::Sym(sym) => Some(*sym),
        Arg::Const(_) => None,
    })
}

/// Shows every symbol of a block, and of the blocks within it, to be changed.
pub fn symbols_mut(block: &mut Block, see: &mut impl FnMut(&mut Sym)) {
    block.takes.iter_mut().for_each(&mut *see);
    for op in &mut block.ops {
        operands_mut(&mut op.what, see);
        for block in blocks_mut(&mut op.what) {
            symbols_mut(block, see);
        }
        op.binds.iter_mut().for_each(&mut *see);
    }
    OperandMut::see(&mut block.gives, see);
}

/// The number of bytes that are reserved between telling a text's size and appending it: a writer may put the text behind them at once.
pub fn reserved_before(after: &[Op]) -> u64 {
    let reserved = after.iter().find_map(|op| match &op.what {
        What::Write(Write::Reserve { size: Amount { times: Arg::Const(times), each: Arg::Const(each) }, .. }) => {
            Some(times * each)
        }
        _ => None,
    });
    reserved.unwrap_or(0)
}

/// The bytes that operations are known to reserve, whatever they write: those before the first that may append any number.
pub fn reserved_ahead(ops: &[Op]) -> u64 {
    ahead(ops).0
}

/// The same, and whether the operations come to their end without one that may append any number.
fn ahead(ops: &[Op]) -> (u64, bool) {
    let mut all = 0;
    for op in ops {
        let (bytes, goes_on) = match &op.what {
            What::Write(Write::Reserve {
                size: Amount { times: Arg::Const(times), each: Arg::Const(each) }, ..
            }) => (times * each, true),
            What::Write(Write::Reserve { .. }) => (0, false),
            What::Within { body, .. } | What::Level { body, .. } => ahead(&body.ops),
            What::Write(write) => (0, stays(write)),
            _ => (0, false),
        };
        all += bytes;
        if !goes_on {
            return (all, false);
        }
    }
    (all, true)
}

/// Whether an operation appends nothing.
fn stays(write: &Write) -> bool {
    matches!(
        write,
        Write::Store { .. }
            | Write::StoreScalar { .. }
            | Write::StoreChars { .. }
            | Write::Link { .. }
            | Write::Point { .. }
            | Write::Total { .. }
            | Write::InRange { .. }
            | Write::IsNull { .. }
            | Write::OfRecord { .. }
            | Write::Get { .. }
            | Write::Count { .. }
    )
}
