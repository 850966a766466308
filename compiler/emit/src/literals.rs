//! Literals that several languages write alike.

use aldis_plan::Repr;
use aldis_schema::{Encoding, Type};

/// A string literal of a language whose strings are UTF-16: characters beyond ASCII are escaped by their units.
pub fn quoted(content: &str) -> String {
    let mut literal = String::from("\"");
    for c in content.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            ' '..='~' => literal.push(c),
            c => {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().for_each(|unit| literal.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
    literal.push('"');
    literal
}

/// Bytes of the schema as text, in the encoding that the type says.
pub fn text_of(bytes: &[u8], ty: &Type) -> String {
    match ty {
        Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => {
            bytes.iter().map(|&byte| char::from(byte)).collect()
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The integer that is stored as these bits, below zero where it has a sign and the highest of them is set.
pub fn integer_of(repr: Repr, bits: u64) -> i128 {
    match repr {
        Repr::I8 => i128::from(bits as u8 as i8),
        Repr::I16 => i128::from(bits as u16 as i16),
        Repr::I32 => i128::from(bits as u32 as i32),
        Repr::I64 => i128::from(bits as i64),
        _ => i128::from(bits),
    }
}

/// A JSON string, with the escapes that the interpreter writes.
pub fn json_string(content: &str) -> String {
    let mut literal = String::from("\"");
    for c in content.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\u{8}' => literal.push_str("\\b"),
            '\u{c}' => literal.push_str("\\f"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            c if u32::from(c) < 0x20 => literal.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::json_string;

    #[test]
    fn json_has_short_escapes_where_there_are_such() {
        assert_eq!(json_string("a\tb\"\\\u{1}\u{8}é"), r#""a\tb\"\\\u0001\bé""#);
    }
}
