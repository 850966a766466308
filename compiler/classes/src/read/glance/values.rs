//! A quick reader: a glance that makes the value of what it sees, and gives it into an object which the careful reader fills anew
//! where anything is unusual.

use super::{Glance, Reading};
use crate::body::{Body, INTO};
use crate::tree::{name, run, Expr, Line};
use aldis_plan::Extent;
use aldis_routine::{Arg, Have, ListId, Op, Purpose, Routine, Sym, TableId, Ty, What};
use aldis_schema::TypeId;

impl<'m> Reading<'m> {
    /// The value that a routine gives goes into an object that its method is given.
    pub(super) fn fill(&self, body: &mut Body<'m>, routine: &Routine) {
        let value = routine.body.gives.iter().zip(&routine.results).find(|(_, ty)| **ty == Ty::Val);
        if let Some((Arg::Sym(value), _)) = value {
            body.olds.insert(*value, name(INTO));
        }
    }
}

impl<'m> Glance<'_, 'm> {
    pub(super) fn reads(&self) -> bool {
        self.body.routine.purpose == Purpose::Read
    }

    /// Makes what an operation is for that makes values alone; false of any other.
    pub(super) fn made(&mut self, op: &'m Op) -> bool {
        self.reading.old = op.binds.first().and_then(|bind| self.body.olds.get(bind).cloned());
        match &op.what {
            What::Fields { table, at, have } => self.fields(op, (*table, *at), *have),
            // The test that it is one comes before the value.
            What::Decimal { .. } => return false,
            What::Bytes { .. } => {
                self.settle();
                self.valued(op);
            }
            _ => return self.valued(op),
        }
        true
    }

    /// A value that is read out of the bytes, which was paid for where it takes memory; false where an operation makes none.
    fn valued(&mut self, op: &'m Op) -> bool {
        let made = self.reading.value(&mut self.body, &op.what);
        let is_made = made.is_some();
        if let Some(val) = made {
            self.reading.keep(&mut self.body, op.binds[0], val);
        }
        is_made
    }

    /// The fields of a run, all of which must be there.
    fn fields(&mut self, op: &'m Op, (id, at): (TableId, Sym), have: Have) {
        if let Have::Within { extent, version } = have {
            let module = self.reading.module;
            let table = &module[id];
            let size = match table.extent {
                Extent::Sections { data } => data,
                _ => table.size,
            };
            self.reach(self.arg(extent), i128::from(size));
            self.since(table.newest, version);
        }
        self.reading.fields(&mut self.body, op, (id, at), Have::All);
    }

    /// The object that a call fills: the one that was there, or a new one.
    pub(super) fn object(&mut self, op: &Op, record: TypeId) -> Expr {
        let bind = op.binds.iter().copied().find(|bind| self.body.ty(*bind) == Ty::Val);
        let kinds = self.reading.kinds;
        let made = match bind.and_then(|bind| self.body.olds.get(&bind)) {
            Some(old) if *old == name(INTO) => old.clone(),
            Some(old) => kinds.used(record, old.clone()),
            None => kinds.blank(record),
        };
        let own = match made {
            Expr::Name(own) => own,
            made => {
                let own = self.body.name("record");
                self.body.lines.push(Line::Declare(kinds.names.of(record).to_owned(), own.clone(), Some(made)));
                own
            }
        };
        if let Some(bind) = bind {
            let ty = aldis_schema::Type::Named(record);
            self.body.bind(bind, crate::kinds::Val { expr: name(own.as_str()), ty, absent: None });
        }
        name(own)
    }

    /// The list that a loop fills.
    pub(super) fn list(&mut self, op: &Op, of: ListId, count: &Expr) -> super::super::lists::Open<'m> {
        let old = op.binds.first().and_then(|bind| self.body.olds.get(bind).cloned());
        let room = run("Wire.room", vec![count.clone(), self.end.clone()]);
        self.reading.open_list(&mut self.body, (of, old), room)
    }
}
