//! The tree: functions, clauses, expressions.

/// A form of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    Function(Function),
    /// `-dialyzer({no_match, name/arity}).`
    NoMatch(String, usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Without quotes.
    pub name: String,
    pub clauses: Vec<Clause>,
}

/// A clause of a function, a `case`, a `fun`, or a `try`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    pub patterns: Vec<Expr>,
    /// Alternatives, each of tests that must all hold; none where there is no guard.
    pub guards: Vec<Vec<Expr>>,
    pub body: Vec<Expr>,
}

/// An expression or a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// As it is written.
    Number(String),
    /// `$c`
    Char(char),
    /// Without quotes.
    Atom(String),
    /// The bare word `undefined`, which is null and never a name of the schema.
    Null,
    /// Text, without quotes.
    Text(String),
    /// `_` and variables.
    Var(String),
    Tuple(Vec<Expr>),
    /// Elements, and what follows the `|`.
    List(Vec<Expr>, Option<Box<Expr>>),
    /// Keys, the signs between, values.
    Map(Vec<(Expr, &'static str, Expr)>),
    /// `#name{field = Value}`
    Record(String, Vec<(String, Expr)>),
    /// `#name.field`: where a record has a field.
    Key(String, String),
    /// Segments, or values that need none.
    Binary(Vec<Expr>),
    /// `Value:Size/specs`, within a binary.
    Segment {
        value: Box<Expr>,
        size: Option<Box<Expr>>,
        specs: Vec<String>,
    },
    /// A call of a function of this module (`None`) or of another.
    Call(Option<String>, String, Vec<Expr>),
    /// A call of the function that a variable holds.
    Apply(String, Vec<Expr>),
    /// `?NAME(…)`, or `?NAME`.
    Macro(String, Vec<Expr>),
    FunctionName(Option<String>, String, usize),
    Lambda(Vec<Clause>),
    /// Its clauses stand on lines of their own where `apart` says so, else where one line is too short.
    Case {
        value: Box<Expr>,
        clauses: Vec<Clause>,
        apart: bool,
    },
    Try(Box<Try>),
    Match(Box<Expr>, Box<Expr>),
    Binop(&'static str, Box<Expr>, Box<Expr>),
    Unop(&'static str, Box<Expr>),
    /// `[Value || Generator]`, or `<< Value || Generator >>`.
    Comprehension {
        binary: bool,
        value: Box<Expr>,
        generator: Box<Generator>,
    },
    /// A template of several, which stand where one of a list may.
    Row(Vec<Expr>),
    /// A pattern with its guards, in front of an arrow.
    When(Box<Expr>, Vec<Vec<Expr>>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Try {
    pub body: Vec<Expr>,
    /// Clauses of one pattern, for the thrown term, or of two, with its class in front.
    pub clauses: Vec<Clause>,
    pub after: Vec<Expr>,
}

/// `Pattern <- List`, or `Pattern <= Binary`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Generator {
    pub binary: bool,
    pub pattern: Expr,
    pub source: Expr,
}

impl Function {
    pub fn arity(&self) -> usize {
        self.clauses.first().map_or(0, |clause| clause.patterns.len())
    }
}

impl Clause {
    /// A clause. Rows among its parts are several parts; a single pattern may have its guards with it.
    pub fn new(
        patterns: impl IntoIterator<Item = impl Into<Expr>>,
        body: impl IntoIterator<Item = impl Into<Expr>>,
    ) -> Self {
        let mut patterns = flat(trees(patterns));
        let mut guards = Vec::new();
        if let [Expr::When(..)] = patterns.as_slice() {
            if let Some(Expr::When(pattern, tests)) = patterns.pop() {
                (patterns, guards) = (vec![*pattern], tests);
            }
        }
        Self { patterns, guards, body: flat(trees(body)) }
    }

    /// The only test of a clause whose guard is one expression.
    pub fn guard(&self) -> Option<&Expr> {
        self.guards.first().and_then(|tests| tests.first())
    }

    /// The clause where a test holds too.
    pub(crate) fn when(self, test: impl Into<Expr>) -> Self {
        self.when_all([test])
    }

    /// The clause where tests hold too, of which there may be none.
    pub(crate) fn when_all(mut self, tests: impl IntoIterator<Item = impl Into<Expr>>) -> Self {
        let tests = flat(trees(tests));
        match self.guards.first_mut() {
            Some(first) => first.extend(tests),
            None => self.guards.extend((!tests.is_empty()).then_some(tests)),
        }
        self
    }
}

impl Expr {
    /// The value, the size and the specifiers of what may be a segment of a binary.
    pub fn as_segment(&self) -> (&Expr, Option<&Expr>, &[String]) {
        match self {
            Expr::Segment { value, size, specs } => (value, size.as_deref(), specs),
            value => (value, None, &[]),
        }
    }

    /// The value of what may be a segment of a binary.
    pub fn segment_value(&mut self) -> &mut Expr {
        match self {
            Expr::Segment { value, .. } => value,
            value => value,
        }
    }
}

/// The items as trees, as many as there are items.
pub(crate) fn trees(items: impl IntoIterator<Item = impl Into<Expr>>) -> Vec<Expr> {
    items.into_iter().map(Into::into).collect()
}

/// The items, those of rows in place of them.
pub(crate) fn flat(items: Vec<Expr>) -> Vec<Expr> {
    if !items.iter().any(|item| matches!(item, Expr::Row(_))) {
        return items;
    }
    let each = |item| match item {
        Expr::Row(inner) => flat(inner),
        item => vec![item],
    };
    items.into_iter().flat_map(each).collect()
}
