//! Many numbers into one column at once.

use crate::store::{Column, Id, Kind, Store, Values};
use aldis_plan::NullValue;

/// The most flags of a set.
const FLAGS: usize = 64;

/// How stored numbers are read: their width, by how many bits they are moved up and down again to have their sign, and their null.
pub(crate) type Reading = (u8, u8, Option<NullValue>);

impl Store {
    /// Numbers as they are stored, into a column that takes all of them.
    pub fn push_numbers(&mut self, id: Id, numbers: &[u64], (width, sign, null): Reading) {
        match null {
            None => self.put(id, numbers, sign, |_| false),
            Some(NullValue::Bits(null)) => self.put(id, numbers, sign, move |number| number == null),
            Some(NullValue::Nan(_)) if width == 4 => {
                self.put(id, numbers, sign, |number| f32::from_bits(number as u32).is_nan());
            }
            Some(NullValue::Nan(_)) => self.put(id, numbers, sign, |number| f64::from_bits(number).is_nan()),
        }
    }

    fn put(&mut self, id: Id, numbers: &[u64], sign: u8, is_null: impl Fn(u64) -> bool + Copy) {
        if let Kind::Flags { bits, child } = &self.0[id].kind {
            let (bits, child) = (bits.clone(), *child);
            let sets = numbers.iter().map(|number| if is_null(*number) { 0 } else { *number });
            let ends = self.0[child].push_flags(&bits, sets);
            self.0[id].push_ends(ends.into_iter());
            self.0[id].mark(numbers.iter().map(|number| !is_null(*number)));
        } else {
            self.0[id].put(numbers, sign, is_null);
        }
    }
}

impl Column {
    fn put(&mut self, numbers: &[u64], sign: u8, is_null: impl Fn(u64) -> bool + Copy) {
        let signed = move |number: u64| (number << sign) as i64 >> sign;
        let plain = numbers.iter().map(move |number| if is_null(*number) { 0 } else { signed(*number) });
        match (&mut self.kind, &mut self.values) {
            (Kind::Enum(names), Values::W4(values)) => {
                values.extend(numbers.iter().map(|number| match is_null(*number) {
                    true => 0,
                    // There is room for it, or it would not be here.
                    false => names.place(signed(*number)).unwrap_or(0),
                }))
            }
            (Kind::Unit, Values::Bits(values)) => {
                values.extend(numbers.iter().map(|number| u8::from(!is_null(*number))));
            }
            (Kind::Char, Values::Bytes { ends, bytes }) => {
                for number in numbers {
                    if !is_null(*number) {
                        let mut text = [0; 2];
                        bytes.extend_from_slice(char::from(*number as u8).encode_utf8(&mut text).as_bytes());
                    }
                    ends.push(bytes.len() as i32);
                }
            }
            (Kind::Scaled { signed: true, .. }, Values::W16(values)) => values.extend(plain.map(i128::from)),
            (_, Values::W16(values)) => values.extend(plain.map(|number| i128::from(number as u64))),
            (_, Values::Bits(values)) => values.extend(plain.map(|number| u8::from(number != 0))),
            (_, Values::W1(values)) => values.extend(plain.map(|number| number as u8)),
            (_, Values::W2(values)) => values.extend(plain.map(|number| number as u16)),
            (_, Values::W4(values)) => values.extend(plain.map(|number| number as u32)),
            (_, Values::W8(values)) => values.extend(plain.map(|number| number as u64)),
            _ => {}
        }
        self.mark(numbers.iter().map(|number| !is_null(*number)));
    }

    /// The names of the bits of sets; gives how many there are up to the end of each set.
    fn push_flags(&mut self, bits: &[u64], sets: impl ExactSizeIterator<Item = u64>) -> Vec<usize> {
        let (Kind::Enum(names), Values::W4(values)) = (&mut self.kind, &mut self.values) else { return Vec::new() };
        let before = values.len();
        let places: Vec<(u64, u32)> =
            bits.iter().take(FLAGS).map(|bit| (*bit, names.place(*bit as i64).unwrap_or(0))).collect();
        let all = bits.iter().fold(0, |all, bit| all | bit);
        let mut ends = Vec::with_capacity(sets.len());
        for set in sets {
            let (mut found, mut count) = ([0; FLAGS], 0);
            // No jump depends on the bits, which nobody could foresee.
            for (bit, place) in &places {
                found[count % FLAGS] = *place;
                count += usize::from(set & bit != 0);
            }
            values.extend_from_slice(&found[..count]);
            if set & !all != 0 {
                values.push(names.place((set & !all) as i64).unwrap_or(0));
            }
            ends.push(values.len());
        }
        let count = values.len() - before;
        self.mark(std::iter::repeat_n(true, count));
        ends
    }
}
