//! Words to statements and bodies.

use crate::atoms::{Atom, Comment};
use crate::Style;
use std::iter::Peekable;
use std::vec::IntoIter;

/// A statement, or something with a body in braces.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    /// The statement, or what stands before the body.
    pub(crate) head: Vec<Part<'a>>,
    pub(crate) body: Option<Body<'a>>,
    /// Comments on the line of its last word.
    pub(crate) after: Vec<Comment<'a>>,
}

#[derive(Debug)]
pub(crate) struct Body<'a> {
    pub(crate) open: Atom<'a>,
    /// Comments on the line of the opening brace.
    pub(crate) after_open: Vec<Comment<'a>>,
    pub(crate) items: Vec<Item<'a>>,
    pub(crate) close: Atom<'a>,
}

/// A word, or brackets with what is in them.
#[derive(Debug)]
pub(crate) enum Part<'a> {
    Word(Atom<'a>),
    Group { open: Atom<'a>, parts: Vec<Part<'a>>, close: Atom<'a> },
}

impl<'a> Part<'a> {
    pub(crate) fn first(&self) -> &Atom<'a> {
        match self {
            Part::Word(atom) | Part::Group { open: atom, .. } => atom,
        }
    }

    fn first_mut(&mut self) -> &mut Atom<'a> {
        match self {
            Part::Word(atom) | Part::Group { open: atom, .. } => atom,
        }
    }

    pub(crate) fn is_word(&self, text: &str) -> bool {
        matches!(self, Part::Word(atom) if atom.text == text)
    }

    pub(crate) fn is_group(&self, open: &str) -> bool {
        matches!(self, Part::Group { open: atom, .. } if atom.text == open)
    }
}

/// The comments before the first word, which it then has no longer.
pub(crate) fn take_comments<'a>(parts: &mut [Part<'a>]) -> Vec<Comment<'a>> {
    parts.first_mut().map(|part| std::mem::take(&mut part.first_mut().before)).unwrap_or_default()
}

/// All items of a file, and the comments behind the last one.
pub(crate) fn items<'a>(style: &dyn Style, atoms: Vec<Atom<'a>>) -> (Vec<Item<'a>>, Vec<Comment<'a>>) {
    let mut reader = Reader { style, atoms: atoms.into_iter().peekable() };
    let mut items = Vec::new();
    while !reader.peek().is_empty() {
        items.push(reader.item(0));
    }
    let rest = reader.atoms.next().map(|end| end.before).unwrap_or_default();
    (items, rest)
}

struct Reader<'s, 'a> {
    style: &'s dyn Style,
    atoms: Peekable<IntoIter<Atom<'a>>>,
}

impl<'a> Reader<'_, 'a> {
    /// The word ahead; empty at the end.
    fn peek(&mut self) -> &str {
        self.atoms.peek().map_or("", |atom| &atom.text)
    }

    fn next(&mut self) -> Atom<'a> {
        self.atoms.next().unwrap_or_default()
    }

    fn item(&mut self, depth: usize) -> Item<'a> {
        let mut head = Vec::new();
        let mut words: Vec<String> = Vec::new();
        while !self.peek().is_empty() {
            if self.peek() == "{" && self.style.opens_body(depth) {
                let body = self.body(depth);
                return Item { head, body: Some(body), after: self.after() };
            }
            if depth == 0 && !head.is_empty() {
                let known: Vec<&str> = words.iter().map(String::as_str).collect();
                let style = self.style;
                if style.is_over(&known, self.peek()) {
                    break;
                }
            }
            let ends = self.peek() == ";";
            words.push(self.peek().to_owned());
            head.push(self.part());
            if ends {
                break;
            }
        }
        Item { head, body: None, after: self.after() }
    }

    fn body(&mut self, depth: usize) -> Body<'a> {
        let open = self.next();
        let after_open = self.after();
        let mut items = Vec::new();
        while !matches!(self.peek(), "" | "}") {
            items.push(self.item(depth + 1));
        }
        let mut close = self.next();
        // In some languages a `;` behind the brace is allowed, though it ends nothing.
        if self.atoms.peek().is_some_and(|next| next.text == ";" && next.before.is_empty()) {
            close.text = format!("{}{}", close.text, self.next().text).into();
        }
        Body { open, after_open, items, close }
    }

    fn part(&mut self) -> Part<'a> {
        let open = self.next();
        let closing = match &*open.text {
            "(" => ")",
            "[" => "]",
            _ => return Part::Word(open),
        };
        let mut parts = Vec::new();
        while self.peek() != closing && !self.peek().is_empty() {
            parts.push(self.part());
        }
        Part::Group { open, parts, close: self.next() }
    }

    /// The comments ahead that are on the line of the word that was read last.
    fn after(&mut self) -> Vec<Comment<'a>> {
        let Some(next) = self.atoms.peek_mut() else { return Vec::new() };
        let count = next.before.iter().take_while(|comment| !comment.own_line).count();
        next.before.drain(..count).collect()
    }
}
