//! The tree: forms, clauses, expressions.

/// A form at the top of a module.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    Function(Function),
    /// `-dialyzer({no_match, name/arity}).`
    NoMatch(String, usize),
    /// `-define(NAME(Value, Min), Guard).`
    Macro(String, Vec<Expr>, Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    pub name: String,
    pub clauses: Vec<Clause>,
}

impl Function {
    pub fn arity(&self) -> usize {
        self.clauses.first().map_or(0, |clause| clause.patterns.len())
    }
}

/// A clause of a function, a `case`, a `fun`, or a `try`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clause {
    pub patterns: Vec<Expr>,
    pub guard: Option<Expr>,
    pub body: Vec<Expr>,
}

/// An expression or a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// As it is written.
    Number(String),
    Atom(String),
    /// The bare word `undefined`, which is null and never a name of the schema.
    Null,
    /// Text, only within binaries.
    Text(String),
    /// `_` and variables, as they are written.
    Var(String),
    /// A variable of a pattern that has its value already.
    Pinned(String),
    /// A variable of a pattern's size that has its value before the match.
    Bound(String),
    Tuple(Vec<Expr>),
    /// Elements, and what follows the `|`.
    List(Vec<Expr>, Option<Box<Expr>>),
    Map(Vec<(Expr, Expr)>),
    /// `#name{field = Value}`
    Record(String, Vec<(String, Expr)>),
    Binary(Vec<Segment>),
    /// A call of a function of this module (`None`) or of another.
    Call(Option<String>, String, Vec<Expr>),
    /// A call of the function that a variable holds.
    Apply(String, Vec<Expr>),
    /// `?NAME(…)`
    Macro(String, Vec<Expr>),
    FunctionName(Option<String>, String, usize),
    Lambda(Vec<Clause>),
    Case(Box<Expr>, Vec<Clause>),
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
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Try {
    pub body: Vec<Expr>,
    /// Clauses of one pattern, for the thrown term, or of two, with its class in front.
    pub clauses: Vec<Clause>,
    pub after: Vec<Expr>,
}

/// `Pattern <- List`, or `Pattern <= Binary`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Generator {
    pub binary: bool,
    pub pattern: Expr,
    pub source: Expr,
}

/// `Value:Size/specs`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Segment {
    pub value: Expr,
    pub size: Option<Expr>,
    pub specs: Vec<String>,
}

impl Expr {
    /// The name of a variable that is bound, compared or read here.
    pub fn variable(&mut self) -> Option<&mut String> {
        match self {
            Expr::Var(name) | Expr::Pinned(name) | Expr::Bound(name) | Expr::Apply(name, _) => Some(name),
            _ => None,
        }
    }

    /// Calls `each` with every expression directly below this one, patterns included.
    pub fn for_each(&mut self, each: &mut impl FnMut(&mut Expr)) {
        let clauses_of = |clauses: &mut Vec<Clause>, each: &mut dyn FnMut(&mut Expr)| {
            for clause in clauses {
                clause.for_each(each);
            }
        };
        match self {
            Expr::Number(_) | Expr::Atom(_) | Expr::Null | Expr::Text(_) | Expr::FunctionName(..) => {}
            Expr::Var(_) | Expr::Pinned(_) | Expr::Bound(_) => {}
            Expr::Tuple(items) | Expr::Call(_, _, items) | Expr::Apply(_, items) | Expr::Macro(_, items) => {
                items.iter_mut().for_each(each);
            }
            Expr::List(items, tail) => {
                items.iter_mut().for_each(&mut *each);
                tail.iter_mut().for_each(|tail| each(tail));
            }
            Expr::Map(pairs) => pairs.iter_mut().for_each(|(key, value)| {
                each(key);
                each(value);
            }),
            Expr::Record(_, fields) => fields.iter_mut().for_each(|(_, value)| each(value)),
            Expr::Binary(segments) => segments.iter_mut().for_each(|segment| {
                each(&mut segment.value);
                segment.size.iter_mut().for_each(&mut *each);
            }),
            Expr::Lambda(clauses) => clauses_of(clauses, each),
            Expr::Case(value, clauses) => {
                each(value);
                clauses_of(clauses, each);
            }
            Expr::Try(inner) => {
                inner.body.iter_mut().for_each(&mut *each);
                clauses_of(&mut inner.clauses, each);
                inner.after.iter_mut().for_each(each);
            }
            Expr::Match(left, right) | Expr::Binop(_, left, right) => {
                each(left);
                each(right);
            }
            Expr::Unop(_, inner) => each(inner),
            Expr::Comprehension { value, generator, .. } => {
                each(&mut generator.source);
                each(&mut generator.pattern);
                each(value);
            }
        }
    }
}

impl Clause {
    /// Calls `each` with every expression directly below: patterns, guard, body.
    pub fn for_each(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        let Clause { patterns, guard, body } = self;
        patterns.iter_mut().chain(guard).chain(body).for_each(each);
    }
}
