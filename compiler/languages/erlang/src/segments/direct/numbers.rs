//! Numbers, tags and the bits that unions fill, for writers of the short way.

use crate::code::{quote, Expr};
use crate::erl::{atom, binary, binop, call, function, Callee, Clause};
use crate::gen::Gen;
use crate::segments::areas::Areas;
use crate::segments::decode::Sizes;
use crate::segments::encode::Pieces;
use crate::segments::leaves::{Bits, Leaf};
use crate::segments::scalar::Trust;
use crate::segments::WORD;
use aldis_plan::{ByteOrder, Plan, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Type, TypeKind};

/// Bits that a small integer of the VM holds for sure.
const SMALL_BITS: u32 = 56;

/// The functions of enums with no more values are inlined.
const FEW_VALUES: usize = 8;

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
                    let told = (&mut beyond, &mut unsigned);
                    self.number_piece(scalar, &leaf.var, leaf.bits(), &mut pieces, told);
                }
                SlotKind::Constant { .. } => pieces.guards.push(quote(format!("{} =:= undefined", leaf.var))),
                SlotKind::Choice { union, arms } => {
                    let tag = self.union_tag(plan, *union, arms, sizes);
                    pieces.segments.push((leaf.bits(), quote(format!("({tag}({})):16/little", leaf.var))));
                    unsigned.push(leaf.bits());
                    for (index, bits) in Areas::of(arms).bits.iter().enumerate() {
                        let segment = match self.union_number(plan, *union, arms, sizes, index) {
                            Some(number) => {
                                unsigned.push(*bits);
                                format!("({number}({})):{}/little", leaf.var, bits.to - bits.from)
                            }
                            None => {
                                let area = self.union_bits(plan, *union, arms, sizes, index);
                                format!("({area}({}))/bitstring", leaf.var)
                            }
                        };
                        pieces.segments.push((*bits, quote(segment)));
                    }
                }
                _ => {}
            }
        }
        if !beyond.is_empty() {
            pieces.guards.insert(0, quote(format!("{} =:= 0", beyond.join(" bor "))));
        }
        (pieces, unsigned)
    }

    /// The function that adds a list of numbers to a message that is whole words, with zeros to the next word.
    pub(super) fn numbers_added(&mut self, slot: &'a Slot) -> Callee {
        let SlotKind::Scalar(scalar) = &slot.kind else { return Callee::nobody() };
        let names = ["A", "B", "C", "D", "E", "F", "G", "H"];
        // Whole words of them, no more than four.
        let many = if slot.width == 8 { &names[..4] } else { &names[..] };
        let clauses = [many, &names[..1]].map(|vars| self.several_numbers(scalar, slot.width, vars));
        let wanted = match (&scalar.ty, scalar.ty.as_int()) {
            (Type::Named(id), _) => format!("add_{}_numbers", self.names.of(*id)),
            (_, Some(int)) => format!("add_{}{}_list", if int.signed { "int" } else { "uint" }, int.bits),
            _ => format!("add_float{}_list", slot.width * 8),
        };
        self.share(&wanted, |own| {
            let own = atom(own);
            let each = |(head, guards, segments): &(String, Vec<Expr>, Vec<Expr>)| {
                let segments = std::iter::once(quote("Acc/binary")).chain(segments.iter().cloned());
                let on = call(&own, [quote("Rest"), binary(segments)]);
                Clause::new([format!("[{head} | Rest], Acc")], [on]).when_all(guards.clone())
            };
            let [many, one] = &clauses;
            let done = Clause::new(["[]", "Acc"], ["aldis_direct:padded(Acc)"]);
            function(&own, &[each(many), each(one), done])
        })
    }

    /// Numbers side by side: their variables as a list's first, the guards of their ranges, their segments.
    fn several_numbers(&mut self, scalar: &Scalar, width: u32, vars: &[&str]) -> (String, Vec<Expr>, Vec<Expr>) {
        let mut pieces = Pieces::default();
        let (mut beyond, mut unsigned) = (Vec::new(), Vec::new());
        for (index, var) in (0..).zip(vars) {
            let bits = Bits { from: index * width * 8, to: (index + 1) * width * 8 };
            self.number_piece(scalar, var, bits, &mut pieces, (&mut beyond, &mut unsigned));
        }
        if !beyond.is_empty() {
            pieces.guards.insert(0, quote(format!("{} =:= 0", beyond.join(" bor "))));
        }
        let end = width * vars.len() as u32;
        if end >= WORD {
            (0..end / WORD).for_each(|word| one_number(&mut pieces, word, &unsigned));
        }
        let segments = pieces.over(Bits { from: 0, to: end * 8 });
        (vars.join(", "), pieces.guards, segments)
    }

    /// Adds a number: its segment, and its guard or what is 0 within its range.
    fn number_piece(
        &mut self,
        scalar: &Scalar,
        var: &str,
        bits: Bits,
        pieces: &mut Pieces,
        (beyond, unsigned): (&mut Vec<String>, &mut Vec<Bits>),
    ) {
        let put = self.store(scalar, var, Trust::Guarded, "[]");
        self.inline_small_enum(&scalar.ty);
        let signed = match scalar.ty.as_int() {
            Some(int) => {
                beyond.push(beyond_range(var, u32::from(int.bits), int.signed));
                int.signed
            }
            None => {
                pieces.guards.extend(put.guard);
                matches!(scalar.repr, Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64)
            }
        };
        pieces.segments.push((bits, put.segment));
        if !signed {
            unsigned.push(bits);
        }
    }

    /// The numbers of an enum's few values are told without a call.
    fn inline_small_enum(&mut self, ty: &Type) {
        let Type::Named(id) = ty else { return };
        let TypeKind::Enum(definition) = &self.schema.type_def(*id).kind else { return };
        if definition.values.len() <= FEW_VALUES {
            if let Callee::Own(function) = self.number_writer(*id) {
                self.inlined.insert((function, 2));
            }
        }
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

/// Makes one number of the integers and bits in a word, or in each half of it, where that is surely a small integer of the
/// VM: each segment of a construction costs as much as a few additions.
fn one_number(pieces: &mut Pieces, word: u32, unsigned: &[Bits]) {
    let whole = Bits { from: word * 64, to: (word + 1) * 64 };
    let middle = whole.from + 32;
    let halves = [Bits { to: middle, ..whole }, Bits { from: middle, ..whole }];
    let mut merge = |own: Bits| {
        if pieces.segments.iter().any(|(bits, _)| *bits == own) {
            return true;
        }
        let Some(sum) = number_of(&pieces.segments, own, unsigned) else { return false };
        pieces.segments.retain(|(bits, _)| bits.from < own.from || bits.to > own.to);
        pieces.segments.push((own, crate::slots::unsigned(sum, (own.to - own.from) / 8, ByteOrder::Little)));
        true
    };
    if !merge(whole) {
        halves.into_iter().for_each(|half| {
            merge(half);
        });
    }
}

/// The sum of all integers and bits within `own`, as a little-endian number there; none where something else is there,
/// or it may be no small integer.
pub(super) fn number_of(segments: &[(Bits, Expr)], own: Bits, unsigned: &[Bits]) -> Option<Expr> {
    let mut parts = Vec::new();
    let with = |left: Expr, operator, right: u64| binop(left, operator, quote(right.to_string()));
    for (bits, segment) in segments.iter().filter(|(bits, _)| bits.from < own.to && bits.to > own.from) {
        let Expr::Segment { value, size: Some(_), specs } = segment else { return None };
        let width = bits.to - bits.from;
        if bits.from < own.from || bits.to > own.to.min(own.from + SMALL_BITS) {
            return None;
        }
        let shift = match width {
            // The lowest bit of a byte is its last.
            1 => (bits.from / 8 * 8) + 7 - bits.from % 8 - own.from,
            8 if specs.is_empty() => bits.from - own.from,
            _ if *specs == ["little"] => bits.from - own.from,
            _ => return None,
        };
        let value = match width == 1 || unsigned.contains(bits) {
            true => (**value).clone(),
            false => with((**value).clone(), "band", (1 << width) - 1),
        };
        parts.push((shift, if shift == 0 { value } else { with(value, "bsl", shift.into()) }));
    }
    parts.sort_by_key(|(shift, _)| *shift);
    parts.into_iter().map(|(_, part)| part).reduce(|one, other| binop(one, "+", other))
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
