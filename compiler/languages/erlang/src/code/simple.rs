//! Sums with zero, lists within the tails of lists, binaries within binaries: emitters may write them, readers need not read them.

use super::tree::{Clause, Expr};

/// The clause as a careful person writes it.
pub(crate) fn simplify(clause: &mut Clause) {
    let each = &mut |expr: &mut Expr| {
        while let Some(simpler) = simpler(expr) {
            *expr = simpler;
        }
    };
    clause.below_mut(&mut |expr| expr.each_last(each));
}

fn simpler(expr: &mut Expr) -> Option<Expr> {
    match expr {
        Expr::Binop("+", left, right) if **right == Expr::Number("0".to_owned()) => Some(take(left)),
        Expr::List(items, Some(tail)) => {
            let Expr::List(more, end) = &mut **tail else { return None };
            items.append(more);
            Some(Expr::List(std::mem::take(items), end.take()))
        }
        Expr::Binary(items) if items.iter().any(is_whole) => {
            Some(Expr::Binary(std::mem::take(items).into_iter().flat_map(own_segments).collect()))
        }
        _ => None,
    }
}

/// The segments of a binary that is a segment as a whole; else the segment.
fn own_segments(segment: Expr) -> Vec<Expr> {
    if !is_whole(&segment) {
        return vec![segment];
    }
    match segment {
        Expr::Segment { value, .. } => match *value {
            Expr::Binary(inner) => inner,
            value => vec![value],
        },
        segment => vec![segment],
    }
}

fn take(expr: &mut Expr) -> Expr {
    std::mem::replace(expr, Expr::Null)
}

/// Whether a segment is a binary as a whole.
fn is_whole(segment: &Expr) -> bool {
    let Expr::Segment { value, size: None, specs } = segment else { return false };
    matches!(**value, Expr::Binary(_)) && *specs == ["binary"]
}

#[cfg(test)]
mod tests {
    use super::super::quote;
    use super::simpler;

    #[test]
    fn lists_and_binaries_within_others_are_parts_of_them() {
        for (long, short) in [
            ("[a | [b | [C || C <- D]]]", "[a, b | [C || C <- D]]"),
            ("<<A, (<<B:8, C>>)/binary>>", "<<A, B:8, C>>"),
            ("At + 0", "At"),
        ] {
            assert_eq!(simpler(&mut quote(long)), Some(quote(short)));
        }
        assert_eq!(simpler(&mut quote("<<(f(A))/binary, (<< <<B>> || B <- C >>)/binary>>")), None);
    }
}
