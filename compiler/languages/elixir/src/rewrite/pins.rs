//! Variables of patterns that are bound already: Erlang compares them, Elixir binds them anew unless they are pinned.

use crate::print::BOUND;
use aldis_erlang::code::{Clause, Expr};
use std::collections::BTreeSet;

type Bound = BTreeSet<String>;

/// Pins what a function's clause compares.
pub(super) fn pin(clause: &mut Clause) {
    let mut bound = Bound::new();
    clause.patterns.iter().for_each(|pattern| bind(pattern, &mut bound));
    body(&mut clause.body, &mut bound);
}

fn body(statements: &mut [Expr], bound: &mut Bound) {
    for statement in statements {
        expression(statement, bound);
    }
}

fn expression(expr: &mut Expr, bound: &mut Bound) {
    match expr {
        Expr::Match(pattern, value) => {
            expression(value, bound);
            compare(pattern, bound);
            bind(pattern, bound);
        }
        Expr::Case { value, clauses, .. } => {
            expression(value, bound);
            clauses.iter_mut().for_each(|clause| inner(clause, bound.clone(), true));
        }
        // Arguments are always new.
        Expr::Lambda(clauses) => clauses.iter_mut().for_each(|clause| inner(clause, bound.clone(), false)),
        Expr::Try(parts) => {
            body(&mut parts.body, &mut bound.clone());
            parts.clauses.iter_mut().for_each(|clause| inner(clause, bound.clone(), true));
            body(&mut parts.after, &mut bound.clone());
        }
        Expr::Comprehension { value, generator, .. } => {
            expression(&mut generator.source, bound);
            let mut within = bound.clone();
            sizes(&mut generator.pattern, bound);
            bind(&generator.pattern, &mut within);
            expression(value, &mut within);
        }
        other => other.below_mut(&mut |below| expression(below, bound)),
    }
}

fn inner(clause: &mut Clause, mut bound: Bound, compares: bool) {
    for pattern in &mut clause.patterns {
        if compares {
            compare(pattern, &bound);
        } else {
            sizes(pattern, &bound);
        }
        bind(pattern, &mut bound);
    }
    body(&mut clause.body, &mut bound);
}

/// Pins the bound variables of a pattern, and marks those of its sizes.
fn compare(pattern: &mut Expr, bound: &Bound) {
    match pattern {
        Expr::Var(name) if bound.contains(name) => *pattern = of_own("^", name),
        Expr::Segment { value, size, .. } => {
            compare(value, bound);
            size.iter_mut().for_each(|size| mark(size, bound));
        }
        other => other.below_mut(&mut |below| compare(below, bound)),
    }
}

/// Marks the bound variables in the sizes of a pattern whose own variables are all new.
fn sizes(pattern: &mut Expr, bound: &Bound) {
    let own = super::variables_in_place(pattern);
    let bound = bound.iter().filter(|name| !own.contains(name)).cloned().collect();
    pattern.each_mut(&mut |expr| {
        if let Expr::Segment { size: Some(size), .. } = expr {
            mark(size, &bound);
        }
    });
}

/// Marks the bound variables of a size.
fn mark(size: &mut Expr, bound: &Bound) {
    size.each_last(&mut |expr| match expr {
        Expr::Var(name) if bound.contains(name) => *expr = of_own(BOUND, name),
        _ => {}
    });
}

/// A variable under an operator that Elixir has and Erlang has not.
fn of_own(operator: &'static str, name: &mut String) -> Expr {
    Expr::Unop(operator, Box::new(Expr::Var(std::mem::take(name))))
}

fn bind(pattern: &Expr, bound: &mut Bound) {
    bound.extend(super::variables_of(pattern));
}
