//! Runs that the runtime reads by their table (`aldis_run`): what fast readers and full clauses leave.

use super::record::{surcharges, Bound};
use crate::code::{quote, Expr};
use crate::erl::{bind, call, list, tuple};
use crate::gen::Gen;
use crate::wire::Wire;
use aldis_plan::{Extent, Missing, Repr, Run, Slot, SlotKind};
use aldis_schema::TypeId;

impl<'a> Gen<'a> {
    /// Whether the runtime reads a record's run: its fields need nothing but its bytes, and those that are missing are null.
    pub fn has_read_table(&self, wire: &Wire<'a>, run: &Run) -> bool {
        wire.rest
            && !wire.links
            && matches!(run.extent, Extent::Acting | Extent::Exact)
            && !self.strict_text.run(run)
            && run.slots.iter().all(|slot| {
                let constant = matches!(slot.kind, SlotKind::Constant { .. });
                is_readable(slot) && (constant || slot.missing != Missing::Default)
            })
    }

    /// Whether the careful reader of a record with parts reads its run so: a faster one takes all that is usual.
    pub(super) fn is_read_by_table(&mut self, wire: Wire<'a>, id: TypeId, run: &Run) -> bool {
        self.only_unusual(wire, id) && self.has_read_table(&wire, run)
    }

    /// Binds the record with the run's values, or only what lies behind the run where a part is asked for.
    pub(super) fn bind_table(&mut self, wire: &Wire<'a>, id: TypeId, run: &'a Run, skipped: bool, bound: &mut Bound) {
        let (bin, budget) = (bound.here.bin.next(), bound.here.budget.next());
        let function = if skipped { "aldis_run:skip" } else { "aldis_run:read" };
        let read = self.by_table(wire, id, run, function, [bound.here.bin.to_string(), bound.here.budget.to_string()]);
        let behind = [quote(bin.to_string()), quote(budget.to_string())];
        bound.run = (!skipped).then_some("Run");
        bound.statements.push(bind(tuple(bound.run.map(quote).into_iter().chain(behind)), read));
        (bound.here.bin, bound.here.budget) = (bin, budget);
    }

    /// The call that reads the run and charges for it: `{Record, Rest, Budget}`.
    pub(super) fn read_by_table(&mut self, wire: &Wire<'a>, id: TypeId, run: &'a Run) -> Expr {
        self.by_table(wire, id, run, "aldis_run:read", ["Bin", "Budget"].map(str::to_owned))
    }

    fn by_table(
        &mut self,
        wire: &Wire<'a>,
        id: TypeId,
        run: &'a Run,
        function: &'static str,
        [bin, budget]: [String; 2],
    ) -> Expr {
        let extent = if run.extent == Extent::Acting { "Extent".to_owned() } else { run.size.to_string() };
        let args =
            [quote(bin), quote(extent), quote(version(wire)), quote(budget), list(surcharges(run)), quote("Path")];
        let table = call(self.run_table(wire, id, &run.slots, (0, run.size)), [""; 0]);
        call(function, [table].into_iter().chain(args))
    }

    /// The call that reads `Field` out of `Block`.
    pub fn field_by_table(&mut self, wire: &Wire<'a>, id: TypeId, run: &'a Run) -> Expr {
        let table = call(self.run_table(wire, id, &run.slots, (0, run.size)), [""; 0]);
        call("aldis_run:field", [table, quote("Field"), quote("Block"), quote(version(wire))])
    }
}

/// The version of a message.
fn version(wire: &Wire<'_>) -> &'static str {
    if wire.versions {
        "Version"
    } else {
        "0"
    }
}

/// Whether a slot is a field whose value is made of its own bytes, without a check that may fail.
fn is_readable(slot: &Slot) -> bool {
    slot.field.is_some()
        && match &slot.kind {
            SlotKind::Constant { .. } => true,
            SlotKind::Nest { slots, .. } => slots.iter().all(|inner| inner.since <= slot.since && is_readable(inner)),
            kind => is_plain(kind),
        }
}

fn is_plain(kind: &SlotKind) -> bool {
    match kind {
        SlotKind::Scalar(scalar) => !matches!(scalar.repr, Repr::Decimal | Repr::Uuid),
        SlotKind::Chars { .. } => true,
        SlotKind::Array { element, .. } => is_plain(&element.kind),
        _ => false,
    }
}
