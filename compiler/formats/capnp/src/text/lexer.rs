//! Text to tokens, without loss: the tokens' texts, one after another, are the source. Comments and white space are
//! tokens too, so that a formatter or an editor can stand on the same lexer.

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Blanks, tabs, line ends and byte order marks.
    Space,
    /// `# …` up to the end of the line.
    Comment,
    /// A name; there are no reserved words, which name is a keyword only the parser knows.
    Name,
    /// `12`, `0x1F`, `017`, `1.5`, `2e-3`; no sign. Also what begins so and goes wrong (`12ab`), which the parser refuses.
    Number,
    /// `"…"` on one line, with `\` escapes.
    Text,
    /// A `"` that the line does not close.
    OpenText,
    /// A backtick and the rest of its line.
    LineText,
    /// `0x"…"`, which may go over lines.
    Data,
    /// A `0x"` that nothing closes.
    OpenData,
    /// As many operator characters as stand together: `:.` is one operator, and none that the language has.
    Operator,
    /// One of `(){}[],;`, always by itself.
    Mark,
    /// Characters that have no place in the language; neighbours are one token.
    Unknown,
    /// The end of the source. Takes no bytes, and no source has more than one.
    End,
}

/// Bytes `start..end` of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn is_trivia(&self) -> bool {
        matches!(self.kind, TokenKind::Space | TokenKind::Comment | TokenKind::Unknown)
    }
}

const MARKS: &str = "(){}[],;";
const OPERATORS: &str = "!$%&*+-./:<=>?@^|~";

/// All tokens of `source`, the last of which is [`TokenKind::End`].
pub fn lex(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = source[start..].chars().next() {
        let (kind, length) = token(&source[start..], first);
        tokens.push(Token { kind, start, end: start + length });
        start += length;
    }
    tokens.push(Token { kind: TokenKind::End, start, end: start });
    tokens
}

/// The kind and length in bytes of the token that `rest` begins with; the length is never 0.
fn token(rest: &str, first: char) -> (TokenKind, usize) {
    match first {
        _ if is_space(first) => (TokenKind::Space, run_of(rest, is_space)),
        '#' => (TokenKind::Comment, line_length(rest)),
        '"' => text(rest),
        '`' => (TokenKind::LineText, line_length(rest)),
        '0' if rest.starts_with("0x\"") => data(rest),
        '0'..='9' => (TokenKind::Number, number_length(rest)),
        _ if is_name_start(first) => (TokenKind::Name, run_of(rest, is_name_part)),
        _ if MARKS.contains(first) => (TokenKind::Mark, 1),
        _ if is_operator(first) => (TokenKind::Operator, run_of(rest, is_operator)),
        _ => (TokenKind::Unknown, run_of(rest, |c| !is_known(c))),
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{0B}' | '\u{0C}' | '\u{FEFF}')
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_operator(c: char) -> bool {
    OPERATORS.contains(c)
}

/// Whether any token but [`TokenKind::Unknown`] begins with it.
fn is_known(c: char) -> bool {
    is_space(c) || is_name_part(c) || is_operator(c) || MARKS.contains(c) || matches!(c, '#' | '"' | '`')
}

fn run_of(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !belongs(c)).unwrap_or(rest.len())
}

fn line_length(rest: &str) -> usize {
    let line = rest.find('\n').unwrap_or(rest.len());
    rest[..line].trim_end_matches('\r').len()
}

fn text(rest: &str) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return (TokenKind::OpenText, rest[..at].trim_end_matches('\r').len()),
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return (TokenKind::Text, at + 1),
            _ => {}
        }
    }
    (TokenKind::OpenText, rest.len())
}

fn data(rest: &str) -> (TokenKind, usize) {
    const OPENING: usize = "0x\"".len();
    match rest[OPENING..].find('"') {
        Some(length) => (TokenKind::Data, OPENING + length + 1),
        None => (TokenKind::OpenData, rest.len()),
    }
}

/// Digits, fractions, one exponent, and whatever letters stick to them.
fn number_length(rest: &str) -> usize {
    let mut length = run_of(rest, |c| is_name_part(c) || c == '.');
    let is_exponent = rest[..length].ends_with(['e', 'E']) && !rest.starts_with("0x");
    if is_exponent && rest[length..].starts_with(['+', '-']) {
        length += 1;
        length += run_of(&rest[length..], is_name_part);
    }
    length
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
