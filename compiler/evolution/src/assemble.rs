//! From places where readers go wrong to what somebody changed.
//!
//! One edit shows in many places: a field that is inserted moves all behind it, in each message that holds its record. The
//! assembly finds the cause, and says it once.

use crate::codes;
use crate::difference::{end_of, end_of_type, known, Difference, End, Letters, Place};
use crate::names;
use crate::pair::{named, Member, Pairing, Versions};
use crate::renames::{Cause, Renames};
use crate::walk::{HeadProblem, Node, Problem, Walk};
use aldis_diagnostics::Span;
use aldis_plan::{Meaning, Plan, Register, SlotKind, Step};
use aldis_schema::{Type, TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The findings of the walk in one direction.
struct Walked {
    forward: bool,
    nodes: Vec<Node>,
    users: Vec<BTreeSet<usize>>,
    problems: Vec<Problem>,
    heads: Vec<HeadProblem>,
    roots: Vec<(usize, usize, usize)>,
    enums: BTreeSet<(TypeId, TypeId, usize)>,
}

impl Walked {
    fn new(versions: &mut Versions<'_>, forward: bool) -> Self {
        let Walk { nodes, users, problems, heads, roots, enums, .. } = Walk::new(versions, forward);
        Self { forward, nodes, users, problems, heads, roots, enums }
    }

    /// Old and new record of a node.
    fn records(&self, node: usize) -> (TypeId, TypeId) {
        let Node { writer, reader, .. } = self.nodes[node];
        self.in_time(writer, reader)
    }

    /// A pair of the writer's and the reader's, as the pair of old and new.
    fn in_time<T>(&self, writer: T, reader: T) -> (T, T) {
        if self.forward {
            (reader, writer)
        } else {
            (writer, reader)
        }
    }
}

/// The key that tells differences apart: an edit has one place in the text.
type Key = (&'static str, Option<(u32, u32)>, Option<(u32, u32)>, String);

/// All differences of two plans, with the messages of each as (old, new) indices.
pub(crate) struct Assembly<'p> {
    old: &'p Plan,
    new: &'p Plan,
    messages: Vec<(Option<usize>, Option<usize>)>,
    renames: Renames,
    differences: BTreeMap<Key, Difference>,
    walks: [Walked; 2],
}

/// A change of a record that can move others.
struct Candidate {
    position: (usize, bool, u32),
    difference: Difference,
    /// Whether the field has another default, which is told though it may break nobody.
    defaults: bool,
    /// The members that it is about.
    old: BTreeSet<usize>,
    new: BTreeSet<usize>,
}

/// The differences, and for each message that both have: which differences it holds.
pub(crate) fn assemble<'p>(versions: &mut Versions<'p>) -> (Vec<Difference>, Vec<(usize, usize, Letters)>) {
    let (mut walks, mut pairs) = walked(versions);
    let mut renames = Renames::new(versions, &pairs);
    if versions.join_messages(|old| renames.of(old)) {
        (walks, pairs) = walked(versions);
        renames = Renames::new(versions, &pairs);
    }
    let (old, new, messages) = (versions.old, versions.new, versions.messages.clone());
    let mut assembly = Assembly { old, new, messages, renames, differences: BTreeMap::new(), walks };
    assembly.messages();
    assembly.heads();
    for (before, after) in pairs {
        let pairing = versions.pairing(before, after);
        assembly.record((before, after), &pairing);
    }
    assembly.enumerations();
    assembly.names();
    assembly.finish()
}

/// Both directions, and the records that they compare.
fn walked(versions: &mut Versions<'_>) -> ([Walked; 2], BTreeSet<(TypeId, TypeId)>) {
    let walks = [Walked::new(versions, false), Walked::new(versions, true)];
    let records = walks.iter().flat_map(|walk| (0..walk.nodes.len()).map(|node| walk.records(node))).collect();
    (walks, records)
}

