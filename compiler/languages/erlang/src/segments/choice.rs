//! Writers of unions: the tag, what the active arm fills of the bits that all arms share, and writers for the pointers
//! that they share, which wait until it is known where the objects will lie.

use super::areas::Areas;
use super::decode::Sizes;
use super::encode::late;
use super::leaves::Leaf;
use crate::code::{quote, Expr};
use crate::erl::{atom, binary, tuple, writer, Callee, Clause};
use crate::gen::Gen;
use aldis_plan::{ArmSlot, Plan, SlotKind};
use aldis_schema::TypeId;

impl<'a> Gen<'a> {
    /// The function that writes a union: `f(Value, Depth, Path)`.
    pub(super) fn write_choice(&mut self, plan: &'a Plan, union: TypeId, arms: &'a [ArmSlot], sizes: Sizes) -> Callee {
        let name = format!("write_{}", self.names.of(union));
        self.define_in(union, &format!("choice:{name}"), &name, |gen, own| {
            let areas = Areas::of(arms);
            let mut clauses: Vec<Clause> =
                arms.iter().map(|arm| gen.arm_clause(plan, union, arm, &areas, sizes)).collect();
            let mut unknown = vec![quote("aldis_words:tag(Tag, Path)")];
            unknown.extend(areas.bits.iter().map(|bits| quote(format!("<<0:{}>>", bits.to - bits.from))));
            unknown.extend(areas.pointers.iter().map(|_| quote("none")));
            clauses.push(Clause::new(["{unknown, Tag}", "_", "Path"], [tuple(unknown)]));
            clauses.push(Clause::new(["_, _, Path"], ["aldis_check:wrong(Path)"]));
            writer(&atom(own), &clauses)
        })
    }

    fn arm_clause(&mut self, plan: &'a Plan, union: TypeId, arm: &'a ArmSlot, areas: &Areas, sizes: Sizes) -> Clause {
        let slots = self.slots_of(union, std::slice::from_ref(&arm.slot));
        let leaves = self.leaves(&slots);
        let mut pieces = self.pieces(plan, &leaves, sizes);
        let mut found = vec![quote(arm.tag.to_string())];
        found.extend(areas.bits.iter().map(|bits| binary(pieces.over(*bits))));
        for at in &areas.pointers {
            found.push(self.waiting(plan, &leaves, *at, sizes));
        }
        let mut body = std::mem::take(&mut pieces.before);
        body.push(tuple(found));
        let pattern = self.arm_pattern(union, arm);
        Clause::new([pattern, quote("Depth"), quote("Path")], body)
    }

    /// A writer for the pointer at `at`, or `none`.
    fn waiting(&mut self, plan: &'a Plan, leaves: &[Leaf<'a>], at: u32, sizes: Sizes) -> Expr {
        for leaf in leaves {
            match &leaf.slot.kind {
                SlotKind::Pointer { target } if leaf.slot.at == at => {
                    let (ty, hint, var) = (&leaf.field.ty, &leaf.hint, &leaf.var);
                    let call = self.place(plan, target, ty, hint, var, "Place", "Next", "Depth", &leaf.path);
                    return quote(format!("fun(Place, Next) -> {call} end"));
                }
                SlotKind::Choice { arms, .. } if Areas::of(arms).pointers.contains(&at) => {
                    return quote(late(leaf, at, sizes));
                }
                _ => {}
            }
        }
        quote("none")
    }
}
