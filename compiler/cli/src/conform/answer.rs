//! Answers of the testee protocol, and when two of them say the same.

use aldis_interpreter::{from_hex, to_hex};
use serde_json::Value;
use std::fmt;

/// One answer, without its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Ok(Vec<u8>),
    Error {
        code: String,
        offset: String,
        text: String,
    },
    Unsupported(String),
    /// Not a line of the protocol.
    Garbled(String),
}

impl Answer {
    /// Reads a line without its end.
    pub fn parse(line: &str) -> Self {
        let parts: Vec<&str> = line.splitn(5, '\t').collect();
        match parts.as_slice() {
            [_, "ok", hex] => from_hex(hex).map_or_else(|| Answer::Garbled(line.into()), Answer::Ok),
            [_, "error", code, offset, text] => {
                Answer::Error { code: (*code).into(), offset: (*offset).into(), text: (*text).into() }
            }
            [_, "unsupported", ..] => Answer::Unsupported(parts[2..].join(" ")),
            _ => Answer::Garbled(line.into()),
        }
    }

    /// Both refuse a text. One that is damaged may be wrong in several ways (no JSON from here on, too few elements
    /// there, a number too large elsewhere), and which of them is told first is the reader's affair.
    pub fn both_refuse_json(&self, other: &Answer) -> bool {
        let refuses = |answer: &Answer| matches!(answer, Answer::Error { code, .. } if ["bad-json", "out-of-range"].contains(&code.as_str()));
        refuses(self) && refuses(other)
    }

    /// Whether an error tells this offset and this path, which its text begins with.
    pub fn tells_place(&self, offset: Option<usize>, path: &str) -> bool {
        let Answer::Error { offset: told, text, .. } = self else { return true };
        let told_path = text.split_once(": ").map_or("", |(path, _)| path);
        *told == offset.map_or("-".to_owned(), |offset| offset.to_string()) && told_path == path
    }

    /// Equal bytes, or errors with equal codes. Offsets and texts only advise.
    pub fn agrees_with(&self, other: &Answer) -> bool {
        match (self, other) {
            (Answer::Ok(a), Answer::Ok(b)) => a == b,
            (Answer::Error { code: a, .. }, Answer::Error { code: b, .. }) => a == b,
            (Answer::Unsupported(_), Answer::Unsupported(_)) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Ok(bytes) => write!(f, "ok {}", shown(bytes)),
            Answer::Error { code, offset, text } => write!(f, "error {code} {offset} {text}"),
            Answer::Unsupported(text) => write!(f, "unsupported {text}"),
            Answer::Garbled(line) => write!(f, "(no answer of the protocol) {line}"),
        }
    }
}

/// JSON as it is, other bytes in hex.
fn shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.starts_with(['{', '[']) && !text.contains(char::is_control) => text.into(),
        _ => to_hex(bytes),
    }
}

/// The demands on an answer, whatever the interpreter says.
#[derive(Clone, Debug)]
pub enum Wanted {
    Bytes(Vec<u8>),
    /// By value, not by text.
    Json(Value),
    /// An error of this code.
    Code(String),
}

impl Wanted {
    pub fn is_met_by(&self, answer: &Answer) -> bool {
        match (self, answer) {
            (Wanted::Bytes(bytes), Answer::Ok(got)) => bytes == got,
            (Wanted::Json(value), Answer::Ok(got)) => {
                serde_json::from_slice(got).is_ok_and(|got: Value| same(value, &got, Closeness::Rounded))
            }
            (Wanted::Code(code), Answer::Error { code: got, .. }) => code == got,
            _ => false,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Bytes(bytes) => write!(f, "ok {}", shown(bytes)),
            Wanted::Json(value) => write!(f, "ok, by value {value}"),
            Wanted::Code(code) => write!(f, "error {code}"),
        }
    }
}

/// How closely JSON values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closeness {
    /// Texts must be equal.
    Exact,
    /// Decimal numbers in texts may be rounded to six places, as FBE's own C++ writes them.
    Rounded,
}

/// Equal by value. Writers differ in the digits of a float and in whether whole numbers have a point, so numbers are
/// equal if they are the same integer, or the same float of 64 or 32 bits.
pub fn same(a: &Value, b: &Value, closeness: Closeness) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, closeness)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b, closeness)))
        }
        (Value::Number(a), Value::Number(b)) => {
            if let (Some(a), Some(b)) = (integer(a), integer(b)) {
                return a == b;
            }
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            a == b || a as f32 == b as f32
        }
        (Value::String(a), Value::String(b)) if closeness == Closeness::Rounded => a == b || rounded_alike(a, b),
        _ => a == b,
    }
}

/// Both are decimal numbers, and they differ by no more than what is lost after six places (or in a double).
fn rounded_alike(a: &str, b: &str) -> bool {
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
        text.parse::<f64>().ok().filter(|_| digits)
    };
    match (number(a), number(b)) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-6_f64.max(a.abs() * f64::EPSILON),
        _ => false,
    }
}

fn integer(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

#[cfg(test)]
mod tests {
    use super::{same, Answer, Closeness};
    use serde_json::json;

    #[test]
    fn lines_are_read() {
        assert_eq!(Answer::parse("1\tok\t00ff"), Answer::Ok(vec![0, 255]));
        assert_eq!(Answer::parse("1\tok\t"), Answer::Ok(vec![]));
        let error = Answer::parse("1\terror\ttruncated\t7\tmore\tbytes");
        assert_eq!(error.to_string(), "error truncated 7 more\tbytes");
        assert!(error.agrees_with(&Answer::parse("2\terror\ttruncated\t-\t")));
        assert!(!error.agrees_with(&Answer::parse("2\terror\tbad-count\t7\tmore bytes")));
        for garbled in ["", "1", "1\tok", "1\tok\t0", "1\tok\txx", "1\terror\ttruncated"] {
            assert!(matches!(Answer::parse(garbled), Answer::Garbled(_)), "{garbled}");
            assert!(!Answer::parse(garbled).agrees_with(&Answer::parse(garbled)));
        }
    }

    #[test]
    fn values_are_compared_not_texts() {
        let exact = |a, b| same(&a, &b, Closeness::Exact);
        assert!(exact(json!({"a": 1, "b": [0.1]}), json!({"b": [0.1], "a": 1.0})));
        assert!(exact(json!(0.10000000149011612), json!(0.1)));
        assert!(!exact(json!(9007199254740993u64), json!(9007199254740992u64)));
        assert!(!exact(json!([1]), json!([1, 1])));
        assert!(!exact(json!({"a": null}), json!({})));
        assert!(!exact(json!("1.10"), json!("1.1")));
    }

    #[test]
    fn rounded_decimals_are_alike_and_other_texts_are_not() {
        let alike = |a, b| same(&json!(a), &json!(b), Closeness::Rounded);
        assert!(alike("1.100000", "1.1"));
        assert!(alike("0.000000", "-0.0000001"));
        assert!(!alike("1.100000", "1.100002"));
        assert!(!alike("one", "1"));
    }
}
