//! Large operations, each as a whole; [`crate::expand`] says the same by smaller ones.

use super::fault::{Code, Fault, Step};
use super::guard::pay;
use super::load::load;
use super::machine::{within, Machine};
use super::{Evaluator, Scope, Target, Word, Words};
use crate::module::{Holds, Register, Table};
use crate::op::{Cut, Have, What};
use crate::operand::{Arg, Place, Sym, TableId};
use aldis_plan::Extent;
use aldis_schema::Encoding;

/// A head's table and place, whether it decides what the message is, and the budget.
type Head = (TableId, Sym, Arg, Sym);

impl<'r, T: Target> Evaluator<'r, T> {
    pub(super) fn large(&mut self, scope: &mut Scope<T::Value>, what: &'r What) -> Words<T> {
        match what {
            What::Extent { .. } => self.extent(scope, what),
            What::Head { table, at, root, budget } => {
                let (mut found, budget) = self.head(scope, (*table, *at, *root, *budget))?;
                found.extend([scope.number(*at) + u64::from(self.module[*table].size), budget]);
                Ok(found.into_iter().map(Word::Number).collect())
            }
            What::Counted { table, at, root, text, budget } => {
                self.counted(scope, (*table, *at, *root, *budget), *text)
            }
            What::Fields { table, at, have } => {
                let base = scope.number(*at);
                let have = match have {
                    Have::All => (u64::MAX, u64::MAX),
                    Have::Within { extent, version } => (scope.number(*extent), scope.number(*version)),
                };
                let rows = self.module[*table].plain();
                Ok(rows.map(|(row, cell)| Word::Value(self.row(base, row, cell, have))).collect())
            }
            What::Row { at, count, scalar, .. } => {
                let size = scope.number(*count) * u64::from(scalar.repr.width());
                let bytes = self.slice(scope.place(*at), size);
                Ok(vec![Word::Value(self.target.row(scalar, bytes, self.module.byte_order))])
            }
            What::Scalars { at, count, scalar, budget, .. } => {
                let at = scope.number(*at);
                let size = scope.number(*count) * u64::from(scalar.repr.width());
                let budget = pay(scope.number(*budget), size, at)?;
                let list = self.target.row(scalar, self.slice(at, size), self.module.byte_order);
                Ok(vec![Word::Value(list), Word::Number(at + size), Word::Number(budget)])
            }
            What::Each { .. } => self.each(scope, what),
            What::Unpaid { from, at, amount, budget } => {
                let amount = if scope.number(*from) == scope.number(*at) { *amount } else { 0 };
                Ok(vec![Word::Number(self.charge(scope, *budget, amount, *at)?)])
            }
            _ => Ok(Vec::new()),
        }
    }

    fn extent(&mut self, scope: &Scope<T::Value>, what: &What) -> Words<T> {
        let What::Extent { table: id, at, acting, version, budget } = what else { return Ok(Vec::new()) };
        let (table, start) = (&self.module[*id], scope.number(*at));
        let size = match table.extent {
            Extent::Exact | Extent::Sections { .. } => u64::from(table.size),
            Extent::Acting => scope.number(*acting),
            Extent::Stated { head } => self.stated(scope, table, *at, head)?,
        };
        let cut = Cut::Run { table: *id, version: *version };
        self.number(scope, &What::Need { at: *at, size: Arg::Const(size), cut })?;
        let budget = pay(scope.number(*budget), size, start)?;
        let extra = if self.surcharge { table.extra_within(size) } else { 0 };
        let budget = pay(budget, extra, start)?;
        Ok(vec![Word::Number(size), Word::Number(budget)])
    }

    /// The size that a run says it has.
    fn stated(&mut self, scope: &Scope<T::Value>, table: &Table, at: Sym, head: u32) -> Result<u64, Fault> {
        self.number(scope, &What::Need { at, size: Arg::Const(head.into()), cut: Cut::Start })?;
        let Some((plus, repr)) = table.stated() else { return Ok(table.size.into()) };
        let place = Place { base: at, plus };
        let size = self.number(scope, &What::Load { place, repr })?.unwrap_or_default();
        self.number(scope, &What::Least { size: Arg::Const(size), least: head, place })?;
        Ok(size)
    }

    /// The registers of a head, and the budget.
    fn head(&mut self, scope: &Scope<T::Value>, (id, at, root, budget): Head) -> Result<(Vec<u64>, u64), Fault> {
        let table = &self.module[id];
        let size = u64::from(table.size);
        self.number(scope, &What::Need { at, size: Arg::Const(size), cut: Cut::Head(id) })?;
        let budget = pay(scope.number(budget), size, scope.number(at))?;
        let mut found = Vec::new();
        for row in &table.rows {
            let Holds::Register(Register::Wanted(repr) | Register::Expected(repr, _)) = &row.holds else { continue };
            let place = Place { base: at, plus: row.at };
            let have = load(self.slice(scope.place(place), u64::from(repr.width())), self.module.byte_order);
            match &row.holds {
                Holds::Register(Register::Expected(_, want)) => {
                    let expect = What::Expect { have: Arg::Const(have), want: *want, place, root };
                    self.number(scope, &expect)?;
                }
                _ => found.push(have),
            }
        }
        Ok((found, budget))
    }

    fn counted(&mut self, scope: &Scope<T::Value>, head: Head, text: Option<Encoding>) -> Words<T> {
        let (found, budget) = self.head(scope, head)?;
        let (start, size) = (scope.number(head.1), u64::from(self.module[head.0].size));
        let (length, from) = (found.last().copied().unwrap_or(0), start + size);
        if length > self.left(from) {
            return Err(Fault::at(Code::BadCount, start));
        }
        let budget = pay(budget, length, from)?;
        let bytes = self.target.bytes(self.slice(from, length), text);
        Ok(vec![Word::Value(bytes), Word::Number(from + length), Word::Number(budget)])
    }

    fn each(&mut self, scope: &mut Scope<T::Value>, what: &'r What) -> Words<T> {
        let What::Each { count, carry, of, body } = what else { return Ok(Vec::new()) };
        let mut elements = Vec::new();
        let mut carried: Vec<Word<T::Value>> = carry.iter().map(|arg| scope.take(*arg)).collect();
        for index in 0..scope.number(*count) {
            scope.set(body.takes[0], Word::Number(index));
            scope.bind(&body.takes[1..], carried);
            let mut given = self.block(scope, body).map_err(|fault| within(fault, Step::Element(index)))?;
            carried = given.split_off(given.len() - carry.len());
            elements.extend(given.into_iter().map(Word::value));
        }
        let value = self.target.list(&self.module[*of], elements);
        Ok([Word::Value(value)].into_iter().chain(carried).collect())
    }
}
