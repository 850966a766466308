//! Operations that give a number, or nothing, and those that fault.

use super::fault::{Code, Fault, Step};
use super::load::load;
use super::{Evaluator, Scope, Target};
use crate::module::Row;
use crate::op::{Cut, What};
use crate::operand::{Amount, NameId, Place, Sym, TableId};

impl<T: Target> Evaluator<'_, T> {
    /// The result of an operation that gives a number; 0 for one that gives nothing; `None` for all others.
    pub(super) fn number(&mut self, scope: &Scope<T::Value>, what: &What) -> Result<Option<u64>, Fault> {
        let number = match what {
            What::Load { place, repr } => {
                load(self.slice(scope.place(*place), u64::from(repr.width())), self.module.byte_order)
            }
            What::Add { at, size } => scope.place(*at) + scope.number(*size),
            What::Behind { at, count, each } => scope.number(*at) + scope.number(*count) * u64::from(*each),
            What::Element { place, index, stride, .. } => {
                scope.place(*place) + scope.number(*index) * u64::from(*stride)
            }
            What::Equal { a, b } => u64::from(scope.number(*a) == scope.number(*b)),
            What::AtLeast { a, b } => u64::from(scope.number(*a) >= scope.number(*b)),
            What::Present { since, reach, extent, version } => {
                u64::from(scope.number(*version) >= u64::from(*since) && scope.number(*extent) >= u64::from(*reach))
            }
            What::Whole { table, extent, version } => {
                let table = &self.module[*table];
                let there = scope.number(*extent) >= u64::from(table.size);
                u64::from(there && scope.number(*version) >= u64::from(table.newest))
            }
            What::Charge { budget, amount, at } => self.charge(scope, *budget, self.amount(scope, *amount), *at)?,
            What::Extra { budget, amount, at } => self.extra(scope, *budget, self.amount(scope, *amount), *at)?,
            What::ExtraWithin { budget, table, extent, at } => {
                let amount = self.module[*table].extra_within(scope.number(*extent));
                self.extra(scope, *budget, amount, *at)?
            }
            What::Lack { of, block, pointers, version } => {
                let [block, pointers, version] = [*block, *pointers, *version].map(|arg| scope.number(arg));
                self.module[*of].within(block, pointers, version)
            }
            What::End => self.end,
            what => return self.guard(scope, what),
        };
        Ok(Some(number))
    }

    fn guard(&mut self, scope: &Scope<T::Value>, what: &What) -> Result<Option<u64>, Fault> {
        let fail = |code: Code, place: Place| Err(Fault::at(code, scope.place(place)));
        let number = match what {
            What::Need { at, size, cut } => {
                let (at, size) = (scope.number(*at), scope.number(*size));
                if size > self.left(at) {
                    return Err(self.cut(scope, at, size, *cut));
                }
                size
            }
            What::Least { size, least, place } => match scope.number(*size) {
                size if size < u64::from(*least) => return fail(Code::BadValue, *place),
                size => size,
            },
            What::Expect { have, want, place, root } => {
                if scope.number(*have) != *want {
                    let at_root = scope.number(*root) != 0;
                    return fail(if at_root { Code::UnknownMessage } else { Code::BadValue }, *place);
                }
                0
            }
            What::Fit { count, least, at, blame } => {
                let (count, least) = (scope.number(*count), scope.number(*least));
                if u128::from(count) * u128::from(least) > u128::from(self.left(scope.number(*at))) {
                    return Err(Fault::at(Code::BadCount, scope.number(*blame)));
                }
                count
            }
            What::Follow { base, offset, place } => {
                let offset = scope.number(*offset);
                let target = scope.number(*base) + offset;
                if offset == 0 || target > self.end {
                    return fail(Code::BadPointer, *place);
                }
                target
            }
            what => return self.envelope(scope, what),
        };
        Ok(Some(number))
    }

    /// Guards of whole messages.
    fn envelope(&mut self, scope: &Scope<T::Value>, what: &What) -> Result<Option<u64>, Fault> {
        let fail = |code: Code, place: Place| Err(Fault::at(code, scope.place(place)));
        let number = match what {
            What::Root { offset, start } => {
                let start = scope.number(*start);
                match start.checked_add(scope.number(*offset)) {
                    Some(at) if at <= self.end => at,
                    _ => return Err(Fault::at(Code::BadPointer, start)),
                }
            }
            What::Bound { size, head, place } => {
                let size = scope.number(*size);
                if size > self.end {
                    return fail(Code::Truncated, *place);
                }
                if size < u64::from(*head) {
                    return fail(Code::BadValue, *place);
                }
                self.end = size;
                0
            }
            What::Same { size, end, place } => {
                if scope.number(*size) != scope.number(*end) {
                    return fail(Code::BadValue, *place);
                }
                0
            }
            What::Refuse { place } => return fail(Code::BadValue, *place),
            _ => return Ok(None),
        };
        Ok(Some(number))
    }

    fn amount(&self, scope: &Scope<T::Value>, amount: Amount) -> u64 {
        scope.number(amount.times).saturating_mul(scope.number(amount.each))
    }

    pub(super) fn charge(&self, scope: &Scope<T::Value>, budget: Sym, amount: u64, at: Sym) -> Result<u64, Fault> {
        pay(scope.number(budget), amount, scope.number(at))
    }

    fn extra(&self, scope: &Scope<T::Value>, budget: Sym, amount: u64, at: Sym) -> Result<u64, Fault> {
        self.charge(scope, budget, if self.surcharge { amount } else { 0 }, at)
    }

    /// The fault of `size` bytes that are not all there.
    #[cold]
    fn cut(&self, scope: &Scope<T::Value>, at: u64, size: u64, cut: Cut) -> Fault {
        let left = self.left(at);
        let (offset, names) = match cut {
            Cut::Start => return Fault::at(Code::Truncated, at),
            Cut::Head(table) => self.cut_head(table, left),
            Cut::Run { table, version } => {
                let mut names = Vec::new();
                let found = first_cut(&self.module[table].rows, left, size, scope.number(version), &mut names);
                (found, names)
            }
        };
        let offset = offset.map_or(left, |offset| u64::from(offset).min(left));
        let steps = names.into_iter().rev().map(Step::Field).collect();
        Fault { steps, ..Fault::at(Code::Truncated, at + offset) }
    }

    fn cut_head(&self, table: TableId, left: u64) -> (Option<u32>, Vec<NameId>) {
        let row = self.module[table].rows.iter().find(|row| u64::from(row.end()) > left);
        (row.map(|row| row.at), row.and_then(|row| row.name).into_iter().collect())
    }
}

pub(super) fn pay(budget: u64, amount: u64, at: u64) -> Result<u64, Fault> {
    budget.checked_sub(amount).ok_or_else(|| Fault::at(Code::TooLarge, at))
}

/// The place of the first row that should be there and is not, and the names that lead to it.
fn first_cut(rows: &[Row], left: u64, extent: u64, version: u64, names: &mut Vec<NameId>) -> Option<u32> {
    let there = |row: &&Row| u64::from(row.since) <= version && u64::from(row.reach) <= extent;
    let row = rows.iter().filter(there).find(|row| u64::from(row.end()) > left)?;
    names.extend(row.name.filter(|_| row.field.is_some()));
    first_cut(row.members(), left, extent, version, names).or(Some(row.at))
}
