//! Text to tokens, without loss: the tokens' texts, one after another, are the source. Comments and white space are
//! tokens too, so that the formatter stands on the same lexer as the parser.

/// The kinds of tokens of all languages; each language has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// White space, and a byte order mark at the very start.
    Space,
    /// A comment that ends with its line.
    LineComment,
    /// A comment with an end of its own, on as many lines as it likes.
    BlockComment,
    /// A comment whose end is missing.
    OpenComment,
    /// A name or a keyword; only the parser knows which.
    Name,
    /// `12`, `0x1F`, `1.5`, `2e-3`; no sign. Letters that stick to it belong to it (`12ab`), and the parser refuses them.
    Number,
    /// `"…"` on one line, with `\` escapes.
    Text,
    /// A `"` that the line does not close.
    OpenText,
    /// `'c'`, with `\` escapes. Its length is not checked here.
    Char,
    /// A `'` that the line does not close.
    OpenChar,
    /// A text that ends with its line.
    LineText,
    /// Bytes in hexadecimal digits between quotes, which may go over lines.
    Data,
    /// Such bytes whose closing quote is missing.
    OpenData,
    /// As many operator characters as stand together.
    Operator,
    /// One character of punctuation, always by itself.
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
    /// Whether the grammar passes over the token.
    pub fn is_trivia(&self) -> bool {
        use TokenKind::{BlockComment, LineComment, OpenComment, Space, Unknown};
        matches!(self.kind, Space | LineComment | BlockComment | OpenComment | Unknown)
    }

    pub fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::LineComment | TokenKind::BlockComment)
    }
}

/// The characters that make each kind of token. Names are ASCII letters, digits and `_` in every language.
#[derive(Debug)]
pub struct Lexicon {
    /// White space.
    pub blanks: &'static str,
    pub marks: &'static str,
    /// Characters that are one operator as far as they stand together.
    pub operators: &'static str,
    /// The first characters of comments and quotes.
    pub openers: &'static str,
    /// The kind and length in bytes of the comment or quote that the text begins with. The length is never 0.
    pub opened: fn(&str) -> Option<(TokenKind, usize)>,
    /// The length of the number that the text begins with, up to the sign of an exponent.
    pub digits: fn(&str) -> usize,
}

impl Lexicon {
    /// All tokens of `source`, the last of which is [`TokenKind::End`].
    pub fn tokens(&self, source: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut start = 0;
        while let Some(first) = source[start..].chars().next() {
            let (kind, length) = self.token(&source[start..], first, start == 0);
            tokens.push(Token { kind, start, end: start + length });
            start += length;
        }
        tokens.push(Token { kind: TokenKind::End, start, end: start });
        tokens
    }

    /// The kind and length in bytes of the token that `rest` begins with; the length is never 0.
    fn token(&self, rest: &str, first: char, at_start: bool) -> (TokenKind, usize) {
        if let Some(opened) = (self.opened)(rest) {
            return opened;
        }
        let after_first = |belongs: &dyn Fn(char) -> bool| {
            let after = &rest[first.len_utf8()..];
            first.len_utf8() + run_of(after, belongs)
        };
        let is_blank = |c| self.blanks.contains(c);
        match first {
            _ if is_blank(first) || first == BYTE_ORDER_MARK && at_start => (TokenKind::Space, after_first(&is_blank)),
            '0'..='9' => (TokenKind::Number, self.number_length(rest)),
            _ if is_name_part(first) => (TokenKind::Name, name_length(rest)),
            _ if self.marks.contains(first) => (TokenKind::Mark, 1),
            _ if self.operators.contains(first) => (TokenKind::Operator, after_first(&|c| self.operators.contains(c))),
            _ => (TokenKind::Unknown, after_first(&|c| !self.is_known(c))),
        }
    }

    /// The digits, one exponent with its sign, and whatever letters stick to them.
    fn number_length(&self, rest: &str) -> usize {
        let length = (self.digits)(rest);
        let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
        if !is_hex && rest[..length].ends_with(['e', 'E']) && rest[length..].starts_with(['+', '-']) {
            return length + 1 + name_length(&rest[length + 1..]);
        }
        length
    }

    /// Whether any token but [`TokenKind::Unknown`] begins with the character.
    fn is_known(&self, c: char) -> bool {
        is_name_part(c) || [self.blanks, self.marks, self.operators, self.openers].iter().any(|all| all.contains(c))
    }
}

const BYTE_ORDER_MARK: char = '\u{FEFF}';

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn run_of(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !belongs(c)).unwrap_or(rest.len())
}

/// The length of the letters, digits and `_` that the text begins with.
pub fn name_length(rest: &str) -> usize {
    run_of(rest, is_name_part)
}

/// The length of the text's first line, without its end.
pub fn line_length(rest: &str) -> usize {
    let line = rest.find('\n').unwrap_or(rest.len());
    rest[..line].trim_end_matches('\r').len()
}

/// The text begins with a quote: the length up to the same quote on its line, and whether there is one. A character
/// behind a `\` closes nothing.
pub fn quoted_length(rest: &str) -> (usize, bool) {
    let line = line_length(rest);
    let mut escaped = false;
    for (at, c) in rest[..line].char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if rest.starts_with(c) => return (at + 1, true),
            _ => {}
        }
    }
    (line, false)
}