impl<'p> Assembly<'p> {
    fn add(&mut self, difference: Difference) {
        let place = |end: &Option<End>| {
            let span = end.as_ref()?.span?;
            Some((span.source.0, span.start))
        };
        let (old, new) = (place(&difference.old), place(&difference.new));
        let name = |end: &Option<End>| end.as_ref().map(|end| end.name.clone()).unwrap_or_default();
        let placeless = (old, new) == (None, None) || difference.code == codes::HEAD_CHANGED;
        let text = if placeless { name(&difference.old) + &name(&difference.new) } else { String::new() };
        let old = if new.is_some() { None } else { old };
        let key = (difference.code, old, new, text);
        match self.differences.get_mut(&key) {
            Some(known) => known.merge(difference),
            None => {
                self.differences.insert(key, difference);
            }
        }
    }

    /// Messages that only one version has, and those with another name.
    fn messages(&mut self) {
        for (old, new) in self.messages.clone() {
            let end = |plan: &Plan, index: usize| end_of_type(&plan.schema, plan.messages[index].record, "message");
            let before = old.map(|old| end(self.old, old));
            let after = new.map(|new| end(self.new, new));
            let mut difference = match (&before, &after) {
                (Some(_), None) => {
                    let mut removed = Difference::new(codes::MESSAGE_REMOVED, before, None);
                    removed.broken = Letters { j: true, s: true, ..Letters::default() };
                    removed.broken_by(false, "they do not know the message");
                    removed
                }
                (None, Some(_)) => Difference::new(codes::MESSAGE_ADDED, None, after),
                _ => continue,
            };
            difference.proof.heads.insert((old, new));
            self.add(difference);
        }
    }

    fn heads(&mut self) {
        let mut found = Vec::new();
        for walk in &self.walks {
            for head in &walk.heads {
                let (old, new) = walk.in_time(head.messages.0, head.messages.1);
                let end =
                    |plan: &Plan, index: usize| end_of_type(&plan.schema, plan.messages[index].record, &head.reason);
                let (before, after) = (end(self.old, old), end(self.new, new));
                let of_message = head.reason.contains("templateId") || head.reason.contains("type");
                let mut difference = Difference::new(codes::HEAD_CHANGED, Some(before), Some(after));
                difference.broken_by(walk.forward, &head.reason);
                difference.proof.heads.insert((Some(old), Some(new)));
                found.push((of_message, difference));
            }
        }
        // A change that all messages have in common is one difference.
        let mut common: Option<Difference> = None;
        for (of_message, difference) in found {
            match common.as_mut() {
                _ if of_message => self.add(difference),
                Some(common) => common.merge(difference),
                None => common = Some(difference),
            }
        }
        common.into_iter().for_each(|difference| self.add(difference));
    }

    fn record(&mut self, records: (TypeId, TypeId), pairing: &Rc<Pairing<'p>>) {
        let mut candidates = self.candidates(records, pairing);
        let mut moved: Vec<(Place, String)> = Vec::new();
        for walk in &self.walks {
            for problem in walk.problems.iter().filter(|problem| walk.records(problem.node) == records) {
                let (old, new) = walk.in_time(problem.writer, problem.reader);
                let place = Place { forward: walk.forward, records, writer: problem.writer, reader: problem.reader };
                let own = candidates.iter_mut().find(|candidate| {
                    old.is_some_and(|old| candidate.old.contains(&old))
                        || new.is_some_and(|new| candidate.new.contains(&new))
                });
                match own {
                    Some(own) if !problem.moved => {
                        own.difference.broken_by(walk.forward, &problem.reason);
                        own.difference.proof.places.push(place);
                    }
                    _ => moved.push((place, problem.reason.clone())),
                }
            }
        }
        self.blame(records, pairing, &mut candidates, moved);
        for mut candidate in candidates {
            let Candidate { difference, defaults, .. } = &candidate;
            if difference.broken.any() || *defaults || difference.code != codes::FIELD_CHANGED {
                candidate.difference.proof.records.insert(records);
                self.add(candidate.difference);
            }
        }
    }

