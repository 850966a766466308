//! Comparisons of views with values, for the testee: both must say the same of the same bytes.

use super::Viewer;
use crate::code::{code, function, listed, stmt, when, Stmt};
use crate::gen::{Gen, Hold};
use crate::parameter::parameter;
use crate::sheet::Sheet;
use aldis_schema::TypeId;

impl Viewer<'_, '_> {
    /// `same` of each record's view and value.
    pub fn comparisons(&self) -> Vec<Stmt> {
        let records: Vec<TypeId> = self.gen.records().collect();
        comparisons(self.gen, &self.namespace(), &self.by_use(&records))
    }
}

/// `same` of each record's view and value, in the views' namespace.
pub(crate) fn comparisons(gen: &Gen<'_>, views: &str, order: &[TypeId]) -> Vec<Stmt> {
    let mut sheet = Sheet::default();
    let parameters = |id: &TypeId| {
        let name = gen.names.of(*id);
        [parameter(code!("const {name}&"), "view"), parameter(code!("const {}&", gen.names.qualified(*id)), "value")]
    };
    order.iter().for_each(|id| sheet.add(*id, views, [stmt!("inline bool same({});", listed(parameters(id)))]));
    sheet.blank();
    for id in order {
        let mut body = vec![stmt!("using aldis::testee::same;")];
        if gen.notes_missing(*id) {
            let differ = code!("!(view.missing_fields() == value.missing_fields)");
            body.push(when(differ, vec![stmt!("return false;")]));
        }
        for index in 0..gen.schema.record(*id).fields.len() {
            let member = gen.names.member(*id, index);
            let mut differ = code!("!same(view.{member}(), value.{member})");
            if gen.hold(*id, index) == Hold::Noted {
                differ = code!("!value.missing_fields.has({index}) && {differ}");
            }
            body.push(when(differ, vec![stmt!("return false;")]));
        }
        body.push(stmt!("return true;"));
        sheet.add(
            *id,
            views,
            [function(code!("[[maybe_unused]] inline bool same"), &parameters(id), body), Stmt::Blank],
        );
    }
    sheet.print(gen)
}
