//! The names of modules and struct keys.

use crate::print::key;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_emit::names::{capital, package_to_tell, Scope};
use aldis_emit::Request;
use aldis_erlang::Codec;
use aldis_schema::{Schema, TypeDef, TypeId, TypeKind};

/// Modules that every system has, and names that no module can have.
const TAKEN: [&str; 97] = [
    "Access",
    "Agent",
    "Aldis",
    "Any",
    "Application",
    "ArgumentError",
    "ArithmeticError",
    "Atom",
    "BadArityError",
    "BadBooleanError",
    "BadFunctionError",
    "BadMapError",
    "BadStructError",
    "Base",
    "Behaviour",
    "BitString",
    "Bitwise",
    "Calendar",
    "CaseClauseError",
    "Code",
    "Collectable",
    "CompileError",
    "CondClauseError",
    "Config",
    "Date",
    "DateTime",
    "Decimal",
    "Dict",
    "Duration",
    "DynamicSupervisor",
    "EEx",
    "Elixir",
    "Enum",
    "Enumerable",
    "ErlangError",
    "Exception",
    "ExUnit",
    "False",
    "File",
    "Float",
    "Function",
    "FunctionClauseError",
    "GenEvent",
    "GenServer",
    "HashDict",
    "HashSet",
    "IEx",
    "Inspect",
    "Integer",
    "IO",
    "JSON",
    "Kernel",
    "KeyError",
    "Keyword",
    "List",
    "Logger",
    "Macro",
    "Map",
    "MapSet",
    "MatchError",
    "Mix",
    "Module",
    "NaiveDateTime",
    "Nil",
    "Node",
    "OptionParser",
    "PartitionSupervisor",
    "Path",
    "PID",
    "Port",
    "Process",
    "Protocol",
    "Range",
    "Record",
    "Reference",
    "Regex",
    "Registry",
    "RuntimeError",
    "Set",
    "Stream",
    "String",
    "StringIO",
    "Supervisor",
    "SyntaxError",
    "System",
    "SystemLimitError",
    "Task",
    "Time",
    "TokenMissingError",
    "True",
    "TryClauseError",
    "Tuple",
    "UndefinedFunctionError",
    "UnicodeConversionError",
    "URI",
    "Version",
    "WithClauseError",
];

/// The modules of one schema.
#[derive(Debug)]
pub(crate) struct Modules {
    /// `Market`
    pub root: String,
    /// By type id: `Market.Order`
    pub types: Vec<String>,
    /// The module of the functions: `Market.Codec`
    pub codec: String,
    /// By type id: the keys of a record's struct.
    pub keys: Vec<Vec<String>>,
}

impl Modules {
    /// The modules, and a problem for each two that fall together.
    pub fn new(request: &Request<'_>, codec: &Codec<'_>) -> (Self, Vec<Diagnostic>) {
        let schema = codec.schema;
        let (root, taken) = free_root(request, root(request, schema));
        let mut found: Vec<Diagnostic> = taken.into_iter().collect();
        let mut scope: Scope<(String, Span)> = Scope::default();
        let mut types = Vec::new();
        for def in &schema.types {
            let module = format!("{root}.{}", type_path(request, schema, def));
            let full = def.name.full();
            if let Err((other, place)) = scope.claim(&module, (full.clone(), def.span)) {
                let problem = format!("`{other}` and `{full}` are both called `{module}` in Elixir");
                let diagnostic = Diagnostic::error(crate::codes::NAME, problem, def.span, "this name is taken")
                    .label(place, "by this one")
                    .help(format!("give one of them another name: --rename {full}=OTHER"));
                found.push(diagnostic);
            }
            types.push(module);
        }
        let free =
            |name: &String| types.iter().all(|module| module != name && !module.starts_with(&format!("{name}.")));
        let wanted = ["Codec", "Codecs", "AldisCodec"].map(|name| format!("{root}.{name}"));
        let codec_module = wanted.iter().find(|name| free(name)).unwrap_or(&wanted[2]).clone();
        let keys: Vec<Vec<String>> = codec.types.iter().map(|names| keys(&names.members)).collect();
        for (index, def) in schema.types.iter().enumerate() {
            found.extend(renamed_keys(def, &codec.types[index].members, &keys[index]));
        }
        (Self { root, types, codec: codec_module, keys }, found)
    }

    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    /// The file for the module tree: `market.ex`
    pub fn file(&self) -> String {
        aldis_emit::names::snake(&self.root.replace('.', "_"))
    }

    /// A key of a struct, as a key.
    pub fn key(&self, id: TypeId, field: usize) -> String {
        key(&self.keys[id.index()][field])
    }
}

