//! Ids, and the messages that they mean.

/// Ids below this are found without a search.
const SMALL: u64 = 1 << 10;

/// The meanings of ids.
#[derive(Debug)]
pub struct Ids {
    /// Ascending: the message that an id means, or `None` where several claim it.
    sorted: Vec<(u64, Option<usize>)>,
    /// By small id: its place in `sorted`, which is the length of that for an id without a meaning.
    places: Vec<u32>,
}

impl Ids {
    /// For ids in ascending order.
    pub fn new(sorted: Vec<(u64, Option<usize>)>) -> Self {
        let smalls = sorted.iter().take_while(|(id, _)| *id < SMALL);
        let length = smalls.clone().last().map_or(0, |(id, _)| *id as usize + 1);
        let mut places = vec![sorted.len() as u32; length];
        for (place, (id, _)) in (0..).zip(smalls) {
            places[*id as usize] = place;
        }
        Self { sorted, places }
    }

    /// The message that the id means: an inner `None` where several claim it, an outer one where none does.
    #[inline]
    pub fn get(&self, id: u64) -> Option<Option<usize>> {
        let place = match usize::try_from(id).ok().and_then(|id| self.places.get(id)) {
            Some(place) => *place as usize,
            None => self.sorted.binary_search_by_key(&id, |(id, _)| *id).ok()?,
        };
        self.sorted.get(place).map(|(_, message)| *message)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ids, SMALL};

    #[test]
    fn small_and_large_ids_are_found_and_others_are_not() {
        let known = [(0, Some(7)), (3, None), (SMALL - 1, Some(1)), (SMALL, Some(2)), (u64::MAX, Some(0))];
        let ids = Ids::new(known.to_vec());
        for (id, message) in known {
            assert_eq!(ids.get(id), Some(message));
        }
        for id in [1, 2, 4, SMALL - 2, SMALL + 1, u64::MAX - 1] {
            assert_eq!(ids.get(id), None);
        }
        assert_eq!(Ids::new(vec![(5000, Some(1))]).get(0), None);
        assert_eq!(Ids::new(Vec::new()).get(0), None);
    }
}
