//! The syntax tree: what the text says, before any name is looked up.

use aldis_diagnostics::Span;
pub(crate) use aldis_text::Word;

/// The number behind an `@`: an id or an ordinal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) value: u64,
    pub(crate) span: Span,
}

#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) id: Option<Number>,
    pub(crate) annotations: Vec<Applied>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) doc: String,
    /// The names behind every `import` of the file, in source order.
    pub(crate) imports: Vec<Word>,
}

/// A declaration that has a name in a scope and can be looked up there.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Word,
    pub(crate) id: Option<Number>,
    /// Generic parameters.
    pub(crate) parameters: Vec<Word>,
    pub(crate) annotations: Vec<Applied>,
    pub(crate) doc: String,
    pub(crate) kind: DeclarationKind,
}

#[derive(Debug)]
pub(crate) enum DeclarationKind {
    /// An alias: it has no node of its own.
    Using(Expression),
    Const {
        ty: Expression,
        value: Expression,
    },
    Annotation {
        ty: Expression,
        targets: Vec<Word>,
    },
    Enum(Vec<Enumerant>),
    Struct {
        members: Vec<Member>,
        nested: Vec<Declaration>,
    },
    Interface {
        superclasses: Vec<Expression>,
        methods: Vec<Method>,
        nested: Vec<Declaration>,
    },
}

impl Declaration {
    /// The declarations in it, aliases included.
    pub(crate) fn nested(&self) -> &[Declaration] {
        match &self.kind {
            DeclarationKind::Struct { nested, .. } | DeclarationKind::Interface { nested, .. } => nested,
            _ => &[],
        }
    }
}

#[derive(Debug)]
pub(crate) struct Enumerant {
    pub(crate) name: Word,
    pub(crate) ordinal: Number,
    pub(crate) annotations: Vec<Applied>,
    pub(crate) doc: String,
}

/// A field, union or group; a parameter of a method is a field too.
#[derive(Debug)]
pub(crate) struct Member {
    /// None for the union without a name.
    pub(crate) name: Option<Word>,
    /// Fields have one, unions may; a parameter's is its position.
    pub(crate) ordinal: Option<Number>,
    pub(crate) annotations: Vec<Applied>,
    pub(crate) doc: String,
    /// The name, or the word `union`.
    pub(crate) span: Span,
    pub(crate) kind: MemberKind,
}

#[derive(Debug)]
pub(crate) enum MemberKind {
    Field { ty: Expression, default: Option<Expression> },
    Union(Vec<Member>),
    Group(Vec<Member>),
}

#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: Word,
    pub(crate) ordinal: Number,
    /// Generic parameters of its own.
    pub(crate) parameters: Vec<Word>,
    pub(crate) params: Signature,
    pub(crate) results: Signature,
    pub(crate) annotations: Vec<Applied>,
    pub(crate) doc: String,
}

/// One side of a method.
#[derive(Debug)]
pub(crate) enum Signature {
    Fields(Vec<Member>),
    Type(Expression),
    /// `-> stream`, at the word.
    Stream(Span),
}

/// `$name` or `$name(value)`.
#[derive(Debug)]
pub(crate) struct Applied {
    pub(crate) name: Expression,
    pub(crate) value: Option<Expression>,
}

/// A type, a value or the name of something.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) span: Span,
    pub(crate) kind: ExpressionKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    Integer(u64),
    /// The magnitude of an integer with a minus.
    Negative(u64),
    Float(f64),
    /// Bytes: `\xHH` can make any, UTF-8 or not.
    Text(Vec<u8>),
    Data(Vec<u8>),
    Name(String),
    /// `.name`: looked up in the file alone.
    Absolute(Word),
    Import(Word),
    Embed(Word),
    List(Vec<Expression>),
    Tuple(Vec<Argument>),
    Apply(Box<Expression>, Vec<Argument>),
    Member(Box<Expression>, Word),
}

#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: Option<Word>,
    pub(crate) value: Expression,
}
