//! Schema names in Python. They stay as the schema spells them, but for those that Python, or the code around them, needs.

use aldis_emit::names::{underscored, Scope};
use aldis_emit::Request;
use aldis_plan::Plan;
use aldis_schema::{Schema, TypeDef, TypeId, TypeKind};
use std::sync::LazyLock;

/// The variable of a wire form.
pub(crate) fn form_name(plan: &Plan) -> String {
    plan.form.name.replace('-', "_")
}

/// Words that no name can be.
pub(crate) const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Names that generated code uses: builtins, and what it imports.
const USED: [&str; 40] = [
    "Buffer",
    "CodecError",
    "Decimal",
    "IntEnum",
    "IntFlag",
    "SignedFlag",
    "Limits",
    "MISSING",
    "Message",
    "Opaque",
    "TypeAlias",
    "UUID",
    "UnknownArm",
    "TYPE_CHECKING",
    "_LIMITS",
    "_NEW",
    "_Record",
    "_ODD",
    "_careful",
    "_codec",
    "_needs",
    "bool",
    "bytes",
    "chr",
    "classmethod",
    "decode",
    "decode_canonical",
    "decode_final",
    "decode_packed",
    "dict",
    "float",
    "int",
    "isinstance",
    "len",
    "list",
    "set",
    "staticmethod",
    "str",
    "stream",
    "tuple",
];

/// Packages that generated code imports, and would hide.
const PACKAGES: [&str; 8] = ["aldis", "dataclasses", "decimal", "enum", "functools", "struct", "typing", "uuid"];

/// Names that classes of messages have.
const METHODS: [&str; 5] = ["decode", "dict", "encode", "json", "verify"];

/// Names that classes of numbers have.
const OF_NUMBERS: [&str; 16] = [
    "as_integer_ratio",
    "bit_count",
    "bit_length",
    "conjugate",
    "denominator",
    "from_bytes",
    "imag",
    "is_integer",
    "mro",
    "name",
    "names",
    "numerator",
    "real",
    "to_bytes",
    "value",
    "values",
];

/// Names that no type can have.
pub(crate) static TAKEN: LazyLock<Vec<&str>> = LazyLock::new(|| KEYWORDS.iter().chain(&USED).copied().collect());

/// All names of one schema's package.
pub(crate) struct Names {
    /// The package.
    pub module: String,
    types: Vec<String>,
    members: Vec<Vec<String>>,
}

impl Names {
    pub fn new(request: &Request<'_>, schema: &Schema) -> Self {
        let mut scope = Scope::new(TAKEN.iter().copied(), ());
        let types: Vec<String> = schema
            .types
            .iter()
            .map(|def| fresh(&mut scope, &request.type_name(schema, def, def.name.path.join("_")), &TAKEN))
            .collect();
        let mut module = request.module_name(schema);
        if KEYWORDS.contains(&module.as_str()) || PACKAGES.contains(&module.as_str()) {
            module.push('_');
        }
        let mut names = Self { module, types, members: Vec::new() };
        for (index, def) in schema.types.iter().enumerate() {
            let members = match &def.kind {
                TypeKind::Union(_) => names.arms(request, index, def, &mut scope),
                _ => names.inner(request, def),
            };
            names.members.push(members);
        }
        names
    }

    /// The names of all types, arms, fields and enumerants.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.types.iter().chain(self.members.iter().flatten())
    }

    /// The classes of a union's arms.
    fn arms(&self, request: &Request<'_>, index: usize, def: &TypeDef, scope: &mut Scope<()>) -> Vec<String> {
        let TypeKind::Union(union) = &def.kind else { return Vec::new() };
        let wanted = |own: &str| format!("{}_{}", self.types[index], request.member_name(def, own));
        union.arms.iter().map(|arm| fresh(scope, &wanted(&arm.field.name), &TAKEN)).collect()
    }

    /// The fields of a record, the values of an enum or of flags.
    fn inner(&self, request: &Request<'_>, def: &TypeDef) -> Vec<String> {
        let (wanted, more): (Vec<&str>, &[&str]) = match &def.kind {
            TypeKind::Record(record) => (record.fields.iter().map(|field| field.name.as_str()).collect(), &[]),
            TypeKind::Enum(of) => (of.values.iter().map(|value| value.name.as_str()).collect(), &OF_NUMBERS),
            TypeKind::Flags(of) => (of.values.iter().map(|value| value.name.as_str()).collect(), &OF_NUMBERS),
            TypeKind::Union(_) => (Vec::new(), &[]),
        };
        let is_record = matches!(def.kind, TypeKind::Record(_));
        let taken: Vec<&str> = if is_record {
            TAKEN.iter().copied().chain(["self"]).chain(self.types.iter().map(String::as_str)).collect()
        } else {
            KEYWORDS.iter().chain(more).copied().collect()
        };
        let mut scope = Scope::new(taken.iter().copied(), ());
        let mut own = |name: &str| match name {
            // A union without a name.
            "" => fresh(&mut scope, "choice", &taken),
            name => {
                let name = request.member_name(def, name);
                let is_method = is_record && METHODS.iter().any(|method| is_called(&name, method));
                let is_special = !is_record && name.starts_with('_');
                let wanted = match (is_method, is_special) {
                    (true, _) => format!("{name}_"),
                    (_, true) => format!("x{name}"),
                    _ => name,
                };
                fresh(&mut scope, &wanted, &taken)
            }
        };
        wanted.into_iter().map(&mut own).collect()
    }

    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    /// Fields of a record, values of an enum or flags, classes of a union's arms.
    pub fn members(&self, id: TypeId) -> &[String] {
        &self.members[id.index()]
    }
}

/// Whether a name is one of a family of methods: `encode`, `encode_final`, `to_json`.
fn is_called(name: &str, method: &str) -> bool {
    name.split('_').any(|word| word == method)
}

fn fresh(scope: &mut Scope<()>, wanted: &str, taken: &[&str]) -> String {
    let clean = identifier(wanted);
    if taken.contains(&clean.as_str()) {
        return scope.fresh(&format!("{clean}_"), ());
    }
    scope.fresh(&clean, ())
}

/// The name with underscores in the place of what identifiers do not take.
pub(crate) fn identifier(name: &str) -> String {
    let clean = underscored(name);
    if clean.is_empty() || clean.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{clean}")
    } else if clean.starts_with("__") {
        // In a class such names are others.
        format!("x{clean}")
    } else {
        clean
    }
}

/// A name that tells forms apart.
pub(crate) fn suffixed(own: &str, plan: &Plan) -> String {
    match plan.form.suffix.as_str() {
        "" => own.to_owned(),
        suffix => format!("{own}_{suffix}"),
    }
}
