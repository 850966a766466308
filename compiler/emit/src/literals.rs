//! Literals that several languages write alike.

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
