//! Writers of unions on the short way: functions with a clause for each arm. A union that the schema does not know all of
//! has no clause, and the message goes the long way.

use super::numbers::number_of;
use super::target::{blob_segments, Object, Words};
use crate::code::{quote, Expr};
use crate::erl::{atom, binary, function, tuple, Callee, Clause};
use crate::gen::Gen;
use crate::segments::areas::Areas;
use crate::segments::decode::Sizes;
use crate::segments::encode::Pieces;
use crate::segments::leaves::{Bits, Leaf};
use crate::slots::Named;
use aldis_plan::{ArmSlot, Plan, SlotKind};
use aldis_schema::TypeId;

/// Functions of unions with no more arms are inlined.
const FEW_ARMS: usize = 8;

impl<'a> Gen<'a> {
    /// `f(Value)`: the tag, when the arm's numbers are within their ranges.
    pub(super) fn union_tag(&mut self, plan: &'a Plan, union: TypeId, arms: &'a [ArmSlot], sizes: Sizes) -> Callee {
        self.union_function(union, arms, "tag", &[], |gen, arm| {
            (gen.arm_pieces(plan, union, arm, sizes).0.guards, quote(arm.tag.to_string()))
        })
    }

    /// `f(Value)`: what the arm fills of one of the areas of bits.
    pub(super) fn union_bits(
        &mut self,
        plan: &'a Plan,
        union: TypeId,
        arms: &'a [ArmSlot],
        sizes: Sizes,
        index: usize,
    ) -> Callee {
        let area = Areas::of(arms).bits[index];
        self.union_function(union, arms, &format!("bits{index}"), &[], |gen, arm| {
            (Vec::new(), binary(gen.arm_pieces(plan, union, arm, sizes).0.over(area)))
        })
    }

    /// `f(Value)`: what the arm fills of one of the areas of bits as one number; none where that is no small integer.
    pub(super) fn union_number(
        &mut self,
        plan: &'a Plan,
        union: TypeId,
        arms: &'a [ArmSlot],
        sizes: Sizes,
        index: usize,
    ) -> Option<Callee> {
        let area = Areas::of(arms).bits[index];
        if !area.from.is_multiple_of(8) || !area.to.is_multiple_of(8) {
            return None;
        }
        let mut numbers = Vec::new();
        for arm in arms {
            let (pieces, unsigned) = self.arm_pieces(plan, union, arm, sizes);
            let number = number_of(&pieces.segments, area, &unsigned);
            let empty = !pieces.segments.iter().any(|(bits, _)| bits.from < area.to && bits.to > area.from);
            numbers.push((arm.tag, if empty { quote("0") } else { number? }));
        }
        Some(self.union_function(union, arms, &format!("number{index}"), &[], |_, arm| {
            let number = numbers.iter().find(|(tag, _)| *tag == arm.tag).map(|(_, number)| number.clone());
            (Vec::new(), number.unwrap_or_else(|| quote("0")))
        }))
    }

    /// `f(Value)`: the words behind a pointer that the arms share.
    pub(super) fn shared_words(
        &mut self,
        plan: &'a Plan,
        union: TypeId,
        arms: &'a [ArmSlot],
        at: u32,
        sizes: Sizes,
    ) -> Callee {
        self.union_function(union, arms, &format!("words{at}"), &[], |gen, arm| {
            let words = match gen.shared(plan, union, arm, at, sizes) {
                Some((var, object)) => gen.object_words(plan, &object, &var),
                None => Words::known(0),
            };
            (Vec::new(), words.expr())
        })
    }

    /// `f(Value, Place)`: the word of a pointer that the arms share.
    pub(super) fn shared_pointer(
        &mut self,
        plan: &'a Plan,
        union: TypeId,
        arms: &'a [ArmSlot],
        at: u32,
        sizes: Sizes,
    ) -> Callee {
        self.union_function(union, arms, &format!("pointer{at}"), &["Place"], |gen, arm| {
            let pointer = match gen.shared(plan, union, arm, at, sizes) {
                Some((var, object)) => gen.object_pointer(plan, &object, &var, quote("Place")),
                None => quote("0"),
            };
            (Vec::new(), pointer)
        })
    }

