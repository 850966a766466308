//! Variables of patterns that are bound already: Erlang compares them, Elixir binds them anew unless they are pinned.

use crate::erlang::{Clause, Expr};
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
        Expr::Case(value, clauses) => {
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
        other => other.for_each(&mut |below| expression(below, bound)),
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
        Expr::Var(name) if bound.contains(name) => *pattern = Expr::Pinned(std::mem::take(name)),
        Expr::Binary(segments) => segments.iter_mut().for_each(|segment| {
            compare(&mut segment.value, bound);
            segment.size.iter_mut().for_each(|size| mark(size, bound));
        }),
        other => other.for_each(&mut |below| compare(below, bound)),
    }
}

/// Marks the bound variables in the sizes of a pattern whose own variables are all new.
fn sizes(pattern: &mut Expr, bound: &Bound) {
    let own = super::variables_in_place(pattern);
    let bound = bound.iter().filter(|name| !own.contains(name)).cloned().collect();
    super::walk(pattern, &mut |expr| {
        if let Expr::Binary(segments) = expr {
            segments.iter_mut().filter_map(|segment| segment.size.as_mut()).for_each(|size| mark(size, &bound));
        }
    });
}

/// Marks the bound variables of a size.
fn mark(size: &mut Expr, bound: &Bound) {
    super::walk(size, &mut |expr| {
        if let Expr::Var(name) = expr {
            if bound.contains(name) {
                *expr = Expr::Bound(std::mem::take(name));
            }
        }
    });
}

fn bind(pattern: &Expr, bound: &mut Bound) {
    bound.extend(super::variables_of(pattern));
}
