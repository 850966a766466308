//! Runs: extent, charge, then the plain values at once and the others in order.

use super::{Env, Lower, CURRENT};
use crate::cells::Rows;
use crate::code::Emit;
use crate::module::{Hint, Holds, Register, Row};
use crate::op::{Frame, Have, Ty, What};
use crate::operand::bits;
use crate::operand::{Arg, Place, Sym, TableId};
use aldis_plan::{Extent, Meaning, Run, Slot, SlotKind};
use aldis_schema::TypeId;

impl<'p> Lower<'_, 'p> {
    /// Reads a run of `record` into its fields. Gives the position behind it.
    pub(super) fn run(&mut self, run: &'p Run, record: TypeId, env: Env, fields: &mut [Option<Sym>]) -> Sym {
        let table = self.shared.table(run, Some(record));
        let version = if self.shared.tables[table.0 as usize].newest == 0 { CURRENT } else { env.version };
        let acting = if run.extent == Extent::Acting { env.extent } else { Arg::Const(0) };
        let budget = self.budget();
        let what = What::Extent { table, at: env.at, acting, version, budget };
        let size = self.paid(what, &[(Ty::Size, Hint::Role("size"))])[0];
        if let Extent::Stated { .. } = run.extent {
            // The size of other runs was told by a head, with which the lacks were charged.
            self.charge_lack(record, Arg::Const(1), (size.into(), Arg::Const(0)), env.version, env.at);
        }
        let (have, sure) = match run.extent {
            Extent::Exact if version == CURRENT => (Have::All, run.size),
            Extent::Exact => (Have::Within { extent: size.into(), version }, run.size),
            Extent::Stated { head } => (Have::Within { extent: size.into(), version }, head),
            Extent::Acting | Extent::Sections { .. } => (Have::Within { extent: size.into(), version }, 0),
        };
        let rows = Rows { base: env.at, have, sure, since: 0 };
        self.plain_rows(table, &rows, fields);
        let table_rows = self.shared.tables[table.0 as usize].rows.clone();
        for (slot, row) in run.slots.iter().zip(&table_rows) {
            self.other_row(&rows, slot, row, record, env, fields);
        }
        self.role(What::Add { at: Place { base: env.at, plus: 0 }, size: size.into() }, Ty::Pos, "at")
    }

    pub(super) fn plain_rows(&mut self, table: TableId, rows: &Rows, fields: &mut [Option<Sym>]) {
        let plain = self.shared.tables[table.0 as usize].plain();
        let plain: Vec<(usize, Hint)> = plain
            .filter_map(|(row, _)| Some((row.field? as usize, row.name.map_or(Hint::Role("item"), Hint::Name))))
            .collect();
        if plain.is_empty() {
            return;
        }
        let binds: Vec<Sym> = plain.iter().map(|(_, hint)| self.code.sym(Ty::Val, *hint)).collect();
        plain.iter().zip(&binds).for_each(|((field, _), sym)| fields[*field] = Some(*sym));
        self.code.push(crate::op::Op { binds, what: What::Fields { table, at: rows.base, have: rows.have } });
    }

    /// The operations that a row needs beside [`What::Fields`].
    fn other_row(
        &mut self,
        rows: &Rows,
        slot: &'p Slot,
        row: &Row,
        record: TypeId,
        env: Env,
        fields: &mut [Option<Sym>],
    ) {
        match (&row.holds, slot.field) {
            (Holds::Register(_), _) => self.expected(rows, slot, row, env),
            (Holds::Nest(_) | Holds::Other, Some(field)) => {
                fields[field as usize] = Some(self.field(rows, slot, row, (record, field), env));
            }
            _ => {}
        }
    }

    /// A field that is not plain, in its frame; or what stands for it.
    pub(super) fn field(
        &mut self,
        rows: &Rows,
        slot: &'p Slot,
        row: &Row,
        (record, field): (TypeId, u32),
        env: Env,
    ) -> Sym {
        let ty = &self.shared.plan.schema.record(record).fields[field as usize].ty;
        let name = self.shared.field_name(record, field);
        let read = |lower: &mut Self| {
            let found = lower.within(Frame::Field(name), |lower| vec![lower.slot(rows, slot, ty, env).into()]);
            vec![found[0].into()]
        };
        match rows.there(self, row.since, row.reach) {
            None => match read(self)[0] {
                Arg::Sym(sym) => sym,
                Arg::Const(_) => self.null(),
            },
            Some(there) => self.branch(there, read, |lower| vec![lower.missing(record, field).into()])[0],
        }
    }

    /// Checks a register in a run that says what the record is.
    fn expected(&mut self, rows: &Rows, slot: &'p Slot, row: &Row, env: Env) {
        let expect = match &row.holds {
            Holds::Register(Register::Expected(repr, want)) => (*repr, *want),
            _ => return self.constant_expected(rows, slot, env),
        };
        let place = rows.place(row.at);
        let check = |lower: &mut Self| {
            let have = lower.role(What::Load { place, repr: expect.0 }, Ty::Raw(bits(expect.0)), "id");
            lower.act(What::Expect { have: have.into(), want: expect.1, place, root: env.root });
            Vec::new()
        };
        match rows.there(self, row.since, row.reach) {
            None => _ = check(self),
            Some(there) => _ = self.branch(there, check, |_| Vec::new()),
        }
    }

    fn constant_expected(&mut self, rows: &Rows, slot: &Slot, env: Env) {
        let SlotKind::Register(register) = &slot.kind else { return };
        if let (Some(have), Meaning::TypeId { expect } | Meaning::SchemaId { expect }) =
            (register.constant, register.meaning)
        {
            if have != expect {
                let place = rows.place(slot.at);
                self.act(What::Expect { have: Arg::Const(have), want: expect, place, root: env.root });
            }
        }
    }
}