/// Keys that Elixir, or Ecto, gives a meaning of its own in every struct.
const MEANT: [&str; 3] = ["__struct__", "__exception__", "__meta__"];

/// The keys of a struct: the fields' names as the schema spells them; an unnamed union is `union`, and `__struct__` is
/// `struct_`.
fn keys(members: &[String]) -> Vec<String> {
    let mut scope = Scope::default();
    let kept = |name: &String| !name.is_empty() && !MEANT.contains(&name.as_str());
    members.iter().filter(|name| kept(name)).for_each(|name| {
        scope.fresh(name, ());
    });
    let key = |name: &String| match name.as_str() {
        _ if kept(name) => name.clone(),
        "" if scope.claim("union", ()).is_ok() => "union".to_owned(),
        "" => scope.fresh("union_", ()),
        name => scope.fresh(&format!("{}_", name.trim_matches('_')), ()),
    };
    members.iter().map(key).collect()
}

/// A warning for each field whose key is not its name.
fn renamed_keys(def: &TypeDef, members: &[String], keys: &[String]) -> Vec<Diagnostic> {
    let TypeKind::Record(record) = &def.kind else { return Vec::new() };
    let renamed =
        record.fields.iter().zip(members.iter().zip(keys)).filter(|(_, (name, _))| MEANT.contains(&name.as_str()));
    let said = |(field, (name, key)): (&aldis_schema::Field, (&String, &String))| {
        let full = format!("{}.{}", def.name.full(), field.name);
        let problem =
            format!("the key of `{full}` would be `{name}`, which has a meaning in every struct: it is `{key}`");
        Diagnostic::warning(crate::codes::KEY, problem, field.span, "this name")
            .help(format!("another name is given by --rename {full}=OTHER"))
    };
    renamed.map(said).collect()
}

/// The root's name where no other module has it. A name that `--name` gives is taken as it is, or refused; one that comes from
/// the schema gets more letters.
fn free_root(request: &Request<'_>, name: String) -> (String, Option<Diagnostic>) {
    if !TAKEN.contains(&name.as_str()) {
        return (name, None);
    }
    let problem = format!("the module would be called `{name}`, like one of Elixir's own or of the runtime");
    if request.name.is_some() {
        let refused = Diagnostic::placeless(crate::codes::MODULE, problem).help("give it another name: --name OTHER");
        return (name, Some(refused));
    }
    let chosen = format!("{name}Codec");
    let problem = format!("{problem}: it is `{chosen}`");
    let said =
        Diagnostic::placeless_warning(crate::codes::MODULE, problem).help("another name is given by --name OTHER");
    (chosen, Some(said))
}

fn root(request: &Request<'_>, schema: &Schema) -> String {
    let source = if schema.package.is_empty() { &request.stem } else { &schema.package };
    let path = aliases(request.name.as_ref().unwrap_or(source));
    if path.is_empty() {
        "Schema".to_owned()
    } else {
        path
    }
}

/// A type's module below the schema's.
fn type_path(request: &Request<'_>, schema: &Schema, def: &TypeDef) -> String {
    let full = def.name.full();
    request.renamed(&full).map(aliases).unwrap_or_else(|| {
        let mut parts: Vec<String> = request.prefix.iter().cloned().collect();
        parts.extend(package_to_tell(schema, def).map(str::to_owned));
        parts.extend(def.name.path.iter().map(|part| if part.is_empty() { "Union".to_owned() } else { part.clone() }));
        aliases(&parts.join("."))
    })
}

/// A path of names as one of aliases: `order_book.level` is `OrderBook.Level`.
fn aliases(path: &str) -> String {
    let parts = path.split('.').map(|part| {
        let words = part.split(|c: char| !c.is_ascii_alphanumeric());
        let name: String = words.map(capital).collect();
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            format!("V{name}")
        } else {
            name
        }
    });
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(".")
}

/// Whether a type has a struct: records that are more than one unnamed union.
pub(crate) fn has_struct(codec: &Codec<'_>, id: TypeId) -> bool {
    matches!(codec.schema.type_def(id).kind, TypeKind::Record(_)) && codec.types[id.index()].only_union.is_none()
}

#[cfg(test)]
mod tests {
    use super::aliases;

    #[test]
    fn names_become_aliases() {
        assert_eq!(aliases("market"), "Market");
        assert_eq!(aliases("order_book.level-2"), "OrderBook.Level2");
        assert_eq!(aliases("CMEFeed"), "CMEFeed");
        assert_eq!(aliases("2nd"), "V2nd");
    }
}
