//! Schema names in Java: classes, the accessors of fields, constants of enums.

use aldis_emit::names::{capital, pascal, underscored, Scope};
use aldis_emit::Request;
use aldis_schema::{Schema, TypeId, TypeKind};
use std::sync::LazyLock;

/// All names of one schema.
pub struct Names {
    /// The Java package, and the folder of it.
    pub package: String,
    /// The class of the schema as a whole.
    pub schema: String,
    types: Vec<String>,
    fields: Vec<Vec<String>>,
    /// In lower case, as files are not told apart by case everywhere.
    classes: Scope<()>,
}

/// Words that nothing can be called.
pub const WORDS: &str = "\
    _ abstract assert boolean break byte case catch char class const continue default do double else enum extends false final \
    finally float for goto if implements import instanceof int interface long native new null package private protected \
    public return short static strictfp super switch synchronized this throw throws transient true try var void volatile \
    while yield record sealed permits";

/// Classes that generated code calls by these names.
const CLASSES: &str = "\
    AssertionError AutoCloseable Boolean Byte Character Class CodecException Cut Deprecated Double Error Exception Float Forms Given IllegalStateException In IndexOutOfBoundsException Integer \
    Iterable Json Limits List Long Math NoSuchElementException Number Object Out Override Record Runnable Shape Short String \
    Structure SuppressWarnings System Testee Thread Throwable Void Wire";

/// Methods of every value, and the packages that code calls by name.
const METHODS: &str = "\
    absent aldis clear clone copy decode decodeAt decodeFinal encode encodeFinal equals finalize fromJson get getClass hashCode is java missing notify notifyAll set \
    shape toJson toJsonBytes toString wait";

/// Words that types need another name for.
pub static TAKEN: LazyLock<Vec<&str>> = LazyLock::new(|| WORDS.split(' ').chain(CLASSES.split(' ')).collect());

/// The same of fields.
pub static TAKEN_FIELDS: LazyLock<Vec<&str>> = LazyLock::new(|| WORDS.split(' ').chain(METHODS.split(' ')).collect());

impl Names {
    pub fn new(request: &Request<'_>, schema: &Schema) -> Self {
        let stem = request.module_name(schema);
        let package = request.option("package").map_or_else(|| package(&stem), str::to_owned);
        let taken: Vec<String> = TAKEN.iter().map(|word| word.to_lowercase()).collect();
        let mut names = Self {
            package,
            schema: String::new(),
            types: Vec::new(),
            fields: Vec::new(),
            classes: Scope::new(taken.iter().map(String::as_str), ()),
        };
        for def in &schema.types {
            let own: String = def.name.path.iter().map(|part| capital(part)).collect();
            let name = names.class(&request.type_name(schema, def, own));
            names.types.push(name);
        }
        // Classes of the whole schema give way to types.
        let schema_name = format!("{}Schema", pascal(&stem));
        names.schema = names.class(&schema_name);
        for def in &schema.types {
            let mut members = Scope::new(TAKEN_FIELDS.iter().copied(), ());
            let own = match &def.kind {
                TypeKind::Record(record) => record.fields.as_slice(),
                _ => &[],
            };
            let spelt = |own: String| if own.is_empty() { "union".to_owned() } else { own };
            let own =
                own.iter().map(|field| fresh(&mut members, &small(&spelt(request.member_name(def, &field.name)))));
            names.fields.push(own.collect());
        }
        names
    }

    /// A class of its own file, called so if nothing else is.
    pub fn class(&mut self, wanted: &str) -> String {
        let mut wanted = identifier(wanted);
        // The codecs of each type are in a class beside it, which no type is called like.
        let is_codec = wanted.to_lowercase().ends_with("codec");
        if is_codec || TAKEN.iter().any(|word| word.eq_ignore_ascii_case(&wanted)) {
            wanted.push('_');
        }
        let found = self.classes.fresh(&wanted.to_lowercase(), ());
        let suffix: String = found.chars().skip(wanted.chars().count()).collect();
        wanted + &suffix
    }

    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    pub fn fields(&self, id: TypeId) -> &[String] {
        &self.fields[id.index()]
    }
}

/// A name in a scope; words get an underscore.
pub fn fresh(scope: &mut Scope<()>, wanted: &str) -> String {
    let wanted = identifier(wanted);
    let is_bits = |rest: &str| rest.chars().all(|c| c.is_ascii_digit());
    let is_word = TAKEN_FIELDS.iter().any(|word| *word == wanted) || wanted.strip_prefix("absent").is_some_and(is_bits);
    scope.fresh(&if is_word { format!("{wanted}_") } else { wanted }, ())
}

/// The package of a schema, where no option says it.
fn package(stem: &str) -> String {
    let own = identifier(stem);
    let is_taken = ["java", "aldis"].contains(&own.as_str()) || WORDS.split(' ').any(|word| word == own);
    if is_taken {
        own + "_"
    } else {
        own
    }
}

/// The name with its first letter in lower case.
pub fn small(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The name with what identifiers do not take as underscores.
pub fn identifier(name: &str) -> String {
    let clean = underscored(name);
    if clean.starts_with(|c: char| c.is_ascii_digit()) || clean.is_empty() {
        format!("_{clean}")
    } else {
        clean
    }
}
