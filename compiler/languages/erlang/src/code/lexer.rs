//! Text to tokens.

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// An atom; whether it stood in quotes.
    Atom(String, bool),
    Var(String),
    /// As it is written.
    Number(String),
    /// `$c`
    Char(char),
    Text(String),
    /// Brackets, commas, operators.
    Sign(&'static str),
    End,
}

/// Longer signs before those that they begin with.
const SIGNS: [&str; 37] = [
    "=:=", "=/=", "->", "<-", "<=", "=>", ":=", "=<", ">=", "==", "/=", "||", "<<", ">>", "++", "--", "(", ")", "[",
    "]", "{", "}", ",", ";", ".", ":", "/", "|", "=", "<", ">", "+", "-", "*", "#", "?", "!",
];

/// The tokens of `text`, without comments.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        if first == '%' {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        let (token, length) = token(rest, first)?;
        found.push(token);
        rest = &rest[length..];
    }
    found.push(Token::End);
    Ok(found)
}

fn token(rest: &str, first: char) -> Result<(Token, usize), String> {
    let word =
        |rest: &str| rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '@').unwrap_or(rest.len());
    match first {
        'a'..='z' => {
            let end = word(rest);
            Ok((Token::Atom(rest[..end].to_owned(), false), end))
        }
        'A'..='Z' | '_' => {
            let end = word(rest);
            Ok((Token::Var(rest[..end].to_owned()), end))
        }
        '0'..='9' => Ok(number(rest)),
        '$' => {
            let c = rest[1..].chars().next().ok_or("a `$` at the end")?;
            if c == '\\' {
                let escaped = rest[2..].chars().next();
                let c = match escaped {
                    Some('s') => ' ',
                    Some('\\') => '\\',
                    _ => return Err("an escape behind `$` that is not known".to_owned()),
                };
                return Ok((Token::Char(c), 3));
            }
            Ok((Token::Char(c), 1 + c.len_utf8()))
        }
        '\'' | '"' => {
            let (content, length) = quoted(rest, first)?;
            Ok((if first == '"' { Token::Text(content) } else { Token::Atom(content, true) }, length))
        }
        _ => {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let sign = sign.ok_or_else(|| format!("`{first}` begins no token"))?;
            Ok((Token::Sign(sign), sign.len()))
        }
    }
}

/// Digits, and a fraction and an exponent where digits follow the point.
fn number(rest: &str) -> (Token, usize) {
    let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if let Some(hex) = rest.strip_prefix("16#") {
        let end = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        return (Token::Number(rest[..3 + end].to_owned()), 3 + end);
    }
    if rest[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
        if rest[end..].starts_with('e') {
            let sign = usize::from(rest[end + 1..].starts_with(['-', '+']));
            end += 1 + sign + digits(end + 1 + sign);
        }
    }
    (Token::Number(rest[..end].to_owned()), end)
}

fn quoted(rest: &str, quote: char) -> Result<(String, usize), String> {
    let mut content = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, escaped @ ('\\' | '\'' | '"'))) => content.push(escaped),
                _ => return Err(format!("an escape in a {quote} that is not known")),
            },
            c if c == quote => return Ok((content, at + 1)),
            c => content.push(c),
        }
    }
    Err(format!("a {quote} that is not closed"))
}
