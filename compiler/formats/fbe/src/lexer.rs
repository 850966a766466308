//! The tokens of FBE schemas.

use aldis_text::{line_length, name_length, quoted_length, Lexicon, Token, TokenKind};

pub(crate) static LEXICON: Lexicon = Lexicon {
    blanks: " \t\r\n\u{0B}\u{0C}",
    marks: "{}()[]<>;:,.=|?~!*+-",
    operators: "",
    openers: "/\"'",
    opened,
    digits,
};

/// All tokens of `source`, the last of which is [`TokenKind::End`].
pub fn lex(source: &str) -> Vec<Token> {
    LEXICON.tokens(source)
}

fn opened(rest: &str) -> Option<(TokenKind, usize)> {
    if rest.starts_with("//") {
        return Some((TokenKind::LineComment, line_length(rest)));
    }
    if let Some(inside) = rest.strip_prefix("/*") {
        let closed = inside.find("*/").map(|length| (TokenKind::BlockComment, "/**/".len() + length));
        return Some(closed.unwrap_or((TokenKind::OpenComment, rest.len())));
    }
    let (closed, open) = match rest.as_bytes().first()? {
        b'"' => (TokenKind::Text, TokenKind::OpenText),
        b'\'' => (TokenKind::Char, TokenKind::OpenChar),
        _ => return None,
    };
    let (length, is_closed) = quoted_length(rest);
    Some((if is_closed { closed } else { open }, length))
}

/// A dot belongs to the number only when a digit follows.
fn digits(rest: &str) -> usize {
    let whole = name_length(rest);
    match rest[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|c: char| c.is_ascii_digit()) => whole + 1 + name_length(fraction),
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(TokenKind, &str)> {
        let tokens = lex(source);
        assert_eq!(tokens.last().map(|t| t.kind), Some(TokenKind::End), "{source:?}");
        tokens[..tokens.len() - 1].iter().map(|t| (t.kind, &source[t.start..t.end])).collect()
    }

    #[test]
    fn tokens_concatenate_to_the_source() {
        for source in
            ["", "\u{FEFF}package p", "a/* é */b // x\r\n\"q\\\"\" 'c' 1.5e-3 0xFFe+1 §§ü/ /*", "\"open\n'x", "1..2"]
        {
            let joined: String = kinds(source).iter().map(|(_, text)| *text).collect();
            assert_eq!(joined, source);
            assert!(lex(source).windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn numbers_take_their_fraction_and_exponent_but_no_member_dot() {
        assert_eq!(kinds("1.5e-3"), [(TokenKind::Number, "1.5e-3")]);
        assert_eq!(kinds("1e+3;")[0], (TokenKind::Number, "1e+3"));
        assert_eq!(kinds("0x1e+3")[0], (TokenKind::Number, "0x1e"));
        assert_eq!(kinds("1.a")[0], (TokenKind::Number, "1"));
        assert_eq!(kinds("12ab")[0], (TokenKind::Number, "12ab"));
    }

    #[test]
    fn what_is_not_closed_ends_with_its_line_or_the_file() {
        assert_eq!(kinds("\"ab\\\"\r\nc")[0], (TokenKind::OpenText, "\"ab\\\""));
        assert_eq!(kinds("'a\nb")[0], (TokenKind::OpenChar, "'a"));
        assert_eq!(kinds("/* a\nb")[0], (TokenKind::OpenComment, "/* a\nb"));
    }

    #[test]
    fn foreign_characters_are_one_token() {
        assert_eq!(
            kinds("a#$%é b"),
            [(TokenKind::Name, "a"), (TokenKind::Unknown, "#$%é"), (TokenKind::Space, " "), (TokenKind::Name, "b")]
        );
    }
}
