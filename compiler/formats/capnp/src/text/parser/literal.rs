//! Numbers, texts and data: what their characters stand for.

use super::recovery::Parser;
use crate::codes;
use crate::text::ast::{ExpressionKind, Word};
use aldis_diagnostics::{quoted, Diagnostic, Span};
use aldis_text::{Lost, Parsed};

impl Parser<'_> {
    /// An integer or a float.
    pub(super) fn unsigned(&mut self, word: &Word) -> Parsed<ExpressionKind> {
        let is_hex = word.text.starts_with("0x");
        if is_hex || !word.text.contains(['.', 'e', 'E']) {
            return self.integer(word).map(ExpressionKind::Integer);
        }
        let float = word.text.parse::<f64>().ok();
        float.map(ExpressionKind::Float).ok_or_else(|| self.bad_number(word, "these digits make no number"))
    }

    /// `0x1F`, `017` (octal) or `12`, of at most 64 bits.
    pub(super) fn integer(&mut self, word: &Word) -> Parsed<u64> {
        let (digits, radix) = match (word.text.strip_prefix("0x"), word.text.strip_prefix('0')) {
            (Some(digits), _) => (digits, 16),
            (None, Some(digits)) if !digits.is_empty() => (digits, 8),
            _ => (word.text.as_str(), 10),
        };
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            let octal = radix == 8 && digits.chars().all(|c| c.is_ascii_digit());
            let message = if octal { "an octal number has no 8 or 9" } else { "these digits make no number" };
            return Err(self.bad_number(word, message));
        }
        u64::from_str_radix(digits, radix).map_err(|_| self.bad_number(word, "this number takes more than 64 bits"))
    }

    fn bad_number(&mut self, word: &Word, message: &str) -> Lost {
        let help = match message.starts_with("an octal") {
            true => "a leading 0 makes a number octal: remove it",
            false => "write `12`, `0x1F`, `017` or `1.5e-3`, up to 18446744073709551615",
        };
        self.report(Diagnostic::error(codes::BAD_NUMBER, message, word.span, "").help(help));
        Lost
    }

    /// The bytes of `"…"`, its escapes resolved.
    pub(super) fn text_bytes(&mut self, word: &Word) -> Parsed<Vec<u8>> {
        let inner = &word.text.as_bytes()[1..word.text.len() - 1];
        let mut bytes = Vec::with_capacity(inner.len());
        let mut at = 0;
        while at < inner.len() {
            if inner[at] != b'\\' {
                bytes.push(inner[at]);
                at += 1;
                continue;
            }
            let Some((byte, length)) = escape(&inner[at + 1..]) else {
                return Err(self.bad_escape(word, at + 1));
            };
            bytes.push(byte);
            at += 1 + length;
        }
        Ok(bytes)
    }

    /// The escape begins at byte `at` of the token.
    fn bad_escape(&mut self, word: &Word, at: usize) -> Lost {
        let length = word.text[at + 1..].chars().next().map_or(0, char::len_utf8);
        let start = word.span.start + at as u32;
        let span = Span { start, end: start + 1 + length as u32, ..word.span };
        let message = format!("{} is no escape", quoted(&word.text[at..at + 1 + length]));
        let problem = Diagnostic::error(codes::BAD_ESCAPE, message, span, "");
        self.report(problem.help(r#"there are `\a \b \f \n \r \t \v \' \" \\ \?`, `\xHH` and octal `\0` to `\377`"#));
        Lost
    }

    /// The bytes of `0x"…"`.
    pub(super) fn data_bytes(&mut self, word: &Word) -> Parsed<Vec<u8>> {
        let inner = &word.text["0x\"".len()..word.text.len() - 1];
        let mut bytes = Vec::with_capacity(inner.len() / 2);
        for pair in inner.split_ascii_whitespace() {
            let digits = pair.as_bytes();
            if digits.len() % 2 != 0 || !digits.iter().all(u8::is_ascii_hexdigit) {
                return Err(self.bad_data(word, pair));
            }
            bytes.extend(digits.chunks_exact(2).map(|two| hex(two[0]) << 4 | hex(two[1])));
        }
        Ok(bytes)
    }

    fn bad_data(&mut self, word: &Word, digits: &str) -> Lost {
        let message = format!("{} is not pairs of hexadecimal digits", quoted(digits));
        let problem = Diagnostic::error(codes::BAD_DATA, message, word.span, "");
        self.report(problem.help("two digits make a byte: `0x\"00 ff 10\"`"));
        Lost
    }
}

/// The byte that the escape stands for and how many bytes it takes behind the backslash.
fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    let byte = match *rest.first()? {
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        plain @ (b'\'' | b'"' | b'\\' | b'?') => plain,
        b'x' => {
            let digits = rest.get(1..3).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
            return Some((hex(digits[0]) << 4 | hex(digits[1]), 3));
        }
        b'0'..=b'7' => return octal(rest),
        _ => return None,
    };
    Some((byte, 1))
}

/// Up to three octal digits, below 256.
fn octal(rest: &[u8]) -> Option<(u8, usize)> {
    let length = rest.iter().take(3).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
    let value = rest[..length].iter().fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0'));
    Some((u8::try_from(value).ok()?, length))
}

/// The value of a hexadecimal digit.
fn hex(digit: u8) -> u8 {
    (digit as char).to_digit(16).unwrap_or(0) as u8
}
