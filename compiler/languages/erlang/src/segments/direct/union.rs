//! Readers of unions on the short way.

use super::read::Source;
use crate::code::quote;
use crate::erl::{atom, bind, function, tuple, Callee, Clause};
use crate::gen::Gen;
use crate::segments::areas::Areas;
use crate::segments::decode::{pattern_of, Sizes};
use crate::segments::leaves::Leaf;
use crate::slots::Floats;
use crate::variables::Numbered;
use aldis_plan::{ArmSlot, Plan, SlotKind};
use aldis_schema::TypeId;

impl<'a> Gen<'a> {
    /// The function that reads the arm that a tag names: it takes the tag, the halves of the pointers that the arms
    /// share, the message, the record's first byte and the budget.
    pub(super) fn direct_choice(&mut self, plan: &'a Plan, union: TypeId, arms: &'a [ArmSlot], sizes: Sizes) -> Callee {
        let name = format!("direct_{}", self.names.of(union));
        self.define_in(union, &format!("direct:{name}"), &name, |gen, own| {
            let pointers = Areas::of(arms).pointers;
            let shared: Vec<String> = pointers.iter().flat_map(|at| [halves(*at).0, halves(*at).1]).collect();
            let args = |tag: &str| {
                let rest = ["Bin", "At", "Budget"].map(str::to_owned);
                [vec![tag.to_owned()], shared.clone(), rest.to_vec()].concat().join(", ")
            };
            let mut clauses: Vec<Clause> =
                arms.iter().map(|arm| gen.direct_arm(plan, union, arm, sizes, &args(&arm.tag.to_string()))).collect();
            let unknown = vec![quote("{{unknown, Tag}, Budget}")];
            clauses.push(Clause::new([&args("Tag")], unknown));
            function(atom(own), &clauses)
        })
    }

    fn direct_arm(&mut self, plan: &'a Plan, union: TypeId, arm: &'a ArmSlot, sizes: Sizes, args: &str) -> Clause {
        let index = arm.slot.field.unwrap_or_default() as usize;
        let term = self.names.arm(union, index);
        let slots = self.slots_of(union, std::slice::from_ref(&arm.slot));
        let leaves = self.leaves(&slots);
        let mut body = Vec::new();
        let numbers = self.direct_numbers(&leaves);
        if let Some(end) = numbers.iter().map(|(bits, _)| bits.to).max() {
            let mut pattern = vec![quote("_:At/binary")];
            pattern.extend(pattern_of(numbers, end.next_multiple_of(8)));
            pattern.push(quote("_/binary"));
            body.push(bind(crate::erl::binary(pattern), "Bin"));
        }
        for leaf in &leaves {
            if let Some(at) = self.refused(plan, leaf) {
                let (low, high) = halves(at);
                body.push(quote(format!("{{0, 0}} = {{{low}, {high}}}")));
            }
        }
        let source = Source { sizes, start: 0, halves: &|_, at| halves(at) };
        let (read, budget, charges) = self.direct_leaves(plan, &leaves, &source, "At", Numbered::first("Budget"));
        body.extend(read);
        let value = match slots.named.first() {
            Some(named) => self.leaf_value(named, Floats::Numbers),
            None => quote("undefined"),
        };
        body.push(tuple([tuple([quote(term), value]), quote(format!("{budget}{charges}"))]));
        Clause::new([args], body)
    }

    /// The place of a pointer that is not followed.
    fn refused(&mut self, plan: &'a Plan, leaf: &Leaf<'a>) -> Option<u32> {
        let SlotKind::Pointer { target } = &leaf.slot.kind else { return None };
        let way = self.way(plan, target, &leaf.field.ty, &leaf.hint);
        matches!(way, super::read::Way::Null).then_some(leaf.slot.at)
    }
}

/// The variables of the halves of a pointer that the arms share.
fn halves(at: u32) -> (String, String) {
    (format!("Low{at}"), format!("High{at}"))
}
