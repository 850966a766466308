//! Units: the types that share a header. A type has one of its own, with the groups and enumerations that are declared within it
//! and that nothing else refers to; types that refer to one another in a circle share one.

use crate::graph::{components, fields_of};
use crate::names::Names;
use aldis_emit::names::{snake, Scope};
use aldis_schema::{Schema, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Files beside those of the units.
pub(crate) const FORMS: &str = "forms";
pub(crate) const MESSAGES: &str = "messages";

/// The ends of the names of headers: those of codecs, and of what stands on codecs.
pub(crate) const KINDS: [&str; 4] = ["", "_json", "_view", "_writer"];

/// A schema among those of a unit's types: one that is imported, or that which is generated.
type Origin = Option<usize>;

#[derive(Debug, Default)]
pub(crate) struct Unit {
    /// The names of its headers, `order_book`, by the schemas of its types. The first one's has the content: it has the least name.
    stems: Vec<(Origin, String)>,
    /// In the order of the schema.
    pub types: Vec<TypeId>,
    /// The same, each after those that it holds by value.
    pub ordered: Vec<TypeId>,
    /// The units whose types these refer to.
    pub uses: BTreeSet<usize>,
    /// Further names of its headers: those of its own types that are declared within others, where schemas that import only these
    /// look for them.
    pub inner: Vec<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Units {
    pub all: Vec<Unit>,
}

impl Units {
    /// `by_containment`: all types, each after those that it holds by value.
    pub fn new(schema: &Schema, names: &Names, by_containment: &[TypeId]) -> Self {
        let references = references(schema);
        let mut edges = references.clone();
        for (child, parent) in parents(schema, names, &references) {
            edges[child].push(parent);
        }
        let together = components(schema.types.len(), &|index| edges[index].clone());
        let (mut units, mut of) = (Self::default(), vec![0; schema.types.len()]);
        let mut known = BTreeMap::new();
        for (index, component) in together.iter().enumerate() {
            let unit = *known.entry(*component).or_insert(units.all.len());
            if unit == units.all.len() {
                units.all.push(Unit::default());
            }
            units.all[unit].types.push(TypeId(index as u32));
            of[index] = unit;
        }
        by_containment.iter().for_each(|id| units.all[of[id.index()]].ordered.push(*id));
        for (index, used) in references.iter().enumerate() {
            let own = of[index];
            let others = used.iter().map(|used| of[*used]).filter(|unit| *unit != own);
            units.all[own].uses.extend(others);
        }
        let mut taken = BTreeMap::new();
        units.all.iter_mut().for_each(|unit| unit.stems = stems(unit, schema, names, &mut taken));
        units.name_inner(schema, names, &mut taken);
        units
    }
}

impl Units {
    /// Gives units the names that their inner types would have for headers of their own, as far as these are free.
    fn name_inner(&mut self, schema: &Schema, names: &Names, taken: &mut BTreeMap<Origin, Scope<()>>) {
        // No other schema refers to types of one without a digest.
        let Some(scope) = taken.get_mut(&None).filter(|_| names.digest.is_some()) else { return };
        for unit in &mut self.all {
            let is_inner = |id: &&TypeId| names.origin_of(**id).is_none() && schema.type_def(**id).name.path.len() > 1;
            let wanted: Vec<String> = unit.types.iter().filter(is_inner).map(|id| snake(names.of(*id))).collect();
            for name in wanted {
                if KINDS.iter().all(|kind| scope.owner(&format!("{name}{kind}")).is_none()) {
                    unit.inner.push(stem(scope, &name));
                }
            }
        }
    }
}

impl Unit {
    pub fn has(&self, id: TypeId) -> bool {
        self.types.binary_search(&id).is_ok()
    }

    /// The name of the unit's headers in the folder of the schema that is generated, where it has any, and whether they have the
    /// content rather than include what has it.
    pub fn own(&self) -> Option<(&str, bool)> {
        let place = self.stems.iter().position(|(origin, _)| origin.is_none())?;
        Some((&self.stems[place].1, place == 0))
    }

    /// Whether types of several schemas are in it.
    pub fn is_mixed(&self) -> bool {
        self.stems.len() > 1
    }

    /// The schema whose folder has the content, and the name of the headers there.
    pub fn home(&self) -> (Origin, &str) {
        self.stems.first().map_or((None, ""), |(origin, stem)| (*origin, stem))
    }
}

/// The names of a unit's headers; `taken` are those of other units, by schema.
fn stems(
    unit: &Unit,
    schema: &Schema,
    names: &Names,
    taken: &mut BTreeMap<Origin, Scope<()>>,
) -> Vec<(Origin, String)> {
    // A unit is called by the type that is declared outermost.
    let mut first: BTreeMap<Origin, TypeId> = BTreeMap::new();
    let depth = |id: TypeId| schema.type_def(id).name.path.len();
    for id in &unit.types {
        let known = first.entry(names.origin_of(*id)).or_insert(*id);
        if depth(*id) < depth(*known) {
            *known = *id;
        }
    }
    let own = |(origin, id): (Origin, TypeId)| {
        let scope = taken.entry(origin).or_insert_with(|| {
            let mut scope = Scope::default();
            for file in [FORMS, MESSAGES].iter().flat_map(|own| KINDS.map(|kind| format!("{own}{kind}"))) {
                scope.fresh(&file, ());
            }
            scope
        });
        (origin, stem(scope, &snake(names.of(id))))
    };
    let mut stems: Vec<(Origin, String)> = first.into_iter().map(own).collect();
    stems.sort_by_key(|(origin, _)| names.folder(*origin).to_owned());
    stems
}

/// Takes the first of `wanted`, `wanted_2` and so on that is free for all headers.
fn stem(taken: &mut Scope<()>, wanted: &str) -> String {
    let mut number = 1;
    loop {
        let stem = if number == 1 { wanted.to_owned() } else { format!("{wanted}_{number}") };
        let files = KINDS.map(|kind| format!("{stem}{kind}"));
        if files.iter().all(|file| taken.owner(file).is_none()) {
            files.iter().for_each(|file| {
                taken.fresh(file, ());
            });
            return stem;
        }
        number += 1;
    }
}

/// By type: those that it refers to.
fn references(schema: &Schema) -> Vec<Vec<usize>> {
    let of = |index: usize| {
        let mut found = Vec::new();
        fields_of(schema, index).iter().for_each(|field| each_named(&field.ty, &mut |id| found.push(id.index())));
        found.sort_unstable();
        found.dedup();
        found
    };
    (0..schema.types.len()).map(of).collect()
}

fn each_named(ty: &Type, each: &mut dyn FnMut(TypeId)) {
    match ty {
        Type::Named(id) => each(*id),
        Type::Optional(inner) | Type::List(inner) | Type::Set(inner) | Type::Array { element: inner, .. } => {
            each_named(inner, each);
        }
        Type::Map { key, value, .. } => {
            each_named(key, each);
            each_named(value, each);
        }
        _ => {}
    }
}

/// The types that are declared within another one, or beside it within a third one, and that only this refers to.
fn parents(schema: &Schema, names: &Names, references: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut users = vec![Vec::new(); references.len()];
    // Schemas that import this one do not count: it is the same whoever imports it.
    let origin = |index: usize| names.origin_of(TypeId(index as u32));
    for (user, used) in references.iter().enumerate() {
        let others = used.iter().filter(|used| **used != user && origin(**used) == origin(user));
        others.for_each(|used| users[*used].push(user));
    }
    let parent = |(index, users): (usize, &Vec<usize>)| {
        let [user] = users.as_slice() else { return None };
        let (own, other) = (&schema.types[index].name, &schema.types[*user].name);
        let (_, outer) = own.path.split_last()?;
        let is_within = !outer.is_empty() && own.package == other.package && other.path.starts_with(outer);
        is_within.then_some((index, *user))
    };
    users.iter().enumerate().filter_map(parent).collect()
}
