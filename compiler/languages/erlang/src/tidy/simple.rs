//! Brackets that nothing needs, sums with zero, lists within the tails of lists.

use super::parse::{Part, Row};

/// The brackets around a row.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    /// A text, where what is before and behind it is not known.
    Text,
    /// A binary, where the value of a segment is no call without its brackets.
    Binary,
    Brackets,
}

/// Simplifies a row of a text.
pub(super) fn simplify(row: &mut Row) {
    within(row, Within::Text);
}

fn within(row: &mut Row, place: Within) {
    row.iter_mut().for_each(inside);
    without_zeros(row);
    let mut at = 0;
    while at < row.len() {
        if !is_needless(row, at, place) {
            at += 1;
            continue;
        }
        let Part::Parens(inner) = std::mem::replace(&mut row[at], Part::Operator("")) else { return };
        let length = inner.len();
        row.splice(at..=at, inner);
        at += length;
    }
}

/// Whether there are brackets at a place of a row around a name, a number or a call.
fn is_needless(row: &Row, at: usize, place: Within) -> bool {
    let Part::Parens(inner) = &row[at] else { return false };
    let next = row.get(at + 1);
    let ends = match next {
        None | Some(Part::Operator(_)) => true,
        Some(Part::Text(text)) => text.starts_with(' '),
        Some(_) => false,
    };
    let has_size = matches!(next, Some(Part::Text(text)) if text.starts_with([':', '/']));
    match place {
        Within::Text if at == 0 => is_name(inner) && has_size,
        Within::Binary if at == 0 => is_name(inner) && (ends || has_size),
        _ => ends && (is_name(inner) || is_call(inner)),
    }
}

fn inside(part: &mut Part) {
    match part {
        Part::Text(_) | Part::Operator(_) => {}
        Part::Parens(inner) => {
            within(inner, Within::Brackets);
            unwrap(inner);
        }
        Part::Brackets { open: "<<", rows, .. } => {
            rows.iter_mut().for_each(|row| within(row, Within::Binary));
            join_binaries(rows);
        }
        Part::Brackets { open, rows, .. } => {
            for row in rows.iter_mut() {
                within(row, Within::Brackets);
                unwrap(row);
            }
            if *open == "[" {
                join_tail(rows);
            }
        }
        Part::Case { value, clauses } => {
            within(value, Within::Brackets);
            clauses.iter_mut().for_each(|clause| within(clause, Within::Brackets));
        }
        Part::Fun { args: rows, body } => rows.iter_mut().chain(body).for_each(|row| within(row, Within::Brackets)),
    }
}

/// `A + 0 - B` is `A - B`.
fn without_zeros(row: &mut Row) {
    let is_zero = |row: &[Part], at: usize| {
        let ends = matches!(row.get(at + 2), None | Some(Part::Operator("+" | "-")));
        ends && row[at] == Part::Operator("+") && matches!(row.get(at + 1), Some(Part::Text(text)) if text == "0")
    };
    while let Some(at) = (1..row.len()).find(|at| is_zero(row, *at)) {
        row.drain(at..at + 2);
    }
}

/// `[A | [B | C]]` is `[A, B | C]`.
fn join_tail(rows: &mut Vec<Row>) {
    let Some([.., Part::Operator("|"), Part::Brackets { open: "[", rows: tail, .. }]) = rows.last().map(Vec::as_slice)
    else {
        return;
    };
    if tail.iter().flatten().any(comprehends) {
        return;
    }
    let tail = tail.clone();
    if let Some(last) = rows.last_mut() {
        last.truncate(last.len() - 2);
    }
    rows.extend(tail);
}

/// Brackets that hold nothing but other brackets.
fn unwrap(row: &mut Row) {
    if let [Part::Parens(inner)] = row.as_mut_slice() {
        *row = std::mem::take(inner);
    }
}

/// `<<A, (<<B, C>>)/binary>>` is `<<A, B, C>>`.
fn join_binaries(rows: &mut Vec<Row>) {
    let each = |row: Row| own_segments(&row).unwrap_or_else(|| vec![row]);
    *rows = std::mem::take(rows).into_iter().flat_map(each).collect();
}

fn own_segments(row: &Row) -> Option<Vec<Row>> {
    let [binary, Part::Text(unit)] = row.as_slice() else { return None };
    let binary = match binary {
        Part::Parens(inner) => inner.first().filter(|_| inner.len() == 1)?,
        other => other,
    };
    match binary {
        Part::Brackets { open: "<<", rows, .. } if unit == "/binary" && !rows.iter().flatten().any(comprehends) => {
            Some(rows.clone())
        }
        _ => None,
    }
}

pub(super) fn comprehends(part: &Part) -> bool {
    matches!(part, Part::Operator("||"))
}

/// A variable or a number.
fn is_name(row: &Row) -> bool {
    let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '@' || c == '#');
    matches!(row.as_slice(), [Part::Text(text)] if is_word(text) && text.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()))
}

/// A function's or a macro's call.
fn is_call(row: &Row) -> bool {
    let [Part::Text(name), Part::Brackets { open: "(", .. }] = row.as_slice() else { return false };
    let whole = match name.strip_prefix('\'') {
        Some(rest) => rest.find('\'') == rest.len().checked_sub(1),
        None => !name.contains(' '),
    };
    whole && name.starts_with(|c: char| c.is_ascii_lowercase() || c == '\'' || c == '?')
}
