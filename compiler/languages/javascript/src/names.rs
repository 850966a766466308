//! Schema names in JavaScript. Fields and enumerants stay as the schema spells them, being properties; types, and
//! the functions that are called after them, are identifiers at the module's top.

use crate::js::{import_all, name, Expr, Stmt};
use aldis_emit::names::{capital, identifier, Scope};
use aldis_emit::{Module as Imported, Modules, Request};
use aldis_schema::{Schema, TypeDef, TypeId, TypeKind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// All names of one schema's modules.
pub(crate) struct Names {
    /// The files' stem: `proto` of `proto.js`.
    pub module: String,
    /// The end of the files' names, `.js` or `.ts`, and what it is where a module is imported.
    ending: &'static str,
    imported: &'static str,
    pub modules: Modules,
    /// The modules that names were taken from since somebody asked.
    used: RefCell<Taken>,
    types: Vec<String>,
    /// By type: its path in the schema, as links have it.
    paths: Vec<String>,
    fields: Vec<Vec<String>>,
    /// The names that are taken at a module's top.
    scope: Scope<()>,
}

/// Names of other schemas' modules, each of those of JSON or of those of all else.
pub(crate) type Taken = BTreeSet<(String, bool)>;

/// A declaration of this module, or of another schema's.
pub(crate) enum Known {
    Own(String),
    Imported(String),
}

impl Known {
    /// It as a module sees it that knows this one as `alias`.
    pub fn within(&self, alias: &str) -> Expr {
        match self {
            Known::Own(own) => name(format!("{alias}.{own}")),
            Known::Imported(imported) => name(imported.as_str()),
        }
    }
}

/// Words that no declaration can be called, and what generated code calls by that name.
pub(crate) static TAKEN: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "\
        abstract any arguments Array as async await BigInt bigint BigInt64Array BigUint64Array boolean break case catch \
        class CodecError const continue debugger Decimal declare decode default delete do Draft else encode enum eval export \
        extends false finally Float32Array Float64Array for from function get globalThis identify if implements import \
        in Infinity instanceof Int16Array Int32Array Int8Array interface let Limits Map Math Message NaN never new null \
        Number number o Object of Opaque package private protected public r readonly return Set set static String string \
        super switch symbol t this throw true try type typeof Uint16Array Uint32Array Uint8Array undefined unknown var \
        void w while with yield"
    .split(' ')
    .collect()
});

impl Names {
    pub fn new(request: &Request<'_>, schema: &Schema) -> Self {
        let mut names = Self {
            module: request.module_name(schema),
            ending: if is_typescript(request) { ".ts" } else { ".js" },
            imported: import_ending(request),
            modules: Modules::new(request, schema),
            used: RefCell::default(),
            types: Vec::new(),
            paths: Vec::new(),
            fields: Vec::new(),
            scope: Scope::new(TAKEN.iter().copied(), ()),
        };
        let path = |(index, def): (usize, &TypeDef)| {
            let path = linked(&def.name.path);
            // A type that is ours though another file declares it may have the path of a type of this file.
            let is_moved = names.is_own(TypeId(index as u32)) && def.name.package != schema.package;
            if is_moved {
                format!("{path}${index}")
            } else {
                path
            }
        };
        names.paths = schema.types.iter().enumerate().map(path).collect();
        let mut imported: BTreeMap<String, Scope<()>> = BTreeMap::new();
        for (index, def) in schema.types.iter().enumerate() {
            let wanted = def.name.path.join("_");
            let name = match names.modules.of(TypeId(index as u32)) {
                // As the module itself calls it.
                Some(Imported { name: module, .. }) => {
                    let scope = imported.entry(module.clone());
                    let scope = scope.or_insert_with(|| Scope::new(TAKEN.iter().copied(), ()));
                    format!("{}.{}", alias(module, false), free(scope, &request.own_type_name(def, wanted)))
                }
                None => {
                    let wanted = request.type_name(schema, def, wanted);
                    names.fresh(&wanted)
                }
            };
            names.types.push(name);
            let mut members = Scope::new([], ());
            let own = match &def.kind {
                TypeKind::Record(record) => record.fields.as_slice(),
                _ => &[],
            };
            // A union without a name.
            let spelt = |own: String| if own.is_empty() { "choice".to_owned() } else { own };
            let own = own.iter().map(|field| members.fresh(&spelt(request.member_name(def, &field.name)), ()));
            names.fields.push(own.collect());
        }
        names
    }

