//! The tables that messages of several schemas go to.
//!
//! Messages of several versions go to one table, with the columns of the newest, which reads them all. No value is lost on that way:
//! where the newest reads other values from an older version's bytes than their writer put there, has no column for one, or gives it
//! by another name or type, that version has a table of its own.

use crate::schemas::Schemas;
use aldis_columns::{Groups, Options, Table};
use aldis_evolution::{compare, Letters};
use aldis_plan::Plan;
use std::collections::{HashMap, HashSet};

/// The message whose columns a table has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub schema: usize,
    pub message: usize,
    /// The name of its file.
    pub name: String,
    /// It is an older version whose values the newest one does not all have.
    pub is_apart: bool,
}

/// The names of files that are taken. Some disks take two names for one that differ in the case of letters alone.
#[derive(Clone, Debug, Default)]
pub struct FileNames(HashSet<String>);

impl FileNames {
    /// Takes the first of the names that is free, or the last with as many lines below behind it as make it free.
    pub fn take(&mut self, names: &[String]) -> String {
        let mut names = names.iter().map(|name| name.replace(['/', '\\'], "_"));
        let mut name = names.next().unwrap_or_default();
        while !self.0.insert(name.to_lowercase()) {
            name = names.next().unwrap_or_else(|| name + "_");
        }
        name
    }
}

/// The tables of all schemas.
pub struct Tables {
    pub owners: Vec<Owner>,
    /// The names of the owners' files.
    pub files: FileNames,
    /// By schema and message: the index of the owner.
    by_message: Vec<Vec<usize>>,
}

impl Tables {
    pub fn of(schemas: &Schemas) -> Self {
        let by_message = vec![Vec::new(); schemas.list.len()];
        let mut tables = Self { owners: Vec::new(), files: FileNames::default(), by_message };
        // The newest first, so that those of older versions are found.
        let mut order: Vec<usize> = (0..schemas.list.len()).collect();
        order.sort_by_key(|&schema| (schemas.newest(schema).1 != schema, schema));
        for schema in order {
            let shared = tables.shared(schemas, schema);
            let indices = shared.into_iter().enumerate().map(|(message, shared)| {
                let is_new = || tables.add(schemas, schema, message);
                shared.unwrap_or_else(is_new)
            });
            tables.by_message[schema] = indices.collect();
        }
        tables
    }

    /// Adds a table of the message's own.
    fn add(&mut self, schemas: &Schemas, schema: usize, message: usize) -> usize {
        let (version, newest) = schemas.newest(schema);
        let is_apart = newest != schema;
        let name = &schemas.list[schema].names[message];
        let file = if is_apart { format!("{name}.v{version}") } else { name.clone() };
        let with_place = format!("{file}.{}", schema + 1);
        let name = self.files.take(&[file, with_place]);
        self.owners.push(Owner { schema, message, name, is_apart });
        self.owners.len() - 1
    }

    /// The tables of the newest version that a schema's messages go to, by message.
    fn shared(&self, schemas: &Schemas, schema: usize) -> Vec<Option<usize>> {
        let (_, newest) = schemas.newest(schema);
        let plans = schemas.plans();
        let (old, new) = (plans[schema], plans[newest]);
        if newest == schema {
            return vec![None; old.messages.len()];
        }
        let verdicts: HashMap<String, Letters> = compare(old, new, false).verdicts.into_iter().collect();
        let same =
            |id: Option<u64>| new.schema.messages.iter().position(|message| message.id.is_some() && message.id == id);
        let local = |plan: &Plan, message: usize| plan.schema.type_def(plan.messages[message].record).name.local();
        let fits = |index: usize, message: &usize| {
            let letters = verdicts.get(&schemas.list[newest].names[*message]);
            let is_read = letters.is_some_and(|letters| !letters.b && !letters.j);
            is_read
                && local(old, index) == local(new, *message)
                && columns(schemas, newest, *message).has_all_of(&columns(schemas, schema, index))
        };
        let message = |index: usize| same(old.schema.messages[index].id).filter(|message| fits(index, message));
        (0..old.messages.len()).map(|index| Some(self.by_message[newest][message(index)?])).collect()
    }

    /// The table of a schema's message.
    pub fn table(&self, schema: usize, message: usize) -> usize {
        self.by_message[schema][message]
    }
}

/// The columns of a message, which say of values what neither bytes nor JSON do: the unit of a time.
fn columns(schemas: &Schemas, schema: usize, message: usize) -> Table {
    Table::new(&schemas.list[schema].codec, message, &Options::default(), (false, Groups::Lists))
}
