//! The names of numbers: dictionaries of enums.

use arrow_array::{ArrayRef, StringArray};
use std::collections::HashMap;
use std::sync::Arc;

/// So many numbers without a name are kept, so that hostile bytes do not fill the memory.
const MOST: usize = 1 << 16;

/// A dictionary that begins with the schema's names. A number without a name is added as its digits when it is first
/// met, which no name can be: so it is kept, and told from all others.
#[derive(Debug)]
pub(crate) struct Names {
    texts: Vec<String>,
    places: HashMap<i64, u32>,
    /// Those of small numbers.
    small: Vec<u32>,
    named: usize,
    signed: bool,
    array: Option<ArrayRef>,
}

const NONE: u32 = u32::MAX;

impl Names {
    /// The table of numbers and their names; of a number's names the first counts.
    pub fn new<'n>(names: impl IntoIterator<Item = (i64, &'n str)>, signed: bool) -> Self {
        let (texts, places, small) = (Vec::new(), HashMap::new(), vec![NONE; 256]);
        let mut found = Self { texts, places, small, named: 0, signed, array: None };
        for (number, name) in names {
            if found.known(number).is_none() {
                found.add(number, name.to_owned());
            }
        }
        found.named = found.texts.len();
        found
    }

    #[inline(always)]
    fn known(&self, number: i64) -> Option<u32> {
        match self.small.get(number as usize) {
            Some(&NONE) => None,
            Some(place) => Some(*place),
            None => self.places.get(&number).copied(),
        }
    }

    fn add(&mut self, number: i64, text: String) -> u32 {
        let place = self.texts.len() as u32;
        match self.small.get_mut(number as usize) {
            Some(small) => *small = place,
            None => drop(self.places.insert(number, place)),
        }
        self.texts.push(text);
        self.array = None;
        place
    }

    /// The place of a number. None where there are too many without a name.
    #[inline(always)]
    pub fn place(&mut self, number: i64) -> Option<u32> {
        match self.known(number) {
            Some(place) => Some(place),
            None if self.texts.len() - self.named >= MOST => None,
            None if self.signed => Some(self.add(number, number.to_string())),
            None => Some(self.add(number, (number as u64).to_string())),
        }
    }

    /// How many more numbers without a name are sure to have a place.
    pub fn room(&self) -> usize {
        MOST.saturating_sub(self.texts.len() - self.named)
    }

    /// All names, the same array as before where none was added.
    pub fn array(&mut self) -> ArrayRef {
        let texts = &self.texts;
        self.array.get_or_insert_with(|| Arc::new(StringArray::from_iter_values(texts))).clone()
    }
}
