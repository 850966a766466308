//! Text to tokens, without loss: the tokens' texts, one after another, are the source. Comments and white space are
//! tokens too, so that a formatter or an editor can stand on the same lexer.

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Blanks, tabs, line ends, and a byte order mark at the very start.
    Space,
    /// `// …` up to the end of the line, or `/* … */`.
    Comment,
    /// A `/*` that is never closed.
    OpenComment,
    /// A name or a keyword; which of them only the parser knows.
    Name,
    /// `12`, `0x1F`, `1.5`, `2e-3`; no sign. Also what begins so and goes wrong (`12ab`), which the parser refuses.
    Number,
    /// `"…"` on one line, with `\` escapes.
    Text,
    /// A `"` that the line does not close.
    OpenText,
    /// `'c'`, with `\` escapes. Its length is not checked here.
    Char,
    /// A `'` that the line does not close.
    OpenChar,
    /// One character of the language's punctuation.
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
        matches!(self.kind, TokenKind::Space | TokenKind::Comment | TokenKind::OpenComment | TokenKind::Unknown)
    }
}

const MARKS: &str = "{}()[]<>;:,.=|?~!*+-";

/// All tokens of `source`, the last of which is [`TokenKind::End`].
pub fn lex(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = source[start..].chars().next() {
        let (kind, length) = token(&source[start..], first, start == 0);
        tokens.push(Token { kind, start, end: start + length });
        start += length;
    }
    tokens.push(Token { kind: TokenKind::End, start, end: start });
    tokens
}

/// The kind and length in bytes of the token that `rest` begins with; the length is never 0.
fn token(rest: &str, first: char, at_start: bool) -> (TokenKind, usize) {
    match first {
        '\u{FEFF}' if at_start => (TokenKind::Space, first.len_utf8()),
        _ if is_space(first) => (TokenKind::Space, run_of(rest, is_space)),
        '/' if rest.starts_with("//") => (TokenKind::Comment, line_length(rest)),
        '/' if rest.starts_with("/*") => block_comment(rest),
        '"' => quoted(rest, '"', TokenKind::Text, TokenKind::OpenText),
        '\'' => quoted(rest, '\'', TokenKind::Char, TokenKind::OpenChar),
        '0'..='9' => (TokenKind::Number, number_length(rest)),
        _ if is_name_start(first) => (TokenKind::Name, run_of(rest, is_name_part)),
        _ if MARKS.contains(first) => (TokenKind::Mark, 1),
        _ => (TokenKind::Unknown, unknown_length(rest, first)),
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{0B}' | '\u{0C}')
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn run_of(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !belongs(c)).unwrap_or(rest.len())
}

fn line_length(rest: &str) -> usize {
    let line = rest.find('\n').unwrap_or(rest.len());
    rest[..line].trim_end_matches('\r').len()
}

fn block_comment(rest: &str) -> (TokenKind, usize) {
    match rest[2..].find("*/") {
        Some(length) => (TokenKind::Comment, length + 4),
        None => (TokenKind::OpenComment, rest.len()),
    }
}

fn quoted(rest: &str, quote: char, closed: TokenKind, open: TokenKind) -> (TokenKind, usize) {
    let line = line_length(rest);
    let mut escaped = false;
    for (at, c) in rest[..line].char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return (closed, at + 1),
            _ => {}
        }
    }
    (open, line)
}

/// Digits, one fraction, one exponent, and whatever letters stick to them. A dot belongs to the number only when a
/// digit follows.
fn number_length(rest: &str) -> usize {
    let mut length = run_of(rest, is_name_part);
    let fraction = &rest[length..];
    if fraction.starts_with('.') && fraction[1..].starts_with(|c: char| c.is_ascii_digit()) {
        length += 1 + run_of(&fraction[1..], is_name_part);
    }
    let signed = &rest[length..];
    let is_exponent = rest[..length].ends_with(['e', 'E']) && !rest.starts_with("0x") && !rest.starts_with("0X");
    if is_exponent && signed.starts_with(['+', '-']) {
        length += 1 + run_of(&signed[1..], is_name_part);
    }
    length
}

fn unknown_length(rest: &str, first: char) -> usize {
    let known = |c: char| is_space(c) || is_name_part(c) || MARKS.contains(c) || matches!(c, '/' | '"' | '\'');
    let after = &rest[first.len_utf8()..];
    first.len_utf8() + after.find(known).unwrap_or(after.len())
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