    /// Takes a name at a module's top.
    pub fn fresh(&mut self, wanted: &str) -> String {
        free(&mut self.scope, wanted)
    }

    pub fn of(&self, id: TypeId) -> &str {
        self.note(id, false);
        &self.types[id.index()]
    }

    /// The file of a module of this schema's: `proto_json.js`.
    pub fn file(&self, part: &str) -> String {
        format!("{}{part}{}", self.module, self.ending)
    }

    /// The same for an import.
    pub fn beside(&self, part: &str) -> String {
        self.import(&self.module, part)
    }

    fn import(&self, module: &str, part: &str) -> String {
        format!("./{module}{part}{}", self.imported)
    }

    /// Imports of such modules.
    pub fn imports(&self, taken: &Taken) -> Vec<Stmt> {
        let part = |json: bool| if json { "_json" } else { "" };
        let file = |(module, json): &(String, bool)| self.import(module, part(*json));
        taken.iter().map(|own| import_all(alias(&own.0, own.1), file(own))).collect()
    }

    pub fn is_own(&self, id: TypeId) -> bool {
        self.modules.of(id).is_none()
    }

    /// The types of this module.
    pub fn own_types<'s>(&self, schema: &'s Schema) -> Vec<(TypeId, &'s TypeDef)> {
        (0..).map(TypeId).zip(&schema.types).filter(|(id, _)| self.is_own(*id)).collect()
    }

    fn note(&self, id: TypeId, json: bool) {
        if let Some(module) = self.modules.of(id) {
            self.used.borrow_mut().insert((module.name.clone(), json));
        }
    }

    /// Imports of the modules of all messages: those of JSON, or those of all else.
    pub fn imports_of(&self, schema: &Schema, json: &[bool]) -> Vec<Stmt> {
        for message in &schema.messages {
            json.iter().for_each(|json| self.note(message.record, *json));
        }
        self.imports(&self.taken())
    }

    /// The modules that names were taken from since this was asked last.
    pub fn taken(&self) -> Taken {
        self.used.take()
    }

    /// `Outer$Inner$read$final`: what other modules know a declaration by. No other rule makes such names.
    pub fn link(&self, id: TypeId, what: &str, suffix: &str) -> String {
        let parts = [&self.paths[id.index()], what, suffix];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("$")
    }

    /// The declaration of another module: `common$.Outer$Inner$read`; `None` of types of this one.
    pub fn imported(&self, id: TypeId, what: &str, suffix: &str) -> Option<String> {
        let module = self.modules.of(id)?;
        self.note(id, false);
        Some(format!("{}.{}", alias(&module.name, false), self.link(id, what, suffix)))
    }

    /// The same of its JSON.
    pub fn imported_json(&self, id: TypeId, what: &str) -> Option<String> {
        let module = self.modules.of(id)?;
        self.note(id, true);
        Some(format!("{}.{}", alias(&module.name, true), self.link(id, what, "")))
    }

    /// The names of a record's fields, in order.
    pub fn fields(&self, id: TypeId) -> &[String] {
        &self.fields[id.index()]
    }

    /// The public function of a message.
    pub fn public(&mut self, verb: &'static str, id: TypeId, suffix: &str) -> Known {
        match self.imported(id, verb, suffix) {
            Some(imported) => Known::Imported(imported),
            None => Known::Own(self.verb(verb, id, &[suffix])),
        }
    }

    /// `decodeTradeFinal`: a verb before a type's name, and what tells it from others of that verb.
    pub fn verb(&mut self, verb: &str, id: TypeId, suffixes: &[&str]) -> String {
        let suffix: String = suffixes.iter().map(|suffix| capital(suffix)).collect();
        let wanted = format!("{verb}{}{suffix}", capital(self.of(id)));
        self.fresh(&wanted)
    }

    /// `Trade_final_read`: a declaration of this module for a type of any module, `Outer_Inner_final_read` for one of another module.
    pub fn routine(&mut self, id: TypeId, suffix: &str, what: &str) -> String {
        let parts: Vec<&str> = [self.spelt(id), suffix, what].into_iter().filter(|part| !part.is_empty()).collect();
        let wanted = parts.join("_");
        self.fresh(&wanted)
    }

    /// `TradeFinalDraft`: an interface of this module for a record of any module.
    pub fn interface(&mut self, id: TypeId, suffix: &str, what: &str) -> String {
        let wanted = format!("{}{}{what}", self.spelt(id), capital(suffix));
        self.fresh(&wanted)
    }

    /// A type within the name of a declaration of this module.
    fn spelt(&self, id: TypeId) -> &str {
        match self.is_own(id) {
            true => self.of(id),
            false => &self.paths[id.index()],
        }
    }

    /// `tradeToJson`, `tradeFromJson`
    pub fn json(&mut self, id: TypeId, way: &str) -> Known {
        if let Some(imported) = self.imported_json(id, way) {
            return Known::Imported(imported);
        }
        let mut chars = self.of(id).chars();
        let first: String = chars.next().map(|c| c.to_lowercase().collect()).unwrap_or_default();
        let wanted = format!("{first}{}{way}", chars.as_str());
        Known::Own(self.fresh(&wanted))
    }

    /// Parameters for a record's fields, called as these where they can be.
    pub fn params(&self, id: TypeId) -> Vec<String> {
        let mut scope = Scope::new(TAKEN.iter().copied(), ());
        self.fields(id).iter().map(|field| scope.fresh(&identifier(field), ())).collect()
    }
}

