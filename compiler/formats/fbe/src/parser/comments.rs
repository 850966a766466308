//! Which comments document what: the lines directly before it, and the one that ends its line.

use super::cursor::Cursor;
use crate::lexer::{Token, TokenKind};

impl Cursor<'_> {
    /// The comments that end on the line before the next token, or on its own line before it, without a blank line in
    /// between; a comment that follows code on its line belongs to that code.
    pub(super) fn doc_before(&self) -> String {
        let mut lines = Vec::new();
        let mut index = self.token_index();
        while let Some(comment) = self.comment_before(index) {
            lines.push(clean(self.slice(self.tokens[comment])));
            index = comment;
        }
        lines.reverse();
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }

    /// `doc` and the comment behind the token that was taken last, on the same line.
    pub(super) fn with_doc_after(&self, mut doc: String) -> String {
        let mut index = self.last_index() + 1;
        while self.is_blank(index) {
            index += 1;
        }
        let Some(token) = self.tokens.get(index).filter(|t| t.kind == TokenKind::Comment) else {
            return doc;
        };
        let text = clean(self.slice(*token));
        if !doc.is_empty() && !text.is_empty() {
            doc.push('\n');
        }
        doc + &text
    }

    /// The comment that is the first thing on its line and stands right before token `index`.
    fn comment_before(&self, index: usize) -> Option<usize> {
        let mut at = index.checked_sub(1)?;
        if self.tokens[at].kind == TokenKind::Space {
            if self.slice(self.tokens[at]).matches('\n').count() > 1 {
                return None;
            }
            at = at.checked_sub(1)?;
        }
        (self.tokens[at].kind == TokenKind::Comment && self.starts_line(at)).then_some(at)
    }

    fn is_blank(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|t| t.kind == TokenKind::Space && !self.slice(*t).contains('\n'))
    }

    fn slice(&self, token: Token) -> &str {
        &self.text[token.start..token.end]
    }
}

/// A comment's words, without its marks, the stars of its lines, and blank lines at its ends.
fn clean(comment: &str) -> String {
    if let Some(line) = comment.strip_prefix("//") {
        return line.trim_start_matches(['/', '!']).trim().to_owned();
    }
    let inner = comment.trim_start_matches("/*").trim_end_matches("*/").trim_matches(['*', '!']);
    let lines: Vec<&str> = inner.lines().map(|line| line.trim().trim_start_matches("* ").trim()).collect();
    let lines: Vec<&str> = lines.into_iter().map(|line| if line == "*" { "" } else { line }).collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn marks_and_stars_go() {
        assert_eq!(clean("/// An order. "), "An order.");
        assert_eq!(clean("/* one */"), "one");
        assert_eq!(clean("/**\n * one\n *\n * two\n */"), "one\n\ntwo");
        assert_eq!(clean("//"), "");
        assert_eq!(clean("/**/"), "");
    }
}
