//! Errors about what a back end cannot generate.

use crate::Generated;
use aldis_diagnostics::Diagnostic;
use aldis_plan::Plan;
use aldis_schema::{Schema, TypeDef, TypeId, TypeKind};

/// A back end as its refusals name it.
#[derive(Clone, Copy, Debug)]
pub struct Refusals {
    /// `C++`
    pub language: &'static str,
    /// `cpp`, as `--lang` takes it.
    pub name: &'static str,
}

impl Refusals {
    /// The plans of forms that the back end knows.
    ///
    /// # Errors
    /// The refusal with that code, where there is none.
    pub fn known<'p>(
        &self,
        code: &'static str,
        plans: &'p [Plan],
        forms: &[&str],
    ) -> Result<Vec<&'p Plan>, Diagnostic> {
        let known: Vec<&Plan> = plans.iter().filter(|plan| forms.contains(&plan.form.name.as_str())).collect();
        if !known.is_empty() {
            return Ok(known);
        }
        let names: Vec<&str> = plans.iter().map(|plan| plan.form.name.as_str()).collect();
        let message = format!("the {} back end cannot generate codecs of form {} yet", self.language, names.join(", "));
        let help = format!("it knows {}; leave --lang {} out for this schema", forms.join(", "), self.name);
        Err(Diagnostic::placeless(code, message).help(help))
    }

    /// The plans of forms that the back end knows, of a schema that it can generate; never empty.
    ///
    /// # Errors
    /// The refusals alone, with the first code where there is no such form, with the second one of records that are too wide.
    pub fn plans<'p>(
        &self,
        [form, fields]: [&'static str; 2],
        plans: &'p [Plan],
        forms: &[&str],
    ) -> Result<Vec<&'p Plan>, Generated> {
        let refused = |diagnostics| Generated { diagnostics, ..Generated::default() };
        let known = self.known(form, plans, forms).map_err(|none| refused(vec![none]))?;
        let wide = self.wide(fields, &known[0].schema);
        if wide.is_empty() {
            Ok(known)
        } else {
            Err(refused(wide))
        }
    }

    /// The refusal of a record, with that code; `problem` says what it has that the back end does not know.
    pub fn record(&self, code: &'static str, plan: &Plan, record: TypeId, problem: &str) -> Diagnostic {
        let def = plan.schema.type_def(record);
        let (language, form) = (self.language, &plan.form.name);
        let message = format!("the {language} back end cannot generate `{}` in form {form}", def.name.full());
        Diagnostic::error(code, message, def.span, problem)
            .help(format!("leave --lang {} out for this schema", self.name))
    }

    /// The most fields of a record in back ends whose time grows faster than a record's fields; compilers of such code take longer still.
    pub const MOST_FIELDS: usize = 4096;

    /// A refusal with that code for each record of more fields.
    #[must_use]
    pub fn wide(&self, code: &'static str, schema: &Schema) -> Vec<Diagnostic> {
        let wide = schema.types.iter().filter_map(|def| match &def.kind {
            TypeKind::Record(record) if record.fields.len() > Self::MOST_FIELDS => Some((def, record.fields.len())),
            _ => None,
        });
        let refused = |(def, count): (&TypeDef, usize)| {
            let name = def.name.full();
            let message = format!("`{name}` has {count} fields, more than the {} back end generates", self.language);
            Diagnostic::error(code, message, def.span, format!("more than {}", Self::MOST_FIELDS))
                .help("put some of them into records of their own, or use a list")
        };
        wide.map(refused).collect()
    }
}
