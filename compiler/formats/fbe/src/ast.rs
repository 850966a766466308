//! A schema file as written: names not yet looked up, numbers not yet read, every part with its place.

use aldis_diagnostics::Span;
pub use aldis_text::Word;

/// One file.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub doc: String,
    /// Dots included.
    pub domain: Option<Word>,
    pub package: Option<Word>,
    /// As written, with its sign.
    pub offset: Option<Word>,
    /// `major.minor`
    pub version: Option<Word>,
    pub imports: Vec<Word>,
    pub declarations: Vec<Declaration>,
}

/// Names with dots between them; never empty.
#[derive(Clone, Debug)]
pub struct Path {
    pub words: Vec<Word>,
    pub span: Span,
}

impl Path {
    /// With dots, as written but for white space.
    pub fn text(&self) -> String {
        self.words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(".")
    }
}

/// The parts that every declaration has.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: Word,
    pub doc: String,
    pub attributes: Vec<Attribute>,
    pub body: Body,
}

/// The kinds of declarations.
#[derive(Clone, Debug)]
pub enum Body {
    Enum(Values),
    Flags(Values),
    Struct(Struct),
}

/// The values of an enum or flags type. `base` is `None` when it was left out.
#[derive(Clone, Debug)]
pub struct Values {
    pub base: Option<Path>,
    pub values: Vec<ValueDecl>,
}

/// `name = value;`
#[derive(Clone, Debug)]
pub struct ValueDecl {
    pub name: Word,
    pub doc: String,
    pub attributes: Vec<Attribute>,
    pub value: Option<Value>,
}

/// A struct, or a message when `message` is true.
#[derive(Clone, Debug)]
pub struct Struct {
    pub message: bool,
    pub number: Number,
    pub base: Option<Path>,
    pub fields: Vec<FieldDecl>,
}

/// How a struct comes to its number.
#[derive(Clone, Debug)]
pub enum Number {
    /// The next one.
    Implicit,
    /// `(+X)`: numbering goes on from here.
    Plus(Word),
    /// `(X)`
    Fixed(Word),
    /// `(base)`: the base struct's; the span is that of `base`.
    Base(Span),
}

/// `[attributes] [key] type name = default;`
#[derive(Clone, Debug)]
pub struct FieldDecl {
    pub name: Word,
    pub doc: String,
    pub attributes: Vec<Attribute>,
    pub key: bool,
    /// The place of `[id]`, which marks the field that correlates requests with responses.
    pub id: Option<Span>,
    pub ty: TypeRef,
    pub default: Option<Value>,
}

/// `[name]` or `[name(T, *U)]`
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Word,
    pub arguments: Vec<Path>,
    pub span: Span,
}

/// A type as a field names it.
#[derive(Clone, Debug)]
pub struct TypeRef {
    pub base: Path,
    /// A `?` after the base.
    pub optional: bool,
    pub shape: Shape,
    pub span: Span,
}

impl TypeRef {
    /// As the schema language writes it.
    pub fn text(&self) -> String {
        let base = self.base.text() + if self.optional { "?" } else { "" };
        match &self.shape {
            Shape::One => base,
            Shape::Resettable => base + "~",
            Shape::Array(length) => format!("{base}[{}]", length.text),
            Shape::Vector => base + "[]",
            Shape::List => base + "()",
            Shape::Set => base + "!",
            Shape::Map(key) => format!("{base}<{}>", key.text()),
            Shape::Hash(key) => format!("{base}{{{}}}", key.text()),
        }
    }
}

/// The shape that a field gives its type's base.
#[derive(Clone, Debug)]
pub enum Shape {
    One,
    /// `~`
    Resettable,
    /// `[N]`
    Array(Word),
    /// `[]`
    Vector,
    /// `()`
    List,
    /// `!`
    Set,
    /// `<key>`
    Map(Path),
    /// `{key}`
    Hash(Path),
}

/// A default, behind `=`: terms with `|` between them, at least one.
#[derive(Clone, Debug)]
pub struct Value {
    pub terms: Vec<Term>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TermKind {
    /// A number with its sign, as written.
    Number(String),
    /// `'c'`
    Char(char),
    /// `"text"`
    Text(String),
    /// A keyword such as `true`, or the name of a value.
    Name(Path),
}
