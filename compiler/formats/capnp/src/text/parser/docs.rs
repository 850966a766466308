//! Documentation: the comment lines behind a `;` or a brace, from that line or the next one on.

use super::recovery::Parser;
use aldis_text::{Token, TokenKind};

impl Parser<'_> {
    /// The comment lines behind the token that was taken last, joined by line ends; a blank line ends them. Empty
    /// comments at the end do not count.
    pub(super) fn doc_after(&self) -> String {
        let mut lines = Vec::new();
        let mut index = self.last_index() + 1;
        while let Some((at, comment)) = self.comment_at(index) {
            let text = &self.slice(comment)[1..];
            lines.push(text.strip_prefix(' ').unwrap_or(text));
            index = at + 1;
        }
        lines.join("\n").trim_end_matches('\n').to_owned()
    }

    /// The comment that is token `index`, or stands behind it when that is space with at most one line end.
    fn comment_at(&self, index: usize) -> Option<(usize, Token)> {
        let token = self.token_at(index)?;
        let at = match token.kind {
            TokenKind::Space if self.slice(token).matches('\n').count() > 1 => return None,
            TokenKind::Space => index + 1,
            _ => index,
        };
        let comment = self.token_at(at)?;
        comment.is_comment().then_some((at, comment))
    }
}
