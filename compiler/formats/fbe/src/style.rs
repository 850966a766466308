//! How FBE schemas are written: as in the format's own documentation, a brace to a line, four blanks a level.

use crate::lexer::LEXICON;
use crate::parser::{DECLARATION, HEADER};
use aldis_fmt::Style;
use aldis_text::Lexicon;

pub(crate) struct FbeStyle;

impl Style for FbeStyle {
    fn lexicon(&self) -> &'static Lexicon {
        &LEXICON
    }

    fn indent(&self) -> usize {
        4
    }

    fn brace_on_own_line(&self) -> bool {
        true
    }

    fn comments_follow(&self) -> bool {
        false
    }

    /// Inside of a body a `{` stands before the key of a hash.
    fn opens_body(&self, depth: usize) -> bool {
        depth == 0
    }

    /// Statements of the head have no `;`.
    fn is_over(&self, words: &[&str], next: &str) -> bool {
        let last = words.last().copied().unwrap_or_default();
        if !HEADER.contains(&words[0]) || next == ";" || words.len() == 1 {
            return false;
        }
        let joined = |word: &str| matches!(word, "." | "+" | "-");
        let offset = words[0] == "package" && (words.len() == 2 && next == "offset" || last == "offset");
        // A dot may end a version, wrongly; no word of the head goes on behind that.
        let begins = last == "." && (HEADER.contains(&next) || DECLARATION.contains(&next)) && words[0] == "version";
        !offset && (begins || !(joined(last) || joined(next)))
    }

    fn apart(&self, before: &str, after: &str) -> bool {
        let tight_after = matches!(before, "(" | "[" | "<" | "{" | "." | "-" | "+" | "*");
        let tight_before = matches!(after, ";" | "," | "." | "?" | "~" | "!" | ")" | "]" | ">" | "}" | "(" | "<" | "{");
        // A `[` behind a type makes an array, one behind an attribute begins the next attribute.
        let array =
            after == "[" && (before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') || before == "?");
        !(tight_after || tight_before || array)
    }

    fn breaks_before(&self, word: &str) -> bool {
        word == "|"
    }
}
