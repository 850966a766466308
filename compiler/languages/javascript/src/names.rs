//! Schema names in JavaScript. Fields and enumerants stay as the schema spells them, being properties; types, and
//! the functions that are called after them, are identifiers at the module's top.

use crate::js::is_identifier;
use aldis_emit::names::{capital, underscored, Scope};
use aldis_emit::Request;
use aldis_routine::{Module, Subject};
use aldis_schema::{Schema, TypeId, TypeKind};
use std::sync::LazyLock;

/// All names of one schema's modules.
pub(crate) struct Names {
    /// The files' stem: `proto` of `proto.js`.
    pub module: String,
    types: Vec<String>,
    fields: Vec<Vec<String>>,
    /// The names that are taken at a module's top.
    scope: Scope<()>,
}

/// Words that no declaration can be called, and what generated code calls by that name.
pub(crate) static TAKEN: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "\
        abstract any arguments Array as async await BigInt bigint BigInt64Array BigUint64Array boolean break case catch \
        class CodecError const continue debugger Decimal declare decode default delete do else encode enum eval export \
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
            types: Vec::new(),
            fields: Vec::new(),
            scope: Scope::new(TAKEN.iter().copied(), ()),
        };
        for def in &schema.types {
            let wanted = request.type_name(schema, def, def.name.path.join("_"));
            let name = names.fresh(&wanted);
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
        let wanted = identifier(wanted);
        match self.scope.owner(&wanted) {
            Some(()) if TAKEN.iter().any(|taken| *taken == wanted) => self.scope.fresh(&format!("{wanted}_"), ()),
            _ => self.scope.fresh(&wanted, ()),
        }
    }

    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    /// The names of a record's fields, in order.
    pub fn fields(&self, id: TypeId) -> &[String] {
        &self.fields[id.index()]
    }

    /// `decodeTradeFinal`: a verb before a type's name, and what tells it from others of that verb.
    pub fn verb(&mut self, verb: &str, id: TypeId, suffixes: &[&str]) -> String {
        let suffix: String = suffixes.iter().map(|suffix| capital(suffix)).collect();
        let wanted = format!("{verb}{}{suffix}", capital(self.of(id)));
        self.fresh(&wanted)
    }

    /// `Trade_final_read`: a routine, called as what a record's and a message's of its purpose are.
    pub fn routine(&mut self, module: &Module, of: Subject, suffix: &str, [record, message]: [&str; 2]) -> String {
        let (id, what) = match of {
            Subject::Record(id) => (id, record),
            Subject::Message(index) => (module.schema.messages[index].record, message),
        };
        let parts: Vec<&str> = [self.of(id), suffix, what].into_iter().filter(|part| !part.is_empty()).collect();
        let wanted = parts.join("_");
        self.fresh(&wanted)
    }

    /// `tradeToJson`, `tradeFromJson`
    pub fn json(&mut self, id: TypeId, way: &str) -> String {
        let mut chars = self.of(id).chars();
        let first: String = chars.next().map(|c| c.to_lowercase().collect()).unwrap_or_default();
        let wanted = format!("{first}{}{way}", chars.as_str());
        self.fresh(&wanted)
    }

    /// Parameters for a record's fields, called as these where they can be.
    pub fn params(&self, id: TypeId) -> Vec<String> {
        let mut scope = Scope::new(TAKEN.iter().copied(), ());
        self.fields(id).iter().map(|field| scope.fresh(&identifier(field), ())).collect()
    }
}

/// The name with what identifiers do not take as underscores.
pub(crate) fn identifier(name: &str) -> String {
    let clean = underscored(name);
    if is_identifier(&clean) {
        clean
    } else {
        format!("_{clean}")
    }
}
