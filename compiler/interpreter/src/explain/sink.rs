//! The sink that notes where everything is.

use super::{Entry, EntryKind};
use crate::fault::Fault;
use crate::json::{write_datum, write_value, Context};
use crate::scalar::Datum;
use crate::segments::{Elements, Kind, Target, WORD};
use crate::tables::Tables;
use crate::walk::Sink;
use crate::{Codec, Value};
use aldis_diagnostics::Span;
use aldis_plan::ByteOrder;
use aldis_schema::{Type, TypeId};
use std::ops::Range;

/// The receiver of entries.
pub(super) trait Out {
    /// Whether entries are made at all; once they are not, they never are again.
    fn wants(&self) -> bool;

    /// An entry; what it is, with its range, is made by `make`. The end of one with parts is not known yet.
    fn entry(&mut self, range: &Range<usize>, is_leaf: bool, make: &mut dyn FnMut() -> Entry);

    /// How many entries with parts there were.
    fn containers(&self) -> usize;

    /// The end of an entry with parts.
    fn end(&mut self, container: usize, end: usize);

    /// The bytes of a run: what no entry covers there is padding.
    fn run(&mut self, bytes: Range<usize>);
}

/// Path, label and span of a value.
type Next = (String, String, Option<Span>);

pub(super) struct ExplainSink<'c, O> {
    context: Context<'c>,
    pub(super) out: O,
    /// The open containers.
    open: Vec<Open>,
    /// Those of the message, where it has any.
    segments: Vec<Range<usize>>,
    /// The value to come; nothing is kept here once no entries are made.
    next: Next,
    /// The ignored value that is read, and the value of `next` before it.
    before_ignored: Option<(EntryKind, Next)>,
}

/// A container whose end has not been seen.
struct Open {
    /// Its number among all containers, and the byte where it begins; `None` for a union, which has no bytes of its own.
    container: Option<(usize, usize)>,
    path: String,
    span: Option<Span>,
}

impl<'c, O: Out> ExplainSink<'c, O> {
    pub fn new(codec: &'c Codec, out: O) -> Self {
        let mut context = Context::new(codec.plan(), &codec.tables);
        // An explanation shows what is there, also what the form's JSON cannot say.
        context.policy.non_finite = true;
        Self {
            context,
            out,
            open: Vec::new(),
            segments: Vec::new(),
            next: (String::new(), String::new(), None),
            before_ignored: None,
        }
    }

    fn push(&mut self, kind: EntryKind, range: Range<usize>, target: Option<usize>, value: &dyn Fn() -> String) {
        let (path, label, span) = &self.next;
        let depth = self.open.len();
        let is_leaf = !matches!(kind, EntryKind::Record | EntryKind::List);
        self.out.entry(&range, is_leaf, &mut || Entry {
            range: range.clone(),
            depth,
            path: path.clone(),
            label: label.clone(),
            kind,
            value: value(),
            span: *span,
            target,
        });
    }

    fn begin(&mut self, kind: EntryKind, at: usize, value: &dyn Fn() -> String) {
        let container = Some((self.out.containers(), at));
        self.push(kind, at..at, None, value);
        self.open.push(Open { container, path: self.next.0.clone(), span: self.next.2 });
    }

    fn end(&mut self, end: usize) {
        if let Some(Open { container: Some((container, start)), .. }) = self.open.pop() {
            self.out.end(container, end.max(start));
        }
    }

    /// `byte 88`, with its segment where there are several.
    fn place(&self, at: i64) -> String {
        let offset = usize::try_from(at).unwrap_or_default();
        match self.segments.iter().position(|segment| segment.contains(&offset)) {
            Some(segment) if self.segments.len() > 1 => format!("byte {at} (segment {segment})"),
            _ => format!("byte {at}"),
        }
    }

    fn container_path(&self) -> &str {
        self.open.last().map_or("", |open| &open.path)
    }
}

/// The kind of a list's elements, by its size code.
fn element(size: u8) -> &'static str {
    ["nothing", "bit", "byte", "2 bytes", "4 bytes", "8 bytes", "pointer"][usize::from(size)]
}

