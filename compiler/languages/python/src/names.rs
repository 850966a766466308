//! Schema names in Python. They stay as the schema spells them, but for those that Python, or the code around them, needs.

use crate::py::Stmt;
use aldis_emit::names::Scope;
use aldis_emit::{Modules, Request};
use aldis_plan::Plan;
use aldis_schema::{Schema, TypeDef, TypeId, TypeKind};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The option that says in which package the generated ones lie.
pub(crate) const PARENT: &str = "parent";

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
const USED: &str = "Buffer CodecError Decimal IntEnum IntFlag SignedFlag Limits MISSING Message Opaque TypeAlias UUID UnknownArm TYPE_CHECKING \
    _LIMITS _SCHEMA _linked _NEW _Record _ODD _careful _codec _needs bool bytes chr classmethod decode decode_canonical \
    decode_final decode_packed dict float int isinstance len list set staticmethod str stream tuple";

/// Packages that generated code imports, and would hide.
const PACKAGES: [&str; 8] = ["aldis", "dataclasses", "decimal", "enum", "functools", "struct", "typing", "uuid"];

/// Names that classes of messages have.
const METHODS: [&str; 5] = ["decode", "dict", "encode", "json", "verify"];

/// More of these, whose words are those of many fields.
const VIEWS: [&str; 4] = ["view", "view_canonical", "view_final", "view_packed"];

/// Names that classes of numbers have.
const OF_NUMBERS: &str = "as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer mro name names numerator real to_bytes \
    value values";

/// Names of types alone: classes are imported behind an underscore, where generated code has these too.
const BEHIND: [&str; 10] =
    ["capnp", "capnp_canonical", "capnp_packed", "careful", "codec", "fbe", "fbe_final", "r", "s", "sbe"];

/// Names that generated code has for itself.
pub(crate) static TAKEN: LazyLock<Vec<&str>> =
    LazyLock::new(|| KEYWORDS.iter().copied().chain(USED.split(' ')).collect());

/// Names that no type can have.
pub(crate) static TAKEN_OF_TYPES: LazyLock<Vec<&str>> =
    LazyLock::new(|| TAKEN.iter().chain(&BEHIND).copied().collect());

/// All names of one schema's package.
#[derive(Clone)]
pub(crate) struct Names {
    /// The package.
    pub module: String,
    /// The digest that packages which import this one know it by.
    pub digest: String,
    /// The packages of imported schemas.
    pub imported: Vec<Imported>,
    types: Vec<String>,
    members: Vec<Vec<String>>,
    /// By type: the package that it is imported from.
    owners: Vec<Option<usize>>,
    /// Classes with another name here: the number of the package that they are imported from, or none for this one, its name for the
    /// class, and the name here.
    respelt: Vec<(Option<usize>, String, String)>,
}

/// The package of an imported schema.
#[derive(Clone)]
pub(crate) struct Imported {
    name: String,
    /// Its name with the packages around it.
    pub path: String,
    pub digest: String,
}

impl Imported {
    /// The name that it has in the package which imports it. No name of a schema's is such, and classes do not change it.
    pub fn alias(&self) -> String {
        format!("__{}__", self.name)
    }
}

impl Names {
    pub fn new(request: &Request<'_>, schema: &Schema) -> Self {
        let modules = Modules::new(request, schema);
        let mut names = Self {
            module: package(request.module_name(schema)),
            digest: modules.root().map(|root| root.digest.clone()).unwrap_or_default(),
            imported: Vec::new(),
            types: Vec::new(),
            members: Vec::new(),
            owners: Vec::new(),
            respelt: Vec::new(),
        };
        // A package calls its types alike whoever imports it.
        let mut scopes: BTreeMap<Option<usize>, Scope<()>> = BTreeMap::new();
        for (index, def) in schema.types.iter().enumerate() {
            let owner = modules.of(TypeId(index as u32)).map(|module| names.import(request, module));
            let own = def.name.path.join("_");
            let wanted = match owner.is_some() || def.name.package == schema.package {
                true => request.own_type_name(def, own),
                false => request.type_name(schema, def, own),
            };
            let scope = scopes.entry(owner).or_insert_with(|| Scope::new(TAKEN_OF_TYPES.iter().copied(), ()));
            names.types.push(fresh(scope, &wanted, &TAKEN_OF_TYPES));
            names.owners.push(owner);
        }
        for (index, def) in schema.types.iter().enumerate() {
            let members = match (&def.kind, scopes.get_mut(&names.owners[index])) {
                (TypeKind::Union(_), Some(scope)) => names.arms(request, index, def, scope),
                _ => names.inner(request, &names.owners[index], def),
            };
            names.members.push(members);
        }
        names
    }

    /// The number of a schema's package among those that are imported.
    fn import(&mut self, request: &Request<'_>, module: &aldis_emit::Module) -> usize {
        let known = self.imported.iter().position(|known| known.name == module.name);
        known.unwrap_or_else(|| {
            let parent = request.option(PARENT).map(|parent| format!("{parent}.")).unwrap_or_default();
            let path = format!("{parent}{}", package(module.name.clone()));
            self.imported.push(Imported { name: module.name.clone(), path, digest: module.digest.clone() });
            self.imported.len() - 1
        })
    }

    /// The same names where each class is said after its package, and so looked up when it is needed: packages can import one another.
    pub fn qualified(&self, schema: &Schema) -> Self {
        self.respelt(schema, |imported, own| format!("{}.{own}", imported.alias()))
    }

