//! "Did you mean …?"

/// The first of `candidates` that is `name` but for case or one slip of a finger.
pub(super) fn similar<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut close = candidates.filter(|candidate| *candidate != name && is_close(name, candidate));
    close.next()
}

/// One character more, less, other or swapped with its neighbour. Linear, so that a schema of nothing but unknown
/// names stays cheap.
fn is_close(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
    let one_character = a.len() <= 1 && b.len() <= 1;
    let swapped = a.len() == 2 && b.len() == 2 && a[0] == b[1] && a[1] == b[0];
    (one_character || swapped) && prefix + suffix > 0
}

#[cfg(test)]
mod tests {
    use super::is_close;

    #[test]
    fn slips_are_close_and_other_words_are_not() {
        for (a, b) in
            [("Ordr", "Order"), ("Orderr", "Order"), ("Odrer", "Order"), ("order", "Order"), ("Arder", "Order")]
        {
            assert!(is_close(a, b), "{a} {b}");
        }
        for (a, b) in [("Order", "Account"), ("a", "b"), ("Orde", "Orderly")] {
            assert!(!is_close(a, b), "{a} {b}");
        }
    }
}
