//! The tokens of JSON (RFC 8259), read strictly.

use crate::fault::{Code, Fault};
use std::borrow::Cow;
use std::collections::HashSet;

/// A position in JSON text.
pub(super) struct Parser<'t> {
    text: &'t [u8],
    pub at: usize,
}

pub(super) fn bad(at: usize, text: impl Into<String>) -> Fault {
    Fault::at(Code::BadJson, at, text)
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The next byte that is no white space, without taking it.
    pub fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// Takes `byte` if it comes next.
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub fn expect(&mut self, byte: u8, what: &str) -> Result<(), Fault> {
        if self.take(byte) {
            return Ok(());
        }
        Err(bad(self.at, format!("expected {what}, found {}", self.found())))
    }

    /// The next token in words, for messages.
    pub fn found(&mut self) -> String {
        let at = self.at;
        if let Some(word) = ["null", "true", "false"].into_iter().find(|word| self.word(word)) {
            self.at = at;
            return word.to_owned();
        }
        match self.peek() {
            None => "the end".to_owned(),
            Some(b'"') => "a string".to_owned(),
            Some(b'{') => "an object".to_owned(),
            Some(b'[') => "an array".to_owned(),
            Some(b'-' | b'0'..=b'9') => "a number".to_owned(),
            Some(byte) if byte.is_ascii_graphic() => format!("`{}`", char::from(byte)),
            Some(byte) => format!("byte 0x{byte:02x}"),
        }
    }

    /// Checks that nothing but white space is left.
    pub fn end(&mut self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(bad(self.at, format!("expected the end, found {}", self.found()))),
        }
    }

    /// Takes `true`, `false` or `null` if that word comes next.
    pub fn word(&mut self, word: &str) -> bool {
        self.peek();
        let rest = &self.text[self.at..];
        let found = rest.starts_with(word.as_bytes()) && !rest.get(word.len()).is_some_and(u8::is_ascii_alphanumeric);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// A string's characters.
    pub fn string(&mut self) -> Result<Cow<'t, str>, Fault> {
        self.expect(b'"', "a string")?;
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut plain = start;
        loop {
            match self.text.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let text = owned.get_or_insert_with(String::new);
                    text.push_str(utf8(&self.text[plain..self.at], plain)?);
                    text.push(self.escape()?);
                    plain = self.at;
                }
                Some(0..=0x1F) => return Err(bad(self.at, "a control character in a string must be escaped")),
                Some(_) => self.at += 1,
                None => return Err(bad(start - 1, "the string does not end")),
            }
        }
        let tail = utf8(&self.text[plain..self.at], plain)?;
        self.at += 1;
        Ok(match owned {
            None => Cow::Borrowed(tail),
            Some(text) => Cow::Owned(text + tail),
        })
    }

    /// Takes a string that is `text`, which needs no escapes, if it comes next and is written so.
    pub fn take_string(&mut self, text: &str) -> bool {
        self.peek();
        let rest = self.text[self.at..].strip_prefix(b"\"").and_then(|rest| rest.strip_prefix(text.as_bytes()));
        let found = rest.is_some_and(|rest| rest.first() == Some(&b'"'));
        self.at += if found { text.len() + 2 } else { 0 };
        found
    }

    /// The character that an escape at the cursor stands for.
    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        let byte = self.text.get(start + 1).copied();
        self.at += 2;
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let unit = self.hex4(start)?;
                let code = match unit {
                    0xD800..=0xDBFF if self.text[self.at..].starts_with(b"\\u") => {
                        self.at += 2;
                        match self.hex4(start)? {
                            low @ 0xDC00..=0xDFFF => 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00),
                            _ => unit,
                        }
                    }
                    unit => unit,
                };
                char::from_u32(code).ok_or_else(|| bad(start, "half of a surrogate pair is no character"))?
            }
            _ => return Err(bad(start, "no such escape: JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX")),
        })
    }

    fn hex4(&mut self, start: usize) -> Result<u32, Fault> {
        let digits = self.text.get(self.at..self.at + 4).ok_or_else(|| bad(start, "the escape does not end"))?;
        self.at += 4;
        digits.iter().try_fold(0, |code, &b| {
            char::from(b).to_digit(16).map(|d| code << 4 | d).ok_or_else(|| bad(start, "not four hex digits"))
        })
    }

    /// Skips a value of any kind, of at most `depth` levels. Its objects give no key twice.
    pub fn skip(&mut self, depth: u32) -> Result<(), Fault> {
        let at = self.at;
        let (close, keys) = match self.peek() {
            Some(b'"') => return self.string().map(|_| ()),
            Some(b'-' | b'0'..=b'9') => return self.number().map(|_| ()),
            Some(b'{') => (b'}', true),
            Some(b'[') => (b']', false),
            _ if self.word("null") || self.word("true") || self.word("false") => return Ok(()),
            _ => return Err(bad(self.at, format!("expected a value, found {}", self.found()))),
        };
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Fault::at(Code::TooDeep, at, "values nest deeper than the limit"));
        };
        self.at += 1;
        let mut first = true;
        let mut seen = HashSet::new();
        while !self.take(close) {
            if !std::mem::take(&mut first) {
                self.expect(b',', "`,` or the end of the list")?;
            }
            if keys {
                self.peek();
                self.new_key(&mut seen)?;
                self.expect(b':', "`:`")?;
            }
            self.skip(depth)?;
        }
        Ok(())
    }

    /// A key that is not among those `seen`.
    fn new_key(&mut self, seen: &mut HashSet<Cow<'t, str>>) -> Result<(), Fault> {
        let at = self.at;
        let key = self.string()?;
        match seen.replace(key) {
            None => Ok(()),
            Some(twice) => Err(bad(at, format!("`{twice}` is given twice"))),
        }
    }

    /// A number's text, in JSON's grammar.
    pub fn number(&mut self) -> Result<&'t str, Fault> {
        self.peek();
        let start = self.at;
        let mut at = start + usize::from(self.text.get(start) == Some(&b'-'));
        let digits = |at: &mut usize| {
            let from = *at;
            while self.text.get(*at).is_some_and(u8::is_ascii_digit) {
                *at += 1;
            }
            *at > from
        };
        let leading_zero = self.text.get(at) == Some(&b'0');
        let whole_at = at;
        let mut valid = digits(&mut at) && !(leading_zero && at - whole_at > 1);
        if self.text.get(at) == Some(&b'.') {
            at += 1;
            valid &= digits(&mut at);
        }
        if let Some(b'e' | b'E') = self.text.get(at) {
            at += 1;
            at += usize::from(matches!(self.text.get(at), Some(b'+' | b'-')));
            valid &= digits(&mut at);
        }
        if !valid {
            return Err(bad(start, "not a number"));
        }
        self.at = at;
        utf8(&self.text[start..at], start)
    }
}

