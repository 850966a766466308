//! How many records lie in one another, where that is known beforehand: a message's quick method looks once at how many may, then.

use aldis_routine::{visit, Block, Module, Purpose, Routine, Segments, Subject, What};
use std::collections::HashMap;

#[derive(Clone, Copy)]
enum Found {
    /// It is being looked at: what leads back to it has no end.
    Open,
    Levels(Option<u32>),
}

/// By routine, how many levels it enters, one in another; nothing where a record may lie in one of its own kind.
#[derive(Default)]
pub(super) struct Nesting(HashMap<(Purpose, Subject), Found>);

impl Nesting {
    pub fn of(module: &Module) -> Self {
        let mut own = Self::default();
        for routine in &module.routines {
            if matches!(routine.purpose, Purpose::Read | Purpose::Check) {
                own.routine(module, routine);
            }
        }
        own
    }

    pub fn levels(&self, routine: &Routine) -> Option<u32> {
        match self.0.get(&(routine.purpose, routine.of)) {
            Some(Found::Levels(levels)) => *levels,
            _ => None,
        }
    }

    fn routine(&mut self, module: &Module, routine: &Routine) -> Option<u32> {
        let key = (routine.purpose, routine.of);
        match self.0.get(&key) {
            Some(Found::Open) => return None,
            Some(Found::Levels(levels)) => return *levels,
            None => {}
        }
        self.0.insert(key, Found::Open);
        let levels = self.block(module, &routine.body);
        self.0.insert(key, Found::Levels(levels));
        levels
    }

    fn block(&mut self, module: &Module, block: &Block) -> Option<u32> {
        let mut most = 0;
        for op in &block.ops {
            let own = match &op.what {
                What::Call { routine, .. } => self.routine(module, &module[*routine])?,
                What::Segments(Segments::Sections { .. }) => 1,
                _ => 0,
            };
            let mut inner = 0;
            for block in visit::blocks(&op.what) {
                inner = self.block(module, block)?.max(inner);
            }
            let level = u32::from(matches!(op.what, What::Level { .. }));
            most = most.max(own).max(inner + level);
        }
        Some(most)
    }
}
