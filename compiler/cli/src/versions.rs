//! The tables that messages of several schemas go to.
//!
//! Messages of several versions go to one table, with the columns of the newest, which reads them all; but where the newest would
//! read other values from an older version's bytes than their writer put there, that version has a table of its own.

use crate::schemas::Schemas;
use aldis_evolution::compare;
use std::collections::{HashMap, HashSet};

/// The message whose columns a table has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub schema: usize,
    pub message: usize,
    /// The name of its file.
    pub name: String,
    /// It is an older version that the newest one does not read.
    pub is_apart: bool,
}

/// The tables of all schemas.
pub struct Tables {
    pub owners: Vec<Owner>,
    /// By schema and message: the index of the owner.
    by_message: Vec<Vec<usize>>,
}

impl Tables {
    pub fn of(schemas: &Schemas) -> Self {
        let mut tables = Self { owners: Vec::new(), by_message: vec![Vec::new(); schemas.list.len()] };
        // The newest first, so that those of older versions are found.
        let mut order: Vec<usize> = (0..schemas.list.len()).collect();
        order.sort_by_key(|&schema| (schemas.newest(schema).1 != schema, schema));
        let mut taken = HashSet::new();
        for schema in order {
            let shared = tables.shared(schemas, schema);
            let (version, newest) = schemas.newest(schema);
            tables.by_message[schema] = shared
                .into_iter()
                .zip(&schemas.list[schema].names)
                .enumerate()
                .map(|(message, (shared, name))| {
                    shared.unwrap_or_else(|| {
                        let is_apart = newest != schema;
                        let mut file = if is_apart { format!("{name}.v{version}") } else { name.clone() };
                        if !taken.insert(file.clone()) {
                            file = format!("{file}.{}", schema + 1);
                        }
                        tables.owners.push(Owner { schema, message, name: file, is_apart });
                        tables.owners.len() - 1
                    })
                })
                .collect();
        }
        tables
    }

    /// The tables of the newest version that a schema's messages go to, by message.
    fn shared(&self, schemas: &Schemas, schema: usize) -> Vec<Option<usize>> {
        let (_, newest) = schemas.newest(schema);
        let plans = schemas.plans();
        let (old, new) = (plans[schema], plans[newest]);
        if newest == schema {
            return vec![None; old.messages.len()];
        }
        let verdicts: HashMap<String, bool> =
            compare(old, new, false).verdicts.into_iter().map(|(name, letters)| (name, letters.b)).collect();
        let same =
            |id: Option<u64>| new.schema.messages.iter().position(|message| message.id.is_some() && message.id == id);
        let fits = |message: &usize| verdicts.get(&schemas.list[newest].names[*message]) == Some(&false);
        let message = |index: usize| same(old.schema.messages[index].id).filter(fits);
        (0..old.messages.len()).map(|index| Some(self.by_message[newest][message(index)?])).collect()
    }

    /// The table of a schema's message.
    pub fn table(&self, schema: usize, message: usize) -> usize {
        self.by_message[schema][message]
    }
}