/// Whether modules are TypeScript. Testees are programs for any Node, and some run JavaScript alone.
pub(crate) fn is_typescript(request: &Request<'_>) -> bool {
    request.option(OUTPUT) == Some("ts") && !request.testee
}

/// How imports of other generated modules end: as the files do, if no option says it. A testee is run as it is.
fn import_ending(request: &Request<'_>) -> &'static str {
    match request.option(IMPORTS).filter(|_| !request.testee) {
        Some("none") => "",
        None if is_typescript(request) => ".ts",
        _ => ".js",
    }
}

/// The option of the language that modules are written in.
pub(crate) const OUTPUT: &str = "output";

/// The option of how imports of generated modules end.
pub(crate) const IMPORTS: &str = "imports";

/// The name of an imported module. No name of a schema's ends so, and local variables begin so.
pub(crate) fn alias(module: &str, json: bool) -> String {
    format!("{module}${}", if json { "json" } else { "" })
}

/// The path of a type as part of an identifier: each path as another one.
fn linked(path: &[String]) -> String {
    let part = |part: &String| {
        let plain =
            |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_string() } else { format!("$x{:x}", c as u32) };
        part.chars().map(plain).collect::<String>()
    };
    path.iter().map(part).collect::<Vec<_>>().join("$")
}

/// A name that is free in the scope of a module.
fn free(scope: &mut Scope<()>, wanted: &str) -> String {
    let wanted = identifier(wanted);
    match scope.owner(&wanted) {
        Some(()) if TAKEN.iter().any(|taken| *taken == wanted) => scope.fresh(&format!("{wanted}_"), ()),
        _ => scope.fresh(&wanted, ()),
    }
}
