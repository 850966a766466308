//! Erlang's functions as Elixir has them: the same steps, under Elixir's rules for names and scopes.

mod calls;
mod decided;
mod hoist;
mod lift;
mod pins;
mod unused;
mod variables;

use crate::erlang::{Expr, Function};
pub(crate) use calls::{Calls, Struct, WIDE};
pub(crate) use variables::rename;

/// The functions that do in Elixir what `function` does in Erlang: itself, and those for its list comprehensions.
pub(crate) fn rewrite(function: Function, calls: &mut Calls) -> Vec<Function> {
    let mut functions = lift::lift(function, calls);
    for function in &mut functions {
        for clause in &mut function.clauses {
            decided::decide(clause);
            hoist::hoist(clause);
            pins::pin(clause);
            clause.for_each(&mut |expr| unused::mark(expr));
            variables::rename(clause);
            clause.for_each(&mut |expr| calls.translate(expr));
        }
        function.name = calls.function(&function.name);
    }
    functions
}

/// Calls `each` with every expression at and below this one.
pub(crate) fn walk(expr: &mut Expr, each: &mut dyn FnMut(&mut Expr)) {
    each(expr);
    expr.for_each(&mut |inner| walk(inner, each));
}

/// The names of the variables at and below an expression, in order.
fn variables_of(expr: &Expr) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    walk(&mut expr.clone(), &mut |expr| {
        if let Some(name) = expr.variable().filter(|name| *name != "_" && !found.contains(name)) {
            found.push(name.clone());
        }
    });
    found
}

/// The names of the variables of a pattern that are no size.
fn variables_in_place(pattern: &Expr) -> Vec<String> {
    let mut pattern = pattern.clone();
    walk(&mut pattern, &mut |expr| {
        if let Expr::Binary(segments) = expr {
            segments.iter_mut().for_each(|segment| segment.size = None);
        }
    });
    variables_of(&pattern)
}
