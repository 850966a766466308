//! The pointers of a record in the order in which they lie, which is that of what they lead to: unions bring theirs in
//! between those of fields.

use super::Segments;
use crate::code::{block, case, code, stmt, when, Code, Stmt};
use crate::scope::Scope;
use crate::source::Source;
use aldis_plan::{Node, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

/// A pointer, or the pointers of a union's arms.
#[derive(Clone)]
pub(super) enum Item<'p> {
    Pointer(Pointer<'p>),
    Choice {
        union: TypeId,
        /// The expression of the union's value.
        source: Source,
        /// By index.
        arms: Vec<(usize, Vec<Item<'p>>)>,
    },
}

#[derive(Clone)]
pub(super) struct Pointer<'p> {
    /// Its first byte in the record.
    pub at: u32,
    pub node: &'p Node,
    pub ty: &'p Type,
    /// The optional value.
    pub source: Source,
    /// The function of a writer that takes it; `to.name`.
    pub to: Code,
    pub scope: Scope,
}

impl Item<'_> {
    /// The first and the last place of its pointers.
    fn range(&self) -> (u32, u32) {
        match self {
            Item::Pointer(pointer) => (pointer.at, pointer.at),
            Item::Choice { arms, .. } => {
                let ranges = arms.iter().flat_map(|(_, items)| items).map(Item::range);
                ranges.fold((u32::MAX, 0), |(first, last), (from, to)| (first.min(from), last.max(to)))
            }
        }
    }
}

impl<'a> Segments<'_, 'a> {
    /// The pointers in a record's slots, in order: of the value `source`, written by the writer `to`.
    pub(super) fn items(
        &self,
        slots: &'a [Slot],
        owner: TypeId,
        source: &Source,
        to: &Code,
        scope: &Scope,
    ) -> Vec<Item<'a>> {
        let mut found = Vec::new();
        for (slot, index) in self.stored(slots, owner) {
            let name = self.gen.names.member(owner, index);
            let (member, to) = (code!("{source}.{name}").into(), code!("{to}.{name}"));
            let (ty, inner) = self.within_field(owner, index, scope);
            found.extend(self.items_of(slot, ty, &member, &to, &inner));
        }
        in_order(found)
    }

    fn items_of(&self, slot: &'a Slot, ty: &'a Type, member: &Source, to: &Code, scope: &Scope) -> Vec<Item<'a>> {
        match &slot.kind {
            SlotKind::Pointer { target } => {
                vec![Item::Pointer(Pointer {
                    at: slot.at,
                    node: target,
                    ty,
                    source: member.clone(),
                    to: to.to_owned(),
                    scope: scope.clone(),
                })]
            }
            SlotKind::Nest { record, slots } => self.items(slots, *record, member, &code!("{to}()"), scope),
            SlotKind::Choice { union, arms } => {
                let mut pointed = Vec::new();
                for arm in arms {
                    let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
                    let field = self.gen.field(*union, index);
                    let held = self.held(*union, index, member);
                    let set = code!("{to}().set<{}>", self.tag(*union, index));
                    let items = self.items_of(&arm.slot, &field.ty, &held, &set, &scope.field(&field.name));
                    if !items.is_empty() {
                        pointed.push((index, items));
                    }
                }
                if pointed.is_empty() {
                    return Vec::new();
                }
                vec![Item::Choice { union: *union, source: member.clone(), arms: pointed }]
            }
            _ => Vec::new(),
        }
    }

    /// The value of an arm that is known to be active.
    pub(super) fn held(&self, union: TypeId, arm: usize, member: &Source) -> Source {
        Source::behind(code!("{member}.get<{}>()", self.tag(union, arm)))
    }

    /// Statements for the pointers, each made by `each`.
    pub(super) fn visit(&self, items: &[Item<'_>], each: &dyn Fn(&Pointer<'_>) -> Stmt) -> Vec<Stmt> {
        let statement = |item: &Item<'_>| match item {
            Item::Pointer(pointer) => each(pointer),
            Item::Choice { union, source, arms } => match arms.as_slice() {
                [(arm, items)] => {
                    let active = code!("{source}.which() == {}", self.tag(*union, *arm));
                    when(active, self.visit(items, each))
                }
                arms => {
                    let mut cases: Vec<Stmt> = Vec::new();
                    for (arm, items) in arms {
                        let mut body = self.visit(items, each);
                        body.push(stmt!("break;"));
                        cases.push(case(Some(code!("{}", self.tag(*union, *arm))), body));
                    }
                    cases.push(case(None, vec![stmt!("break;")]));
                    block(code!("switch ({source}.which())"), cases)
                }
            },
        };
        items.iter().map(statement).collect()
    }
}

/// Sorted by place; a union between whose pointers others lie is taken apart, pointer by pointer.
fn in_order(mut items: Vec<Item<'_>>) -> Vec<Item<'_>> {
    sort(&mut items);
    let ranges: Vec<(u32, u32)> = items.iter().map(Item::range).collect();
    let (mut found, mut behind) = (Vec::new(), None);
    for (index, item) in items.into_iter().enumerate() {
        let (from, to) = ranges[index];
        let next = ranges.get(index + 1).map(|(first, _)| *first);
        let is_apart = behind.is_some_and(|behind| from <= behind) || next.is_some_and(|next| next <= to);
        behind = behind.max(Some(to));
        if is_apart {
            found.extend(taken_apart(item));
        } else {
            found.push(item);
        }
    }
    sort(&mut found);
    found
}

fn sort(items: &mut [Item<'_>]) {
    items.sort_by_key(|item| item.range().0);
}

fn taken_apart(item: Item<'_>) -> Vec<Item<'_>> {
    match item {
        Item::Pointer(_) => vec![item],
        Item::Choice { union, source, arms } => {
            let pointers = arms.into_iter().flat_map(|(arm, items)| {
                let inner = items.into_iter().flat_map(taken_apart);
                inner.map(move |inner| (arm, inner)).collect::<Vec<_>>()
            });
            pointers
                .map(|(arm, inner)| Item::Choice { union, source: source.clone(), arms: vec![(arm, vec![inner])] })
                .collect()
        }
    }
}
