//! A quick reader: a glance that makes the value of what it sees, and gives it into an object which the careful reader fills anew
//! where anything is unusual.

use super::{short, Glance, Reading};
use crate::body::{Body, INTO};
use crate::kinds::Val;
use crate::read::lists::Open;
use crate::tree::{binary, int, name, not, plus, run, Expr, Line};
use aldis_plan::{Extent, Scalar};
use aldis_routine::{Arg, Cell, Have, ListId, Op, Place, Purpose, Routine, Sym, TableId, Ty, What};
use aldis_schema::{Encoding, Type, TypeId};

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
            What::Bytes { .. } | What::Row { .. } => {
                self.settle();
                self.valued(op);
            }
            _ => return self.valued(op),
        }
        true
    }

    /// Bytes that a head counts: a text, or what they are of themselves.
    pub(super) fn counted(&mut self, op: &'m Op, (table, at): (TableId, Sym), text: Option<Encoding>) {
        let found = self.head(table, at);
        let bits = super::heads::registers(&self.reading.module[table]).next_back().unwrap_or(0);
        let length = self.body.constant("long", "length", found.last().cloned().unwrap_or(int(0)));
        self.bits.push((length.clone(), bits));
        let size = self.reading.module[table].size;
        let from = self.body.constant("int", "from", plus(self.sym(at), size));
        self.within(length.clone(), from.clone());
        self.pay(length.clone());
        if self.reads() {
            self.settle();
            let val = self.reading.octets(text, from.clone(), short(length.clone()));
            self.body.keep_val(op.binds[0], val);
        }
        self.body.set(op.binds[1], binary(from, "+", short(length)));
    }

    /// Numbers side by side.
    pub(super) fn scalars(&mut self, op: &'m Op, (at, count): (Sym, Arg), scalar: &'m Scalar, of: ListId) {
        let size = self.body.constant("long", "size", binary(self.arg(count), "*", int(scalar.repr.width())));
        self.pay(size.clone());
        if self.reads() {
            self.settle();
            let row = (self.sym(at), self.body.short(count), int(scalar.repr.width()));
            let val = self.reading.row(row, scalar, of);
            self.body.keep_val(op.binds[0], val);
        }
        self.body.set(op.binds[1], binary(self.sym(at), "+", short(size)));
    }

    pub(super) fn decimal(&mut self, bind: Sym, place: Place) {
        let args = vec![self.reading.bytes.clone(), self.body.place(place)];
        self.refuse(not(run("Wire.isDecimal", args.clone())));
        if self.reads() {
            self.body.keep_val(bind, Val { expr: run("In.decimalOf", args), ty: Type::Decimal, absent: None });
        }
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
        let table = &self.reading.module[id];
        let size = match table.extent {
            Extent::Sections { data } => data,
            _ => table.size,
        };
        if let Have::Within { extent, version } = have {
            self.reach(self.arg(extent), i128::from(size));
            self.since(table.newest, version);
        }
        if table.plain().any(|(_, cell)| takes_memory(cell)) {
            self.settle();
        }
        if self.reading.has_segments() {
            let start = self.start_of(at);
            self.part(at, start, size);
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
            self.body.bind(bind, Val { expr: name(own.as_str()), ty: Type::Named(record), absent: None });
        }
        name(own)
    }

    /// The list that a loop fills.
    pub(super) fn list(&mut self, op: &Op, of: ListId, count: &Expr) -> Open<'m> {
        let old = op.binds.first().and_then(|bind| self.body.olds.get(bind).cloned());
        let room = run("Wire.roomFor", vec![count.clone()]);
        self.reading.open_list(&mut self.body, (of, old), room)
    }
}

/// Whether a field's value takes memory beside its record's.
fn takes_memory(cell: &Cell) -> bool {
    !matches!(cell, Cell::Scalar(_) | Cell::Literal(_))
}
