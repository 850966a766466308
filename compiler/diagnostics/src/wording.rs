//! Sentences that several front ends have in common.

use crate::{Diagnostic, SourceId, Span};
use std::io;

/// The first of `candidates` that differs from `name` in case alone or by one slip: a character more, less, other, or
/// swapped with its neighbour. Takes time linear in the candidates' lengths.
pub fn similar<'a>(name: &str, mut candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .find(|candidate| *candidate != name && (candidate.eq_ignore_ascii_case(name) || one_slip(name, candidate)))
}

fn one_slip(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let shorter = a.len().min(b.len());
    let head = (0..shorter).take_while(|&i| a[i] == b[i]).count();
    let tail = (0..shorter - head).take_while(|&i| a[a.len() - 1 - i] == b[b.len() - 1 - i]).count();
    // A single letter is like any other, so something must be left that both share.
    match (&a[head..a.len() - tail], &b[head..b.len() - tail]) {
        (&[x, y], &[v, w]) => (x, y) == (w, v) && head + tail > 0,
        (left, right) => left.len() <= 1 && right.len() <= 1 && head + tail > 0,
    }
}

/// How a piece of a schema is quoted in a sentence: its first characters.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 24;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A sentence on text that is no part of a schema's language, and its mend. Characters that nobody can see are told by
/// their code points.
pub fn foreign(text: &str) -> (String, &'static str) {
    match text.chars().find(|c| is_invisible(*c)) {
        None => (format!("{} has no place in a schema", quoted(text)), "remove it"),
        Some(c) => {
            let what = format!("the {} has no place in a schema", told(c));
            (what, if c.is_whitespace() { "put a plain space in its place" } else { "remove it" })
        }
    }
}

/// The first character of a name that nobody can see, in words.
pub fn invisible(name: &str) -> Option<String> {
    name.chars().find(|c| is_invisible(*c)).map(told)
}

fn told(c: char) -> String {
    let name = name_of(c).map(|name| format!(" ({name})")).unwrap_or_default();
    format!("invisible character U+{:04X}{name}", c as u32)
}

/// Controls, blanks other than the space, and what only tells how other characters are shown.
fn is_invisible(c: char) -> bool {
    let formats = matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}');
    formats || c.is_control() || (c.is_whitespace() && c != ' ')
}

/// Names of those that text from web pages and word processors brings along.
fn name_of(c: char) -> Option<&'static str> {
    Some(match c {
        '\0' => "NUL",
        '\u{a0}' => "no-break space",
        '\u{ad}' => "soft hyphen",
        '\u{200b}' => "zero width space",
        '\u{200c}' => "zero width non-joiner",
        '\u{200d}' => "zero width joiner",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{202e}' => "right-to-left override",
        '\u{202f}' => "narrow no-break space",
        '\u{2060}' => "word joiner",
        '\u{3000}' => "ideographic space",
        '\u{feff}' => "byte order mark",
        _ => return None,
    })
}

/// The mend of a file that could not be read.
pub fn mend_of_reading(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::FileTooLarge => "name a schema: this is other data, or has no end",
        _ => "check the path and its permissions",
    }
}

/// The text of a file that must be UTF-8, with an error of the code where it is not. A replacement character stands at the offset
/// of the first bad byte.
pub fn utf8_text(bytes: Vec<u8>, source: SourceId, code: &'static str) -> (String, Option<Diagnostic>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let place = Span::new(source, at, at + char::REPLACEMENT_CHARACTER.len_utf8());
            let problem = Diagnostic::error(code, format!("byte {at} is not UTF-8"), place, "this byte");
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            (text, Some(problem.help("save the file as UTF-8")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{foreign, quoted, similar};

    #[test]
    fn slips_are_found_and_other_words_are_not() {
        for slip in ["Ordr", "Orderr", "Odrer", "order", "Arder"] {
            assert_eq!(similar(slip, ["Account", "Order"].into_iter()), Some("Order"), "{slip}");
        }
        for other in ["Account", "Orde7s", "O", "Order"] {
            assert_eq!(similar(other, ["Order", "b"].into_iter()), None, "{other}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_told_by_its_code_point() {
        for (text, said) in [
            ("€", "`€` has no place in a schema"),
            ("\u{200b}", "the invisible character U+200B (zero width space) has no place in a schema"),
            ("\u{a0}", "the invisible character U+00A0 (no-break space) has no place in a schema"),
            ("\u{2066}", "the invisible character U+2066 has no place in a schema"),
        ] {
            assert_eq!(foreign(text).0, said);
        }
        assert_eq!(foreign("\u{a0}").1, "put a plain space in its place");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(quoted("short"), "`short`");
        assert_eq!(quoted(&"ä".repeat(30)), format!("`{}…`", "ä".repeat(24)));
    }
}