fn utf8(bytes: &[u8], at: usize) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|e| bad(at + e.valid_up_to(), "not UTF-8"))
}

/// The integer that a JSON number's text is, exactly: `1e3` and `2.0` are integers. `None` for fractions and for
/// numbers beyond 38 digits.
pub(super) fn integer(text: &str) -> Option<i128> {
    if let Ok(plain) = text.parse::<i64>() {
        return Some(plain.into());
    }
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (unsigned, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let trailing = digits.len() - digits.trim_end_matches('0').len();
    let shift = i128::from(exponent.parse::<i64>().ok()?) - fraction.len() as i128 + trailing as i128;
    if shift < 0 || significant.len() as i128 + shift > 38 {
        return None;
    }
    let value = significant.parse::<i128>().ok()? * 10i128.pow(shift as u32);
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::{integer, Parser};

    #[test]
    fn integers_are_read_by_value() {
        let cases =
            [("0", 0), ("-0", 0), ("12", 12), ("-1.50e1", -15), ("1e3", 1000), ("100e-2", 1), ("0e999999999", 0)];
        for (text, value) in cases {
            assert_eq!(integer(text), Some(value), "{text}");
        }
        let edges = ["1e9223372036854775807", "10e9223372036854775807", "1.5e-9223372036854775808"];
        for text in edges {
            assert_eq!(integer(text), None, "{text}");
        }
        for text in ["1.5", "1e-1", "1e39", "1e99999999999999999999", "123456789012345678901234567890123456789"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn strings_and_numbers_are_read_strictly() {
        let good = [(r#""a\u00e9\ud83d\ude80\n""#, "aé🚀\n"), (r#""""#, "")];
        for (text, value) in good {
            assert_eq!(Parser::new(text.as_bytes()).string().unwrap(), value);
        }
        for text in [r#""\ud83d""#, r#""\ud83dx""#, r#""\ud83d\u0041""#, r#""\x""#, "\"a\nb\"", "\"a", r#""\u12"#] {
            assert!(Parser::new(text.as_bytes()).string().is_err(), "{text}");
        }
        assert!(Parser::new(b"\"\xff\"").string().is_err());
        for text in ["01", "-", "1.", ".5", "1e", "+1", "--1"] {
            assert!(Parser::new(text.as_bytes()).number().is_err(), "{text}");
        }
    }
}
