//! Lines of code that are too long, in several.

use crate::code::WIDTH;
use crate::scan::{behind_literal, is_name};

/// The text with its long lines broken. Comments stay as they are, and what has no place to be broken at.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let code = line.trim_start();
        push(&mut out, code, line.len() - code.len(), 4);
    }
    out
}

/// Adds a line; what of it goes to further lines is `further` in.
fn push(out: &mut String, mut code: &str, mut indent: usize, mut further: usize) {
    loop {
        let room = WIDTH.saturating_sub(indent);
        if code.chars().nth(room).is_none() || code.starts_with("//") {
            return push_line(out, code, indent);
        }
        let marks = Marks::of(code, room);
        if let Some((open, close)) = marks.body {
            // Within the brackets of a condition, and behind a label, the body is further in than what follows.
            let is_within = ["if (", "while (", "case "].iter().any(|head| code.starts_with(head));
            let inner = if is_within { indent + 4 } else { indent };
            push_line(out, &code[..=open], indent);
            push(out, code[open + 1..close].trim(), inner + 4, 4);
            (code, indent, further) = (&code[close..], inner, 4);
        } else if let Some(at) = marks.break_at {
            push_line(out, code[..at].trim_end(), indent);
            // Only the first of several further lines is further in.
            (code, indent) = (code[at..].trim_start(), indent + std::mem::take(&mut further));
        } else {
            return push_line(out, code, indent);
        }
    }
}

fn push_line(out: &mut String, code: &str, indent: usize) {
    out.push_str(&" ".repeat(if code.is_empty() { 0 } else { indent }));
    out.push_str(code);
    out.push('\n');
}

/// As many brackets as the arguments of a template are within: any others are a better place.
const ANGLE: i32 = 4;

/// Places in a line of code.
#[derive(Default)]
struct Marks {
    /// The braces of the first body of a function that is within the line.
    body: Option<(usize, usize)>,
    /// The place at which the second of two lines begins: outside of as many brackets as can be, then as far to the right.
    break_at: Option<usize>,
}

impl Marks {
    /// The marks within so many columns.
    fn of(code: &str, room: usize) -> Self {
        let (mut marks, mut best) = (Self::default(), None);
        let (mut depth, mut at, bytes) = (0, 0, code.as_bytes());
        // No mark is beyond the room, however long the line is.
        while at < bytes.len().min(room) {
            match bytes[at] {
                b'"' | b'\'' => {
                    at = behind_literal(bytes, at);
                    continue;
                }
                b'{' if marks.body.is_none() && code[..at].ends_with(") ") && code[at + 1..].starts_with(' ') => {
                    marks.body = closing(bytes, at).map(|close| (at, close));
                    depth += 1;
                }
                b'(' | b'[' | b'{' => depth += 1,
                b'<' if at > 0 && is_name(bytes[at - 1]) => depth += ANGLE,
                b')' | b']' | b'}' => depth -= 1,
                b'>' if !code[..at].ends_with([' ', '-']) => depth -= ANGLE,
                b' ' => {
                    let rank = (separation(&code[..at], &code[at + 1..]), depth);
                    if rank.0 < u8::MAX && best.is_none_or(|(least, _)| rank <= least) {
                        best = Some((rank, at + 1));
                    }
                }
                _ => {}
            }
            at += 1;
        }
        marks.break_at = best.map(|(_, at)| at);
        marks
    }
}

/// How little a line wants to end and another one to begin so; 255: not at all.
fn separation(before: &str, after: &str) -> u8 {
    let operator = ["&& ", "|| ", "? ", ": "].iter().any(|head| after.starts_with(head));
    match before.ends_with(" =") {
        true => 1,
        false if operator || before.ends_with([',', ';']) => 0,
        false => u8::MAX,
    }
}

/// The brace that closes the one at `open`.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0, open);
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => {
                at = behind_literal(bytes, at);
                continue;
            }
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_outside_of_brackets_and_literals() {
        let text = "a, b".repeat(18);
        let call = format!("    ready = first<one, two>(one) && second(\"{text}\", three, four_and_more);");
        let folded =
            format!("    ready = first<one, two>(one)\n        && second(\"{text}\", three, four_and_more);\n");
        assert_eq!(fold(&call), folded);
    }

    #[test]
    fn opens_bodies_within_a_line() {
        let (head, body) =
            ("    if (!each(values, [&](auto& item) {", "return use(item, ".to_owned() + &"a".repeat(80) + ");");
        let folded = format!("{head}\n            {body}\n        }})) {{\n");
        assert_eq!(fold(&format!("{head} {body} }})) {{")), folded);
    }

    #[test]
    fn leaves_what_fits_and_what_cannot_be_broken() {
        let long = "a".repeat(WIDTH);
        for line in [
            "int a = 1;\n".to_owned(),
            format!("// {long}, b\n"),
            format!("f(R\"({long}, \", b)\");\n"),
            "\n".to_owned(),
        ] {
            assert_eq!(fold(&line), line);
        }
    }
}
