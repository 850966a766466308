//! Comparisons of views with values, for the testee: both must say the same of the same bytes.

use super::Viewer;
use crate::code::{function, line, when, Stmt};
use crate::gen::Hold;

impl Viewer<'_, '_> {
    /// `same` of each record's view and value, in the views' namespace.
    pub fn comparisons(&self) -> Vec<Stmt> {
        let namespace = format!("{}::{}", self.gen.names.namespace, self.namespace());
        let order = self.by_use();
        let mut parts = vec![line(format!("namespace {namespace} {{")), Stmt::Blank];
        let parameters = |id: &aldis_schema::TypeId| {
            let name = self.gen.names.of(*id);
            [format!("const {name}& view"), format!("const {}::{name}& value", self.gen.names.namespace)]
        };
        parts.extend(order.iter().map(|id| line(format!("bool same({});", parameters(id).join(", ")))));
        parts.push(Stmt::Blank);
        for id in &order {
            let mut body = vec![line("using aldis::testee::same;")];
            if self.gen.notes_missing(*id) {
                let differ = "!(view.missing_fields() == value.missing_fields)";
                body.push(when(differ, vec![line("return false;")]));
            }
            for index in 0..self.gen.schema.record(*id).fields.len() {
                let member = self.gen.names.member(*id, index);
                let mut differ = format!("!same(view.{member}(), value.{member})");
                if self.gen.hold(*id, index) == Hold::Noted {
                    differ = format!("!value.missing_fields.has({index}) && {differ}");
                }
                body.push(when(differ, vec![line("return false;")]));
            }
            body.push(line("return true;"));
            parts.push(function("[[maybe_unused]] bool same", &parameters(id), body));
            parts.push(Stmt::Blank);
        }
        parts.push(line(format!("}}  // namespace {namespace}")));
        parts.push(Stmt::Blank);
        parts
    }
}
