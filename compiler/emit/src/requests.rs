//! The requests of a schema whose answers can be told from one another: they and their answers have ids of one type.

use aldis_diagnostics::Diagnostic;
use aldis_schema::{Schema, Type, TypeId, TypeKind};

/// The requests that a language's clients wait for.
#[derive(Default)]
pub struct Requests<'a> {
    /// The type of ids.
    pub id: Option<&'a Type>,
    /// Each request with what answers it.
    pub answers: Vec<(TypeId, Vec<TypeId>)>,
    /// Each message that has an id, and its field.
    pub fields: Vec<(TypeId, usize)>,
}

impl<'a> Requests<'a> {
    /// Those among a module's own records, and warnings of the code for those that cannot be answered.
    pub fn of(schema: &'a Schema, is_own: impl Fn(TypeId) -> bool, code: &'static str) -> (Self, Vec<Diagnostic>) {
        let mut found = Self::default();
        let mut diagnostics = Vec::new();
        for (index, def) in schema.types.iter().enumerate() {
            let TypeKind::Record(record) = &def.kind else { continue };
            let id = TypeId(index as u32);
            let Some(request) = record.request.as_ref().filter(|_| is_own(id)) else { continue };
            let answers: Vec<TypeId> = request.response.iter().chain(&request.rejects).copied().collect();
            if answers.is_empty() {
                continue;
            }
            if let Err(problem) = found.add(schema, id, answers) {
                let message = format!("answers to `{}` cannot be told from one another", def.name.full());
                let warning = Diagnostic::warning(code, message, def.span, problem);
                diagnostics
                    .push(warning.help("mark one field of the request and of each answer as `[id]`, all of one type"));
            }
        }
        (found, diagnostics)
    }

    fn add(&mut self, schema: &'a Schema, request: TypeId, answers: Vec<TypeId>) -> Result<(), String> {
        let mut fields = Vec::new();
        let mut id = self.id;
        for &message in [request].iter().chain(&answers) {
            let full = schema.type_def(message).name.full();
            let field = id_field(schema, message).ok_or_else(|| format!("`{full}` has no id of its own type"))?;
            let ty = &schema.record(message).fields[field].ty;
            if *id.get_or_insert(ty) != ty {
                return Err(format!("the id of `{full}` is of another type than those before it"));
            }
            fields.push((message, field));
        }
        fields.retain(|field| !self.fields.contains(field));
        self.id = id;
        self.fields.extend(fields);
        self.answers.push((request, answers));
        Ok(())
    }
}

/// The field that correlates a message, where its values can be compared as they are.
fn id_field(schema: &Schema, message: TypeId) -> Option<usize> {
    let fields = &schema.record(message).fields;
    let field = fields.iter().position(|field| field.correlation)?;
    let comparable = match &fields[field].ty {
        Type::Int(_) | Type::Timestamp | Type::Uuid | Type::Text(_) | Type::Chars { .. } | Type::Char => true,
        Type::Named(id) => matches!(schema.type_def(*id).kind, TypeKind::Enum(_)),
        _ => false,
    };
    comparable.then_some(field)
}
