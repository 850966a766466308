//! Records of one run that lie one behind the other, as the entries of a group without groups do. All that a quick method asks of them is
//! known before the first is read.

use super::{short, Glance, Reading};
use crate::body::{narrow, Body, INTO};
use crate::tree::{binary, int, name, run, Line, Member};
use aldis_plan::Extent;
use aldis_routine::{visit, Arg, Block, ListId, Module, Op, Purpose, Routine, RoutineId, Subject, Sym, TableId, What};
use std::collections::HashSet;

/// A loop over such records.
pub(super) struct Rows<'m> {
    count: Arg,
    carry: &'m [Arg],
    inner: &'m Block,
    list: Option<ListId>,
    /// The operation that reads or checks one.
    call: &'m Op,
    pub routine: RoutineId,
    table: TableId,
    /// The place of a record, within the loop, and the bytes of each.
    at: Sym,
    extent: Arg,
}

/// The run of a routine that does nothing but read or check it.
fn run_of(module: &Module, routine: &Routine) -> Option<TableId> {
    let [Op { what: What::Level { body, .. }, .. }] = routine.body.ops.as_slice() else { return None };
    let mut found = None;
    for op in &body.ops {
        match &op.what {
            What::Extent { table, .. } if module[*table].extent == Extent::Acting && module[*table].newest == 0 => {
                found = Some(*table);
            }
            What::Fields { .. } | What::Add { .. } | What::Make { .. } | What::Literal { .. } => {}
            _ => return None,
        }
    }
    found
}

/// The loop that an operation is, if its records lie so, and those before it found that there is room for all.
pub(super) fn rows<'m>(module: &'m Module, before: &'m [Op], op: &'m Op) -> Option<Rows<'m>> {
    let (count, carry, inner, list) = match &op.what {
        What::Each { count, carry, body, of } => (*count, carry, body, Some(*of)),
        What::Loop { count, carry, body } => (*count, carry, body, None),
        _ => return None,
    };
    let [call @ Op { what: What::Call { routine, args }, .. }] = inner.ops.as_slice() else { return None };
    let [Arg::Sym(at), extent, ..] = args.as_slice() else { return None };
    let table = run_of(module, &module[*routine])?;
    let taken = inner.takes[1..].iter().position(|take| take == at)?;
    let is_fit = before.iter().any(|op| match &op.what {
        What::Fit { least, at, .. } => {
            Some(&count) == op.binds.first().map(|bind| Arg::Sym(*bind)).as_ref()
                && least == extent
                && carry.get(taken) == Some(&Arg::Sym(*at))
        }
        _ => false,
    });
    is_fit.then_some(Rows { count, carry, inner, list, call, routine: *routine, table, at: *at, extent: *extent })
}

/// The routines that are called, by loops over such records and by others.
pub(super) fn callers(module: &Module) -> [HashSet<(Purpose, Subject)>; 2] {
    let mut found = [HashSet::new(), HashSet::new()];
    for routine in &module.routines {
        if matches!(routine.purpose, Purpose::Read | Purpose::Check) {
            called(module, &routine.body, &mut found);
        }
    }
    found
}

fn key(module: &Module, id: RoutineId) -> (Purpose, Subject) {
    (module[id].purpose, module[id].of)
}

fn called(module: &Module, block: &Block, found: &mut [HashSet<(Purpose, Subject)>; 2]) {
    for (index, op) in block.ops.iter().enumerate() {
        if let Some(rows) = rows(module, &block.ops[..index], op) {
            found[0].insert(key(module, rows.routine));
            continue;
        }
        if let What::Call { routine, .. } = &op.what {
            found[1].insert(key(module, *routine));
        }
        visit::blocks(&op.what).into_iter().for_each(|inner| called(module, inner, found));
    }
}

impl<'m> Reading<'m> {
    fn fill_name(&self) -> String {
        self.kinds.dialect.method(format!("quickFill{}", aldis_emit::names::capital(self.suffix)))
    }

    /// `quickFill`, which reads a record whose bytes are known to be there into an object.
    pub(super) fn filler(&mut self, routine: &'m Routine) -> Member {
        let mut body = Body::new(self.module, self.kinds, routine);
        let bytes = body.name("b");
        let at = body.fresh(routine.params[0]);
        body.is(routine.params[0], name(at.as_str()));
        self.fill(&mut body, routine);
        body.is_long = true;
        let class = self.kinds.names.of(routine.of.record(self.module));
        let params = [format!("int {at}"), format!("{class} {INTO}")];
        let whole = std::mem::replace(&mut self.bytes, name(bytes.as_str()));
        let mut own = Glance { is_sure: true, ..Glance::new(self, body) };
        own.block(&routine.body);
        let body = own.body.lines;
        self.bytes = whole;
        self.parts.clear();
        let head = self.kinds.dialect.glance_head("void", &self.fill_name(), &bytes, &params);
        Member::Method { doc: String::new(), head, body }
    }
}

impl<'m> Glance<'_, 'm> {
    pub(super) fn rows(&mut self, op: &Op, rows: &Rows<'m>) {
        let module = self.reading.module;
        let table = &module[rows.table];
        let (whole, more) = table.extras.last().copied().unwrap_or((0, 0));
        let count = self.number("count", self.arg(rows.count));
        let extent = self.arg(rows.extent);
        self.reach(extent.clone(), i128::from(whole.max(u64::from(table.size))));
        self.enter(1);
        let each = match more {
            0 => extent.clone(),
            more => binary(extent.clone(), "+", int(more)),
        };
        self.pay(binary(count.clone(), "*", each));
        self.settle();
        let Some(of) = rows.list else {
            let from = rows.carry.iter().find(|arg| matches!(arg, Arg::Sym(sym) if !self.body.is_token(*sym)));
            let behind = binary(self.arg(*from.unwrap_or(&rows.count)), "+", short(binary(count, "*", extent)));
            let places = op.binds.iter().copied().filter(|bind| !self.body.is_token(*bind)).collect::<Vec<_>>();
            return places.into_iter().for_each(|bind| self.body.set(bind, behind.clone()));
        };
        let list = self.list(op, of, &count);
        let items = rows.inner.gives.len() - rows.carry.len();
        let (turn, nexts) = self.body.carried(rows.carry, rows.inner);
        list.expect_items(&mut self.body, rows.inner.gives.first(), &turn);
        let outer = std::mem::take(&mut self.body.lines);
        let record = module[rows.routine].of.record(module);
        let into = self.object(rows.call, record);
        let place = self.sym(rows.at);
        let fill = self.reading.kinds.of_codec(record, &self.reading.fill_name());
        let given = vec![self.reading.bytes.clone(), place.clone(), into];
        self.body.lines.push(Line::Do(run(fill, given)));
        self.reading.put_item(&mut self.body, &list, &rows.inner.gives[..items], &turn);
        let behind = binary(place, "+", short(extent));
        self.body.lines.extend(nexts.iter().map(|next| Line::Assign(name(next.as_str()), "=", behind.clone())));
        let lines = std::mem::replace(&mut self.body.lines, outer);
        self.body.lines.push(Line::For(turn, narrow(count.clone()), lines));
        self.reading.close_list(&mut self.body, list, count, op.binds.first().copied());
        self.body.behind(&op.binds[op.binds.len() - rows.carry.len()..], nexts);
    }
}
