//! Guards that a number of the schema decides.
//!
//! Some codecs bind a number that the schema fixes where others read it from the bytes, and compare it later. Elixir warns
//! of guards that are always true or never: what the number decides is decided here.

use super::variables_of;
use aldis_erlang::code::{Clause, Expr};

/// Takes out of the guards behind `Variable = Number` what the number decides, and the variable if nothing else reads it.
pub(super) fn decide(clause: &mut Clause) {
    let mut index = 0;
    while index < clause.body.len() {
        let (before, after) = clause.body.split_at_mut(index + 1);
        if let Some((name, number)) = before.last().and_then(fixed) {
            for statement in after.iter_mut() {
                statement.each_mut(&mut |expr| decide_in(expr, &name, number));
            }
            if !after.iter().any(|statement| variables_of(statement).contains(&name)) {
                clause.body.remove(index);
                continue;
            }
        }
        index += 1;
    }
}

fn fixed(statement: &Expr) -> Option<(String, i128)> {
    let Expr::Match(pattern, value) = statement else { return None };
    match (&**pattern, &**value) {
        (Expr::Var(name), Expr::Number(number)) => Some((name.clone(), number.parse().ok()?)),
        _ => None,
    }
}

fn decide_in(expr: &mut Expr, name: &str, number: i128) {
    let Expr::Case { clauses, .. } = expr else { return };
    let decided = |clause: &mut Clause| {
        let Some(guard) = clause.guards.pop().and_then(|mut tests| tests.pop()) else { return true };
        match reduce(guard, name, number) {
            Reduced::Always => true,
            Reduced::Never => false,
            Reduced::Left(guard) => {
                clause.guards.push(vec![guard]);
                true
            }
        }
    };
    clauses.retain_mut(decided);
}

enum Reduced {
    Always,
    Never,
    Left(Expr),
}

fn reduce(guard: Expr, name: &str, number: i128) -> Reduced {
    match guard {
        Expr::Binop("andalso", left, right) => match (reduce(*left, name, number), reduce(*right, name, number)) {
            (Reduced::Never, _) | (_, Reduced::Never) => Reduced::Never,
            (Reduced::Always, other) | (other, Reduced::Always) => other,
            (Reduced::Left(left), Reduced::Left(right)) => {
                Reduced::Left(Expr::Binop("andalso", Box::new(left), Box::new(right)))
            }
        },
        Expr::Binop(operator, left, right) => match compare(operator, &left, &right, name, number) {
            Some(true) => Reduced::Always,
            Some(false) => Reduced::Never,
            None => Reduced::Left(Expr::Binop(operator, left, right)),
        },
        other => Reduced::Left(other),
    }
}

/// The result of comparing the variable with a number.
fn compare(operator: &str, left: &Expr, right: &Expr, name: &str, number: i128) -> Option<bool> {
    let (Expr::Var(variable), Expr::Number(other)) = (left, right) else { return None };
    let other: i128 = other.parse().ok()?;
    if variable != name {
        return None;
    }
    Some(match operator {
        "=:=" | "==" => number == other,
        "=/=" | "/=" => number != other,
        "=<" => number <= other,
        "<" => number < other,
        ">=" => number >= other,
        ">" => number > other,
        _ => return None,
    })
}
