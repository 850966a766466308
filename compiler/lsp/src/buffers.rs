//! The documents that are open in the editor, in front of the files below them.

use crate::places::{offset, path_of, uri_of};
use crate::Workspace;
use aldis_diagnostics::{Files, Source};
use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use std::collections::BTreeMap;
use std::io;

/// A document as the editor shows it, saved or not.
pub(crate) struct Buffer {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) source: Source,
}

/// Reads what is open from its buffer, and all else from the workspace.
pub(crate) struct Buffers<'a> {
    pub(crate) workspace: &'a dyn Workspace,
    pub(crate) open: BTreeMap<String, Buffer>,
}

impl Buffers<'_> {
    pub(crate) fn opened(&mut self, document: TextDocumentItem) {
        let path = path_of(&document.uri);
        let source = Source::new(path.clone(), document.text);
        self.open.insert(path, Buffer { uri: document.uri, version: document.version, source });
    }

    /// Makes the changes in their order; none where the document is not open.
    pub(crate) fn changed(&mut self, path: &str, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let Some(buffer) = self.open.get_mut(path) else { return };
        buffer.version = version;
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let start = offset(&buffer.source, range.start);
                    let end = offset(&buffer.source, range.end).max(start);
                    let text = &buffer.source.text;
                    [&text[..start], &change.text, &text[end..]].concat()
                }
            };
            buffer.source = Source::new(path, text);
        }
    }

    /// A text in the place of the file's.
    pub(crate) fn put(&mut self, path: &str, text: &str) {
        let buffer = Buffer { uri: uri_of(path), version: 0, source: Source::new(path, text) };
        self.open.insert(path.to_owned(), buffer);
    }

    /// The path of a new document, not saved yet, that lies where `name` leads from the file `from`.
    fn unsaved(&self, from: &str, name: &str) -> Option<String> {
        let folder = from.rsplit_once('/')?.0;
        let mut parts: Vec<&str> = folder.split('/').collect();
        for part in name.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                _ => parts.push(part),
            }
        }
        Some(parts.join("/")).filter(|path| self.open.contains_key(path))
    }
}

impl Files for Buffers<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let Some(buffer) = self.open.get(path) else { return self.workspace.read(path) };
        let text = &buffer.source.text;
        // The text may declare the encoding of its file; as the editor gives it, it is UTF-8 all the same.
        let mark = if text.starts_with("<?xml") { "\u{FEFF}" } else { "" };
        Ok([mark, text].concat().into_bytes())
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        self.unsaved(from, name).or_else(|| self.workspace.resolve(from, name))
    }

    fn resolve_in_directories(&self, from: &str, name: &str) -> Option<String> {
        self.workspace.resolve_in_directories(from, name)
    }
}
