//! Variables that an inner clause binds and does not read.
//!
//! The Erlang back end marks variables that a whole function's clause has once. In Elixir a variable that a `case` binds
//! is gone behind it, so each of its clauses is looked at on its own.

use aldis_erlang::code::{Clause, Expr};
use std::collections::BTreeMap;

/// Marks the variables of patterns within an expression that their own clause does not read.
pub(super) fn mark(expr: &mut Expr) {
    match expr {
        Expr::Case { clauses, .. } | Expr::Lambda(clauses) => clauses.iter_mut().for_each(mark_clause),
        Expr::Try(parts) => parts.clauses.iter_mut().for_each(mark_clause),
        _ => {}
    }
    expr.below_mut(&mut |inner| mark(inner));
}

fn mark_clause(clause: &mut Clause) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    clause.each(&mut |expr| {
        if let Some(name) = expr.variable() {
            *counts.entry(name.clone()).or_default() += 1;
        }
    });
    clause.patterns.iter_mut().for_each(|pattern| mark_pattern(pattern, &counts));
}

/// Marks what a pattern binds; sizes read what is bound already.
fn mark_pattern(pattern: &mut Expr, counts: &BTreeMap<String, usize>) {
    match pattern {
        Expr::Var(name) if !name.starts_with('_') && counts.get(name) == Some(&1) => *name = format!("_{name}"),
        Expr::Unop(..) => {}
        Expr::Segment { value, .. } => mark_pattern(value, counts),
        other => other.below_mut(&mut |inner| mark_pattern(inner, counts)),
    }
}
