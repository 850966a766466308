//! A template's tokens: names, brackets in pairs, and places where lines may end.

use std::fmt::{Display, Formatter, Result as Written};

/// A character of a template, or a hole.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    Char(char),
    Hole(usize),
}

/// A template as a Rust expression.
#[derive(Default)]
pub(crate) struct Template {
    names: Vec<String>,
    tokens: Vec<Token>,
}

enum Token {
    Text(String),
    Hole(usize),
    Open(String),
    Close(String),
    OpenBody,
    CloseBody,
    /// Whether it is one behind `=`.
    Break(bool),
    Line,
}

impl Display for Template {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        let (names, marks) = (self.names.join(" "), self.marks());
        write!(out, "crate::code::Template {{ names: {names:?}, marks: {marks:?} }}")
    }
}

impl Template {
    /// The tokens as one string: text, and characters below U+0020 for what is none. `code::Token::first` reads them.
    pub fn marks(&self) -> String {
        let mark = |token: &Token| match token {
            Token::Text(text) => text.clone(),
            Token::Open(bracket) => format!("\u{1}{bracket}"),
            Token::Close(bracket) => format!("\u{2}{bracket}"),
            Token::OpenBody => "\u{3}".to_owned(),
            Token::CloseBody => "\u{4}".to_owned(),
            Token::Break(false) => "\u{5}".to_owned(),
            Token::Break(true) => "\u{6}".to_owned(),
            Token::Hole(index) => format!("\u{7}{}", char::from(b' ' + *index as u8)),
            Token::Line => "\n".to_owned(),
        };
        self.tokens.iter().map(mark).collect()
    }
}

/// What a bracket of a template is.
#[derive(Clone, Copy, PartialEq)]
enum Bracket {
    None,
    Open,
    Close,
    OpenBody,
    CloseBody,
}

pub(crate) fn read(units: &[Unit]) -> Result<Template, String> {
    let literal = literals(units);
    let brackets = brackets(units, &literal)?;
    let mut template = Template::default();
    let mut at = 0;
    while at < units.len() {
        let (unit, next) = (units[at], at + 1);
        let code = !literal[at];
        let c = match unit {
            Unit::Hole(index) => {
                template.tokens.push(Token::Hole(index));
                at = next;
                continue;
            }
            Unit::Char(c) => c,
        };
        match (c, brackets[at]) {
            ('\n', _) => template.tokens.push(Token::Line),
            (_, Bracket::Open) => template.tokens.push(Token::Open(c.to_string())),
            (_, Bracket::Close) => template.tokens.push(Token::Close(c.to_string())),
            (_, Bracket::OpenBody) => template.tokens.push(Token::OpenBody),
            (_, Bracket::CloseBody) => template.tokens.push(Token::CloseBody),
            // The spaces within the braces of a body belong to these.
            (' ', _) if at > 0 && brackets[at - 1] == Bracket::OpenBody => {}
            (' ', _) if brackets.get(next) == Some(&Bracket::CloseBody) => {}
            (' ', _) if code && is_before(units, at, " =") => template.tokens.push(Token::Break(true)),
            (' ', _) if code && is_break(units, at) => template.tokens.push(Token::Break(false)),
            (c, _) if code && is_name_start(c) => {
                at = template.name(units, at);
                continue;
            }
            (c, _) => template.text(c),
        }
        at = next;
    }
    Ok(template)
}

impl Template {
    fn text(&mut self, c: char) {
        if let Some(Token::Text(text)) = self.tokens.last_mut() {
            text.push(c);
        } else {
            self.tokens.push(Token::Text(c.to_string()));
        }
    }

    /// Adds the word at a place; gives the place behind it. A name is what neither belongs to something else nor is only a part of
    /// a word.
    fn name(&mut self, units: &[Unit], at: usize) -> usize {
        let length = units[at..].iter().take_while(|unit| matches!(unit, Unit::Char(c) if is_name(*c))).count();
        let end = at + length;
        let word: String = units[at..end].iter().filter_map(|unit| char_of(*unit)).collect();
        let is_part = |unit: Option<&Unit>| matches!(unit, Some(Unit::Hole(_)));
        let before = at.checked_sub(1).map(|at| &units[at]);
        let is_member = matches!(before, Some(Unit::Char('.' | '0'..='9')))
            || is_before(units, at, "::")
            || is_before(units, at, "->");
        let is_name = !is_member && !is_part(before) && !is_part(units.get(end)) && !is_after(units, end, "::");
        word.chars().for_each(|c| self.text(c));
        if is_name && !self.names.contains(&word) {
            self.names.push(word);
        }
        end
    }
}

