//! Names that may have been meant.

/// How many names a message lists.
const SHOWN: usize = 12;

/// The known names nearest to `wanted`, at most three: those that end in the same last part, and those a few edits away.
pub fn near<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let wanted_last = last(wanted);
    let allowed = (wanted.chars().count() / 3).clamp(1, 3);
    let mut found: Vec<(usize, &str)> = known
        .filter_map(|name| {
            if last(name) == wanted_last {
                return Some((0, name));
            }
            // Names whose lengths differ by more need more edits.
            let close = name.len().abs_diff(wanted.len()) <= allowed;
            close.then(|| (distance(&wanted.to_lowercase(), &name.to_lowercase()), name))
        })
        .filter(|(edits, _)| *edits <= allowed)
        .collect();
    found.sort();
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// `a, b, c`, and how many more there are where they are many.
pub fn list<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// How many characters to insert, remove or replace to make one of the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut costs: Vec<usize> = (0..=to.len()).collect();
    for (row, a) in from.chars().enumerate() {
        let mut above_left = std::mem::replace(&mut costs[0], row + 1);
        for (column, b) in to.iter().enumerate() {
            let above = costs[column + 1];
            let replaced = above_left + usize::from(a != *b);
            costs[column + 1] = replaced.min(above + 1).min(costs[column] + 1);
            above_left = above;
        }
    }
    costs[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, list, near};

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["market.Trade", "market.Trade.price", "market.Quote"];
        assert_eq!(near("market.Trad", known.into_iter()), ["market.Trade"]);
        assert_eq!(near("trade", known.into_iter()), ["market.Trade"]);
        assert!(near("market.Nothing", known.into_iter()).is_empty());
        assert_eq!((distance("kitten", "sitting"), distance("", "abc")), (3, 3));
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(&["a", "b"]), "a, b");
        let many: Vec<String> = (0..15).map(|i| i.to_string()).collect();
        assert!(list(&many).ends_with("11 and 3 more"));
    }
}
