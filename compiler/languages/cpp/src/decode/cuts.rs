//! The member of a run or a head that the bytes end within: tables that only explaining readers look at.

use super::Decoder;
use crate::code::{code, listed, quoted, stmt, Code, Stmt};
use crate::scope::Scope;
use aldis_emit::{cuts, head_cuts, Cut};
use aldis_plan::{Extent, Run, SlotKind, Step};
use aldis_schema::TypeId;

impl Decoder<'_, '_> {
    /// The tables of a record's runs.
    pub(super) fn cut_tables(&self, id: TypeId) -> Vec<Stmt> {
        let table = |run| {
            let rows: Vec<Code> = self.cuts(id, run).iter().map(row).collect();
            let head = code!("inline constexpr std::array<aldis::cut, {}> {}", rows.len(), self.cuts_name(id, run));
            (!rows.is_empty()).then(|| stmt!("{head}{{{{{}}}}};", listed(rows)))
        };
        self.runs(id).filter_map(table).collect()
    }

    /// The table of a run, as an argument.
    pub(crate) fn cut_table(&self, id: TypeId, run: &Run) -> Code {
        match self.cuts(id, run).is_empty() {
            true => code!("{{}}"),
            false => self.cuts_name(id, run),
        }
    }

    /// Sees to it that the bytes of a head are there, and pays for them.
    pub(crate) fn head_fits(&self, head: &Run, at: &Code, scope: &Scope) -> Stmt {
        let rows: Vec<Code> = head_cuts(head).iter().map(row).collect();
        scope.fail_if(code!("!in.need_head({at}, {}, {{{}}})", head.size, listed(rows)))
    }

    fn runs(&self, id: TypeId) -> impl Iterator<Item = &Run> {
        self.wire.plan.layout(id).steps.iter().filter_map(|step| match step {
            Step::Run(run) => Some(run),
            Step::Part { .. } => None,
        })
    }

    fn cuts<'r>(&'r self, id: TypeId, run: &'r Run) -> Vec<Cut<'r>> {
        match run.extent {
            Extent::Stated { head } => cuts(self.wire.plan, id, run, head),
            _ => cuts(self.wire.plan, id, run, 0),
        }
    }

    fn cuts_name(&self, id: TypeId, run: &Run) -> Code {
        let name = self.gen.names.of(id);
        match self.runs(id).position(|other| std::ptr::eq(other, run)) {
            None | Some(0) => code!("cuts_{name}"),
            Some(index) => code!("cuts_{index}_{name}"),
        }
    }
}

/// The name of a head that is a count and nothing else.
pub(crate) fn head_name(head: &Run) -> Code {
    match head.slots.first().map(|slot| &slot.kind) {
        Some(SlotKind::Register(register)) => quoted(&register.name),
        _ => quoted(""),
    }
}

/// `{8, 12, "price"}`, with the least extent where that is not the end, and the first version.
fn row(cut: &Cut<'_>) -> Code {
    let names: Vec<&str> = cut.path.iter().map(|name| name.text).collect();
    let path = if names.is_empty() { code!("{{}}") } else { quoted(&names.join(".")) };
    let presence = match (cut.least, cut.since) {
        (least, 0) if least == cut.end => Code::nothing(),
        (least, 0) => code!(", {least}"),
        (least, since) => code!(", {least}, {since}"),
    };
    code!("{{{}, {}, {path}{presence}}}", cut.at, cut.end)
}
