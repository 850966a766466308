//! Records of one block that lie one behind the other, as the entries of a group without groups do. There is room for all of them, or the
//! quick writer refuses before the first is put.

use super::refusals::{refused, together};
use super::vars::Vars;
use super::{Writing, PURPOSES};
use crate::body::Body;
use crate::tree::{binary, int, name, run, Expr, Line, Member};
use aldis_emit::names::capital;
use aldis_routine::{visit, Amount, Arg, Block, Module, Op, Purpose, Routine, RoutineId, Subject, What, Write};
use std::collections::HashSet;

/// A loop over such records.
pub(super) struct Rows<'m> {
    count: Arg,
    inner: &'m Block,
    /// The operation that takes one from its list, the value that this binds, and the routine that writes it.
    item: &'m Op,
    routine: RoutineId,
    size: u64,
}

/// The bytes of a record whose routine reserves them and does nothing but fill them.
fn size_of(routine: &Routine) -> Option<u64> {
    let mut level = None;
    for op in &routine.body.ops {
        match &op.what {
            What::Write(Write::OfRecord { .. } | Write::Here { .. }) => {}
            What::Level { body, .. } => level = Some(body),
            _ => return None,
        }
    }
    let [reserve, fills @ ..] = level?.ops.as_slice() else { return None };
    let What::Write(Write::Reserve { size: Amount { times: Arg::Const(times), each: Arg::Const(each) }, .. }) =
        &reserve.what
    else {
        return None;
    };
    let is_fill = |op: &Op| matches!(op.what, What::Write(Write::Fill { .. }));
    (times * each > 0 && fills.iter().all(is_fill)).then_some(times * each)
}

/// The loop that an operation is, if its records are such.
pub(super) fn rows<'m>(module: &'m Module, op: &'m Op) -> Option<Rows<'m>> {
    let What::Loop { count, body: inner, .. } = &op.what else { return None };
    let [item, Op { what: What::Within { body: one, .. }, .. }] = inner.ops.as_slice() else { return None };
    let [Op { what: What::Call { routine, args }, .. }] = one.ops.as_slice() else { return None };
    let takes = matches!(item.what, What::Write(Write::Item { .. })) && args.first() == Some(&Arg::Sym(item.binds[0]));
    let size = size_of(&module[*routine]).filter(|_| takes)?;
    Some(Rows { count: *count, inner, item, routine: *routine, size })
}

/// The records that are written by loops over such, and those that others call for.
#[derive(Default)]
pub(super) struct Callers {
    pub rows: HashSet<(Purpose, Subject)>,
    pub others: HashSet<(Purpose, Subject)>,
}

impl Callers {
    pub fn of(module: &Module) -> Self {
        let mut own = Self::default();
        for routine in module.routines.iter().filter(|routine| PURPOSES.contains(&routine.purpose)) {
            own.block(module, &routine.body);
        }
        own
    }

    fn block(&mut self, module: &Module, block: &Block) {
        let key = |id: RoutineId| (module[id].purpose, module[id].of);
        for op in &block.ops {
            if let Some(rows) = rows(module, op) {
                self.rows.insert(key(rows.routine));
                continue;
            }
            if let What::Call { routine, .. } = &op.what {
                self.others.insert(key(*routine));
            }
            visit::blocks(&op.what).into_iter().for_each(|inner| self.block(module, inner));
        }
    }
}

impl<'m> Writing<'m> {
    fn put_name(&self) -> String {
        self.kinds.dialect.method(format!("quickPut{}", capital(self.suffix)))
    }

    /// `quickPut`, which writes a record to where there is room for it; it gives a number below zero where the record is unusual.
    pub(super) fn putter(&self, routine: &Routine) -> Member {
        let mut body = Body::new(self.module, self.kinds, routine);
        let [bytes, at] = ["b", "at"].map(|own| body.name(own));
        let params = self.params(&mut body, routine);
        let params = params.into_iter().map(|(ty, own)| format!("{ty} {own}"));
        let list: Vec<String> = [format!("int {at}")].into_iter().chain(params).collect();
        let vars = Vars::sure(name(bytes.as_str()), name(at));
        Writing { quick: Some(vars), ..*self }.block(&mut body, &routine.body);
        body.lines.push(Line::Return(int(0)));
        let head = self.kinds.dialect.quick_head((&self.put_name(), false), &bytes, &list);
        Member::Method { doc: String::new(), head, body: together(body.lines) }
    }

    pub(super) fn rows(&self, vars: &Vars, body: &mut Body<'m>, rows: &Rows<'m>) {
        let count = body.arg(rows.count);
        let is_deep = binary(vars.depth.clone(), "<=", int(0));
        let is_deep = binary(binary(count.clone(), ">", int(0)), "&&", is_deep);
        body.lines.push(Line::If(is_deep, vec![refused()], Vec::new()));
        self.room(vars, body, binary(count.clone(), "*", Expr::Long(rows.size.into())));
        let turn = body.fresh(rows.inner.takes[0]);
        body.is(rows.inner.takes[0], name(turn.as_str()));
        let (lines, ()) = body.apart(|body| {
            self.op(body, rows.item, &[]);
            let function = self.kinds.of_codec(self.module[rows.routine].of.record(self.module), &self.put_name());
            let given = vec![vars.bytes.clone(), vars.end.clone(), body.val(rows.item.binds[0]).expr];
            let test = binary(run(function, given), "<", int(0));
            body.lines.push(Line::If(test, vec![refused()], Vec::new()));
            body.lines.push(Line::Assign(vars.end.clone(), "+=", int(rows.size)));
        });
        body.lines.push(Line::For(turn, count, lines));
        body.ready = 0;
        body.behind_start = None;
    }
}
