//! Questions about a whole clause: its variables, and what it calls.

use super::tree::{Clause, Expr};
use std::collections::{BTreeMap, BTreeSet};

/// Puts `_` before each variable that occurs only once in a clause: it is bound and not read, whatever the clause does. So every
/// emitter may bind what it may need.
pub(crate) fn mark_unused(clause: &mut Clause) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    clause.each_mut(&mut |expr| {
        if let Some(name) = expr.variable().filter(|name| is_variable(name)) {
            *counts.entry(name.clone()).or_default() += 1;
        }
    });
    clause.each_mut(&mut |expr| {
        if let Some(name) = expr.variable().filter(|name| counts.get(*name) == Some(&1)) {
            name.insert(0, '_');
        }
    });
}

/// The local functions and the macros (`?WITHIN`) that a clause calls with arguments.
pub(crate) fn called(clause: &mut Clause, found: &mut BTreeSet<String>) {
    clause.each_mut(&mut |expr| match expr {
        Expr::Call(None, name, args) if !args.is_empty() => {
            found.insert(name.clone());
        }
        Expr::Macro(name, Some(args)) if !args.is_empty() => {
            found.insert(format!("?{name}"));
        }
        _ => {}
    });
}

/// The names of the variables at and below an expression, in order, however often they are there.
pub(crate) fn variables(expr: &mut Expr) -> Vec<String> {
    let mut found = Vec::new();
    expr.each_mut(&mut |expr| found.extend(expr.variable().filter(|name| is_variable(name)).cloned()));
    found
}

/// The expression with a value in the place of a variable that nothing in it binds.
pub(crate) fn put(mut expr: Expr, variable: &str, value: &Expr) -> Expr {
    expr.each_mut(&mut |inner| {
        if matches!(inner, Expr::Var(name) if name == variable) {
            inner.clone_from(value);
        }
    });
    expr
}

fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

impl Clause {
    /// Calls `each` with every expression at and below patterns, guards and body, in their order.
    pub(crate) fn each_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        self.below_mut(&mut |expr| expr.each_mut(each));
    }
}

impl Expr {
    /// The name of a variable that is bound or read here.
    fn variable(&mut self) -> Option<&mut String> {
        match self {
            Expr::Var(name) | Expr::Apply(name, _) => Some(name),
            _ => None,
        }
    }

    /// Calls `each` with what is below an expression, then with the expression.
    fn each_last(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        self.below_mut(&mut |inner| inner.each_last(each));
        each(self);
    }

    fn each_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        each(self);
        self.below_mut(&mut |inner| inner.each_mut(each));
    }

    /// Calls `each` with every expression directly below this one, patterns included.
    pub(crate) fn below_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        match self {
            Expr::Number(_) | Expr::Char(_) | Expr::Atom(_) | Expr::Null | Expr::Text(_) | Expr::Var(_) => {}
            Expr::FunctionName(..) | Expr::Macro(_, None) => {}
            Expr::Tuple(items)
            | Expr::Binary(items)
            | Expr::Row(items)
            | Expr::Call(_, _, items)
            | Expr::Apply(_, items)
            | Expr::Macro(_, Some(items)) => items.iter_mut().for_each(each),
            Expr::List(items, tail) => items.iter_mut().chain(tail.as_deref_mut()).for_each(each),
            Expr::Map(pairs) => pairs.iter_mut().for_each(|(key, _, value)| {
                each(key);
                each(value);
            }),
            Expr::Record(_, fields) => fields.iter_mut().for_each(|(_, value)| each(value)),
            Expr::Segment { value, size, .. } => {
                each(value);
                size.as_deref_mut().into_iter().for_each(each);
            }
            Expr::Lambda(clauses) => clauses.iter_mut().for_each(|clause| clause.below_mut(each)),
            Expr::Case { value, clauses, .. } => {
                each(value);
                clauses.iter_mut().for_each(|clause| clause.below_mut(each));
            }
            Expr::Try(parts) => {
                parts.body.iter_mut().for_each(&mut *each);
                parts.clauses.iter_mut().for_each(|clause| clause.below_mut(each));
                parts.after.iter_mut().for_each(each);
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
            Expr::When(pattern, guards) => {
                each(pattern);
                guards.iter_mut().flatten().for_each(each);
            }
        }
    }
}

impl Clause {
    /// Calls `each` with every expression, those within another one before it.
    pub(crate) fn each_below_first(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        self.below_mut(&mut |expr| expr.each_last(each));
    }

    fn below_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        let Clause { patterns, guards, body } = self;
        patterns.iter_mut().chain(guards.iter_mut().flatten()).chain(body).for_each(each);
    }
}