    /// Packages and types that have other names. A type that a field declares is called as the field is.
    fn names(&mut self) {
        let (old, new) = (&self.old.schema, &self.new.schema);
        for (cause, effect) in self.renames.causes(old, new) {
            let (before, after) = match cause {
                Cause::Type(was, is) => {
                    let kind = kind(&old.type_def(was).kind);
                    (end_of_type(old, was, kind), end_of_type(new, is, kind))
                }
                Cause::Package(was, is) => {
                    let [was, is] = [was, is].map(|name| End { name, what: "package".into(), span: None });
                    (was, is)
                }
            };
            let is_told = |one: &&mut Difference| {
                let name = |end: &Option<End>| end.as_ref().map(|end| end.name.clone());
                one.code == codes::FIELD_RENAMED
                    && name(&one.old).as_ref() == Some(&before.name)
                    && name(&one.new).as_ref() == Some(&after.name)
            };
            if let Some(field) = self.differences.values_mut().find(is_told) {
                field.renamed.extend(effect.types);
                continue;
            }
            let mut difference = Difference::new(codes::NAME_CHANGED, Some(before), Some(after));
            difference.broken.s = true;
            difference.renamed = effect.types;
            difference.proof.records = effect.records;
            self.add(difference);
        }
    }

    /// The changes of a record's members, whether or not they break anybody.
    fn candidates(&self, (before, after): (TypeId, TypeId), pairing: &Pairing<'p>) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let (old, new) = (&self.old.schema, &self.new.schema);
        for (index, member) in pairing.old.iter().enumerate() {
            match pairing.to_new[index] {
                Some(mate) => {
                    found.push(self.pair((before, after), pairing, index, mate));
                    found.extend(self.around((before, after), member, &pairing.new[mate]));
                }
                None => {
                    let depth = outermost(&pairing.old, &pairing.to_new, index);
                    let mut difference =
                        Difference::new(codes::FIELD_REMOVED, Some(end_of(old, before, member, depth)), None);
                    difference.broken = Letters { j: true, s: true, ..Letters::default() };
                    let position = member.position();
                    let (old, new) = ([index].into(), BTreeSet::new());
                    found.push(Candidate { position, difference, defaults: false, old, new });
                }
            }
        }
        for (index, member) in pairing.new.iter().enumerate().filter(|(index, _)| pairing.to_old[*index].is_none()) {
            let depth = outermost(&pairing.new, &pairing.to_old, index);
            let difference = Difference::new(codes::FIELD_ADDED, None, Some(end_of(new, after, member, depth)));
            found.push(Candidate {
                position: member.position(),
                difference,
                defaults: false,
                old: BTreeSet::new(),
                new: [index].into(),
            });
        }
        found.sort_by_key(|candidate| candidate.position);
        found
    }

    /// Two members that are one.
    fn pair(&self, records: (TypeId, TypeId), pairing: &Pairing<'p>, index: usize, mate: usize) -> Candidate {
        let (one, two) = (&pairing.old[index], &pairing.new[mate]);
        let (old, new) = (&self.old.schema, &self.new.schema);
        let letters = names::renamed(one, two, (&self.old.json, &self.new.json), (&self.renames.renamed, new));
        let ends = self.shared_type(one, two).unwrap_or_else(|| {
            let depth = renamed_at(one, two);
            let ends = (end_of(old, records.0, one, depth.0), end_of(new, records.1, two, depth.1));
            (if one.name == two.name { codes::FIELD_CHANGED } else { codes::FIELD_RENAMED }, ends.0, ends.1)
        });
        let (code, mut before, mut after) = ends;
        let defaults = names::defaults((old, one.field()), (new, two.field()));
        if let (Some((was, is)), true) = (&defaults, code != codes::TYPE_CHANGED) {
            before.what += &format!(", default {was}");
            after.what += &format!(", default {is}");
        }
        let mut difference = Difference::new(code, Some(before), Some(after));
        difference.broken = letters;
        let (old, new) = ([index].into(), [mate].into());
        Candidate { position: two.position(), difference, defaults: defaults.is_some(), old, new }
    }

