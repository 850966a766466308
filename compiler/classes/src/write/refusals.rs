//! The refusals of a quick writer: one test does for all numbers of a record that may be absent.

use crate::tree::{binary, int, Expr, Line};

pub(super) fn refused() -> Line {
    Line::Return(int(-1))
}

/// The tests of the bits of one word as one, where the first of them stands.
pub(super) fn together(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut words: Vec<(Expr, i128, usize)> = Vec::new();
    for line in lines {
        match tested(&line) {
            Some((word, bits)) => match words.iter_mut().find(|(known, ..)| known == word) {
                Some((_, all, _)) => *all |= bits,
                None => {
                    words.push((word.clone(), bits, out.len()));
                    out.push(line);
                }
            },
            None => out.push(line),
        }
    }
    for (word, bits, at) in words {
        let test = binary(binary(word, "&", Expr::Long(bits)), "!=", Expr::Long(0));
        out[at] = Line::If(test, vec![refused()], Vec::new());
    }
    out
}

/// The word and the bits that a statement refuses.
fn tested(line: &Line) -> Option<(&Expr, i128)> {
    let Line::If(Expr::Binary("!=", test, zero), then, other) = line else { return None };
    match (&**test, &**zero) {
        (Expr::Binary("&", word, bits), Expr::Long(0)) if *then == [refused()] && other.is_empty() => match **bits {
            Expr::Long(bits) => Some((word, bits)),
            _ => None,
        },
        _ => None,
    }
}