/// Which units stand in comments, directives, and literals of text.
fn literals(units: &[Unit]) -> Vec<bool> {
    let mut found = vec![false; units.len()];
    let mut at = 0;
    while at < units.len() {
        let begins = at == 0 || units[at - 1] == Unit::Char('\n');
        let end = match units[at] {
            _ if begins && (is_after(units, at, "//") || is_after(units, at, "#")) => {
                at + units[at..].iter().take_while(|unit| **unit != Unit::Char('\n')).count()
            }
            Unit::Char(quote @ ('"' | '\'')) if !is_separator(units, at) => behind(units, at, quote),
            _ => {
                at += 1;
                continue;
            }
        };
        found[at..end].fill(true);
        at = end;
    }
    found
}

/// Whether a quote stands within a number.
fn is_separator(units: &[Unit], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| char_of(units[before]));
    units[at] == Unit::Char('\'') && before.is_some_and(|c| c.is_ascii_digit())
}

/// The place behind the literal that begins with a quote.
fn behind(units: &[Unit], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < units.len() && units[at] != Unit::Char(quote) {
        at += if units[at] == Unit::Char('\\') { 2 } else { 1 };
    }
    (at + 1).min(units.len())
}

/// The brackets that are in pairs. Those of templates are, where they can be; others must be, but for a brace that begins and
/// braces that end a line.
fn brackets(units: &[Unit], literal: &[bool]) -> Result<Vec<Bracket>, String> {
    let mut found = vec![Bracket::None; units.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        let Some(c) = char_of(*unit).filter(|_| !literal[at]) else { continue };
        match c {
            '(' | '[' | '{' => open.push(at),
            '<' if opens_template(units, at) => open.push(at),
            '>' => {
                if let Some(from) = open.last().filter(|from| units[**from] == Unit::Char('<')).copied() {
                    if !is_before(units, at, "-") && !is_before(units, at, " ") {
                        open.pop();
                        (found[from], found[at]) = (Bracket::Open, Bracket::Close);
                    }
                }
            }
            ')' | ']' | '}' => {
                while open.last().is_some_and(|from| units[*from] == Unit::Char('<')) {
                    open.pop();
                }
                let wanted = Unit::Char(match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                });
                let Some(from) = open.pop().filter(|from| units[*from] == wanted) else {
                    if at == 0 {
                        continue;
                    }
                    return Err(format!("`{c}` closes nothing"));
                };
                let is_body = c == '}' && is_before(units, from, ") ") && is_after(units, from + 1, " ");
                (found[from], found[at]) = match is_body {
                    true => (Bracket::OpenBody, Bracket::CloseBody),
                    false => (Bracket::Open, Bracket::Close),
                };
            }
            _ => {}
        }
    }
    let ends = |from: usize| units[from..].iter().all(|unit| *unit == Unit::Char('{'));
    let is_left = |from: &&usize| units[**from] != Unit::Char('<') && !ends(**from);
    match open.iter().find(is_left) {
        Some(_) => Err("a bracket is not closed".to_owned()),
        None => Ok(found),
    }
}

fn opens_template(units: &[Unit], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| units[at]);
    let is_word = match before {
        Some(Unit::Char(c)) => is_name(c),
        Some(Unit::Hole(_)) => true,
        None => false,
    };
    (is_word || is_before(units, at, "template ")) && !is_after(units, at + 1, "<")
}

/// Whether a line may end at the space at a place.
fn is_break(units: &[Unit], at: usize) -> bool {
    let begins = ["&& ", "|| ", "? ", ": "].iter().any(|sign| is_after(units, at + 1, sign));
    begins || is_before(units, at, ",") || is_before(units, at, ";")
}

fn is_before(units: &[Unit], at: usize, text: &str) -> bool {
    at.checked_sub(text.len()).is_some_and(|from| is_after(units, from, text))
}

fn is_after(units: &[Unit], at: usize, text: &str) -> bool {
    let rest = units.get(at..).unwrap_or_default();
    rest.len() >= text.len() && text.chars().zip(rest).all(|(c, unit)| *unit == Unit::Char(c))
}

fn char_of(unit: Unit) -> Option<char> {
    match unit {
        Unit::Char(c) => Some(c),
        Unit::Hole(_) => None,
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}
