//! Floating-point numbers in JSON: a number, or the text `NaN`, `inf` or `-inf`, for which JSON has no number.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// For `#[serde(with = "float")]`.
pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match value.is_finite() {
        true => serializer.serialize_f64(*value),
        false => serializer.collect_str(value),
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Text(String),
}

/// For `#[serde(with = "float")]`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match Written::deserialize(deserializer)? {
        Written::Number(number) => Ok(number),
        Written::Text(text) => text.parse().map_err(D::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use crate::Literal;

    #[test]
    fn every_number_comes_back() {
        for number in [0.0, -0.0, 1.5, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let text = serde_json::to_string(&Literal::Float(number)).unwrap();
            let Ok(Literal::Float(read)) = serde_json::from_str(&text) else { panic!("{text}") };
            assert_eq!(read.to_bits(), number.to_bits(), "{text}");
        }
    }
}
