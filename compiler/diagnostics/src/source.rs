//! Source texts, spans within them, and positions as people count them.

use serde::{Deserialize, Serialize};
use std::io;

/// Index of a source in its [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct SourceId(pub u32);

/// Bytes `start..end` of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    pub source: SourceId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Self { source, start: start as u32, end: end as u32 }
    }

    /// From the start of `self` to the end of `other`; both must be of one source.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start, end: other.end }
    }
}

/// Line and column, both counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// One file that was read: its path as the user would name it, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: String,
    pub text: String,
    line_starts: Vec<usize>,
}

impl Source {
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1))
            .collect();
        Self { path: path.into(), text, line_starts }
    }

    /// The line and column of byte `offset`. An offset beyond the text is at its end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        let column = self.text.as_bytes()[start..offset].iter().filter(|&&b| b & 0xC0 != 0x80).count() + 1;
        Position { line, column }
    }

    /// The position of byte `offset` as editors count: line and units of UTF-16 in it, both from 0.
    pub fn units(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let before = self.text[self.line_starts[line]..].char_indices();
        let start = self.line_starts[line];
        (line, before.take_while(|(at, _)| start + at < offset).map(|(_, c)| c.len_utf16()).sum())
    }

    /// The byte at a place that an editor counts, as [`Source::units`] does. A place beyond its line is at the line's end,
    /// one within a character at its start.
    pub fn offset_of_units(&self, line: usize, units: usize) -> usize {
        let Some(&start) = self.line_starts.get(line) else { return self.text.len() };
        let text = self.line(line + 1);
        let mut passed = 0;
        let inside = text.char_indices().find(|(_, c)| {
            passed += c.len_utf16();
            passed > units
        });
        start + inside.map_or(text.len(), |(at, _)| at)
    }

    /// The text of a line (counted from 1) without its line end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line - 1];
        let end = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// All sources of one compilation, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    all: Vec<Source>,
}

impl Sources {
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.all.push(Source::new(path, text));
        SourceId(self.all.len() as u32 - 1)
    }

    pub fn get(&self, id: SourceId) -> &Source {
        &self.all[id.0 as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.all.iter()
    }

    pub fn find(&self, path: &str) -> Option<SourceId> {
        self.all.iter().position(|s| s.path == path).map(|i| SourceId(i as u32))
    }

    /// `file:line:col` of the start of `span`.
    pub fn locate(&self, span: Span) -> String {
        let source = self.get(span.source);
        let at = source.position(span.start as usize);
        format!("{}:{}:{}", source.path, at.line, at.column)
    }

    /// The text that `span` covers.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.source).text[span.start as usize..span.end as usize]
    }
}

/// How a front end reads files, so that the library itself touches no disk.
pub trait Files {
    /// The bytes of the file at `path`, as it was named or as [`Files::resolve`] gave it.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The path of `name` as written in the file `from`; `None` when there is no such file.
    /// Tries beside `from` first, then the import directories in their order.
    fn resolve(&self, from: &str, name: &str) -> Option<String>;

    /// The path of `name`, as written in the file `from`, in the first import directory that has it, beside no file; `None` when none
    /// has it.
    fn resolve_in_directories(&self, _from: &str, name: &str) -> Option<String> {
        self.resolve("", name)
    }
}
