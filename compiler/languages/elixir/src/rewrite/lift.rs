//! Comprehensions over lists become functions of their own.
//!
//! Elixir's `for` over a list goes through `Enumerable`, with a function for the body and the result reversed; Erlang's is
//! a local function that calls itself. What is lifted here is that function, so it is as fast.

use super::{variables_of, Calls};
use aldis_erlang::code::{Clause, Expr, Function, Generator};

/// The function with calls in the place of its comprehensions over lists, and the functions that these call.
pub(super) fn lift(function: Function, calls: &mut Calls) -> Vec<Function> {
    let mut lifter = Lifter { name: format!("{}_each", function.name), found: Vec::new(), calls };
    let mut function = function;
    for clause in &mut function.clauses {
        clause.below_mut(&mut |expr| lifter.lift(expr));
    }
    let mut functions = vec![function];
    functions.append(&mut lifter.found);
    functions
}

struct Lifter<'c> {
    name: String,
    found: Vec<Function>,
    calls: &'c mut Calls,
}

impl Lifter<'_> {
    fn lift(&mut self, expr: &mut Expr) {
        expr.below_mut(&mut |inner| self.lift(inner));
        let Expr::Comprehension { binary, value, generator } = expr else { return };
        if generator.binary {
            return;
        }
        let bound = variables_of(&generator.pattern);
        let free: Vec<String> = variables_of(value).into_iter().filter(|name| !bound.contains(name)).collect();
        let name = self.calls.fresh(&self.name);
        let Generator { pattern, source, .. } = (**generator).clone();
        let (function, call) = if *binary {
            joined(&name, pattern, (**value).clone(), source, &free)
        } else {
            listed(&name, pattern, (**value).clone(), source, &free)
        };
        self.found.push(function);
        *expr = call;
    }
}

fn var(name: &str) -> Expr {
    Expr::Var(name.to_owned())
}

/// A name that none of the others is.
fn apart(wanted: &str, others: &[String]) -> String {
    let numbered = (2..).map(|n| format!("{wanted}{n}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !others.contains(name)).unwrap_or_default()
}

/// The arguments of a call: the list, then what the body reads of its surroundings.
fn arguments(first: Expr, free: &[String], last: Option<Expr>) -> Vec<Expr> {
    std::iter::once(first).chain(free.iter().map(|name| var(name))).chain(last).collect()
}

fn call(name: &str, args: Vec<Expr>) -> Expr {
    Expr::Call(None, name.to_owned(), args)
}

fn underscores(free: &[String]) -> Vec<String> {
    free.iter().map(|_| "_".to_owned()).collect()
}

/// `name([Pattern | Rest], …) -> [Value | name(Rest, …)]`
fn listed(name: &str, pattern: Expr, value: Expr, source: Expr, free: &[String]) -> (Function, Expr) {
    let taken: Vec<String> = variables_of(&pattern).into_iter().chain(free.iter().cloned()).collect();
    let rest = apart("Rest", &taken);
    let more = call(name, arguments(var(&rest), free, None));
    let each = Expr::List(vec![pattern], Some(Box::new(var(&rest))));
    let clauses = vec![
        Clause::new(arguments(each, free, None), [Expr::List(vec![value], Some(Box::new(more)))]),
        Clause::new(arguments(Expr::List(Vec::new(), None), &underscores(free), None), [Expr::List(Vec::new(), None)]),
    ];
    (Function { name: name.to_owned(), clauses }, call(name, arguments(source, free, None)))
}

/// `name([Pattern | Rest], …, Acc) -> name(Rest, …, <<Acc/bitstring, Value>>)`
fn joined(name: &str, pattern: Expr, value: Expr, source: Expr, free: &[String]) -> (Function, Expr) {
    let taken: Vec<String> = variables_of(&pattern).into_iter().chain(free.iter().cloned()).collect();
    let (rest, acc) = (apart("Rest", &taken), apart("Acc", &taken));
    let specs = vec!["bitstring".to_owned()];
    let segment = |value| Expr::Segment { value: Box::new(value), size: None, specs: specs.clone() };
    let mut segments = vec![segment(var(&acc))];
    match value {
        Expr::Binary(inner) => segments.extend(inner),
        other => segments.push(segment(other)),
    }
    let each = Expr::List(vec![pattern], Some(Box::new(var(&rest))));
    let more = call(name, arguments(var(&rest), free, Some(Expr::Binary(segments))));
    let end = arguments(Expr::List(Vec::new(), None), &underscores(free), Some(var(&acc)));
    let clauses = vec![Clause::new(arguments(each, free, Some(var(&acc))), [more]), Clause::new(end, [var(&acc)])];
    let start = Some(Expr::Binary(Vec::new()));
    (Function { name: name.to_owned(), clauses }, call(name, arguments(source, free, start)))
}
