//! Erlang's functions as Elixir has them: the same steps, under Elixir's rules for names and scopes.

mod calls;
mod decided;
mod hoist;
mod lift;
mod pins;
mod unused;
mod variables;

use aldis_erlang::code::{Expr, Function};
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
            clause.below_mut(&mut unused::mark);
            variables::rename(clause);
            clause.below_mut(&mut |expr| calls.translate(expr));
        }
        function.name = calls.function(&function.name);
    }
    functions
}

/// The names of the variables at and below an expression, in order.
fn variables_of(expr: &Expr) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    expr.each(&mut |expr| {
        if let Some(name) = expr.variable().filter(|name| *name != "_" && !found.contains(name)) {
            found.push(name.clone());
        }
    });
    found
}

/// The names of the variables of a pattern that are no size.
fn variables_in_place(pattern: &Expr) -> Vec<String> {
    let mut pattern = pattern.clone();
    pattern.each_mut(&mut |expr| {
        if let Expr::Segment { size, .. } = expr {
            *size = None;
        }
    });
    variables_of(&pattern)
}
