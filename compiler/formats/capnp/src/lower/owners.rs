//! The module that each type belongs to: that of its declaration, and of a generic one that of who binds its parameters.

use super::instances::Instances;
use crate::model::NodeId;
use aldis_schema::{named_types, Schema, SchemaModule, TypeId};
use std::collections::HashMap;

/// By type: an index into the modules; `None` where parameters are bound. Each module is given with the beginning of display
/// names in its file; what is built in is the root's.
pub(super) fn declared(instances: &Instances<'_>, modules: &[(Option<String>, SchemaModule)]) -> Vec<Option<u32>> {
    let places = modules.iter().zip(0u32..).filter_map(|((shown, _), index)| Some((shown.as_deref()?, index)));
    let places: HashMap<&str, u32> = places.collect();
    let of_file = |file: NodeId| places.get(instances.model.nodes[&file].display_name.as_str()).copied();
    let declared = instances.declared_in();
    let owner = |id: u32| Some(declared.get(&TypeId(id))?.and_then(of_file).unwrap_or(0));
    (0..instances.types.len() as u32).map(owner).collect()
}

/// The same, with those that bind parameters. Nothing where the files are not known.
pub(super) fn of(schema: &Schema, mut owners: Vec<Option<u32>>) -> Vec<u32> {
    if schema.modules.is_empty() {
        return Vec::new();
    }
    let named = named_types(schema);
    // The root comes first: what it binds is its own, even where others bind the same.
    for module in 0..schema.modules.len() as u32 {
        let mut open: Vec<usize> = (0..owners.len()).filter(|id| owners[*id] == Some(module)).collect();
        while let Some(id) = open.pop() {
            for &used in &named[id] {
                if owners[used].is_none() {
                    owners[used] = Some(module);
                    open.push(used);
                }
            }
        }
    }
    owners.into_iter().map(|owner| owner.unwrap_or(0)).collect()
}
