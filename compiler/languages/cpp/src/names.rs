//! The C++ names of a schema: namespace, types, fields, enumerants. Names stay as the schema spells them; one
//! that C++ cannot have gets an underscore behind it, one that is taken a number.

use crate::reserved::{is_taken_enumerant, is_taken_member, is_taken_namespace, is_taken_type};
use aldis_emit::names::Scope;
use aldis_emit::{Module, Modules, Request};
use aldis_schema::{Schema, TypeDef, TypeId, TypeKind};

/// The place in which a type's name is written, which says what may hide it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Site {
    /// The level of the schema's namespace, or functions there.
    Namespace,
    /// The struct of a record, or a class for it, whose members hide types of their names.
    Record(TypeId),
    /// The writer of a record: besides, writers have the names of the records that they write.
    Writer(TypeId),
}

/// A schema that types are imported from, as its own code calls it.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The folder of its headers.
    pub module: String,
    pub namespace: String,
    pub digest: String,
    scope: Scope<()>,
}

/// All names of one schema's headers.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// The file's stem: `proto` of `proto.hpp`.
    pub module: String,
    /// `com::example`
    pub namespace: String,
    /// Digest of the schema and of the options, where other schemas can refer to it.
    pub digest: Option<String>,
    /// The other schemas that types are imported from.
    pub imported: Vec<Imported>,
    /// By type: the imported schema that it is of; `None` where it is of this one.
    origins: Vec<Option<usize>>,
    /// By type: what this schema calls it beside its own, as an alias or a message.
    labels: Vec<String>,
    types: Vec<String>,
    /// By type: the fields of records, the arms of unions, the enumerants of enums and flags.
    members: Vec<Vec<String>>,
    /// By type: the places of its members, in the order of their names.
    by_name: Vec<Vec<u32>>,
    /// By type and field: what views call the kind of value that the field is.
    kinds: Vec<Vec<String>>,
    /// By type: of unions, what their tags are called.
    tags: Vec<String>,
}

impl Names {
    /// Gives every type, field and enumerant its name.
    pub fn new(request: &Request<'_>, schema: &Schema, forms: &[String]) -> Self {
        let taken = || Scope::new(forms.iter().map(String::as_str), ());
        let (mut own, modules) = (taken(), Modules::new(request, schema));
        let mut found = Self { digest: modules.root().map(|root| root.digest.clone()), ..Self::default() };
        for (index, def) in schema.types.iter().enumerate() {
            let path: Vec<&str> = def.name.path.iter().map(|part| field_name(part)).collect();
            let path = path.join("_");
            let origin = modules.of(TypeId(index as u32)).map(|module| found.origin(module, def, taken));
            let wanted = match origin {
                // As the schema itself calls it.
                Some(_) => request.own_type_name(def, path.clone()),
                None => request.type_name(schema, def, path.clone()),
            };
            let scope = origin.map_or(&mut own, |origin| &mut found.imported[origin].scope);
            let name = with_derived(scope, &identifier(&wanted, is_taken_type), &def.kind);
            let is_taken = match def.kind {
                TypeKind::Enum(_) | TypeKind::Flags(_) => is_taken_enumerant,
                TypeKind::Record(_) | TypeKind::Union(_) => is_taken_member,
            };
            let mut inner = Scope::new([name.as_str()], ());
            let mut members = Vec::new();
            for own in own_names(&def.kind) {
                members.push(inner.fresh(&identifier(&request.member_name(def, own), is_taken), ()));
            }
            let kind = |member: &String| inner.fresh(&format!("{}_kind", member.trim_end_matches('_')), ());
            found.kinds.push(members.iter().map(kind).collect());
            let mut sorted: Vec<u32> = (0..members.len() as u32).collect();
            sorted.sort_unstable_by_key(|place| &members[*place as usize]);
            found.by_name.push(sorted);
            found.members.push(members);
            found.tags.push(match &def.kind {
                TypeKind::Union(_) => {
                    let scope = origin.map_or(&mut own, |origin| &mut found.imported[origin].scope);
                    scope.fresh(&format!("{name}_tag"), ())
                }
                _ => String::new(),
            });
            found.types.push(name);
            found.origins.push(origin);
        }
        // The types of this schema itself come first.
        for (index, def) in schema.types.iter().enumerate() {
            let label = match found.origins[index] {
                None => found.types[index].clone(),
                Some(_) => {
                    let wanted = request.type_name(schema, def, found.types[index].clone());
                    own.fresh(&identifier(&wanted, is_taken_type), ())
                }
            };
            found.labels.push(label);
        }
        let module = request.module_name(schema);
        let namespace = namespace(request, schema, &module);
        Self { module, namespace, ..found }
    }

    /// The schema that a type is imported from, among [`Names::imported`], adding it where it is new.
    fn origin(&mut self, module: &Module, def: &TypeDef, taken: impl Fn() -> Scope<()>) -> usize {
        let known = self.imported.iter().position(|known| known.module == module.name);
        known.unwrap_or_else(|| {
            let package = &def.name.package;
            let namespace = namespace_of(if package.is_empty() { &module.name } else { package });
            let (module, digest) = (module.name.clone(), module.digest.clone());
            self.imported.push(Imported { module, namespace, digest, scope: taken() });
            self.imported.len() - 1
        })
    }

