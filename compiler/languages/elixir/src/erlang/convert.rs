//! The Erlang back end's trees as those of this one: guards are one expression, numbers are decimal.

use super::tree::{Clause, Expr, Form, Function, Generator, Segment, Try};
use aldis_erlang::code;

pub(crate) fn forms(forms: &[code::Form]) -> Vec<Form> {
    let form = |form: &code::Form| match form {
        code::Form::Function(function) => Form::Function(Function {
            name: function.name.clone(),
            clauses: function.clauses.iter().map(clause).collect(),
        }),
        code::Form::NoMatch(name, arity) => Form::NoMatch(name.clone(), *arity),
    };
    forms.iter().map(form).collect()
}

fn clause(from: &code::Clause) -> Clause {
    Clause { patterns: exprs(&from.patterns), guard: guard(&from.guards), body: exprs(&from.body) }
}

/// Commas are `andalso`, semicolons `orelse`.
fn guard(alternatives: &[Vec<code::Expr>]) -> Option<Expr> {
    let joined = |operator| move |one, other| Expr::Binop(operator, Box::new(one), Box::new(other));
    let all = alternatives.iter().filter_map(|tests| tests.iter().map(expr).reduce(joined("andalso")));
    all.reduce(joined("orelse"))
}

fn exprs(items: &[code::Expr]) -> Vec<Expr> {
    items.iter().map(expr).collect()
}

fn boxed(from: &code::Expr) -> Box<Expr> {
    Box::new(expr(from))
}

/// An expression or a pattern.
pub(crate) fn expr(from: &code::Expr) -> Expr {
    use code::Expr as From;
    match from {
        From::Number(number) => Expr::Number(decimal(number)),
        From::Char(c) => Expr::Number(u32::from(*c).to_string()),
        From::Atom(name) => Expr::Atom(name.clone()),
        From::Null => Expr::Null,
        From::Text(text) => Expr::Text(text.clone()),
        From::Var(name) => Expr::Var(name.clone()),
        From::Tuple(items) => Expr::Tuple(exprs(items)),
        From::List(items, tail) => Expr::List(exprs(items), tail.as_deref().map(boxed)),
        From::Map(pairs) => Expr::Map(pairs.iter().map(|(key, _, value)| (expr(key), expr(value))).collect()),
        From::Record(name, fields) => {
            Expr::Record(name.clone(), fields.iter().map(|(name, value)| (name.clone(), expr(value))).collect())
        }
        From::Binary(segments) => Expr::Binary(segments.iter().map(segment).collect()),
        From::Call(module, name, args) => Expr::Call(module.clone(), name.clone(), exprs(args)),
        From::Apply(name, args) => Expr::Apply(name.clone(), exprs(args)),
        From::Macro(name, args) => Expr::Macro(name.clone(), exprs(args.as_deref().unwrap_or_default())),
        From::FunctionName(module, name, arity) => Expr::FunctionName(module.clone(), name.clone(), *arity),
        From::Lambda(clauses) => Expr::Lambda(clauses.iter().map(clause).collect()),
        From::Case { value, clauses, .. } => Expr::Case(boxed(value), clauses.iter().map(clause).collect()),
        From::Try(parts) => Expr::Try(Box::new(Try {
            body: exprs(&parts.body),
            clauses: parts.clauses.iter().map(clause).collect(),
            after: exprs(&parts.after),
        })),
        From::Match(left, right) => Expr::Match(boxed(left), boxed(right)),
        From::Binop(operator, left, right) => Expr::Binop(operator, boxed(left), boxed(right)),
        From::Unop(operator, inner) => Expr::Unop(operator, boxed(inner)),
        From::Comprehension { binary, value, generator } => {
            let code::Generator { binary: of_bytes, pattern, source } = &**generator;
            let generator = Generator { binary: *of_bytes, pattern: expr(pattern), source: expr(source) };
            Expr::Comprehension { binary: *binary, value: boxed(value), generator: Box::new(generator) }
        }
        From::Segment { .. } | From::Row(_) | From::When(..) => {
            unreachable!("a part of a template stands where no expression does")
        }
    }
}

fn segment(from: &code::Expr) -> Segment {
    match from {
        code::Expr::Segment { value, size, specs } => {
            Segment { value: expr(value), size: size.as_deref().map(expr), specs: specs.clone() }
        }
        value => Segment { value: expr(value), size: None, specs: Vec::new() },
    }
}

/// A number as it is written in Erlang, with its digits in decimal.
fn decimal(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let hex = digits.strip_prefix("16#").and_then(|digits| u128::from_str_radix(digits, 16).ok());
    hex.map_or_else(|| number.to_owned(), |number| format!("{sign}{number}"))
}
