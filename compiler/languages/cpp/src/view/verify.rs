//! The functions that check records; what they do is what readers do, but for the values.

use super::Viewer;
use crate::code::{code, function, listed, scoped, step, stmt, var, when, Code, Stmt};
use crate::decode::{unopened, Aim, Decoder, Guard};
use crate::parameter::{parameter, Parameter};
use crate::scope::Scope;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_emit::needs::takes_extent;
use aldis_plan::{Extent, Plan, Run, Step};
use aldis_schema::TypeId;

impl Viewer<'_, '_> {
    pub(super) fn decoder(&self) -> Decoder<'_, '_> {
        Decoder { gen: self.gen, wire: self.wire }
    }

    fn plan(&self) -> &Plan {
        self.wire.plan
    }

    /// Declarations of a unit's checks, since records may be within each other.
    pub(super) fn declarations(&self, unit: &Unit, sheet: &mut Sheet) {
        for layout in self.wire.layouts(unit) {
            let (name, parameters) = (self.gen.names.of(layout.record), listed(self.parameters(layout.record)));
            let declared = stmt!("inline const std::byte* verify_{name}({parameters});");
            sheet.add(layout.record, &self.wire.namespace, [declared]);
        }
    }

    fn signature(&self, id: TypeId) -> Code {
        code!("{} verify_{}", self.wire.reader(id), self.gen.names.of(id))
    }

    fn parameters(&self, id: TypeId) -> Vec<Parameter> {
        let mut parameters = vec![parameter("auto&", "in"), parameter("const std::byte*", "at")];
        parameters.extend(takes_extent(self.plan(), id).then(|| parameter("std::uint64_t", "extent")));
        parameters.extend(self.walked_place(id).map(|_| parameter("auto&&", "starts")));
        parameters
    }

    /// The check of a record: from its first byte, to the place behind what of it lies there.
    pub(super) fn verifier(&self, id: TypeId) -> Stmt {
        let layout = self.plan().layout(id);
        let scope = Scope::new("in", "nullptr");
        // Places are noted for the view of a whole message alone.
        let unnoted = |id| self.walked_place(id).map_or(Code::nothing(), |_| code!(", aldis::unnoted{{}}"));
        let aim = Aim::Check(&unnoted);
        let mut body = Vec::new();
        body.push(scope.fail_if(code!("!in.enter(at)")));
        if !self.wire.is_inlined(id) {
            body.extend(self.decoder().affords(&aim, &scope));
        }
        let noted = self.walked_place(id).is_some();
        for (index, step) in layout.steps.iter().enumerate() {
            let start = Self::stored_start(&layout.steps, index).filter(|_| noted);
            body.extend(start.map(|start| stmt!("starts[{start}] = at;")));
            match step {
                Step::Run(run) if run.extent == Extent::Exact => {
                    body.extend(self.decoder().exact_run(id, run, &aim, &scope));
                }
                Step::Run(run) => body.extend(self.sized_run(id, run, &aim, &scope)),
                Step::Part { field, since, node } => {
                    let definition = self.gen.field(id, *field as usize);
                    let inner = scope.field(&definition.name).deeper();
                    let read = self.decoder().node(node, &aim, &var("at"), &inner);
                    if *since > 0 {
                        body.push(when(code!("in.version() >= {since}"), read));
                    } else {
                        body.push(Stmt::Comment(definition.name.clone()));
                        body.push(scoped(read));
                    }
                }
            }
        }
        body.push(stmt!("in.leave();"));
        body.push(stmt!("return at;"));
        function(self.signature(id), &self.parameters(id), body)
    }

    fn sized_run(&self, id: TypeId, run: &Run, aim: &Aim<'_>, scope: &Scope) -> Vec<Stmt> {
        let mut body = self.decoder().extent(run, id, scope);
        body.extend(self.decoder().fields(&unopened(run), &var("at"), id, aim, scope, Guard::All));
        body.push(step(&var("at"), "extent"));
        body
    }
}