    /// A type's name in the namespace of its schema.
    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    /// The name that this schema has for a type, which may be another's.
    pub fn label(&self, id: TypeId) -> &str {
        &self.labels[id.index()]
    }

    /// The imported schema that a type is of; `None` where it is of this one.
    pub fn origin_of(&self, id: TypeId) -> Option<usize> {
        self.origins[id.index()]
    }

    /// The folder of a schema's headers.
    pub fn folder(&self, origin: Option<usize>) -> &str {
        origin.map_or(&self.module, |origin| &self.imported[origin].module)
    }

    /// The namespace of a type's schema.
    pub fn space(&self, id: TypeId) -> &str {
        self.origin_of(id).map_or(&self.namespace, |origin| &self.imported[origin].namespace)
    }

    /// The enum of a union's tags.
    pub fn tags(&self, id: TypeId) -> &str {
        &self.tags[id.index()]
    }

    /// A record's field, a union's arm, or an enumerant.
    pub fn member(&self, id: TypeId, index: usize) -> &str {
        &self.members[id.index()][index]
    }

    /// The alias of a field's kind in a view: `orders_kind`.
    pub fn kind(&self, id: TypeId, index: usize) -> &str {
        &self.kinds[id.index()][index]
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
        format!("::{}::{}", self.space(id), self.of(id))
    }

    /// Whether a member of the record is called so.
    pub fn hides(&self, id: TypeId, name: &str) -> bool {
        let place = |place: &u32| self.member(id, *place as usize).cmp(name);
        self.by_name[id.index()].binary_search_by(place).is_ok()
    }
}

/// Takes the first of `wanted`, `wanted_2` and so on that is free together with the names which generated code makes of it.
fn with_derived(scope: &mut Scope<()>, wanted: &str, kind: &TypeKind) -> String {
    let mut number = 1;
    loop {
        let name = if number == 1 { wanted.to_owned() } else { format!("{wanted}_{number}") };
        let derived = derived_names(&name, kind);
        if derived.iter().chain([&name]).all(|name| scope.owner(name).is_none()) {
            derived.iter().for_each(|name| {
                scope.fresh(name, ());
            });
            return scope.fresh(&name, ());
        }
        number += 1;
    }
}

/// The functions and tables of a type, which stand beside other types or hide them.
fn derived_names(name: &str, kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Enum(_) => vec![format!("{name}_names")],
        TypeKind::Flags(_) => vec![format!("{name}_names"), format!("{name}_bits")],
        TypeKind::Record(_) | TypeKind::Union(_) => {
            let mut names = ["read", "size", "write", "verify", "block", "cuts", "lacks"]
                .map(|verb| format!("{verb}_{name}"))
                .to_vec();
            names.push(format!("read_{name}_block"));
            names
        }
    }
}

/// The schema's names of a type's fields, arms or enumerants.
fn own_names(kind: &TypeKind) -> Vec<&str> {
    match kind {
        TypeKind::Record(record) => record.fields.iter().map(|field| field_name(&field.name)).collect(),
        TypeKind::Union(union) => union.arms.iter().map(|arm| arm.field.name.as_str()).collect(),
        TypeKind::Enum(e) => e.values.iter().map(|value| value.name.as_str()).collect(),
        TypeKind::Flags(flags) => flags.values.iter().map(|value| value.name.as_str()).collect(),
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
    // Text behind a name's last bracket says nothing.
    let clean = if name.ends_with(')') { clean.trim_end_matches('_').to_owned() } else { clean };
    // So do names that begin with one, where a capital follows or the name is global.
    let clean = if clean.starts_with(|c: char| c.is_ascii_alphabetic()) {
        clean
    } else {
        format!("v{}{clean}", if clean.starts_with('_') { "" } else { "_" })
    };
    let with_one = format!("{}_", clean.trim_end_matches('_'));
    match (is_taken(&clean), is_taken(&with_one)) {
        (false, _) => clean,
        (true, false) => with_one,
        // Private members of classes end with an underscore.
        (true, true) => format!("{with_one}2"),
    }
}

/// The package, a namespace for each of its parts.
fn namespace(request: &Request<'_>, schema: &Schema, module: &str) -> String {
    let whole = match (&request.name, schema.package.is_empty()) {
        (None, false) => schema.package.clone(),
        _ => module.to_owned(),
    };
    namespace_of(&whole)
}

fn namespace_of(whole: &str) -> String {
    let part = |(index, part)| identifier(part, |name| is_taken_namespace(name, index == 0));
    let parts: Vec<String> = whole.split('.').enumerate().map(part).collect();
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
            ("size", "size_"),
            ("place", "place_2"),
        ];
        for (name, wanted) in cases {
            assert_eq!(identifier(name, is_taken_type), wanted);
        }
    }
}
