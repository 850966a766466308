//! Paths and places as the protocol writes them.

use aldis_diagnostics::{Source, Sources, Span};
use lsp_types::{Location, Position, Range, Uri};

/// The path of a `file:` URI; that of any other is its text, so that a buffer without a file has a name too.
pub(crate) fn path_of(uri: &Uri) -> String {
    let text = uri.as_str();
    match text.strip_prefix("file://") {
        // Behind two slashes comes the name of a host, which is empty or this one.
        Some(rest) => decoded(&rest[rest.find('/').unwrap_or(0)..]),
        None => text.to_owned(),
    }
}

/// The URI of a path; the root's where the path makes none.
pub(crate) fn uri_of(path: &str) -> Uri {
    let text = if path.starts_with('/') {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
        let escaped = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
        format!("file://{}", path.bytes().map(escaped).collect::<String>())
    } else {
        path.to_owned()
    };
    text.parse().unwrap_or_else(|_| "file:///".parse().expect("a URI"))
}

/// `%41` as `A`; what is no such escape stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut found = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                found.push(byte);
                at += 3;
            }
            None => {
                found.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&found).into_owned()
}

pub(crate) fn position(source: &Source, offset: usize) -> Position {
    let (line, units) = source.units(offset);
    Position::new(line as u32, units as u32)
}

pub(crate) fn range(source: &Source, start: usize, end: usize) -> Range {
    Range::new(position(source, start), position(source, end))
}

pub(crate) fn offset(source: &Source, position: Position) -> usize {
    source.offset_of_units(position.line as usize, position.character as usize)
}

pub(crate) fn range_of(sources: &Sources, span: Span) -> Range {
    range(sources.get(span.source), span.start as usize, span.end as usize)
}

pub(crate) fn location(sources: &Sources, span: Span) -> Location {
    Location::new(uri_of(&sources.get(span.source).path), range_of(sources, span))
}

#[cfg(test)]
mod tests {
    use super::{offset, path_of, position, uri_of};
    use aldis_diagnostics::Source;
    use lsp_types::Position;

    #[test]
    fn paths_survive_as_uris() {
        for path in ["/a b/ü.fbe", "/100%/#x.capnp", "/plain-1_2.xml", "/q?/+.fbe"] {
            assert_eq!(path_of(&uri_of(path)), path);
        }
        assert_eq!(path_of(&"file:///a%20b".parse().unwrap()), "/a b");
        assert_eq!(path_of(&"file://localhost/a".parse().unwrap()), "/a");
        assert_eq!(path_of(&"untitled:Untitled-1".parse().unwrap()), "untitled:Untitled-1");
    }

    #[test]
    fn places_count_units_of_utf16() {
        let source = Source::new("x", "aé😀b\r\n😀\nlast");
        for (at, line, units) in
            [(0, 0, 0), (1, 0, 1), (3, 0, 2), (7, 0, 4), (8, 0, 5), (10, 1, 0), (14, 1, 2), (19, 2, 4)]
        {
            assert_eq!(position(&source, at), Position::new(line, units), "{at}");
            assert_eq!(offset(&source, Position::new(line, units)), at, "{line}:{units}");
        }
        assert_eq!(offset(&source, Position::new(0, 3)), 3, "within a character");
        assert_eq!(offset(&source, Position::new(0, 99)), 8, "beyond the line");
        assert_eq!(offset(&source, Position::new(9, 0)), 19, "beyond the text");
    }
}