    /// Renamed fields on the way to two members that are one, behind the first of them.
    fn around(&self, records: (TypeId, TypeId), one: &Member, two: &Member) -> Vec<Candidate> {
        let (first, _) = renamed_at(one, two);
        let depths = (first + 1..=one.fields.len()).filter(|_| one.fields.len() == two.fields.len());
        let renamed = depths.filter(|depth| one.fields[depth - 1].name != two.fields[depth - 1].name);
        let candidate = |depth| {
            let before = end_of(&self.old.schema, records.0, one, depth);
            let after = end_of(&self.new.schema, records.1, two, depth);
            let mut difference = Difference::new(codes::FIELD_RENAMED, Some(before), Some(after));
            difference.broken = Letters { j: true, s: true, ..Letters::default() };
            let (old, new) = (BTreeSet::new(), BTreeSet::new());
            Candidate { position: two.position(), difference, defaults: false, old, new }
        };
        renamed.map(candidate).collect()
    }

    /// The enumeration that changed where two members use it, and not they themselves.
    fn shared_type(&self, one: &Member, two: &Member) -> Option<(&'static str, End, End)> {
        let (old, new) = (&self.old.schema, &self.new.schema);
        let (before, a) = named(old, one.field().ty.element())?;
        let (after, b) = named(new, two.field().ty.element())?;
        let repr = |kind: &TypeKind| match kind {
            TypeKind::Enum(enumeration) => Some(enumeration.repr.clone()),
            TypeKind::Flags(flags) => Some(Type::Int(flags.repr)),
            _ => None,
        };
        let (a, b) = (repr(a)?, repr(b)?);
        let name = &self.renames.renamed.type_def(before).name;
        let same_name = *name == new.type_def(after).name && one.name == two.name;
        (a != b && same_name).then(|| {
            let what = |schema, ty| aldis_schema::type_text(schema, ty);
            let ends = (end_of_type(old, before, what(old, &a)), end_of_type(new, after, what(new, &b)));
            (codes::TYPE_CHANGED, ends.0, ends.1)
        })
    }

    /// Finds who moved what lies elsewhere: the last change in front of it; else they changed places themselves.
    fn blame(
        &mut self,
        records: (TypeId, TypeId),
        pairing: &Pairing<'p>,
        candidates: &mut [Candidate],
        moved: Vec<(Place, String)>,
    ) {
        let mut own: Option<Difference> = None;
        for (place, reason) in moved {
            let (old, new) = if place.forward { (place.reader, place.writer) } else { (place.writer, place.reader) };
            let positions = [old.map(|old| pairing.old[old].position()), new.map(|new| pairing.new[new].position())];
            let last = positions.iter().flatten().max().copied();
            let name =
                new.map(|new| pairing.new[new].name.clone()).or_else(|| old.map(|old| pairing.old[old].name.clone()));
            let cause = candidates.iter_mut().rfind(|candidate| {
                let moves = candidate.old.is_empty() != candidate.new.is_empty()
                    || candidate.difference.broken.b
                    || candidate.difference.broken.f;
                moves && last.is_none_or(|last| candidate.position <= last)
            });
            let blamed = match cause {
                Some(cause) => &mut cause.difference,
                None => own.get_or_insert_with(|| self.moved(records, pairing, (old, new))),
            };
            blamed.broken_by(place.forward, &reason);
            blamed.proof.places.push(place);
            blamed.moved.extend(name);
        }
        if let Some(mut own) = own {
            own.proof.records.insert(records);
            self.add(own);
        }
    }

    /// Fields that changed places without another cause; without fields the record as a whole.
    fn moved(
        &self,
        records: (TypeId, TypeId),
        pairing: &Pairing<'p>,
        (old, new): (Option<usize>, Option<usize>),
    ) -> Difference {
        let (before, after) = (&self.old.schema, &self.new.schema);
        let mate = |index: Option<usize>, mates: &[Option<usize>]| index.and_then(|index| mates[index]);
        let old = old.or_else(|| mate(new, &pairing.to_old));
        let new = new.or_else(|| mate(old, &pairing.to_new));
        match (old, new) {
            (Some(old), Some(new)) => {
                let (old, new) = (&pairing.old[old], &pairing.new[new]);
                let old = end_of(before, records.0, old, old.path.len());
                let new = end_of(after, records.1, new, new.path.len());
                Difference::new(codes::FIELD_MOVED, Some(old), Some(new))
            }
            _ => {
                let what = |plan, record| type_number(plan, record).map_or("record".into(), |id| format!("id {id}"));
                let (was, is) = (what(self.old, records.0), what(self.new, records.1));
                let ends = (end_of_type(before, records.0, was), end_of_type(after, records.1, is));
                Difference::new(codes::RECORD_CHANGED, Some(ends.0), Some(ends.1))
            }
        }
    }

