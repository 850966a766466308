//! What schema names are called in C++: namespace, types, fields, enumerants. Names stay as the schema spells them; one
//! that C++ cannot have gets an underscore behind it, one that is taken a number.

use crate::reserved::{is_keyword, is_taken_member, is_taken_type};
use aldis_emit::names::Scope;
use aldis_emit::Request;
use aldis_schema::{Schema, TypeDef, TypeId, TypeKind};

/// Where a type's name is written, which says what may hide it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Site {
    /// The level of the schema's namespace, or functions there.
    Namespace,
    /// The struct of a record, or a class for it, whose members hide types of their names.
    Record(TypeId),
    /// The writer of a record: besides, writers have the names of the records that they write.
    Writer(TypeId),
}

/// All names of one header.
#[derive(Debug)]
pub(crate) struct Names {
    /// The file's stem: `proto` of `proto.hpp`.
    pub module: String,
    /// `com::example`
    pub namespace: String,
    types: Vec<String>,
    /// By type: the fields of records, the arms of unions, the enumerants of enums and flags.
    members: Vec<Vec<String>>,
    /// By type: of unions, what their tags are called.
    tags: Vec<String>,
}

impl Names {
    /// Gives every type, field and enumerant its name.
    pub fn new(request: &Request<'_>, schema: &Schema, forms: &[String]) -> Self {
        let renamed = |full: &str| request.renames.iter().find(|(from, _)| from == full).map(|(_, to)| to.clone());
        let prefix = request.prefix.as_ref().map(|p| format!("{p}_")).unwrap_or_default();
        let mut scope = Scope::new(forms.iter().map(String::as_str), ());
        let mut types = Vec::new();
        let mut members = Vec::new();
        let mut tags = Vec::new();
        for def in &schema.types {
            let full = def.name.full();
            let wanted = renamed(&full).unwrap_or_else(|| format!("{prefix}{}", plain_name(schema, def)));
            let name = scope.fresh(&identifier(&wanted, is_taken_type), ());
            let mut inner = Scope::new([name.as_str()], ());
            let mut member = |own: &str| {
                let wanted = renamed(&format!("{full}.{own}")).unwrap_or_else(|| own.to_owned());
                inner.fresh(&identifier(&wanted, is_taken_member), ())
            };
            members.push(match &def.kind {
                TypeKind::Record(record) => record.fields.iter().map(|f| member(field_name(&f.name))).collect(),
                TypeKind::Enum(e) => e.values.iter().map(|v| member(&v.name)).collect(),
                TypeKind::Flags(f) => f.values.iter().map(|v| member(&v.name)).collect(),
                TypeKind::Union(union) => union.arms.iter().map(|arm| member(&arm.field.name)).collect(),
            });
            tags.push(match &def.kind {
                TypeKind::Union(_) => scope.fresh(&format!("{name}_tag"), ()),
                _ => String::new(),
            });
            types.push(name);
        }
        let module = module_name(request, schema);
        let namespace = namespace(request, schema, &module);
        Self { module, namespace, types, members, tags }
    }

    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    /// The enum of a union's tags.
    pub fn tags(&self, id: TypeId) -> &str {
        &self.tags[id.index()]
    }

    /// A record's field, a union's arm, or an enumerant.
    pub fn member(&self, id: TypeId, index: usize) -> &str {
        &self.members[id.index()][index]
    }

    /// The name of a data member that neither the record nor a field of it has: `place_`.
    pub fn private(&self, id: TypeId, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while name == self.of(id) || self.hides(id, &name) {
            name.insert_str(0, "own_");
        }
        name
    }

    /// `::com::example::Order`, which names the type wherever it stands.
    pub fn qualified(&self, id: TypeId) -> String {
        format!("::{}::{}", self.namespace, self.of(id))
    }

    /// Whether a member of the record is called so.
    pub fn hides(&self, id: TypeId, name: &str) -> bool {
        self.members[id.index()].iter().any(|member| member == name)
    }
}

/// A field's name; one for the union that has none in its record.
fn field_name(name: &str) -> &str {
    if name.is_empty() {
        "choice"
    } else {
        name
    }
}

/// A type's name without prefix: its path and, where another package has a type of that name, the package that it is
/// imported from in front.
fn plain_name(schema: &Schema, def: &TypeDef) -> String {
    let parts: Vec<&str> = def.name.path.iter().map(|part| field_name(part)).collect();
    let own = parts.join("_");
    let shared = schema.types.iter().any(|other| other.name.path == def.name.path && other.name != def.name);
    if shared && def.name.package != schema.package {
        format!("{}_{own}", def.name.package.replace('.', "_"))
    } else {
        own
    }
}

/// The name with what C++ does not take in identifiers as underscores.
fn identifier(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut clean = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        // Two underscores in a row belong to the compiler.
        if c != '_' || !clean.ends_with('_') {
            clean.push(c);
        }
    }
    // What follows a name's last bracket says nothing.
    let clean = if name.ends_with(')') { clean.trim_end_matches('_').to_owned() } else { clean };
    // So do names that begin with one, where a capital follows or the name is global.
    let clean = if clean.starts_with(|c: char| c.is_ascii_alphabetic()) {
        clean
    } else {
        format!("v{}{clean}", if clean.starts_with('_') { "" } else { "_" })
    };
    if is_taken(&clean) {
        format!("{}_", clean.trim_end_matches('_'))
    } else {
        clean
    }
}

fn module_name(request: &Request<'_>, schema: &Schema) -> String {
    let source = if schema.package.is_empty() { &request.stem } else { &schema.package };
    let wanted = request.name.clone().unwrap_or_else(|| source.to_lowercase());
    wanted.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

/// The package, a namespace for each of its parts.
fn namespace(request: &Request<'_>, schema: &Schema, module: &str) -> String {
    let whole = match (&request.name, schema.package.is_empty()) {
        (None, false) => schema.package.clone(),
        _ => module.to_owned(),
    };
    let is_taken = |name: &str| is_keyword(name) || ["std", "aldis", "posix"].contains(&name);
    let parts: Vec<String> = whole.split('.').map(|part| identifier(part, is_taken)).collect();
    parts.join("::")
}

#[cfg(test)]
mod tests {
    use super::identifier;
    use crate::reserved::is_taken_type;

    #[test]
    fn names_that_cpp_cannot_have_are_changed_as_little_as_possible() {
        let cases = [
            ("Order", "Order"),
            ("class", "class_"),
            ("std", "std_"),
            ("2nd", "v_2nd"),
            ("_x", "v_x"),
            ("a__b", "a_b"),
            ("a-b", "a_b"),
        ];
        for (name, wanted) in cases {
            assert_eq!(identifier(name, is_taken_type), wanted);
        }
    }
}
