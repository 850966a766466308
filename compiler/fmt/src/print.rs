//! Items to text.

use crate::atoms::{Atom, Comment};
use crate::items::{take_comments, Body, Item, Part};
use crate::lines::Lines;
use crate::{Style, WIDTH};

/// The file of these items, with these comments behind the last one.
pub(crate) fn print(style: &dyn Style, (items, rest): (Vec<Item<'_>>, Vec<Comment<'_>>)) -> String {
    let mut printer = Printer { style, lines: Lines::new(style) };
    printer.items(items, 0, 0);
    printer.lead(&rest, 0, false);
    printer.lines.finish()
}

struct Printer<'s> {
    style: &'s dyn Style,
    lines: Lines<'s>,
}

impl Printer<'_> {
    fn items(&mut self, items: Vec<Item<'_>>, indent: usize, depth: usize) {
        // Whether the item before is a body on several lines, where there is one.
        let mut before = None;
        for mut item in items {
            let comments = take_comments(&mut item.head);
            let first = item.head.first().map(Part::first);
            let blank = first.is_some_and(|atom| atom.blank);
            let tall = item.body.is_some() && !self.on_one_line(&item, indent);
            let parted = blank || comments.iter().any(|comment| comment.blank);
            let may_part = comments.is_empty() || !self.style.comments_follow();
            if depth == 0 && !parted && may_part && before.is_some_and(|before| before || tall) {
                self.lines.blank_line();
            }
            let follows = before.is_some();
            self.lead(&comments, indent, !follows);
            if blank && (follows || !comments.is_empty()) {
                self.lines.blank_line();
            }
            self.lines.line(indent);
            let after = std::mem::take(&mut item.after);
            self.item(item, tall, indent, depth);
            self.lines.comments(&after, indent);
            before = Some(tall);
        }
    }

    /// Comments on lines of their own. Blank lines between them stay; one before them all goes where nothing stands
    /// before them, unless they would then document what is around.
    fn lead(&mut self, comments: &[Comment<'_>], indent: usize, opening: bool) {
        for (index, comment) in comments.iter().enumerate() {
            let keeps = index > 0 || !opening || self.style.comments_follow();
            if comment.blank && keeps {
                self.lines.blank_line();
            }
            if comment.own_line {
                self.lines.line(indent);
            }
            self.lines.comments(std::slice::from_ref(comment), indent);
        }
    }

    /// Whether a body that was written on one line stays there: it fits, or what is behind it would otherwise no longer
    /// be on the line of its head.
    fn on_one_line(&self, item: &Item<'_>, indent: usize) -> bool {
        let Some((first, body)) = item.head.first().map(Part::first).zip(item.body.as_ref()) else { return false };
        if first.lines.0 != body.close.lines.1 {
            return false;
        }
        let bound = self.style.brace_on_own_line() && !item.after.is_empty();
        let mut flat = Printer { style: self.style, lines: Lines::new(self.style) };
        flat.flat_item(item);
        bound || indent + flat.lines.column() <= WIDTH
    }

    fn item(&mut self, item: Item<'_>, tall: bool, indent: usize, depth: usize) {
        if item.body.is_some() && !tall {
            return self.flat_item(&item);
        }
        let Item { mut head, body, .. } = item;
        let Some(body) = body else { return self.parts(&mut head, indent) };
        let attributes = head.iter().take_while(|part| part.is_group("[")).count();
        let rest = head.split_off(attributes);
        let mut lines: Vec<Vec<Part<'_>>> = head.into_iter().map(|attribute| vec![attribute]).collect();
        lines.push(rest);
        let mut rest = lines.split_off(1);
        lines.iter_mut().for_each(|first| self.parts(first, indent));
        self.elements(&mut rest, indent);
        self.body(body, indent, depth);
    }

    fn body(&mut self, body: Body<'_>, indent: usize, depth: usize) {
        let Body { mut open, after_open, items, mut close } = body;
        if self.style.brace_on_own_line() {
            self.lines.comments(&std::mem::take(&mut open.before), indent);
            self.lines.line(indent);
        }
        self.lines.blank();
        self.lines.atom(&open, indent + 2 * self.style.indent());
        self.lines.comments(&after_open, indent);
        let before_close = std::mem::take(&mut close.before);
        let empty = items.is_empty() && before_close.is_empty() && after_open.is_empty();
        let inner = indent + self.style.indent();
        let bare = items.is_empty();
        self.items(items, inner, depth + 1);
        self.lead(&before_close, inner, bare);
        if !empty || self.style.brace_on_own_line() {
            self.lines.line(indent);
        }
        self.lines.atom(&close, indent);
    }

    /// All of it on the line that has begun.
    fn flat_item(&mut self, item: &Item<'_>) {
        self.flat(&item.head);
        let Some(body) = &item.body else { return };
        self.lines.blank();
        self.lines.atom(&body.open, 0);
        self.lines.comments(&body.after_open, 0);
        for inner in &body.items {
            self.lines.blank();
            self.flat_item(inner);
            self.lines.comments(&inner.after, 0);
        }
        if !body.items.is_empty() {
            self.lines.blank();
        }
        self.lines.atom(&body.close, 0);
    }

    fn flat(&mut self, parts: &[Part<'_>]) {
        for part in parts {
            match part {
                Part::Word(atom) => self.lines.atom(atom, 0),
                Part::Group { open, parts, close } => {
                    self.lines.atom(open, 0);
                    self.flat(parts);
                    self.lines.atom(close, 0);
                }
            }
        }
    }

    /// A statement, or the head of a body, from where the line is. A line that is too long is broken before a word that
    /// allows it, then inside of brackets.
    fn parts(&mut self, parts: &mut [Part<'_>], indent: usize) {
        let beyond = indent + 2 * self.style.indent();
        let mut base = indent;
        let breaks = |part: &Part<'_>| matches!(part, Part::Word(atom) if self.style.breaks_before(&atom.text));
        let may_break: Vec<bool> = parts.iter().map(breaks).collect();
        for index in 0..parts.len() {
            self.lines.comments(&take_comments(&mut parts[index..]), beyond);
            self.lines.line_for_word(beyond);
            let segment = (index + 1..parts.len()).find(|&next| may_break[next]).unwrap_or(parts.len());
            if may_break[index] && !self.lines.at_start() && !self.fits(&parts[index..segment]) {
                base = beyond;
                self.lines.line(base);
            }
            let is_group = |next: &usize| matches!(parts[*next], Part::Group { .. });
            let tail = (index + 1..segment).find(is_group).unwrap_or(segment);
            let fits = self.fits(&parts[index..tail]);
            match &mut parts[index] {
                Part::Word(atom) => self.lines.atom(atom, beyond),
                Part::Group { .. } if fits => self.flat(&parts[index..=index]),
                Part::Group { open, parts, close } => self.broken(open, parts, close, base),
            }
        }
    }

    /// Whether the parts can go on in the line that has begun.
    fn fits(&self, parts: &[Part<'_>]) -> bool {
        if !parts.iter().all(stays_in_line) {
            return false;
        }
        let mut flat = Printer { style: self.style, lines: Lines::new(self.style) };
        flat.flat(parts);
        // A blank may come before the first word.
        self.lines.column() + usize::from(!self.lines.at_start()) + flat.lines.column() <= WIDTH
    }

    /// Brackets with each element on a line of its own; plain values in square brackets fill lines.
    fn broken(&mut self, open: &Atom<'_>, parts: &mut Vec<Part<'_>>, close: &mut Atom<'_>, indent: usize) {
        let inner = indent + self.style.indent();
        let bare = |part: &Part<'_>| matches!(part, Part::Word(atom) if atom.before.is_empty()) && stays_in_line(part);
        let plain = open.text == "[" && !parts.is_empty() && parts.iter().all(bare);
        self.lines.atom(open, inner);
        let mut elements = split(std::mem::take(parts));
        if plain {
            self.lines.line(inner);
            for element in &elements {
                if !self.lines.at_start() && !self.fits(element) {
                    self.lines.line(inner);
                }
                self.flat(element);
            }
        } else {
            self.elements(&mut elements, inner);
        }
        self.lines.comments(&std::mem::take(&mut close.before), inner);
        self.lines.line(indent);
        self.lines.atom(close, indent);
    }

    /// Each element on a line of its own, below the line that has begun.
    fn elements(&mut self, elements: &mut [Vec<Part<'_>>], indent: usize) {
        for element in elements {
            self.lines.comments(&take_comments(element), indent);
            self.lines.line(indent);
            self.parts(element, indent);
        }
    }
}

/// Whether it can be on one line with what follows.
fn stays_in_line(part: &Part<'_>) -> bool {
    let plain = |atom: &Atom<'_>| {
        let quiet = |comment: &Comment<'_>| !comment.ends_line && !comment.own_line && !comment.text.contains('\n');
        !atom.ends_line && !atom.text.contains('\n') && atom.before.iter().all(quiet)
    };
    match part {
        Part::Word(atom) => plain(atom),
        Part::Group { open, parts, close } => plain(open) && plain(close) && parts.iter().all(stays_in_line),
    }
}

/// The elements between commas, each with the comma behind it.
fn split(parts: Vec<Part<'_>>) -> Vec<Vec<Part<'_>>> {
    let mut elements = vec![Vec::new()];
    for part in parts {
        let ends = part.is_word(",");
        if let Some(element) = elements.last_mut() {
            element.push(part);
        }
        if ends {
            elements.push(Vec::new());
        }
    }
    elements.retain(|element| !element.is_empty());
    elements
}
