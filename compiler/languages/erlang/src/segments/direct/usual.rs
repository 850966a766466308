//! Clauses for records as they mostly are: texts and bytes are binaries, records that lead to no more than texts and bytes are
//! there. The guard says so, and what such a clause writes asks for no null.

use super::target::{size_of, Object};
use super::words;
use crate::code::{quote, Expr};
use crate::erl::bind;
use crate::gen::Gen;
use crate::segments::decode::Sizes;
use crate::segments::leaves::Slots;
use crate::variables::{renamed, variables};
use aldis_emit::names::Scope;
use aldis_plan::{Plan, SlotKind};
use aldis_schema::TypeId;
use std::collections::BTreeMap;

/// Records of more words or pointers are not written in the construction of what leads to them.
const FEW_WORDS: u32 = 6;
const FEW_POINTERS: u32 = 3;

/// A pointer of a record: its offset in the sections, the variable of its value, and what it leads to.
pub(super) type Pointer<'a> = (u32, String, Object<'a>);

/// The arguments of a clause, and the variables that it binds before it begins.
pub(super) struct Taken<'a> {
    pub pattern: Expr,
    pub pointers: Vec<Pointer<'a>>,
    pub guards: Vec<Expr>,
    pub before: Vec<Expr>,
}

impl<'a> Gen<'a> {
    /// A record with any values.
    pub(super) fn any_values(&mut self, plan: &'a Plan, slots: &Slots<'a>, sizes: Sizes) -> Taken<'a> {
        let leaves = self.leaves(slots);
        let pointers = self.object_pointers(plan, &leaves, sizes);
        Taken { pattern: self.value_pattern(slots), pointers, guards: Vec::new(), before: Vec::new() }
    }

    /// A record with usual values; none where every value is as usual. `open`: records that it leads to are bound as well.
    pub(super) fn usual_values(
        &mut self,
        plan: &'a Plan,
        slots: &Slots<'a>,
        sizes: Sizes,
        open: bool,
    ) -> Option<Taken<'a>> {
        if self.only_union(slots.owner).is_some() {
            return None;
        }
        let mut taken = self.any_values(plan, slots, sizes);
        let (mut blobs, mut opened) = (Vec::new(), BTreeMap::new());
        let own = variables(&slots.named);
        let mut scope = Scope::new(own.iter().map(String::as_str), ());
        for (_, var, object) in &mut taken.pointers {
            match object {
                Object::Text { given } | Object::Bytes { given } => {
                    *given = true;
                    blobs.push(var.clone());
                }
                Object::Record(id) if open && self.may_open(plan, *id) => {
                    let mut inner = self.sections_slots(plan, *id);
                    inner.named = renamed(&inner.named, &|name| format!("{var}_{name}"), &mut scope);
                    opened.insert(var.clone(), self.value_pattern(&inner));
                    let sizes = Sizes::of(plan, *id);
                    let leaves = self.leaves(&inner);
                    taken.guards.extend(self.record_pieces(plan, &leaves, sizes).guards);
                    blobs.extend(self.opened_pointers(plan, &inner, sizes).into_iter().map(|(_, var, _)| var));
                    *object = Object::Opened { id: *id, slots: inner };
                }
                _ => {}
            }
        }
        if blobs.is_empty() && opened.is_empty() {
            return None;
        }
        taken.pattern = self.pattern_with(slots.owner, &slots.named, &opened);
        taken.guards.extend(blobs.iter().map(|var| quote(format!("is_binary({var})"))));
        taken.before = blobs.iter().map(|var| bind(size_of(var), format!("byte_size({var})"))).collect();
        taken.before.extend(none_is_long(&blobs));
        Some(taken)
    }

    /// As [`Gen::usual_values`] for a root, whose lists of records that lead to more are lists and not null.
    pub(super) fn usual_root(&mut self, plan: &'a Plan, slots: &Slots<'a>, sizes: Sizes) -> Option<Taken<'a>> {
        let usual = self.usual_values(plan, slots, sizes, true);
        if self.only_union(slots.owner).is_some() {
            return usual;
        }
        let few = usual.is_none();
        let mut taken = usual.unwrap_or_else(|| self.any_values(plan, slots, sizes));
        let lists = taken.guards.len();
        for (_, var, object) in &mut taken.pointers {
            if let Some(id) = self.deep_list(plan, object) {
                taken.guards.push(quote(format!("is_list({var})")));
                *object = Object::Laid(id);
            }
        }
        if few && taken.guards.len() == lists {
            return None;
        }
        Some(taken)
    }

    /// Whether a record is written in the construction of what leads to it: it is small, and leads to texts and bytes.
    fn may_open(&mut self, plan: &'a Plan, id: TypeId) -> bool {
        let sizes = Sizes::of(plan, id);
        let slots = self.sections_slots(plan, id);
        let leaves = self.leaves(&slots);
        words(sizes) <= FEW_WORDS
            && sizes.pointers <= FEW_POINTERS
            && !leaves.iter().any(|leaf| matches!(leaf.slot.kind, SlotKind::Choice { .. }))
            && self
                .object_pointers(plan, &leaves, sizes)
                .iter()
                .all(|(.., object)| matches!(object, Object::Text { .. } | Object::Bytes { .. }))
    }

    /// The pointers of a record that is written in another's construction.
    pub(super) fn opened_pointers(&mut self, plan: &'a Plan, slots: &Slots<'a>, sizes: Sizes) -> Vec<Pointer<'a>> {
        let leaves = self.leaves(slots);
        let mut pointers = self.object_pointers(plan, &leaves, sizes);
        for (.., object) in &mut pointers {
            if let Object::Text { given } | Object::Bytes { given } = object {
                *given = true;
            }
        }
        pointers
    }
}

/// The statement that these are less than 64 KiB: longer ones are for the long way, which does not copy them. It is no guard,
/// since guards would tell all sizes a second time.
fn none_is_long(blobs: &[String]) -> Option<Expr> {
    let sizes: Vec<String> = blobs.iter().map(|var| size_of(var)).collect();
    (!sizes.is_empty()).then(|| quote(format!("true = {} < 16#10000", sizes.join(" bor "))))
}
