//! Questions about a whole clause: its variables, and what it calls.

use super::tree::{Clause, Expr};
use std::collections::{BTreeMap, BTreeSet};

/// Puts `_` before each variable that occurs only once in a clause: it is bound and not read, whatever the clause does. So every
/// emitter may bind what it may need.
pub(crate) fn mark_unused(clause: &mut Clause) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    clause.each(&mut |expr| {
        if let Some(name) = expr.variable().filter(|name| is_variable(name)) {
            *counts.entry(name.clone()).or_default() += 1;
        }
    });
    clause.each_mut(&mut |expr| {
        if let Some(name) = expr.variable_mut().filter(|name| counts.get(*name) == Some(&1)) {
            name.insert(0, '_');
        }
    });
}

/// The local functions and the macros (`?WITHIN`) that a clause calls with arguments.
pub(crate) fn called(clause: &Clause, found: &mut BTreeSet<String>) {
    clause.each(&mut |expr| match expr {
        Expr::Call(None, name, args) if !args.is_empty() => {
            found.insert(name.clone());
        }
        Expr::Macro(name, args) if !args.is_empty() => {
            found.insert(format!("?{name}"));
        }
        _ => {}
    });
}

/// The names of the variables at and below an expression, in order, however often they are there.
pub(crate) fn variables(expr: &Expr) -> Vec<String> {
    let mut found = Vec::new();
    expr.each(&mut |expr| found.extend(expr.variable().filter(|name| is_variable(name)).cloned()));
    found
}

fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The walks over trees that are read, and over those that are changed.
macro_rules! walks {
    ($each:ident, $below:ident, $variable:ident, $iter:ident, $as_deref:ident $(, $mut:ident)?) => {
        impl Clause {
            /// Calls `each` with every expression at and below patterns, guards and body, in their order.
            pub fn $each(&$($mut)? self, each: &mut dyn FnMut(&$($mut)? Expr)) {
                self.$below(&mut |expr| expr.$each(each));
            }

            /// Calls `each` with every pattern, every test and every statement.
            pub fn $below(&$($mut)? self, each: &mut dyn FnMut(&$($mut)? Expr)) {
                let Clause { patterns, guards, body } = self;
                patterns.$iter().chain(guards.$iter().flatten()).chain(body).for_each(each);
            }
        }

        impl Expr {
            /// The name of a variable that is bound or read here.
            pub fn $variable(&$($mut)? self) -> Option<&$($mut)? String> {
                match self {
                    Expr::Var(name) | Expr::Apply(name, _) => Some(name),
                    _ => None,
                }
            }

            /// Calls `each` with the expression, then with all below it.
            pub fn $each(&$($mut)? self, each: &mut dyn FnMut(&$($mut)? Expr)) {
                each(self);
                self.$below(&mut |inner| inner.$each(each));
            }

            /// Calls `each` with every expression directly below this one, patterns included.
            pub fn $below(&$($mut)? self, each: &mut dyn FnMut(&$($mut)? Expr)) {
                match self {
                    Expr::Number(_) | Expr::Char(_) | Expr::Atom(_) | Expr::Null | Expr::Text(_) | Expr::Var(_) => {}
                    Expr::FunctionName(..) | Expr::Key(..) => {}
                    Expr::Tuple(items)
                    | Expr::Binary(items)
                    | Expr::Row(items)
                    | Expr::Call(_, _, items)
                    | Expr::Apply(_, items)
                    | Expr::Macro(_, items) => items.$iter().for_each(each),
                    Expr::List(items, tail) => items.$iter().chain(tail.$as_deref()).for_each(each),
                    Expr::Map(pairs) => pairs.$iter().for_each(|(key, _, value)| {
                        each(key);
                        each(value);
                    }),
                    Expr::Record(_, fields) => fields.$iter().for_each(|(_, value)| each(value)),
                    Expr::Segment { value, size, .. } => {
                        each(value);
                        size.$as_deref().into_iter().for_each(each);
                    }
                    Expr::Lambda(clauses) => clauses.$iter().for_each(|clause| clause.$below(each)),
                    Expr::Case { value, clauses, .. } => {
                        each(value);
                        clauses.$iter().for_each(|clause| clause.$below(each));
                    }
                    Expr::Try(parts) => {
                        parts.body.$iter().for_each(&mut *each);
                        parts.clauses.$iter().for_each(|clause| clause.$below(each));
                        parts.after.$iter().for_each(each);
                    }
                    Expr::Match(left, right) | Expr::Binop(_, left, right) => {
                        each(left);
                        each(right);
                    }
                    Expr::Unop(_, inner) => each(inner),
                    Expr::Comprehension { value, generator, .. } => {
                        each(&$($mut)? generator.source);
                        each(&$($mut)? generator.pattern);
                        each(value);
                    }
                    Expr::When(pattern, guards) => {
                        each(pattern);
                        guards.$iter().flatten().for_each(each);
                    }
                }
            }
        }
    };
}

walks!(each, below, variable, iter, as_deref);
walks!(each_mut, below_mut, variable_mut, iter_mut, as_deref_mut, mut);

impl Expr {
    /// Calls `each` with what is below an expression, then with the expression.
    pub fn each_last(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        self.below_mut(&mut |inner| inner.each_last(each));
        each(self);
    }
}
