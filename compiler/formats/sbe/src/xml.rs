//! A schema file as a tree of elements that own their texts and know their places.

use aldis_diagnostics::{SourceId, Span};
use roxmltree::{Document, Node, ParsingOptions, TextPos};

/// Elements within elements; a deeper file is refused, for what walks the tree recurses.
pub(crate) const MAX_DEPTH: usize = 100;

const XINCLUDE: &str = "http://www.w3.org/2001/XInclude";

/// One XML element. Names are local names: `sbe:message`, `ns2:message` and `message` are the same.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub name: String,
    /// The element's name in its start tag.
    pub span: Span,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Element>,
    /// All character data directly within, as written.
    pub text: String,
    /// The place of the text, without the white space around it; the place of the name if there is no text.
    pub text_span: Span,
    /// A comment that stands directly before the element on lines of its own.
    pub comment: String,
    /// `xi:include` and its children rather than anything of SBE.
    pub xinclude: bool,
}

/// One attribute without a namespace, white space around its value removed.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub name: String,
    pub value: String,
    /// The value between its quotes.
    pub span: Span,
}

/// Why a text is no tree of elements, and where.
pub(crate) enum Unreadable {
    NotXml {
        message: String,
        help: String,
        at: usize,
    },
    /// The document type declaration has a subset of its own, which begins here.
    InternalSubset {
        at: usize,
    },
    TooDeep {
        at: usize,
    },
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    /// The value of the `name` attribute; empty when there is none, which the grammar has then reported.
    pub fn given_name(&self) -> &str {
        self.value("name").unwrap_or_default()
    }

    /// The place of the attribute's value, or of the element's name when it has no such attribute.
    pub fn place(&self, attribute: &str) -> Span {
        self.attribute(attribute).map_or(self.span, |a| a.span)
    }

    /// The place at which the element's own name is declared.
    pub fn name_place(&self) -> Span {
        self.place("name")
    }

    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// The element's documentation: its description, or else a comment before it.
    pub fn doc(&self) -> String {
        match self.value("description") {
            Some(description) if !description.is_empty() => description.to_string(),
            _ => self.comment.clone(),
        }
    }
}

/// The text between the XML declaration and the root element.
enum DocumentType {
    None,
    /// It names the type and no more, or a file that is not fetched.
    Named,
    /// It declares something itself, from this offset on.
    Subset(usize),
}

/// Reads `text`. A document type declaration that only names the type is passed over, and nothing that it names is
/// fetched; one that declares anything, entities above all, is refused before the parser sees it.
pub(crate) fn parse(text: &str, source: SourceId) -> Result<Element, Unreadable> {
    let allow_dtd = match document_type(text) {
        DocumentType::None => false,
        DocumentType::Named => true,
        DocumentType::Subset(at) => return Err(Unreadable::InternalSubset { at }),
    };
    let options = ParsingOptions { allow_dtd, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| not_xml(text, &error))?;
    convert(document.root_element(), text, source, 1)
}

