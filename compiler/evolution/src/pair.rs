//! The pairing of two versions: the value of one that is a value of the other.

use aldis_plan::{Extent, Plan, Run, Slot, SlotKind, Step};
use aldis_schema::{Field, Schema, Type, TypeId, TypeKind};
use std::collections::HashMap;
use std::rc::Rc;

/// A value in a record that has a place of its own: a slot, the tag of a union, or a part. Those of nested records and of
/// arms are members of the record around.
#[derive(Clone, Debug)]
pub(crate) struct Member<'p> {
    /// The fields and arms that lead to it from the record.
    pub path: Vec<u32>,
    /// The same by name, and by the name in JSON.
    pub name: String,
    pub json_name: String,
    pub fields: Vec<&'p Field>,
    /// The unions around it, each by its tag's index among the members, with the tag of the arm.
    pub guards: Vec<(usize, u64)>,
    /// The nested records around it, from the outermost, each with its field.
    pub nests: Vec<(&'p Slot, &'p Field)>,
    /// The index of its step; steps of one index are alike only where the steps before them are.
    pub step: usize,
    pub content: Content<'p>,
}

/// The kind of a member.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'p> {
    /// Bytes of a run. Pointers count from the first of their section.
    Slot {
        at: u32,
        pointer: bool,
        slot: &'p Slot,
    },
    Part,
    /// No bytes: a constant, or nothing.
    Nothing,
}

impl<'p> Member<'p> {
    /// Its own field, the last of the path.
    pub fn field(&self) -> &'p Field {
        self.fields[self.fields.len() - 1]
    }

    /// The place at which it begins: for the order of members.
    pub fn position(&self) -> (usize, bool, u32) {
        match self.content {
            Content::Slot { at, pointer, .. } => (self.step, pointer, at),
            _ => (self.step, false, 0),
        }
    }

    /// Whether both hold the same bytes of records that are alike up to there.
    pub fn is_at(&self, other: &Member) -> bool {
        let (Content::Slot { slot: one, pointer, at }, Content::Slot { slot: two, pointer: far, at: there }) =
            (self.content, other.content)
        else {
            let parts = matches!((self.content, other.content), (Content::Part, Content::Part));
            return parts && self.step == other.step;
        };
        let choices = is_choice(one) == is_choice(two);
        choices
            && self.step == other.step
            && (pointer, at, one.width) == (far, there, two.width)
            && bit(one) == bit(two)
    }

    /// The bits of the step that it takes, or none where it has no slot.
    pub fn bits(&self) -> std::ops::Range<u64> {
        match self.content {
            Content::Slot { at, slot, .. } => {
                let start = u64::from(at) * 8;
                match bit(slot) {
                    Some(bit) => start + u64::from(bit)..start + u64::from(bit) + 1,
                    None => start..start + u64::from(slot.width) * 8,
                }
            }
            _ => 0..0,
        }
    }
}

fn bit(slot: &Slot) -> Option<u8> {
    match &slot.kind {
        SlotKind::Scalar(scalar) => match scalar.repr {
            aldis_plan::Repr::Bit(bit) => Some(bit),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn is_choice(slot: &Slot) -> bool {
    matches!(slot.kind, SlotKind::Choice { .. })
}

/// The members of a record, in wire order. A record that only ever lies inside others has those of its fields without
/// places.
pub(crate) fn members(plan: &Plan, record: TypeId) -> Vec<Member<'_>> {
    let mut opener = Opener { schema: &plan.schema, step: 0, data: 0, found: Vec::new() };
    let Some(layout) = &plan.layouts[record.index()] else {
        let fields = &plan.schema.record(record).fields;
        fields.iter().enumerate().for_each(|(index, field)| {
            opener.push(&Way::default().with(index as u32, field), Content::Nothing);
        });
        return opener.found;
    };
    for (index, step) in layout.steps.iter().enumerate() {
        opener.step = index;
        match step {
            Step::Run(run) => opener.run(run, record),
            Step::Part { field, .. } => {
                let way = Way::default().with(*field, &plan.schema.record(record).fields[*field as usize]);
                opener.push(&way, Content::Part);
            }
        }
    }
    opener.found
}

/// The way from a record to a member.
#[derive(Clone, Default)]
struct Way<'p> {
    path: Vec<u32>,
    fields: Vec<&'p Field>,
    guards: Vec<(usize, u64)>,
    nests: Vec<(&'p Slot, &'p Field)>,
}

impl<'p> Way<'p> {
    fn with(&self, index: u32, field: &'p Field) -> Self {
        let mut way = self.clone();
        way.path.push(index);
        way.fields.push(field);
        way
    }
}

struct Opener<'p> {
    schema: &'p Schema,
    step: usize,
    data: u32,
    found: Vec<Member<'p>>,
}

