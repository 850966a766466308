//! How Cap'n Proto schemas are written: as in the files that come with the reference's compiler, two blanks a level, a
//! type's colon right before it.

use super::lexer::{LEXICON, OPERATOR_CHARACTERS};
use aldis_fmt::Style;
use aldis_text::Lexicon;

pub(crate) struct CapnpStyle;

impl Style for CapnpStyle {
    fn lexicon(&self) -> &'static Lexicon {
        &LEXICON
    }

    fn indent(&self) -> usize {
        2
    }

    fn brace_on_own_line(&self) -> bool {
        false
    }

    fn comments_follow(&self) -> bool {
        true
    }

    fn opens_body(&self, _depth: usize) -> bool {
        true
    }

    fn is_over(&self, _words: &[&str], _next: &str) -> bool {
        false
    }

    fn apart(&self, before: &str, after: &str) -> bool {
        let is_operator = |word: &str| word.starts_with(|c: char| OPERATOR_CHARACTERS.contains(c));
        match (before, after) {
            (_, ";" | "," | ")" | "]" | "}") | ("(" | "[" | "{", _) => false,
            // Side by side they would be another operator.
            _ if is_operator(before) && is_operator(after) => true,
            (":" | "@" | "$" | "." | "-", _) => false,
            (_, "!") => false,
            ("using", ".") => true,
            (_, ".") => before == ",",
            // Parameters and targets stand apart from a number, arguments stick to what takes them.
            (_, "(" | "[") => {
                before.starts_with(|c: char| c.is_ascii_digit())
                    || is_operator(before)
                    || before == ","
                    || before == "]"
            }
            _ => true,
        }
    }

    fn breaks_before(&self, word: &str) -> bool {
        matches!(word, "->" | "$")
    }
}
