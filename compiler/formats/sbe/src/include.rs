//! Reads a schema file with whatever it includes into one tree.

use crate::codes;
use crate::report::Report;
use crate::text::decode;
use crate::xml::{self, Element, Unreadable};
use aldis_diagnostics::{mend_of_reading, Diagnostic, Files, SourceId, Sources, Span};

/// Files within files.
const MAX_DEPTH: usize = 16;
/// Files in all, and their bytes, counted every time one is included.
const MAX_FILES: usize = 256;
const MAX_BYTES: usize = 32 << 20;

/// Reads files; every one becomes a source of its own, so places stay right across them.
pub(crate) struct Reader<'a> {
    files: &'a dyn Files,
    sources: &'a mut Sources,
    report: &'a mut Report,
    /// Paths of the files that are being read, outermost first.
    open: Vec<String>,
    read: usize,
    /// Bytes of all included files.
    bytes: usize,
}

impl<'a> Reader<'a> {
    pub fn new(files: &'a dyn Files, sources: &'a mut Sources, report: &'a mut Report) -> Self {
        Self { files, sources, report, open: Vec::new(), read: 0, bytes: 0 }
    }

    /// The tree of the file at `path`, includes replaced by what they name; `None` when there was an error.
    pub fn read_root(&mut self, path: &str) -> Option<Element> {
        match self.files.read(path) {
            Ok(bytes) => self.read_bytes(path, &bytes),
            Err(error) => {
                self.report.push(
                    Diagnostic::placeless(codes::UNREADABLE, format!("cannot read `{path}`: {error}"))
                        .help(mend_of_reading(&error)),
                );
                None
            }
        }
    }

    fn read_bytes(&mut self, path: &str, bytes: &[u8]) -> Option<Element> {
        let decoded = decode(bytes);
        let source = self.sources.find(path).unwrap_or_else(|| self.sources.add(path, decoded.text));
        if let Some(at) = decoded.first_stray {
            self.warn_stray(source, at);
        }
        let text = self.sources.get(source).text.clone();
        match xml::parse(&text, source) {
            Ok(mut root) => {
                self.open.push(path.to_string());
                self.expand(&mut root);
                self.open.pop();
                Some(root)
            }
            Err(problem) => {
                self.unreadable(problem, source, &text);
                None
            }
        }
    }

    fn unreadable(&mut self, problem: Unreadable, source: SourceId, text: &str) {
        let span = |at: usize| {
            let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            Span::new(source, at, end)
        };
        match problem {
            Unreadable::NotXml { message, help, at } => {
                self.report.error(codes::NOT_XML, "this is not well-formed XML", span(at), message).help(help);
            }
            Unreadable::InternalSubset { at } => {
                let message = "the document type declaration has an internal subset";
                let here = "entities and rules declared in the file are not read";
                self.report
                    .error(codes::INTERNAL_SUBSET, message, span(at), here)
                    .help("remove what stands in [ ], and write the text of its entities where they are used");
            }
            Unreadable::TooDeep { at } => {
                let message = format!("elements are nested more than {} deep", xml::MAX_DEPTH);
                self.report.error(codes::TOO_DEEP, message, span(at), "one too deep").help("no schema needs this many");
            }
        }
    }

    fn warn_stray(&mut self, source: SourceId, at: usize) {
        let span = Span::new(source, at, at + char::REPLACEMENT_CHARACTER.len_utf8());
        self.report
            .warning(codes::STRAY_BYTES, "this file is not valid UTF-8", span, "the first stray byte is here")
            .help("save the file as UTF-8, or declare its encoding: <?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>");
    }

    fn expand(&mut self, element: &mut Element) {
        let children = std::mem::take(&mut element.children);
        for mut child in children {
            if child.name == "include" && (child.xinclude || child.attribute("href").is_some()) {
                element.children.extend(self.include(&child));
            } else {
                self.expand(&mut child);
                element.children.push(child);
            }
        }
    }

    /// The elements in the place of an include: the included file's root, or the children of its fallback.
    fn include(&mut self, include: &Element) -> Vec<Element> {
        let Some(href) = self.checked_href(include) else { return Vec::new() };
        let from = self.open.last().cloned().unwrap_or_default();
        let found = self.files.resolve(&from, &href);
        let bytes = found.as_ref().and_then(|path| self.files.read(path).ok());
        match (found, bytes) {
            (Some(path), Some(bytes)) if self.may_open(&path, bytes.len(), include) => {
                self.read_bytes(&path, &bytes).into_iter().collect()
            }
            (Some(_), Some(_)) => Vec::new(),
            _ => self.fallback(include, &href),
        }
    }

    fn checked_href(&mut self, include: &Element) -> Option<String> {
        let Some(href) = include.attribute("href").filter(|a| !a.value.is_empty()) else {
            self.report
                .error(codes::BAD_INCLUDE, "an include needs an `href`", include.span, "which file?")
                .help("name a file beside this one: <xi:include href=\"common-types.xml\"/>");
            return None;
        };
        if href.value.contains("://") || href.value.starts_with(['/', '\\']) {
            self.report
                .error(
                    codes::REMOTE_INCLUDE,
                    "an include must be a relative path",
                    href.span,
                    "nothing is fetched from here",
                )
                .help("put the file beside the schema and name it by its relative path");
            return None;
        }
        for unsupported in ["xpointer", "parse"] {
            match include.attribute(unsupported) {
                Some(attribute) if attribute.value != "xml" => {
                    let message = format!("`{unsupported}` is not supported in an include");
                    self.report.error(codes::BAD_INCLUDE, message, attribute.span, "whole XML files only").help(
                        format!("remove `{unsupported}`: the root element of the file takes the include's place"),
                    );
                    return None;
                }
                _ => {}
            }
        }
        Some(href.value.clone())
    }

    fn may_open(&mut self, path: &str, bytes: usize, include: &Element) -> bool {
        let place = include.place("href");
        self.read += 1;
        self.bytes += bytes;
        if self.open.iter().any(|open| normal(open) == normal(path)) {
            let ring = self.open.iter().map(String::as_str).chain([path]).collect::<Vec<_>>().join("` includes `");
            self.report
                .error(
                    codes::INCLUDE_CYCLE,
                    "files include each other in a ring",
                    place,
                    "back to a file that is being read",
                )
                .help(format!("`{ring}`: remove one of these includes"));
            return false;
        }
        if self.open.len() >= MAX_DEPTH || self.read > MAX_FILES || self.bytes > MAX_BYTES {
            let message = format!(
                "too many includes: at most {MAX_DEPTH} within each other, {MAX_FILES} in all, 32 MiB together"
            );
            self.report
                .error(codes::INCLUDE_LIMIT, message, place, "this one is too many")
                .help("merge some of the files");
            return false;
        }
        true
    }

    fn fallback(&mut self, include: &Element, href: &str) -> Vec<Element> {
        if let Some(fallback) = include.children_named("fallback").next() {
            let mut fallback = fallback.clone();
            self.expand(&mut fallback);
            return fallback.children;
        }
        self.report
            .error(
                codes::INCLUDE_MISSING,
                format!("cannot find the file `{href}`"),
                include.place("href"),
                "included here",
            )
            .help("the path counts from the including file's own folder; further folders are given with -I");
        Vec::new()
    }
}

/// A path with `.` and `..` worked out, to tell whether two spellings name one file.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|p| !p.is_empty() && *p != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
