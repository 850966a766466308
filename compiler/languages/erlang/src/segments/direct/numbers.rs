//! Numbers, tags and the bits that unions fill, for writers of the short way.

use crate::encode::Trust;
use crate::gen::Gen;
use crate::segments::areas::Areas;
use crate::segments::decode::Sizes;
use crate::segments::encode::Pieces;
use crate::segments::leaves::{Bits, Leaf};
use crate::segments::WORD;
use aldis_plan::{Plan, Repr, SlotKind};

/// Bits that a small integer of the VM holds for sure.
const SMALL_BITS: u32 = 56;

impl<'a> Gen<'a> {
    /// As [`Gen::direct_pieces`], for a whole record.
    pub(super) fn record_pieces(&mut self, plan: &'a Plan, leaves: &[Leaf<'a>], sizes: Sizes) -> Pieces {
        let (mut pieces, unsigned) = self.direct_pieces(plan, leaves, sizes);
        (0..sizes.data / WORD).for_each(|word| one_number(&mut pieces, word, &unsigned));
        pieces
    }

    /// Segments of numbers, tags and what unions fill, and guards of the numbers' ranges; the bits of those numbers that
    /// have no sign.
    pub(super) fn direct_pieces(&mut self, plan: &'a Plan, leaves: &[Leaf<'a>], sizes: Sizes) -> (Pieces, Vec<Bits>) {
        let mut pieces = Pieces::default();
        let (mut beyond, mut unsigned) = (Vec::new(), Vec::new());
        for leaf in leaves {
            match &leaf.slot.kind {
                SlotKind::Scalar(scalar) => {
                    let put = self.store(scalar, &leaf.var, Trust::Guarded, "[]");
                    let signed = match scalar.ty.as_int() {
                        Some(int) => {
                            beyond.push(beyond_range(&leaf.var, u32::from(int.bits), int.signed));
                            int.signed
                        }
                        None => {
                            pieces.guards.extend(put.guard);
                            matches!(scalar.repr, Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64)
                        }
                    };
                    pieces.segments.push((leaf.bits(), put.segment));
                    if !signed {
                        unsigned.push(leaf.bits());
                    }
                }
                SlotKind::Constant { .. } => pieces.guards.push(format!("{} =:= undefined", leaf.var)),
                SlotKind::Choice { union, arms } => {
                    let tag = self.union_tag(plan, *union, arms, sizes);
                    pieces.segments.push((leaf.bits(), format!("({tag}({})):16/little", leaf.var)));
                    unsigned.push(leaf.bits());
                    for (index, bits) in Areas::of(arms).bits.iter().enumerate() {
                        let area = self.union_bits(plan, *union, arms, sizes, index);
                        pieces.segments.push((*bits, format!("({area}({}))/bitstring", leaf.var)));
                    }
                }
                _ => {}
            }
        }
        if !beyond.is_empty() {
            pieces.guards.insert(0, format!("{} =:= 0", beyond.join(" bor ")));
        }
        (pieces, unsigned)
    }

    /// Whether a number or union cannot be told by guards to be writable.
    pub(super) fn may_fail(&mut self, leaf: &Leaf<'a>) -> bool {
        match &leaf.slot.kind {
            SlotKind::Scalar(scalar) => self.store(scalar, &leaf.var, Trust::Guarded, "[]").guard.is_none(),
            SlotKind::Choice { .. } => true,
            _ => false,
        }
    }
}

/// Makes one number of the whole integers in a word where that is surely a small integer of the VM: each segment of a
/// construction costs as much as a few additions.
fn one_number(pieces: &mut Pieces, word: u32, unsigned: &[Bits]) {
    let own = Bits { from: word * 64, to: (word + 1) * 64 };
    let inside = |bits: &Bits| bits.from < own.to && bits.to > own.from;
    let mut parts = Vec::new();
    for (bits, segment) in pieces.segments.iter().filter(|(bits, _)| inside(bits)) {
        let whole = segment.rsplit_once(':').filter(|(_, size)| *size == "8" || size.ends_with("/little"));
        let Some((value, _)) = whole.filter(|_| bits.to <= own.from + SMALL_BITS) else { return };
        let value = match unsigned.contains(bits) {
            true => value.to_owned(),
            false => format!("({value} band {})", (1u64 << (bits.to - bits.from)) - 1),
        };
        parts.push((
            *bits,
            if bits.from == own.from { value } else { format!("({value} bsl {})", bits.from - own.from) },
        ));
    }
    if parts.is_empty() {
        return;
    }
    parts.sort();
    let sum: Vec<String> = parts.into_iter().map(|(_, part)| part).collect();
    let sum = if sum.len() == 1 { sum[0].clone() } else { format!("({})", sum.join(" + ")) };
    pieces.segments.retain(|(bits, _)| !inside(bits));
    pieces.segments.push((own, format!("{sum}:64/little")));
}

/// An expression that is 0 for integers of so many bits, some other integer for others, and no guard for what is none.
fn beyond_range(var: &str, bits: u32, signed: bool) -> String {
    match (bits, signed) {
        (_, false) => format!("({var} bsr {bits})"),
        // Without numbers that are no small integers of the VM.
        (64, true) => format!("((({var} bsr 63) + 1) bsr 1)"),
        (_, true) => format!("(({var} + {}) bsr {bits})", 1u64 << (bits - 1)),
    }
}
