//! Types that have another name in the newer version, and who gave it to them.
//!
//! One edit renames more than it touches: what is declared in a type or package is called after it, and so are the types
//! of fields. Everything that only follows is told with its cause.

use crate::pair::Versions;
use aldis_schema::{Name, Schema, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::mem::discriminant;

/// A pair of records, old and new.
type Records = (TypeId, TypeId);

/// The types that are called otherwise.
pub(crate) struct Renames {
    /// The older schema with the newer names.
    pub renamed: Schema,
    /// By the old type: the new one, and the records that hold it.
    types: BTreeMap<TypeId, (TypeId, BTreeSet<Records>)>,
    /// Packages that are gone, by the one that has come.
    packages: BTreeSet<(String, String)>,
}

/// The one thing that was given another name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    Package(String, String),
    Type(TypeId, TypeId),
}

/// All that follows from a cause.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// The full new names of further types that changed with it.
    pub types: BTreeSet<String>,
    /// The records that hold it.
    pub records: BTreeSet<Records>,
}

impl Renames {
    /// Finds the types that lie in the same places of compared records, or are one message, under names that the other version
    /// does not have. A type that became several, and several that became one, are no renames.
    pub fn new(versions: &mut Versions<'_>, records: &BTreeSet<Records>) -> Self {
        let (old, new) = (&versions.old.schema, &versions.new.schema);
        let used = used(versions, records);
        let [before, after] = [old, new].map(|schema| schema.types.iter().map(|ty| &ty.name).collect::<HashSet<_>>());
        let roots: HashSet<Records> = roots(versions);
        let mut candidates: Vec<(Records, BTreeSet<Records>)> = used.into_iter().collect();
        candidates.retain(|(pair, _)| {
            let (was, is) = (old.type_def(pair.0), new.type_def(pair.1));
            let is_new = !after.contains(&was.name) && !before.contains(&is.name);
            was.name != is.name && discriminant(&was.kind) == discriminant(&is.kind) && (is_new || roots.contains(pair))
        });
        let is_sole =
            |pair: Records| candidates.iter().filter(|(other, _)| other.0 == pair.0 || other.1 == pair.1).count() == 1;
        let pairs: Vec<_> = candidates.iter().filter(|(pair, _)| is_sole(*pair)).cloned().collect();
        let types: BTreeMap<_, _> = pairs.into_iter().map(|(pair, holders)| (pair.0, (pair.1, holders))).collect();
        let mut renamed = old.clone();
        for (was, (is, _)) in &types {
            renamed.types[was.index()].name = new.type_def(*is).name.clone();
        }
        let packages = packages(old, new, types.iter().map(|(was, (is, _))| (*was, *is)));
        Self { renamed, types, packages }
    }

    /// The new type that an old one has become under another name.
    pub fn of(&self, old: TypeId) -> Option<TypeId> {
        self.types.get(&old).map(|(new, _)| *new)
    }

    /// Each cause, with what follows from it.
    pub fn causes(&self, old: &Schema, new: &Schema) -> BTreeMap<Cause, Effect> {
        let by_name = self.types.iter().map(|(was, (is, _))| {
            let (was, is) = (*was, *is);
            ((&old.type_def(was).name, &new.type_def(is).name), (was, is))
        });
        let by_name: BTreeMap<_, _> = by_name.map(|((was, is), pair)| ((was.full(), is.full()), pair)).collect();
        let mut found: BTreeMap<Cause, Effect> = BTreeMap::new();
        for (&was, (is, holders)) in &self.types {
            let (mut names, mut pair) = ((old.type_def(was).name.clone(), new.type_def(*is).name.clone()), (was, *is));
            while let Some(outer) = outer(&names) {
                let Some(&around) = by_name.get(&(outer.0.full(), outer.1.full())) else { break };
                (names, pair) = (outer, around);
            }
            let packages = (names.0.package, names.1.package);
            let by_package = names.0.path == names.1.path && self.packages.contains(&packages);
            let cause = if by_package { Cause::Package(packages.0, packages.1) } else { Cause::Type(pair.0, pair.1) };
            let is_itself = cause == Cause::Type(was, *is);
            let effect = found.entry(cause).or_default();
            effect.records.extend(holders);
            if !is_itself {
                effect.types.insert(new.type_def(*is).name.full());
            }
        }
        found
    }
}

/// The names around both, where they themselves are alike in them.
fn outer((was, is): &(Name, Name)) -> Option<(Name, Name)> {
    let ((last, around), (same, other)) = (was.path.split_last()?, is.path.split_last()?);
    let nested = last == same && around != other && around.len() == other.len();
    let name = |package: &String, path: &[String]| Name { package: package.clone(), path: path.to_vec() };
    nested.then(|| (name(&was.package, around), name(&is.package, other)))
}

/// The types of both versions that lie in the same places, with the records that hold them.
fn used(versions: &mut Versions<'_>, records: &BTreeSet<Records>) -> BTreeMap<Records, BTreeSet<Records>> {
    let mut used: BTreeMap<Records, BTreeSet<Records>> = BTreeMap::new();
    for &holder in records {
        used.entry(holder).or_default().insert(holder);
        let pairing = versions.pairing(holder.0, holder.1);
        for (old, new) in pairing.to_new.iter().enumerate() {
            let Some(new) = new else { continue };
            let (one, two) = (&pairing.old[old].fields, &pairing.new[*new].fields);
            let alike = one.iter().zip(two).filter(|_| one.len() == two.len());
            for (one, two) in alike {
                let (mut before, mut after) = (Vec::new(), Vec::new());
                named_in(&one.ty, &mut before);
                named_in(&two.ty, &mut after);
                for pair in before.into_iter().zip(after) {
                    used.entry(pair).or_default().insert(holder);
                }
            }
        }
    }
    used
}

/// The declared types in a type, in their order.
fn named_in(ty: &Type, found: &mut Vec<TypeId>) {
    match ty {
        Type::Named(id) => found.push(*id),
        Type::Optional(inner) | Type::List(inner) | Type::Set(inner) | Type::Array { element: inner, .. } => {
            named_in(inner, found);
        }
        Type::Map { key, value, .. } => {
            named_in(key, found);
            named_in(value, found);
        }
        _ => {}
    }
}

/// The records of messages that both versions have.
fn roots(versions: &Versions<'_>) -> HashSet<Records> {
    let record = |(old, new): &(Option<usize>, Option<usize>)| {
        Some((versions.old.messages[(*old)?].record, versions.new.messages[(*new)?].record))
    };
    versions.messages.iter().filter_map(record).collect()
}

/// The packages of renamed types that only the older version has, each with the one that only the newer has in its place.
fn packages(old: &Schema, new: &Schema, pairs: impl Iterator<Item = Records>) -> BTreeSet<(String, String)> {
    let [before, after] =
        [old, new].map(|schema| schema.types.iter().map(|ty| ty.name.package.as_str()).collect::<HashSet<_>>());
    let all = pairs.map(|(was, is)| (&old.type_def(was).name.package, &new.type_def(is).name.package));
    let moved = all.filter(|(was, is)| !after.contains(was.as_str()) && !before.contains(is.as_str()));
    moved.map(|(was, is)| (was.clone(), is.clone())).collect()
}