impl<'p> Opener<'p> {
    fn run(&mut self, run: &'p Run, record: TypeId) {
        self.data = match run.extent {
            Extent::Sections { data } => data,
            _ => u32::MAX,
        };
        self.slots(&run.slots, &self.schema.record(record).fields, &Way::default());
    }

    fn slots(&mut self, slots: &'p [Slot], fields: &'p [Field], way: &Way<'p>) {
        for slot in slots {
            if let Some(index) = slot.field {
                self.slot(slot, &way.with(index, &fields[index as usize]));
            }
        }
    }

    fn slot(&mut self, slot: &'p Slot, way: &Way<'p>) {
        match &slot.kind {
            SlotKind::Nest { record, slots } => {
                let mut inner = way.clone();
                inner.nests.push((slot, way.fields[way.fields.len() - 1]));
                self.slots(slots, &self.schema.record(*record).fields, &inner);
            }
            SlotKind::Choice { union, arms } => {
                let tag = self.found.len();
                self.push(way, self.place(slot));
                for arm in arms {
                    let Some(index) = arm.slot.field else { continue };
                    let mut inner = way.with(index, &self.schema.union(*union).arms[index as usize].field);
                    inner.guards.push((tag, arm.tag));
                    self.slot(&arm.slot, &inner);
                }
            }
            SlotKind::Constant { .. } => self.push(way, Content::Nothing),
            _ => self.push(way, self.place(slot)),
        }
    }

    fn place(&self, slot: &'p Slot) -> Content<'p> {
        let pointer = matches!(slot.kind, SlotKind::Pointer { .. });
        let at = if pointer { slot.at - self.data } else { slot.at };
        Content::Slot { at, pointer, slot }
    }

    fn push(&mut self, way: &Way<'p>, content: Content<'p>) {
        let join = |name: fn(&Field) -> &str| {
            let names = way.fields.iter().map(|field| name(field)).filter(|name| !name.is_empty());
            names.collect::<Vec<_>>().join(".")
        };
        let Way { path, fields, guards, nests } = way.clone();
        let (name, json_name) = (join(|field| &field.name), join(Field::json_name));
        self.found.push(Member { path, name, json_name, fields, guards, nests, step: self.step, content });
    }
}

/// The members of a record in two versions, and which is which.
#[derive(Debug)]
pub(crate) struct Pairing<'p> {
    pub old: Vec<Member<'p>>,
    pub new: Vec<Member<'p>>,
    /// By the index of an old member: the new one; and the other way.
    pub to_new: Vec<Option<usize>>,
    pub to_old: Vec<Option<usize>>,
}

impl<'p> Pairing<'p> {
    /// Members of the same name are one; of the rest those of the same place.
    pub fn new(old: Vec<Member<'p>>, new: Vec<Member<'p>>) -> Self {
        let (to_new, to_old) = (vec![None; old.len()], vec![None; new.len()]);
        let mut pairing = Self { old, new, to_new, to_old };
        let kind = |member: &Member| matches!(member.content, Content::Slot { slot, .. } if is_choice(slot));
        let mut by_name: HashMap<(String, bool), Vec<usize>> = HashMap::new();
        for (index, member) in pairing.new.iter().enumerate().rev() {
            by_name.entry((member.name.clone(), kind(member))).or_default().push(index);
        }
        for index in 0..pairing.old.len() {
            let member = &pairing.old[index];
            if let Some(mate) = by_name.get_mut(&(member.name.clone(), kind(member))).and_then(Vec::pop) {
                pairing.join(index, mate);
            }
        }
        for same_name in [true, false] {
            for index in 0..pairing.old.len() {
                if pairing.to_new[index].is_none() {
                    if let Some(mate) = pairing.at_place(index, same_name) {
                        pairing.join(index, mate);
                    }
                }
            }
        }
        pairing
    }

    fn join(&mut self, old: usize, new: usize) {
        self.to_new[old] = Some(new);
        self.to_old[new] = Some(old);
    }