    /// Enumerations: those in the same place, and those of the same name.
    fn enumerations(&mut self) {
        let mut used: BTreeMap<(TypeId, TypeId), BTreeSet<(TypeId, TypeId)>> = BTreeMap::new();
        for walk in &self.walks {
            for &(writer, reader, node) in &walk.enums {
                used.entry(walk.in_time(writer, reader)).or_default().insert(walk.records(node));
            }
        }
        let by_name: HashMap<String, usize> =
            self.new.schema.types.iter().enumerate().map(|(index, ty)| (ty.name.full(), index)).collect();
        for (index, ty) in self.renames.renamed.types.iter().enumerate() {
            if let (false, Some(&other)) = (names::numbers(&ty.kind).is_empty(), by_name.get(&ty.name.full())) {
                used.entry((TypeId(index as u32), TypeId(other as u32))).or_default();
            }
        }
        for ((old, new), records) in used {
            self.enumeration((old, new), &records);
        }
    }

    fn enumeration(&mut self, (old, new): (TypeId, TypeId), records: &BTreeSet<(TypeId, TypeId)>) {
        let (before, after) = (self.old.schema.type_def(old), self.new.schema.type_def(new));
        let mut found = Vec::new();
        let (was, is) = (values(&before.kind), values(&after.kind));
        let end = |owner: String, (name, number, span): &(String, i128, Span)| End {
            name: format!("{owner}.{name}"),
            what: number.to_string(),
            span: known(*span),
        };
        for value in &was {
            let same_name = is.iter().find(|other| other.0 == value.0);
            let same_number = is.iter().find(|other| other.1 == value.1 && was.iter().all(|old| old.0 != other.0));
            let old_end = Some(end(before.name.full(), value));
            let (code, new_end) = match (same_name, same_number) {
                (Some(same), _) if same.1 == value.1 => continue,
                (Some(moved), _) => (codes::VALUE_RENUMBERED, Some(end(after.name.full(), moved))),
                (None, Some(renamed)) => (codes::VALUE_RENAMED, Some(end(after.name.full(), renamed))),
                (None, None) => (codes::VALUE_REMOVED, None),
            };
            let mut difference = Difference::new(code, old_end, new_end);
            let (is_renumbered, names) = (code == codes::VALUE_RENUMBERED, [self.old.json.names, self.new.json.names]);
            // JSON with names knows nothing of numbers, and JSON with numbers nothing of names.
            difference.broken.j = names.contains(&!is_renumbered);
            difference.broken.s = !is_renumbered;
            found.push(difference);
        }
        for value in is.iter().filter(|value| was.iter().all(|old| old.0 != value.0 && old.1 != value.1)) {
            found.push(Difference::new(codes::VALUE_ADDED, None, Some(end(after.name.full(), value))));
        }
        for mut difference in found {
            if difference.code == codes::VALUE_RENUMBERED && !records.is_empty() {
                for forward in [false, true] {
                    difference.broken_by(forward, "its number has another name, and its name another number");
                }
            }
            difference.proof.records.extend(records);
            self.add(difference);
        }
    }

