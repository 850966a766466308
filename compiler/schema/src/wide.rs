//! Integers of 128 bits in JSON: a number where 64 bits hold it, else its decimal text, so that every JSON reader keeps
//! all digits.

use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// For `#[serde(with = "wide")]`.
pub fn serialize<S: Serializer, T: Copy + Display + TryInto<i64> + TryInto<u64>>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if let Ok(number) = TryInto::<u64>::try_into(*value) {
        serializer.serialize_u64(number)
    } else if let Ok(number) = TryInto::<i64>::try_into(*value) {
        serializer.serialize_i64(number)
    } else {
        serializer.collect_str(value)
    }
}

/// For `#[serde(with = "wide")]`.
pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Digits(PhantomData))
}

struct Digits<T>(PhantomData<T>);

impl<T: FromStr> Visitor<'_> for Digits<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer, or its decimal text")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(|_| E::custom("not an integer of the wanted size"))
    }
}
