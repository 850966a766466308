//! Tables of the members of runs and heads, in which the runtime finds the one that the bytes end within.

use crate::code::{quote, Expr};
use crate::erl::{list, trees, tuple, utf8_binary};
use crate::gen::Gen;
use crate::wire::Wire;
use aldis_emit::{cuts, head_cuts, Cut, Name};
use aldis_plan::{Extent, Run};
use aldis_schema::TypeId;

impl<'a> Gen<'a> {
    /// The writer's version and the rows of a record's run.
    pub(super) fn run_cuts(&self, wire: &Wire<'a>, id: TypeId, run: &'a Run) -> Expr {
        let known = match run.extent {
            Extent::Stated { head } => head,
            _ => 0,
        };
        let rows = cuts(wire.plan, id, run, known);
        // The version has no variable if no field is newer.
        let version = if rows.iter().any(|row| row.since > 0) { "Version" } else { "0" };
        tuple([quote(version), list(rows.iter().map(|row| self.cut(row)))])
    }

    /// The version and the rows of a head.
    pub(super) fn head_rows(&self, head: &Run) -> Expr {
        tuple([quote("0"), list(head_cuts(head).iter().map(|row| self.cut(row)))])
    }

    /// The expression that refuses bytes which end within a head.
    pub(super) fn head_cut(&self, head: &Run, path: &str) -> Expr {
        let args = [quote("Bin"), quote(head.size.to_string()), self.head_rows(head), quote(path)];
        crate::erl::call("aldis_wire:cut", args)
    }

    /// `{8, 16, 16, 0, [price]}`: where it lies, the least extent, the first version, and its path from the inside out.
    fn cut(&self, cut: &Cut<'_>) -> Expr {
        let name = |name: &Name<'_>| match name.field {
            Some((record, field)) => self.names.field_atom(record, field).into(),
            None => quote(utf8_binary(name.text)),
        };
        let names = cut.path.iter().rev().map(name);
        let numbers = [cut.at, cut.end, cut.least, cut.since].map(|number| number.to_string());
        tuple(trees(&numbers).into_iter().chain([list(names)]))
    }
}