    /// Says which messages hold each difference, and what each message loses.
    fn finish(self) -> (Vec<Difference>, Vec<(usize, usize, Letters)>) {
        let pairs: Vec<(usize, usize)> =
            self.messages.iter().filter_map(|(old, new)| Some(((*old)?, (*new)?))).collect();
        let mut verdicts: BTreeMap<(usize, usize), Letters> =
            pairs.into_iter().map(|pair| (pair, Letters::default())).collect();
        let full = |plan: &Plan, index: usize| plan.schema.type_def(plan.messages[index].record).name.full();
        let mut differences: Vec<Difference> = self.differences.into_values().collect();
        for difference in &mut differences {
            let mut holders: BTreeSet<(Option<usize>, Option<usize>)> = difference.proof.heads.clone();
            for walk in &self.walks {
                let held = holders_of(walk, &difference.proof.records);
                holders.extend(held.into_iter().map(|(writer, reader)| walk.in_time(Some(writer), Some(reader))));
            }
            let names = holders.iter().filter_map(|(old, new)| match (old, new) {
                (_, Some(new)) => Some(full(self.new, *new)),
                (Some(old), None) => Some(full(self.old, *old)),
                (None, None) => None,
            });
            difference.messages = names.collect();
            for holder in &holders {
                if let (Some(old), Some(new)) = holder {
                    let verdict = verdicts.entry((*old, *new)).or_default();
                    *verdict = verdict.or(difference.broken);
                }
            }
            difference.proof.heads = holders;
        }
        (differences, verdicts.into_iter().map(|((old, new), letters)| (old, new, letters)).collect())
    }
}

/// The messages whose values hold one of the records.
fn holders_of(walk: &Walked, records: &BTreeSet<(TypeId, TypeId)>) -> Vec<(usize, usize)> {
    let mut waiting: Vec<usize> = (0..walk.nodes.len()).filter(|&node| records.contains(&walk.records(node))).collect();
    let mut seen: BTreeSet<usize> = waiting.iter().copied().collect();
    while let Some(node) = waiting.pop() {
        waiting.extend(walk.users[node].iter().filter(|&&user| seen.insert(user)));
    }
    walk.roots.iter().filter(|(node, _, _)| seen.contains(node)).map(|(_, writer, reader)| (*writer, *reader)).collect()
}

/// How many fields lead to what has another name: one around the members, or they themselves.
fn renamed_at(one: &Member, two: &Member) -> (usize, usize) {
    let (a, b) = (one.fields.len(), two.fields.len());
    let differs = one.fields.iter().zip(&two.fields).position(|(one, two)| one.name != two.name);
    match differs {
        Some(depth) if a == b => (depth + 1, depth + 1),
        _ => (a, b),
    }
}

/// How many fields of a member's path lead to the outermost of which nothing has a mate.
fn outermost(all: &[Member], mates: &[Option<usize>], index: usize) -> usize {
    let path = &all[index].path;
    (1..path.len())
        .find(|&depth| {
            let mut inner = all.iter().zip(mates).filter(|(member, _)| member.path.starts_with(&path[..depth]));
            inner.all(|(_, mate)| mate.is_none())
        })
        .unwrap_or(path.len())
}

/// The number that a record's bytes say it is, where they do.
fn type_number(plan: &Plan, record: TypeId) -> Option<u64> {
    plan.layouts[record.index()].as_ref()?.steps.iter().find_map(|step| match step {
        Step::Run(run) => run.slots.iter().find_map(|slot| match &slot.kind {
            SlotKind::Register(Register { meaning: Meaning::TypeId { expect }, .. }) => Some(*expect),
            _ => None,
        }),
        Step::Part { .. } => None,
    })
}

fn kind(kind: &TypeKind) -> &'static str {
    match kind {
        TypeKind::Record(_) => "record",
        TypeKind::Union(_) => "union",
        TypeKind::Enum(_) => "enumeration",
        TypeKind::Flags(_) => "flags",
    }
}

fn values(kind: &TypeKind) -> Vec<(String, i128, Span)> {
    match kind {
        TypeKind::Enum(it) => it.values.iter().map(|value| (value.name.clone(), value.value, value.span)).collect(),
        TypeKind::Flags(it) => {
            it.values.iter().map(|flag| (flag.name.clone(), i128::from(flag.mask), flag.span)).collect()
        }
        _ => Vec::new(),
    }
}
