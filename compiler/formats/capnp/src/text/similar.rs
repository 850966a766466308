//! "Is … meant?"

/// The first of `candidates` that differs from `name` in case alone or by one slip: a character more, less, other, or
/// swapped with its neighbour. Takes time linear in the candidates' lengths.
pub(crate) fn similar<'a>(name: &str, mut candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .find(|candidate| *candidate != name && (candidate.eq_ignore_ascii_case(name) || one_slip(name, candidate)))
}

fn one_slip(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let shorter = a.len().min(b.len());
    let head = (0..shorter).take_while(|&i| a[i] == b[i]).count();
    let tail = (0..shorter - head).take_while(|&i| a[a.len() - 1 - i] == b[b.len() - 1 - i]).count();
    // A single letter is like any other, so something must be left that both share.
    match (&a[head..a.len() - tail], &b[head..b.len() - tail]) {
        (&[x, y], &[v, w]) => (x, y) == (w, v) && head + tail > 0,
        (left, right) => left.len() <= 1 && right.len() <= 1 && head + tail > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn slips_are_found_and_other_words_are_not() {
        for slip in ["Ordr", "Orderr", "Odrer", "order", "Arder"] {
            assert_eq!(similar(slip, ["Account", "Order"].into_iter()), Some("Order"), "{slip}");
        }
        for other in ["Account", "Orde7s", "O", "Order"] {
            assert_eq!(similar(other, ["Order", "b"].into_iter()), None, "{other}");
        }
    }
}