    /// The same names where all classes are in one scope.
    pub fn flat(&self, schema: &Schema) -> Self {
        let mut scope = Scope::new(self.all().map(String::as_str), ());
        self.respelt(schema, |imported, own| scope.fresh(&format!("{}_{own}", imported.name), ()))
    }

    fn respelt(&self, schema: &Schema, mut spell: impl FnMut(&Imported, &str) -> String) -> Self {
        let mut found = self.clone();
        for (index, owner) in self.owners.iter().enumerate() {
            let Some(owner) = *owner else { continue };
            let classes: &mut [String] = match schema.types[index].kind {
                TypeKind::Union(_) => &mut found.members[index],
                _ => &mut [],
            };
            for class in classes.iter_mut().chain([&mut found.types[index]]) {
                let plain = std::mem::replace(class, spell(&self.imported[owner], class));
                found.respelt.push((Some(owner), plain, class.clone()));
            }
        }
        found
    }

    /// The same names where a module uses names of its own: those here, and all that begin with an underscore. Classes that are called so
    /// are imported under others.
    pub fn apart(&self, schema: &Schema, used: &[&str]) -> Self {
        let mut found = self.clone();
        let mut scope = Scope::new(self.all().map(String::as_str).chain(used.iter().copied()), ());
        for (index, def) in schema.types.iter().enumerate() {
            let classes: &mut [String] = match def.kind {
                TypeKind::Union(_) => &mut found.members[index],
                _ => &mut [],
            };
            let all = classes.iter_mut().chain([&mut found.types[index]]);
            for class in all.filter(|class| class.starts_with('_') || used.contains(&class.as_str())) {
                let plain = std::mem::replace(class, scope.fresh(&format!("x_{}", class.trim_start_matches('_')), ()));
                match found.respelt.iter_mut().find(|(.., own)| *own == plain) {
                    Some((.., own)) => own.clone_from(class),
                    None => found.respelt.push((None, plain, class.clone())),
                }
            }
        }
        found
    }

    /// Whether the type's class is of this package.
    pub fn is_own(&self, id: TypeId) -> bool {
        self.owners[id.index()].is_none()
    }

    /// The statements that import these classes, each with a prefix for its name.
    pub fn imports(&self, prefix: &str, classes: &[String]) -> Vec<Stmt> {
        let named = |from: &String, own: &String| (from.clone(), format!("{prefix}{own}"));
        let respelt = |own: &String| self.respelt.iter().find(|(.., spelt)| spelt == own);
        let own = classes.iter().filter_map(|own| match respelt(own) {
            None => Some(named(own, own)),
            Some((None, from, own)) => Some(named(from, own)),
            Some((Some(_), ..)) => None,
        });
        let own = Stmt::From { module: ".".to_owned(), names: own.collect() };
        let others = self.imported.iter().enumerate().map(|(index, imported)| {
            let names = classes.iter().filter_map(respelt).filter(|(owner, ..)| *owner == Some(index));
            Stmt::From { module: imported.path.clone(), names: names.map(|(_, from, own)| named(from, own)).collect() }
        });
        let is_needed = |of: &Stmt| matches!(of, Stmt::From { names, .. } if !names.is_empty());
        [own].into_iter().chain(others).filter(is_needed).collect()
    }

    /// The names of all types, arms, fields and enumerants.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.types.iter().chain(self.members.iter().flatten())
    }

    /// The classes of a union's arms.
    fn arms(&self, request: &Request<'_>, index: usize, def: &TypeDef, scope: &mut Scope<()>) -> Vec<String> {
        let TypeKind::Union(union) = &def.kind else { return Vec::new() };
        let wanted = |own: &str| format!("{}_{}", self.types[index], request.member_name(def, own));
        union.arms.iter().map(|arm| fresh(scope, &wanted(&arm.field.name), &TAKEN_OF_TYPES)).collect()
    }

    /// The fields of a record, the values of an enum or of flags.
    fn inner(&self, request: &Request<'_>, owner: &Option<usize>, def: &TypeDef) -> Vec<String> {
        let wanted: Vec<&str> = match &def.kind {
            TypeKind::Record(record) => record.fields.iter().map(|field| field.name.as_str()).collect(),
            TypeKind::Enum(of) => of.values.iter().map(|value| value.name.as_str()).collect(),
            TypeKind::Flags(of) => of.values.iter().map(|value| value.name.as_str()).collect(),
            TypeKind::Union(_) => Vec::new(),
        };
        let is_record = matches!(def.kind, TypeKind::Record(_));
        let taken: Vec<&str> = if is_record {
            let types = self.types.iter().zip(&self.owners).filter(|(_, of)| *of == owner).map(|(own, _)| own.as_str());
            TAKEN.iter().copied().chain(["self"]).chain(VIEWS).chain(types).collect()
        } else {
            KEYWORDS.iter().copied().chain(OF_NUMBERS.split(' ')).collect()
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

/// The name of a package, which is none of the packages that generated code imports.
fn package(mut name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) || PACKAGES.contains(&name.as_str()) {
        name.push('_');
    }
    name
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
    let clean = aldis_emit::names::identifier(name);
    // In a class such names are others.
    match clean.starts_with("__") {
        true => format!("x{clean}"),
        false => clean,
    }
}

/// A name that tells forms apart.
pub(crate) fn suffixed(own: &str, plan: &Plan) -> String {
    match plan.form.suffix.as_str() {
        "" => own.to_owned(),
        suffix => format!("{own}_{suffix}"),
    }
}
