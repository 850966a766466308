//! Values that JSON has as texts: bytes, uuids and decimals.

use super::parse::{bad, Parser};
use crate::fault::{Code, Fault};
use crate::scalar::encode_text;
use crate::Value;
use aldis_schema::{Decimal, Encoding};

pub(super) fn encoded(text: &str, encoding: Encoding, at: usize) -> Result<Value, Fault> {
    match encode_text(text, encoding) {
        Some(bytes) => Ok(Value::Bytes(bytes.into())),
        None => Err(Fault::at(Code::OutOfRange, at, "a character beyond U+00FF in one-byte text")),
    }
}

pub(super) fn uuid(text: &str, at: usize) -> Result<Value, Fault> {
    uuid_octets(text).map(Value::Uuid).ok_or_else(|| bad(at, "not a uuid of 32 hex digits with hyphens"))
}

pub(super) fn decimal(text: &str, at: usize) -> Result<Value, Fault> {
    let mut grammar = Parser::new(text.as_bytes());
    if text.starts_with([' ', '\t', '\n', '\r']) || grammar.number().map(str::len) != Ok(text.len()) {
        return Err(bad(at, "not a decimal number"));
    }
    match Decimal::parse(text) {
        Some(decimal) => Ok(Value::Decimal(Box::new(decimal))),
        None => {
            let said = |text: &str| format!("{text} has more digits than a decimal holds");
            Err(Fault::showing(Code::OutOfRange, text, said).or_at(at))
        }
    }
}

/// The 36 characters of a uuid, lower case.
pub(super) fn uuid_text(octets: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (index, octet) in octets.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{octet:02x}"));
    }
    text
}

/// The octets of a uuid's text, in either case.
pub(super) fn uuid_octets(text: &str) -> Option<[u8; 16]> {
    let bytes = text.as_bytes();
    if bytes.len() != 36 {
        return None;
    }
    let mut octets = [0; 16];
    let mut at = 0;
    for (index, octet) in octets.iter_mut().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            if bytes[at] != b'-' {
                return None;
            }
            at += 1;
        }
        let digit = |b: u8| char::from(b).to_digit(16);
        *octet = (digit(bytes[at])? << 4 | digit(bytes[at + 1])?) as u8;
        at += 2;
    }
    Some(octets)
}
