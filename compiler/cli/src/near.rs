//! Names that may have been meant.

/// How many names a message lists.
const SHOWN: usize = 12;

/// `did you mean market.Trade? `, or nothing where no known name is near.
pub fn meant<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> String {
    match near(wanted, known).as_slice() {
        [] => String::new(),
        close => format!("did you mean {}? ", close.join(" or ")),
    }
}

/// The known names whose last part is the fewest edits from that of `wanted`, if those are few; at most three.
fn near<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let wanted_last = last(wanted);
    let allowed = ((wanted_last.chars().count() + 1) / 3).clamp(1, 3);
    let mut found: Vec<(usize, usize, &str)> = known
        .filter_map(|name| {
            let name_last = last(name);
            // Names whose lengths differ by more need more edits.
            let close = name_last.len().abs_diff(wanted_last.len()) <= allowed;
            let edits = close.then(|| distance(&wanted_last, &name_last)).filter(|edits| *edits <= allowed)?;
            Some((edits, distance(wanted, name), name))
        })
        .collect();
    found.sort();
    let fewest = found.first().map_or(0, |(edits, ..)| *edits);
    found.into_iter().take_while(|(edits, ..)| *edits == fewest).take(3).map(|(_, _, name)| name).collect()
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
    use super::{distance, list, meant, near};

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["market.Trade", "market.Trade.price", "market.Quote"];
        assert_eq!(near("market.Trad", known.into_iter()), ["market.Trade"]);
        assert_eq!(near("trade", known.into_iter()), ["market.Trade"]);
        assert_eq!(near("Qoute", known.into_iter()), ["market.Quote"]);
        assert_eq!(near("markt.Qote", known.into_iter()), ["market.Quote"]);
        assert!(near("market.Nothing", known.into_iter()).is_empty());
        assert_eq!(meant("trad", known.into_iter()), "did you mean market.Trade? ");
        assert_eq!((distance("kitten", "sitting"), distance("", "abc")), (3, 3));
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(&["a", "b"]), "a, b");
        let many: Vec<String> = (0..15).map(|i| i.to_string()).collect();
        assert!(list(&many).ends_with("11 and 3 more"));
    }
}
