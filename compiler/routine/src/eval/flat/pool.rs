//! Lists of different things, which instructions name by their place.

/// The place of a thing in a list, to which it is added if it is new; `None` where the list is full.
pub(super) fn place_of<T: PartialEq + Clone>(all: &mut Vec<T>, one: &T) -> Option<u16> {
    let known = all.iter().position(|known| known == one).unwrap_or(all.len());
    let place = u16::try_from(known).ok()?;
    if known == all.len() {
        all.push(one.clone());
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn a_full_list_takes_nothing_more() {
        let mut all: Vec<u32> = (0..=u32::from(u16::MAX)).collect();
        assert_eq!(place_of(&mut all, &7), Some(7));
        assert_eq!(place_of(&mut all, &70_000), None);
        assert_eq!(all.len(), 65_536);
        let mut few = Vec::new();
        assert_eq!(
            (place_of(&mut few, &"a"), place_of(&mut few, &"b"), place_of(&mut few, &"a")),
            (Some(0), Some(1), Some(0))
        );
    }
}
