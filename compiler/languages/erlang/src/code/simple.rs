//! Sums with zero, lists within the tails of lists, binaries within binaries: emitters may write them, readers need not read them.

use super::tree::{Clause, Expr};

/// The clause as a careful person writes it.
pub(crate) fn simplify(clause: &mut Clause) {
    clause.each_below_first(&mut |expr| {
        while let Some(simpler) = simpler(expr) {
            *expr = simpler;
        }
    });
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
            let each = |item: Expr| match item {
                Expr::Segment { value, .. } if matches!(*value, Expr::Binary(_)) => match *value {
                    Expr::Binary(inner) => inner,
                    other => vec![other],
                },
                item => vec![item],
            };
            let (mut found, items) = (Vec::new(), std::mem::take(items));
            for item in items {
                match is_whole(&item) {
                    true => found.extend(each(item)),
                    false => found.push(item),
                }
            }
            Some(Expr::Binary(found))
        }
        _ => None,
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
