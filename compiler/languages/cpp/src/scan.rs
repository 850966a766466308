//! Names and literals in a line of code.

pub(crate) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The place behind a string or character literal, which may be a raw one. Digit separators are no literals.
pub(crate) fn behind_literal(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let before = start.checked_sub(1).map(|at| bytes[at]);
    if quote == b'\'' && before.is_some_and(is_name) {
        return start + 1;
    }
    if quote == b'"' && before == Some(b'R') {
        let end = bytes[start..].windows(2).position(|pair| pair == b")\"");
        return end.map_or(bytes.len(), |end| start + end + 2);
    }
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}
