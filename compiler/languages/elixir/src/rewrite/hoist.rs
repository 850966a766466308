//! A `case` within a binary's construction becomes a statement before it, where that changes no order of evaluation. So
//! does a helper within a size, which changes none: Elixir drops private functions that nothing but a size calls.

use super::variables_of;
use aldis_erlang::code::{Clause, Expr};

/// Takes the cases out of the binaries that a clause's statements begin with, and those of the bodies within it.
pub(super) fn hoist(clause: &mut Clause) {
    let names: Vec<String> = clause.patterns.iter().chain(&clause.body).flat_map(variables_of).collect();
    clause.body.iter_mut().for_each(splice_all);
    let mut hoister = Hoister { names };
    hoister.body(&mut clause.body);
}

struct Hoister {
    names: Vec<String>,
}

impl Hoister {
    fn body(&mut self, body: &mut Vec<Expr>) {
        let mut statements = Vec::new();
        for mut statement in std::mem::take(body) {
            self.sizes(&mut statement, &mut statements);
            if let Some(segments) = first_binary(&mut statement) {
                self.segments(segments, &mut statements);
            }
            self.within(&mut statement);
            statements.push(statement);
        }
        *body = statements;
    }

    /// The helpers in sizes of what is constructed whenever the statement is evaluated.
    fn sizes(&mut self, expr: &mut Expr, before: &mut Vec<Expr>) {
        match expr {
            Expr::Lambda(_) | Expr::Try(_) | Expr::Comprehension { .. } => {}
            Expr::Case { value, .. } => self.sizes(value, before),
            Expr::Match(_, value) => self.sizes(value, before),
            Expr::Binary(segments) => {
                for segment in segments {
                    self.sizes(segment.segment_value(), before);
                    let Expr::Segment { size: Some(size), .. } = segment else { continue };
                    if matches!(**size, Expr::Macro(..)) {
                        let of = variables_of(size).into_iter().next().unwrap_or_default();
                        let name = self.fresh(&format!("{}Padding", of.trim_end_matches('_')));
                        let value = std::mem::replace(&mut **size, Expr::Var(name.clone()));
                        before.push(Expr::Match(Box::new(Expr::Var(name)), Box::new(value)));
                    }
                }
            }
            other => other.below_mut(&mut |inner| self.sizes(inner, before)),
        }
    }

    /// Bodies within an expression.
    fn within(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Lambda(clauses) | Expr::Case { clauses, .. } => {
                clauses.iter_mut().for_each(|clause| self.body(&mut clause.body));
            }
            Expr::Try(inner) => {
                self.body(&mut inner.body);
                inner.clauses.iter_mut().for_each(|clause| self.body(&mut clause.body));
            }
            other => other.below_mut(&mut |inner| self.within(inner)),
        }
    }

    /// Values that are computed up to the last case come before, in their order; those behind it stay.
    fn segments(&mut self, segments: &mut [Expr], before: &mut Vec<Expr>) {
        let last = segments.iter().rposition(|segment| matches!(segment.as_segment().0, Expr::Case { .. }));
        let Some(last) = last else { return };
        for value in segments[..=last].iter_mut().map(Expr::segment_value) {
            if is_simple(value) {
                continue;
            }
            let wanted = variables_of(value).into_iter().next().unwrap_or_else(|| "Value".to_owned());
            let name = self.fresh(&format!("{}Put", wanted.trim_end_matches('_')));
            let value = std::mem::replace(value, Expr::Var(name.clone()));
            before.push(Expr::Match(Box::new(Expr::Var(name)), Box::new(value)));
        }
    }

    fn fresh(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|n| format!("{wanted}{n}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let name = names.find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.push(name.clone());
        name
    }
}

fn splice_all(expr: &mut Expr) {
    if let Expr::Binary(segments) = expr {
        splice(segments);
    }
    expr.below_mut(&mut |inner| splice_all(inner));
}

/// The segments of binaries that stand within the binary, as segments of its own.
fn splice(segments: &mut Vec<Expr>) {
    let mut flat = Vec::new();
    for mut segment in std::mem::take(segments) {
        let whole = segment.as_segment().1.is_none();
        match segment.segment_value() {
            Expr::Binary(inner) if whole => {
                splice(inner);
                flat.append(inner);
            }
            _ => flat.push(segment),
        }
    }
    *segments = flat;
}

fn is_simple(expr: &Expr) -> bool {
    matches!(expr, Expr::Var(_) | Expr::Number(_) | Expr::Text(_) | Expr::Atom(_))
}

/// The binary that an expression evaluates first.
fn first_binary(expr: &mut Expr) -> Option<&mut Vec<Expr>> {
    match expr {
        Expr::Binary(segments) => Some(segments),
        Expr::Match(_, value) => first_binary(value),
        Expr::Tuple(items) | Expr::List(items, _) => items.first_mut().and_then(first_binary),
        _ => None,
    }
}
