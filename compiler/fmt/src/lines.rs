//! Lines that grow word by word.

use crate::atoms::{Atom, Comment};
use crate::Style;

/// The text that is written so far, and the white space that must come between it and the next word.
pub(crate) struct Lines<'s> {
    style: &'s dyn Style,
    text: String,
    /// The first byte of the last line.
    start: usize,
    gap: Gap,
    last: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// The line is empty but for its indentation.
    Nothing,
    /// As the style says of the last word and the next.
    Style,
    Blank,
    /// The line takes comments, but no word.
    Comments,
    /// The line takes no more.
    Line,
}

impl<'s> Lines<'s> {
    pub(crate) fn new(style: &'s dyn Style) -> Self {
        Self { style, text: String::new(), start: 0, gap: Gap::Nothing, last: String::new() }
    }

    /// The text, with a line end behind it if it is not empty.
    pub(crate) fn finish(mut self) -> String {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }

    pub(crate) fn column(&self) -> usize {
        self.text[self.start..].chars().count()
    }

    /// Whether the line holds nothing but its indentation.
    pub(crate) fn at_start(&self) -> bool {
        self.gap == Gap::Nothing
    }

    /// Begins a line; the first one of a file is there already.
    pub(crate) fn line(&mut self, indent: usize) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.start = self.text.len();
        self.text.push_str(&" ".repeat(indent));
        self.gap = Gap::Nothing;
    }

    /// An empty line ends the text so far.
    pub(crate) fn blank_line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Begins a line if the next word needs one.
    pub(crate) fn line_for_word(&mut self, indent: usize) {
        if matches!(self.gap, Gap::Comments | Gap::Line) {
            self.line(indent);
        }
    }

    /// A blank comes before the next word, whatever the style says.
    pub(crate) fn blank(&mut self) {
        if self.gap == Gap::Style {
            self.gap = Gap::Blank;
        }
    }

    /// The comments before the word, and the word. What must go to another line has that indentation.
    pub(crate) fn atom(&mut self, atom: &Atom<'_>, indent: usize) {
        for comment in &atom.before {
            self.comment(comment, indent);
        }
        self.word(&atom.text, indent);
        if atom.ends_line {
            self.gap = Gap::Line;
        }
    }

    fn word(&mut self, word: &str, indent: usize) {
        let apart = match self.gap {
            Gap::Nothing => false,
            Gap::Style => self.style.apart(&self.last, word),
            Gap::Blank => !matches!(word, ";" | "," | ")" | "]"),
            Gap::Comments | Gap::Line => {
                self.line(indent);
                false
            }
        };
        if apart {
            self.text.push(' ');
        }
        self.push(word);
        self.gap = Gap::Style;
        word.clone_into(&mut self.last);
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if let Some(end) = text.rfind('\n') {
            self.start = self.text.len() - (text.len() - end - 1);
        }
    }

    pub(crate) fn comments(&mut self, comments: &[Comment<'_>], indent: usize) {
        for comment in comments {
            self.comment(comment, indent);
        }
    }

    fn comment(&mut self, comment: &Comment<'_>, indent: usize) {
        let begins = self.at_start();
        if self.gap == Gap::Line || (comment.own_line && !begins) {
            self.line(indent);
        } else if !begins {
            // Comments behind neighbouring statements often make a column.
            let blanks = if comment.ends_line { comment.blanks.max(1) } else { 1 };
            self.text.push_str(&" ".repeat(blanks));
        }
        let column = self.column();
        self.push(&shifted(comment, column));
        self.gap = match (comment.ends_line, self.gap) {
            (true, _) => Gap::Line,
            (false, Gap::Comments) => Gap::Comments,
            (false, _) if comment.own_line => Gap::Comments,
            (false, _) => Gap::Blank,
        };
    }
}

/// The comment when it begins in that column: its further lines keep their place below its first one.
fn shifted(comment: &Comment<'_>, column: usize) -> String {
    let mut lines = comment.text.lines();
    let mut text = lines.next().unwrap_or_default().trim_end().to_owned();
    for line in lines {
        let words = line.trim();
        text.push('\n');
        if words.is_empty() {
            continue;
        }
        let lead = &line[..line.len() - line.trim_start().len()];
        if column >= comment.column {
            text.push_str(lead);
            text.push_str(&" ".repeat(column - comment.column));
        } else {
            text.extend(lead.chars().skip(comment.column - column));
        }
        text.push_str(words);
    }
    text
}
