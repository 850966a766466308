//! The tokens of Cap'n Proto schemas.

use aldis_text::{line_length, quoted_length, Lexicon, Token, TokenKind};

pub(crate) static LEXICON: Lexicon = Lexicon {
    blanks: " \t\r\n\u{0B}\u{0C}\u{FEFF}",
    marks: "(){}[],;",
    operators: OPERATOR_CHARACTERS,
    openers: "#\"`",
    opened,
    digits,
};

/// As many of them as stand together are one operator: `:.` is one, and none that the language has.
pub(crate) const OPERATOR_CHARACTERS: &str = "!$%&*+-./:<=>?@^|~";

/// All tokens of `source`, the last of which is [`TokenKind::End`].
pub fn lex(source: &str) -> Vec<Token> {
    LEXICON.tokens(source)
}

fn opened(rest: &str) -> Option<(TokenKind, usize)> {
    if let Some(digits) = rest.strip_prefix("0x\"") {
        let closed = digits.find('"').map(|length| (TokenKind::Data, "0x\"\"".len() + length));
        return Some(closed.unwrap_or((TokenKind::OpenData, rest.len())));
    }
    match rest.as_bytes().first()? {
        b'#' => Some((TokenKind::LineComment, line_length(rest))),
        b'`' => Some((TokenKind::LineText, line_length(rest))),
        b'"' => {
            let (length, is_closed) = quoted_length(rest);
            Some((if is_closed { TokenKind::Text } else { TokenKind::OpenText }, length))
        }
        _ => None,
    }
}

/// Every dot behind a digit belongs to the number.
fn digits(rest: &str) -> usize {
    rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len())
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
        for source in ["", "\u{FEFF}@0x8;", "a # é\r\n\"q\\\"\" `c\n 1.5e-3 §§ü:. 0x\"0\n1\"", "\"open\nx", "0x\"1"]
        {
            let joined: String = kinds(source).iter().map(|(_, text)| *text).collect();
            assert_eq!(joined, source);
            assert!(lex(source).windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn operators_are_read_as_far_as_they_go() {
        assert_eq!(kinds("=-5")[0], (TokenKind::Operator, "=-"));
        assert_eq!(kinds(":.Foo")[0], (TokenKind::Operator, ":."));
        assert_eq!(kinds("!:union")[0], (TokenKind::Operator, "!:"));
        assert_eq!(kinds(")->(")[1], (TokenKind::Operator, "->"));
    }

    #[test]
    fn numbers_take_their_fraction_and_exponent() {
        for number in ["1.5e-3", "1e+3", "1.", "017", "0x1F", "12ab", "1.2.3"] {
            assert_eq!(kinds(number), [(TokenKind::Number, number)]);
        }
        assert_eq!(kinds("0x1e+3")[0], (TokenKind::Number, "0x1e"));
    }

    #[test]
    fn texts_end_with_their_line_and_data_with_the_quote() {
        assert_eq!(kinds("\"ab\\\"\r\nc")[0], (TokenKind::OpenText, "\"ab\\\""));
        assert_eq!(kinds("`a\"b\r\nc")[0], (TokenKind::LineText, "`a\"b"));
        assert_eq!(kinds("0x\"01\n02\" x")[0], (TokenKind::Data, "0x\"01\n02\""));
        assert_eq!(kinds("0x\"01")[0], (TokenKind::OpenData, "0x\"01"));
    }
}
