//! Documentation: the comment lines directly before a declaration, and the comment that ends its line.

use super::recovery::Parser;
use aldis_text::{Token, TokenKind};

impl Parser<'_> {
    /// The comments that end on the line before the next token, or on its own line before it, without a blank line in
    /// between; a comment that follows code on its line belongs to that code.
    pub(super) fn doc_before(&self) -> String {
        let mut lines = Vec::new();
        let mut index = self.token_index();
        while let Some((at, comment)) = self.comment_before(index) {
            lines.push(clean(self.slice(comment)));
            index = at;
        }
        lines.reverse();
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }

    /// `doc` and the comment behind the token that was taken last, on the same line.
    pub(super) fn with_doc_after(&self, mut doc: String) -> String {
        let mut index = self.last_index() + 1;
        while self.token_at(index).is_some_and(|token| self.is_blank(token)) {
            index += 1;
        }
        let Some(comment) = self.token_at(index).filter(Token::is_comment) else {
            return doc;
        };
        let text = clean(self.slice(comment));
        if !doc.is_empty() && !text.is_empty() {
            doc.push('\n');
        }
        doc + &text
    }

    /// The comment that is the first thing on its line and stands right before token `index`, and its own index.
    fn comment_before(&self, index: usize) -> Option<(usize, Token)> {
        let mut at = index.checked_sub(1)?;
        let before = self.token_at(at)?;
        if before.kind == TokenKind::Space {
            if self.slice(before).matches('\n').count() > 1 {
                return None;
            }
            at = at.checked_sub(1)?;
        }
        let comment = self.token_at(at).filter(Token::is_comment)?;
        self.starts_line(at).then_some((at, comment))
    }

    fn is_blank(&self, token: Token) -> bool {
        token.kind == TokenKind::Space && !self.slice(token).contains('\n')
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