    /// `f(Value, Message)`: the message with what is behind a pointer that the arms share.
    pub(super) fn shared_added(
        &mut self,
        plan: &'a Plan,
        union: TypeId,
        arms: &'a [ArmSlot],
        at: u32,
        sizes: Sizes,
    ) -> Callee {
        self.union_function(union, arms, &format!("object{at}"), &["Acc"], |gen, arm| {
            let added = match gen.shared(plan, union, arm, at, sizes) {
                Some((var, object)) => match gen.object_added(plan, &object, &var, quote("Acc")) {
                    Some(added) => added,
                    None => binary([quote("Acc/binary")].into_iter().chain(blob_segments(&object, &var))),
                },
                None => quote("Acc"),
            };
            (Vec::new(), added)
        })
    }

    /// The object of an arm at a pointer that the arms share, and its variable.
    fn shared(
        &mut self,
        plan: &'a Plan,
        union: TypeId,
        arm: &'a ArmSlot,
        at: u32,
        sizes: Sizes,
    ) -> Option<(String, Object<'a>)> {
        let leaves = self.arm_leaves(union, arm);
        let pointers = self.object_pointers(plan, &leaves, sizes);
        pointers.into_iter().find(|(own, ..)| *own == at).map(|(_, var, object)| (var, object))
    }

    /// An arm's value, a group opened.
    fn arm_leaves(&mut self, union: TypeId, arm: &'a ArmSlot) -> Vec<Leaf<'a>> {
        let slots = self.slots_of(union, std::slice::from_ref(&arm.slot));
        self.leaves(&slots)
    }

    /// As [`Gen::direct_pieces`], of an arm.
    fn arm_pieces(&mut self, plan: &'a Plan, union: TypeId, arm: &'a ArmSlot, sizes: Sizes) -> (Pieces, Vec<Bits>) {
        let leaves = self.arm_leaves(union, arm);
        self.direct_pieces(plan, &leaves, sizes)
    }

    /// A function of a union's value and further arguments, with a clause for each arm.
    fn union_function(
        &mut self,
        union: TypeId,
        arms: &'a [ArmSlot],
        what: &str,
        args: &[&str],
        arm_value: impl Fn(&mut Self, &'a ArmSlot) -> (Vec<Expr>, Expr),
    ) -> Callee {
        let name = format!("{}_{what}", self.names.of(union));
        self.define_in(union, &format!("direct:{name}"), &name, |gen, own| {
            let clause = |arm: &'a ArmSlot| {
                let (guards, value) = arm_value(gen, arm);
                let mut all = vec![gen.arm_pattern(union, arm)];
                all.extend(args.iter().map(|arg| quote(*arg)));
                Clause::new(all, [value]).when_all(guards)
            };
            let clauses: Vec<Clause> = arms.iter().map(clause).collect();
            if arms.len() <= FEW_ARMS {
                gen.inlined.insert((atom(own), args.len() + 1));
            }
            function(atom(own), &clauses)
        })
    }

    /// `{arm, Value}`, a group opened.
    pub(in crate::segments) fn arm_pattern(&mut self, union: TypeId, arm: &'a ArmSlot) -> Expr {
        let index = arm.slot.field.unwrap_or_default() as usize;
        let slots = self.slots_of(union, std::slice::from_ref(&arm.slot));
        let value = match slots.named.first() {
            Some(Named { slot, members, .. }) if matches!(slot.kind, SlotKind::Nest { .. }) => match &slot.kind {
                SlotKind::Nest { record, .. } => self.open_pattern(*record, members),
                _ => quote("_"),
            },
            Some(named) => quote(named.var.as_str()),
            None => quote("_"),
        };
        tuple([quote(self.names.arm(union, index)), value])
    }
}
