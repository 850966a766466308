//! Numbers that are known beforehand and lie side by side, as those of a head do: they are stored as few wider ones.

use super::{stored, Writing};
use crate::body::Body;
use crate::tree::{int, Expr};
use aldis_plan::{ByteOrder, Repr};
use aldis_routine::{Arg, Module, Op, Place, What, Write};

/// A number that is stored, by its place.
pub(super) struct Constant {
    place: Place,
    bytes: Vec<u8>,
}

/// The stores of known numbers that operations begin with, each behind the one before.
pub(super) fn of(module: &Module, ops: &[Op]) -> Vec<Constant> {
    let mut found: Vec<Constant> = Vec::new();
    for op in ops {
        let What::Write(Write::Store { place, repr, number: Arg::Const(number), .. }) = &op.what else { break };
        let is_next = found.last().is_none_or(|last| {
            last.place.base == place.base && last.place.plus as usize + last.bytes.len() == place.plus as usize
        });
        if !is_next {
            break;
        }
        let mut bytes = number.to_le_bytes()[..repr.width() as usize].to_vec();
        if module.byte_order == ByteOrder::Big {
            bytes.reverse();
        }
        found.push(Constant { place: *place, bytes });
    }
    found
}

impl<'m> Writing<'m> {
    pub(super) fn constants(&self, body: &mut Body<'m>, constants: &[Constant]) {
        let bytes: Vec<u8> = constants.iter().flat_map(|constant| constant.bytes.iter().copied()).collect();
        let first = constants[0].place;
        for (from, repr) in stored::numbers(0..bytes.len()) {
            let own = &bytes[from as usize..from as usize + repr.width() as usize];
            let number = own.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
            let number = match self.module.byte_order {
                ByteOrder::Big => number.swap_bytes() >> (64 - 8 * own.len()),
                ByteOrder::Little => number,
            };
            let repr = Repr::int(repr.width() as u8 * 8, false);
            let number = match repr.width() {
                1 | 2 => self.kinds.dialect.register_out(repr, int(0), Some(number)),
                width => Expr::Bits(number, width == 8),
            };
            let place = Place { base: first.base, plus: first.plus + from };
            let line = self.store(repr, self.spot(body, place), number);
            body.lines.push(line);
        }
    }
}