/// The byte that a pointer leads to, where it is one of the message's.
fn aim(target: i64) -> Option<usize> {
    usize::try_from(target).ok()
}

/// The text of a value with its name behind it where the form's JSON shows enums and flags as numbers.
fn named(text: String, mut context: Context<'_>, ty: &Type, datum: Datum<'_>) -> String {
    if context.policy.names || context.tables.enumeration(ty).is_none() {
        return text;
    }
    context.policy.names = true;
    let mut name = Vec::new();
    match write_datum(&mut name, context, ty, datum) {
        Ok(()) if name != text.as_bytes() && name != b"[]" => {
            let name: String = String::from_utf8_lossy(&name).replace(['"', '[', ']'], "").replace(',', ", ");
            format!("{text} ({name})")
        }
        _ => text,
    }
}

/// A value's text, of which no more is kept than is told.
fn told(mut text: Vec<u8>) -> String {
    if text.len() > Entry::LONGEST {
        let more = text.len() - Entry::LONGEST;
        text.truncate(Entry::LONGEST);
        return format!("{}… ({more} more bytes)", String::from_utf8_lossy(&text).trim_end_matches('\u{FFFD}'));
    }
    String::from_utf8_lossy(&text).into_owned()
}

impl<O: Out> Sink for ExplainSink<'_, O> {
    const SORTED: bool = false;
    const EXPLAINS: bool = true;

    fn begin_record(&mut self, record: TypeId, at: usize) {
        let definition = self.context.tables.schema.type_def(record);
        if self.open.is_empty() && self.out.wants() {
            self.next = (String::new(), definition.name.local(), Some(definition.span));
        }
        self.begin(EntryKind::Record, at, &|| definition.name.full());
    }

    fn end_record(&mut self, _record: TypeId, end: usize) {
        self.end(end);
    }

    fn field(&mut self, tables: &Tables, record: TypeId, field: usize) {
        if self.out.wants() {
            let definition = &tables.schema.record(record).fields[field];
            let dot = if self.container_path().is_empty() { "" } else { "." };
            let path = format!("{}{dot}{}", self.container_path(), definition.name);
            self.next = (path, definition.name.clone(), Some(definition.span));
        }
    }

    fn begin_list(&mut self, count: usize, at: usize) {
        let elements = if count == 1 { "element" } else { "elements" };
        self.begin(EntryKind::List, at, &|| format!("{count} {elements}"));
    }

    fn element(&mut self, index: usize) {
        if self.out.wants() {
            let path = format!("{}[{index}]", self.container_path());
            // The list's own: what was declared last may be a member of the element before.
            let span = self.open.last().and_then(|open| open.span);
            self.next = (path, format!("[{index}]"), span);
        }
    }

    fn end_list(&mut self, end: usize) {
        self.end(end);
    }

    fn begin_choice(&mut self, tables: &Tables, union: TypeId, tag: u64, arm: Option<usize>, at: Range<usize>) {
        let definition = tables.schema.union(union);
        let name = arm.map_or("not known to this schema", |index| &definition.arms[index].field.name);
        if definition.unnamed && self.out.wants() {
            self.next.1 = "union".to_owned();
        }
        self.push(EntryKind::Choice, at, None, &|| format!("{tag} ({name})"));
        self.open.push(Open { container: None, path: self.next.0.clone(), span: self.next.2 });
        if let Some(index) = arm.filter(|_| self.out.wants()) {
            let field = &definition.arms[index].field;
            let dot = if self.container_path().is_empty() { "" } else { "." };
            let path = format!("{}{dot}{}", self.container_path(), field.name);
            self.next = (path, field.name.clone(), Some(field.span));
        }
    }

    fn end_choice(&mut self, _tables: &Tables, _union: TypeId) {
        self.open.pop();
    }

    fn segments(&mut self, bytes: &[u8], segments: &[Range<usize>]) {
        let table = segments[0].start;
        if table > 0 {
            let number = |at: usize| ByteOrder::Little.number(&bytes[at..at + 4]);
            self.register("segments - 1", number(0), 0..4);
            for (index, _) in segments.iter().enumerate() {
                let at = 4 + 4 * index;
                self.register(&format!("words of segment {index}"), number(at), at..at + 4);
            }
        }
        self.segments = segments.to_vec();
        self.next = (String::new(), "root".to_owned(), None);
    }

    fn pointer(&mut self, at: usize, target: &Target) {
        let what = match target.kind {
            Kind::Record { data, pointers } => format!("struct of {data}+{pointers} words"),
            Kind::List { size: 7, count } => format!("list of structs, {count} words"),
            Kind::List { size, count } => format!("list of {count} × {}", element(size)),
            Kind::Capability(index) => format!("capability {index}"),
        };
        let by = target.pad.map_or_else(String::new, |pad| format!(" by {}", self.place(pad.at as i64)));
        let value = match target.kind {
            Kind::Capability(_) => what,
            _ => format!("→ {}{by}: {what}", self.place(target.at)),
        };
        let first = aim(target.pad.map_or(target.at, |pad| pad.at as i64));
        self.push(EntryKind::Pointer, at..at + WORD, first, &|| value.clone());
        if let Some(pad) = target.pad {
            let label = std::mem::replace(&mut self.next.1, "landing pad".to_owned());
            let range = pad.at..pad.at + pad.words as usize * WORD;
            let place = self.place(target.at);
            self.push(EntryKind::Pointer, range, aim(target.at), &|| format!("→ {place}"));
            self.next.1 = label;
        }
    }

    fn tag(&mut self, at: usize, elements: &Elements) {
        let label = std::mem::replace(&mut self.next.1, "tag".to_owned());
        let value = || format!("{} × struct of {}+{} words", elements.count, elements.data, elements.pointers);
        self.push(EntryKind::Pointer, at..at + WORD, None, &value);
        self.next.1 = label;
    }

    fn value(&mut self, _tables: &Tables, ty: &Type, datum: Datum<'_>, at: Range<usize>) -> Result<(), Fault> {
        let context = self.context;
        let value = || {
            let mut text = Vec::new();
            match write_datum(&mut text, context, ty, datum) {
                Ok(()) => named(told(text), context, ty, datum),
                Err(fault) => format!("({})", fault.text),
            }
        };
        let kind = self.before_ignored.as_ref().map_or(EntryKind::Field, |(kind, _)| *kind);
        self.push(kind, at, None, &value);
        Ok(())
    }

    fn tree(&mut self, _tables: &Tables, ty: &Type, value: &Value, at: usize) -> Result<(), Fault> {
        let context = self.context;
        let text = || {
            let mut text = Vec::new();
            // A value that JSON cannot say was explained at its place in the bytes.
            let _ = write_value(&mut text, context, ty, value);
            told(text)
        };
        self.push(EntryKind::Absent, at..at, None, &text);
        Ok(())
    }

    fn run(&mut self, bytes: Range<usize>) {
        self.out.run(bytes);
    }

    fn register(&mut self, name: &str, value: u64, at: Range<usize>) {
        let (path, depth) = (self.container_path().to_owned(), self.open.len());
        self.out.entry(&at, true, &mut || Entry {
            range: at.clone(),
            depth,
            path: path.clone(),
            label: name.to_owned(),
            kind: EntryKind::Register,
            value: value.to_string(),
            span: None,
            target: None,
        });
    }

    fn level(&self) -> usize {
        self.open.len()
    }

    fn close_to(&mut self, level: usize, end: usize) {
        while self.open.len() > level {
            self.end(end);
        }
    }

    fn begin_ignored(&mut self, name: &str, header: bool) {
        let next = (self.container_path().to_owned(), name.to_owned(), None);
        let kind = if header { EntryKind::Header } else { EntryKind::Ignored };
        self.before_ignored = Some((kind, std::mem::replace(&mut self.next, next)));
    }

    fn end_ignored(&mut self) {
        if let Some((_, before)) = self.before_ignored.take() {
            self.next = before;
        }
    }
}
