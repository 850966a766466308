//! Lists of records that are one run each, as the schema has it: they are read at once.

use super::assemble::Assembler;
use super::pool::place_of;
use super::Ins;
use crate::module::{Module, Routine};
use crate::op::{Have, Op, Ty, What};
use crate::operand::{Amount, Arg, Place, Sym, TableId};
use aldis_schema::TypeId;

/// An element whose record is a run of a known size.
struct Element {
    table: TableId,
    record: TypeId,
    /// The budget that it takes.
    charge: u64,
    /// Parameters that must be such numbers.
    expects: Vec<(Sym, u64)>,
    size: u64,
}

impl Assembler<'_> {
    /// Writes a list of such elements; `None` where they are others, and nothing is written then.
    pub(super) fn elements(&mut self, op: &Op) -> Option<()> {
        let What::Each { count, carry, of, body } = &op.what else { return None };
        let [Op { what: What::Call { routine, args }, binds }] = body.ops.as_slice() else { return None };
        let called = &self.module[*routine];
        let given = |sym: Sym| called.params.iter().position(|param| *param == sym).map(|index| args[index]);
        let start = *called.params.first()?;
        let element = element(self.module, called, start)?;
        // The place is carried from element to element, and so is the budget.
        let carried = carry.iter().filter(|arg| matches!(arg, Arg::Sym(sym) if self.ty(*sym) != Ty::Budget));
        let [at] = carried.collect::<Vec<_>>()[..] else { return None };
        let place = body.takes.get(1)?;
        let gives: Vec<Arg> = binds.iter().map(|sym| (*sym).into()).collect();
        let is_run = element.size == u64::from(self.module[element.table].size) && element.size > 0;
        if given(start) != Some((*place).into()) || body.gives != gives || !is_run {
            return None;
        }
        let expects = element.expects.iter();
        let expects = expects.map(|(sym, want)| Some((self.at(given(*sym)?)?, self.at(Arg::Const(*want))?)));
        let expects: Vec<_> = expects.collect::<Option<_>>()?;
        let (count, at) = (self.at(*count)?, self.at(*at)?);
        let of = place_of(&mut self.elements, &(element.table, element.record, *of))?;
        let (each, to) = (self.at(Arg::Const(element.charge))?, self.register()?);
        let (begin, joined) = (self.code.len(), self.joined);
        self.code.push(Ins::Unless { test: count, to: 0 });
        self.code.extend(expects.into_iter().map(|(have, want)| Ins::Expect { have, want }));
        self.code.push(Ins::Charge { times: count, each });
        self.code[begin] = Ins::Unless { test: count, to: self.here() };
        self.code.push(Ins::Elements { to, at, count, of });
        self.grouped(begin, joined);
        self.listed(&op.binds, to);
        Some(())
    }
}

/// The element that a routine reads at `start`, if it is such a one: what is charged and what must hold, the run, the place behind it.
fn element(module: &Module, routine: &Routine, start: Sym) -> Option<Element> {
    let mut found = Element { table: TableId(0), record: TypeId(0), charge: 0, expects: Vec::new(), size: 0 };
    let (mut fields, mut sizes, mut end, mut value) = (None, Vec::new(), None, None);
    for Op { binds, what } in &routine.body.ops {
        match what {
            What::Charge { amount: Amount { times: Arg::Const(times), each: Arg::Const(each) }, .. } => {
                found.charge = found.charge.checked_add(times.checked_mul(*each)?)?;
            }
            What::Expect { have: Arg::Sym(sym), want, .. } => found.expects.push((*sym, *want)),
            What::Need { at, size: Arg::Const(size), .. } if *at == start => sizes.push((binds[0], *size)),
            What::Fields { table, at, have } if *at == start && fields.is_none() => {
                if !is_all(*have, module[*table].newest.into()) {
                    return None;
                }
                (found.table, fields) = (*table, Some(binds));
            }
            What::Add { at: Place { base, plus: 0 }, size } if *base == start => end = Some((binds[0], *size)),
            What::Make { record, fields: own } if Some(own) == fields => {
                (found.record, value) = (*record, Some(binds[0]));
            }
            _ => return None,
        }
    }
    let (end, size) = end?;
    let size = match size {
        Arg::Const(size) => size,
        Arg::Sym(sym) => sizes.iter().find(|(own, _)| *own == sym)?.1,
    };
    let needed = match (sizes.as_slice(), size) {
        ([(_, needed)], _) => *needed,
        // It was checked before.
        ([], size) => size,
        _ => return None,
    };
    found.size = needed;
    let gives = routine.body.gives.get(..2)?;
    (gives == [value?.into(), end.into()] && size == needed).then_some(found).filter(|_| fields.is_some())
}

/// Whether a run of its full size has all rows, whatever the version of its writer.
fn is_all(have: Have, newest: u64) -> bool {
    match have {
        Have::Within { version: Arg::Sym(_), .. } => newest == 0,
        Have::Within { version: Arg::Const(version), .. } => version >= newest,
        Have::All => true,
    }
}