fn document_type(text: &str) -> DocumentType {
    let after = |open: &str, close: &str, text: &str| {
        let inner = text.strip_prefix(open)?;
        inner.find(close).map(|at| inner.len() - at - close.len())
    };
    let mut rest = text.trim_start();
    while let Some(left) = after("<?", "?>", rest).or_else(|| after("<!--", "-->", rest)) {
        rest = rest[rest.len() - left..].trim_start();
    }
    let Some(declaration) = rest.strip_prefix("<!DOCTYPE") else { return DocumentType::None };
    let mut quote = None;
    for (at, c) in declaration.char_indices() {
        match (quote, c) {
            (None, '[') => return DocumentType::Subset(text.len() - declaration.len() + at),
            (None, '>') => break,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    DocumentType::Named
}

fn not_xml(text: &str, error: &roxmltree::Error) -> Unreadable {
    use roxmltree::Error;
    let position = error.pos();
    let message = error.to_string().replace(&format!(" at {position}"), "");
    let (at, help) = match error {
        Error::UnclosedRootNode => (text.rfind("</").unwrap_or(0), "close every element that is open after this place"),
        Error::NoRootNode => (0, "an SBE schema is one <sbe:messageSchema> element"),
        Error::UnexpectedCloseTag(..) => {
            (offset_of(text, position), "close elements in the reverse order of opening them")
        }
        Error::UnknownNamespace(..) => {
            (offset_of(text, position), "declare the prefix: xmlns:sbe=\"http://fixprotocol.io/2016/sbe\"")
        }
        Error::UnknownEntityReference(..) => {
            (offset_of(text, position), "write the character itself; a plain & is &amp;")
        }
        _ => (offset_of(text, position), "mend the XML here"),
    };
    Unreadable::NotXml { message, help: help.to_string(), at }
}

fn convert(node: Node<'_, '_>, text: &str, source: SourceId, depth: usize) -> Result<Element, Unreadable> {
    let start = node.range().start;
    if depth > MAX_DEPTH {
        return Err(Unreadable::TooDeep { at: start });
    }
    let span = name_span(&text[start..], start, source);
    let attributes = node.attributes().filter(|a| a.namespace().is_none());
    let attributes = attributes.map(|a| {
        let range = a.range_value();
        Attribute {
            name: a.name().to_string(),
            value: a.value().trim().to_string(),
            span: Span::new(source, range.start, range.end),
        }
    });
    let children = node.children().filter(Node::is_element).map(|c| convert(c, text, source, depth + 1));
    Ok(Element {
        name: node.tag_name().name().to_string(),
        span,
        attributes: attributes.collect(),
        children: children.collect::<Result<_, _>>()?,
        text: node.children().filter(Node::is_text).filter_map(|t| t.text()).collect(),
        text_span: text_span(node, text, source).unwrap_or(span),
        comment: comment_before(node),
        xinclude: node.tag_name().namespace() == Some(XINCLUDE),
    })
}

/// The name after `<`, prefix included.
fn name_span(tag: &str, start: usize, source: SourceId) -> Span {
    let end = tag[1..].find(|c: char| c.is_whitespace() || c == '/' || c == '>').map_or(tag.len(), |n| n + 1);
    Span::new(source, start + 1, start + end)
}

fn text_span(node: Node<'_, '_>, text: &str, source: SourceId) -> Option<Span> {
    let range = node.children().find(|c| c.is_text() && !c.text().unwrap_or_default().trim().is_empty())?.range();
    let written = &text[range.clone()];
    let start = range.start + (written.len() - written.trim_start().len());
    Some(Span::new(source, start, start + written.trim().len()))
}

/// A comment documents the element after it when it begins its line and at most one line end parts the two. Ruler
/// lines without a letter are no documentation.
fn comment_before(node: Node<'_, '_>) -> String {
    let Some((comment, between)) = before(node).filter(|(n, _)| n.is_comment()) else { return String::new() };
    let begins_line = match comment.prev_sibling() {
        None => true,
        Some(text) if text.is_text() => text.text().unwrap_or_default().contains('\n'),
        Some(_) => false,
    };
    let words = comment.text().unwrap_or_default();
    if !begins_line
        || between > 1
        || !words.contains(char::is_alphabetic)
        || comment.parent().is_none_or(|p| p.is_root())
    {
        return String::new();
    }
    words.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_string()
}

/// The node before `node`, white space left out, and how many line ends that white space holds.
fn before<'a, 'input>(node: Node<'a, 'input>) -> Option<(Node<'a, 'input>, usize)> {
    let previous = node.prev_sibling()?;
    match previous.text().filter(|_| previous.is_text()) {
        Some(text) if text.trim().is_empty() => Some((previous.prev_sibling()?, text.matches('\n').count())),
        _ => Some((previous, 0)),
    }
}

fn offset_of(text: &str, position: TextPos) -> usize {
    let line: usize = text.split_inclusive('\n').take(position.row.saturating_sub(1) as usize).map(str::len).sum();
    let column = text[line..].chars().take(position.col.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
    line + column
}