    /// The new member without a mate at the place of an old one. One that has only moved between records nested in
    /// each other has the `same_name`.
    fn at_place(&self, index: usize, same_name: bool) -> Option<usize> {
        let old = &self.old[index];
        (0..self.new.len()).find(|&mate| {
            let new = &self.new[mate];
            let alike = old.field().name == new.field().name;
            let moved = alike && same_name && old.path.len() != new.path.len();
            let nothing = matches!((old.content, new.content), (Content::Nothing, Content::Nothing));
            let empty = nothing && (moved || self.is_same_arm(old, new));
            self.to_old[mate].is_none() && (alike || !same_name) && (empty || old.is_at(new))
        })
    }

    /// Whether both are chosen by the same number of one union.
    fn is_same_arm(&self, old: &Member, new: &Member) -> bool {
        match (old.guards.last(), new.guards.last()) {
            (Some((one, arm)), Some((two, tag))) => self.to_new[*one] == Some(*two) && arm == tag,
            _ => false,
        }
    }
}

/// Two plans of one form, and the pairings of their records that were asked for.
#[derive(Debug)]
pub(crate) struct Versions<'p> {
    pub old: &'p Plan,
    pub new: &'p Plan,
    /// The messages by their indices; one that only one version has stands alone.
    pub messages: Vec<(Option<usize>, Option<usize>)>,
    known: HashMap<(TypeId, TypeId), Rc<Pairing<'p>>>,
}

impl<'p> Versions<'p> {
    pub fn new(old: &'p Plan, new: &'p Plan) -> Self {
        Self { old, new, messages: messages(old, new), known: HashMap::new() }
    }

    /// Joins messages that have no numbers, by what their records have become; whether there were any.
    pub fn join_messages(&mut self, renamed: impl Fn(TypeId) -> Option<TypeId>) -> bool {
        if self.old.dispatch.is_some() || self.new.dispatch.is_some() {
            return false;
        }
        let mut joined = Vec::new();
        for (old, _) in self.messages.iter().filter(|(_, new)| new.is_none()) {
            let record = old.and_then(|old| renamed(self.old.messages[old].record));
            let is_it = |(old, new): &&(Option<usize>, Option<usize>)| {
                old.is_none() && new.is_some_and(|new| Some(self.new.messages[new].record) == record)
            };
            joined.extend(self.messages.iter().find(is_it).map(|(_, new)| (*old, *new)));
        }
        self.messages.retain(|(old, new)| {
            let is_in = |joined: &(_, _)| new.is_none() && joined.0 == *old || old.is_none() && joined.1 == *new;
            !joined.iter().any(is_in)
        });
        self.messages.extend(&joined);
        !joined.is_empty()
    }

    pub fn pairing(&mut self, old: TypeId, new: TypeId) -> Rc<Pairing<'p>> {
        let make = || Rc::new(Pairing::new(members(self.old, old), members(self.new, new)));
        Rc::clone(self.known.entry((old, new)).or_insert_with(make))
    }
}

/// The messages of two plans, by their indices: those of one name; of the rest, of one id.
fn messages(old: &Plan, new: &Plan) -> Vec<(Option<usize>, Option<usize>)> {
    let name = |plan: &Plan, index: usize| plan.schema.type_def(plan.messages[index].record).name.full();
    let by_name: HashMap<String, usize> = (0..new.messages.len()).map(|index| (name(new, index), index)).collect();
    let mut mates: Vec<Option<usize>> = (0..old.messages.len()).map(|i| by_name.get(&name(old, i)).copied()).collect();
    let mut taken = vec![false; new.messages.len()];
    mates.iter().flatten().for_each(|&mate| taken[mate] = true);
    let meanings: HashMap<u64, usize> =
        new.schema.meanings().into_iter().filter_map(|(id, message)| Some((id, message?))).collect();
    for (index, mate) in mates.iter_mut().enumerate().filter(|(_, mate)| mate.is_none()) {
        let id = old.schema.messages.get(index).and_then(|message| message.id);
        *mate = id.and_then(|id| meanings.get(&id).copied()).filter(|&found| !taken[found]);
        if let Some(found) = *mate {
            taken[found] = true;
        }
    }
    let pairs = mates.into_iter().enumerate().map(|(index, mate)| (Some(index), mate));
    let added = taken.into_iter().enumerate().filter(|(_, taken)| !taken).map(|(index, _)| (None, Some(index)));
    pairs.chain(added).collect()
}

/// The record, union or enumeration that a type is, where it is one.
pub(crate) fn named<'s>(schema: &'s Schema, ty: &Type) -> Option<(TypeId, &'s TypeKind)> {
    match ty.required() {
        Type::Named(id) => Some((*id, &schema.type_def(*id).kind)),
        _ => None,
    }
}
