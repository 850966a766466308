//! Schema names in Java: its words, and the accessors of fields.

use aldis_classes::kinds::Kinds;
use aldis_classes::names::{fresh, small, Words};
use aldis_emit::names::{capital, identifier, Scope};
use aldis_schema::{Field, Type, TypeId};
use std::sync::LazyLock;

macro_rules! words {
    () => {
        "\
    _ abstract assert boolean break byte case catch char class const continue default do double else enum extends \
    false final finally float for goto if implements import instanceof int interface long native new null package \
    private protected public return short static strictfp super switch synchronized this throw throws transient \
    true try var void volatile while yield record sealed permits"
    };
}

/// Words that nothing can be called.
pub(crate) const KEYWORDS: &str = words!();

/// Words that no field is called; behind them methods of every value, and the packages that code calls by name.
const FIELDS: &str = concat!(
    words!(),
    " ",
    "\
absent aldis clear clone copy decode decodeAt decodeCanonical decodeFinal decodePacked encode \
encodeCanonical encodeFinal encodePacked equals finalize fromJson get \
getClass hashCode is java missing notify notifyAll set shape take toJson toJsonBytes toString verify verifyCanonical verifyFinal verifyPacked wait"
);

pub(crate) static WORDS: Words = Words {
    // Then classes that generated code calls by these names.
    types: concat!(
        words!(),
        " ",
        "\
    AssertionError AutoCloseable Boolean Byte Character Choice Class CodecException Cut Deprecated Double Error Exception \
    Float Forms Given IllegalStateException In IndexOutOfBoundsException Integer Iterable Json Limits List Long \
    Math Near NoSuchElementException Number Object Out Override Quick Record Runnable Shape Short String Structure \
    SuppressWarnings System Testee Thread Throwable Visitor Void Wire"
    ),
    fields: FIELDS,
    known: LazyLock::new(|| FIELDS.split(' ').collect()),
    ends: &["codec"],
    package,
    global: "",
    option: "package",
    class: |path| path.iter().map(|part| capital(part)).collect(),
    field: small,
    absent: "absent",
};

/// Names of variables in generated code, which hide packages of the same name.
const VARIABLES: &str =
    "at bytes f field header held in into message o of old out own shift tag target testee trial value values visitor";

/// The package of a schema, where no option says it.
fn package(stem: &str) -> String {
    let own = identifier(stem);
    let mut words = KEYWORDS.split(' ').chain(VARIABLES.split(' ')).chain(["java", "aldis"]);
    let is_taken = words.any(|word| word == own);
    if is_taken {
        own + "_"
    } else {
        own
    }
}

/// The scope of accessors.
pub(crate) fn scope_of(fields: &[String]) -> Scope<()> {
    Scope::new(fields.iter().map(String::as_str).chain(WORDS.fields.split(' ')), ())
}

/// The accessor of a number of a record whose fields are never null.
pub(crate) fn getter(kinds: &Kinds<'_>, id: TypeId, wanted: usize) -> String {
    let names = kinds.names.fields(id);
    let mut scope = scope_of(names);
    let fields = kinds.schema.record(id).fields.iter().zip(names).take(wanted + 1);
    let getters = fields.map(|(field, own)| Accessors::of(kinds, (own, field), false, &mut scope).number);
    getters.last().unwrap_or_default()
}

/// The names of a field's accessors.
pub(crate) struct Accessors {
    /// Of the number, where the field's own name is that of an enum.
    pub number: String,
    pub has: String,
    pub or: String,
    pub clear: String,
    pub flags: String,
}

impl Accessors {
    pub fn of(kinds: &Kinds<'_>, (own, field): (&str, &Field), nullable: bool, scope: &mut Scope<()>) -> Self {
        let mut grow = |wanted: bool, name: String| if wanted { fresh(scope, &name, &WORDS) } else { own.to_owned() };
        let capital = capital(own);
        let is_flags = matches!(field.ty.required(), Type::Named(id) if kinds.is_flags(*id));
        Self {
            number: grow(kinds.is_enum(&field.ty), format!("{own}Value")),
            has: grow(nullable, format!("has{capital}")),
            or: grow(nullable, format!("{own}Or")),
            clear: grow(nullable, format!("clear{capital}")),
            flags: grow(is_flags, format!("{own}Has")),
        }
    }
}
