//! Items in brackets, with several on a line.

use aldis_emit::doc::{bracketed, concat, group, indent, join, soft, text, Doc};

/// Columns by which what is within something stands further in.
pub(crate) const INDENT: usize = 4;

/// `open a, b close`, as many items on a line as fit.
pub(crate) fn fill(open: &str, items: impl IntoIterator<Item = Doc>, close: &str) -> Doc {
    bracketed(open, vec![filled(items.into_iter().collect())], close, INDENT)
}

/// Items with commas between them, as many on a line as fit.
pub(crate) fn filled(items: Vec<Doc>) -> Doc {
    let last = items.len().saturating_sub(1);
    let of = |(index, item): (usize, Doc)| {
        let before = if index == 0 { Doc::Nil } else { soft() };
        group(concat([before, item, text(if index == last { "" } else { "," })]))
    };
    concat(items.into_iter().enumerate().map(of).collect::<Vec<_>>())
}

/// Columns of an item that others may stand beside on a line.
const SHORT: usize = 48;

/// `open a, b close` on one line; where that is too long, short items side by side and each other one on a line of its own.
pub(crate) fn sequence(open: &str, items: Vec<Doc>, close: &str) -> Doc {
    bracketed(open, lines(items).into_iter().map(filled).collect(), close, INDENT)
}

/// The items of a [`sequence`] without its brackets.
pub(crate) fn rows(items: Vec<Doc>) -> Doc {
    join(concat([text(","), soft()]), lines(items).into_iter().map(filled))
}

/// Items within brackets that take no lines of their own.
pub(crate) fn close(open: &str, items: Doc, close: &str) -> Doc {
    group(concat([text(open), indent(open.len(), items), text(close)]))
}

/// Short items side by side, each other one alone.
fn lines(items: Vec<Doc>) -> Vec<Vec<Doc>> {
    let mut lines: Vec<Vec<Doc>> = Vec::new();
    let mut beside = false;
    for item in items {
        let short = width(&item).is_some_and(|width| width <= SHORT);
        match lines.last_mut() {
            Some(line) if beside && short => line.push(item),
            _ => lines.push(vec![item]),
        }
        beside = short;
    }
    lines
}

/// The columns of a tree on one line, if it may stand on one.
fn width(doc: &Doc) -> Option<usize> {
    match doc {
        Doc::Nil => Some(0),
        Doc::Text(text) => Some(text.len()),
        Doc::Word(text) => Some(text.len()),
        Doc::Soft(flat) => Some(flat.len()),
        Doc::Concat(parts) => parts.iter().map(width).sum(),
        Doc::Indent(_, inner) | Doc::Group(inner) => width(inner),
        Doc::Hard | Doc::Blank => None,
    }
}
