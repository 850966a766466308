//! The records and the messages of which fast methods can be had, beside the careful ones.

use crate::names::Names;
use aldis_routine::{Module, Purpose, Routine, RoutineId, Subject};
use aldis_schema::{Schema, TypeId};

/// Some of the records and of the messages of a module.
pub struct Subjects {
    records: Vec<bool>,
    messages: Vec<bool>,
}

impl Subjects {
    pub fn none(module: &Module) -> Self {
        let schema = &module.schema;
        Self { records: vec![false; schema.types.len()], messages: vec![false; schema.messages.len()] }
    }

    /// The package's own ones, all of whose routines for the purposes are able: `calls` says what such a routine calls, which must be
    /// able too, and nothing of one that is not.
    pub fn able<'m>(
        module: &'m Module,
        names: &Names,
        purposes: &[Purpose],
        mut calls: impl FnMut(&'m Routine) -> Option<Vec<RoutineId>>,
    ) -> Self {
        let mut all = Self::none(module);
        let wanted = module.routines.iter().filter(|routine| purposes.contains(&routine.purpose));
        let (mut calling, mut refused) = (Vec::new(), Vec::new());
        for routine in wanted.filter(|routine| names.is_own(routine.of.record(module))) {
            match calls(routine) {
                Some(calls) => calling.push((routine.of, calls)),
                None => refused.push(routine.of),
            }
        }
        calling.iter().for_each(|(of, _)| all.set(*of, true));
        refused.into_iter().for_each(|of| all.set(of, false));
        // Few are lost, so that few turns are made.
        while let Some(at) = calling.iter().position(|(_, calls)| !calls.iter().all(|id| all.has(module[*id].of))) {
            all.set(calling.swap_remove(at).0, false);
        }
        all
    }

    pub fn has(&self, of: Subject) -> bool {
        match of {
            Subject::Record(record) => self.records[record.index()],
            Subject::Message(index) => self.messages[index],
        }
    }

    pub fn has_message(&self, schema: &Schema, record: TypeId) -> bool {
        let message = schema.messages.iter().position(|message| message.record == record);
        message.is_some_and(|message| self.has(Subject::Message(message)))
    }

    fn set(&mut self, of: Subject, able: bool) {
        match of {
            Subject::Record(record) => self.records[record.index()] = able,
            Subject::Message(index) => self.messages[index] = able,
        }
    }
}
