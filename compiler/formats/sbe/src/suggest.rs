//! "Did you mean": the nearest of the names there are.

/// The candidate nearest to `name`: equal but for case, or a few edits away. `None` when nothing is near.
pub(crate) fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= allowed && *candidate != name)
        .map(|candidate| (distance(&name.to_ascii_lowercase(), &candidate.to_ascii_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters to insert, remove or replace to make one of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["sinceVersion", "semanticType", "offset"];
        assert_eq!(closest("sinceversion", names.into_iter()), Some("sinceVersion"));
        assert_eq!(closest("ofset", names.into_iter()), Some("offset"));
        assert_eq!(closest("colour", names.into_iter()), None);
    }
}
