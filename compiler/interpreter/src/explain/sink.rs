//! The sink that notes where everything is.

use super::{Entry, EntryKind};
use crate::fault::Fault;
use crate::json::{write_datum, write_value, Context};
use crate::scalar;
use crate::segments::{Elements, Kind, Target, WORD};
use crate::tables::Tables;
use crate::walk::{Datum, Sink};
use crate::{Codec, Value};
use aldis_diagnostics::Span;
use aldis_plan::ByteOrder;
use aldis_schema::{Type, TypeId};
use std::ops::Range;

pub(super) struct ExplainSink<'c> {
    context: Context<'c>,
    entries: Vec<Entry>,
    /// The bytes of runs: what no entry covers there is padding.
    runs: Vec<Range<usize>>,
    /// The open containers: the index of their entry and their path.
    open: Vec<(usize, String)>,
    /// Those of the message, where it has any.
    segments: Vec<Range<usize>>,
    /// Path, label and span of the value to come.
    next: (String, String, Option<Span>),
    /// What `next` was before an ignored value.
    before_ignored: Option<(String, String, Option<Span>)>,
}

impl<'c> ExplainSink<'c> {
    pub fn new(codec: &'c Codec) -> Self {
        let mut context = Context::new(codec.plan(), &codec.tables);
        // An explanation shows what is there, also what the form's JSON cannot say.
        context.policy.non_finite = true;
        Self {
            context,
            entries: Vec::new(),
            runs: Vec::new(),
            open: Vec::new(),
            segments: Vec::new(),
            next: (String::new(), String::new(), None),
            before_ignored: None,
        }
    }

    /// The entries, and the bytes of all runs.
    pub fn finish(self) -> (Vec<Entry>, Vec<Range<usize>>) {
        (self.entries, self.runs)
    }

    fn push(&mut self, kind: EntryKind, range: Range<usize>, value: String) {
        let (path, label, span) = self.next.clone();
        self.entries.push(Entry { range, depth: self.open.len(), path, label, kind, value, span, target: None });
    }

    fn begin(&mut self, kind: EntryKind, at: usize, value: String) {
        let path = self.next.0.clone();
        self.push(kind, at..at, value);
        self.open.push((self.entries.len() - 1, path));
    }

    fn end(&mut self, end: usize) {
        if let Some((index, _)) = self.open.pop() {
            let range = &mut self.entries[index].range;
            range.end = end.max(range.start);
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

    /// The entry that was pushed last leads there.
    fn aim(&mut self, target: i64) {
        if let Some(entry) = self.entries.last_mut() {
            entry.target = usize::try_from(target).ok();
        }
    }

    fn container_path(&self) -> &str {
        self.open.last().map_or("", |(_, path)| path)
    }
}

/// What the elements of a list are, by its size code.
fn element(size: u8) -> &'static str {
    ["nothing", "bit", "byte", "2 bytes", "4 bytes", "8 bytes", "pointer"][usize::from(size)]
}

impl Sink for ExplainSink<'_> {
    const SORTED: bool = false;
    const EXPLAINS: bool = true;

    fn begin_record(&mut self, record: TypeId, at: usize) {
        let definition = self.context.tables.schema.type_def(record);
        let name = definition.name.full();
        if self.open.is_empty() {
            self.next = (String::new(), definition.name.local(), Some(definition.span));
        }
        self.begin(EntryKind::Record, at, name);
    }

    fn end_record(&mut self, _record: TypeId, end: usize) {
        self.end(end);
    }

    fn field(&mut self, tables: &Tables, record: TypeId, field: usize) {
        let definition = &tables.schema.record(record).fields[field];
        let dot = if self.container_path().is_empty() { "" } else { "." };
        let path = format!("{}{dot}{}", self.container_path(), definition.name);
        self.next = (path, definition.name.clone(), Some(definition.span));
    }

    fn begin_list(&mut self, count: usize, at: usize) {
        let elements = if count == 1 { "element" } else { "elements" };
        self.begin(EntryKind::List, at, format!("{count} {elements}"));
    }

    fn element(&mut self, index: usize) {
        let path = format!("{}[{index}]", self.container_path());
        // The list's own: what was declared last may be a member of the element before.
        let span = self.open.last().and_then(|(list, _)| self.entries[*list].span);
        self.next = (path, format!("[{index}]"), span);
    }

    fn end_list(&mut self, end: usize) {
        self.end(end);
    }

    fn begin_choice(&mut self, tables: &Tables, union: TypeId, tag: u64, arm: Option<usize>, at: Range<usize>) {
        let definition = tables.schema.union(union);
        let name = arm.map_or("not known to this schema", |index| &definition.arms[index].field.name);
        self.next.1 = if definition.unnamed { "union".to_owned() } else { self.next.1.clone() };
        self.push(EntryKind::Choice, at, format!("{tag} ({name})"));
        self.open.push((self.entries.len() - 1, self.next.0.clone()));
        if let Some(index) = arm {
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
            let number = |at: usize| scalar::load(&bytes[at..at + 4], ByteOrder::Little);
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
        self.push(EntryKind::Pointer, at..at + WORD, value);
        self.aim(target.pad.map_or(target.at, |pad| pad.at as i64));
        if let Some(pad) = target.pad {
            let label = std::mem::replace(&mut self.next.1, "landing pad".to_owned());
            let range = pad.at..pad.at + pad.words as usize * WORD;
            self.push(EntryKind::Pointer, range, format!("→ {}", self.place(target.at)));
            self.aim(target.at);
            self.next.1 = label;
        }
    }

    fn tag(&mut self, at: usize, elements: &Elements) {
        let label = std::mem::replace(&mut self.next.1, "tag".to_owned());
        let value = format!("{} × struct of {}+{} words", elements.count, elements.data, elements.pointers);
        self.push(EntryKind::Pointer, at..at + WORD, value);
        self.next.1 = label;
    }

    fn value(&mut self, _tables: &Tables, ty: &Type, datum: Datum<'_>, at: Range<usize>) -> Result<(), Fault> {
        let mut text = Vec::new();
        let text = match write_datum(&mut text, self.context, ty, datum) {
            Ok(()) => String::from_utf8_lossy(&text).into_owned(),
            Err(fault) => format!("({})", fault.text),
        };
        let kind = if self.before_ignored.is_some() { EntryKind::Ignored } else { EntryKind::Field };
        self.push(kind, at, text);
        Ok(())
    }

    fn tree(&mut self, _tables: &Tables, ty: &Type, value: &Value, at: usize) -> Result<(), Fault> {
        let mut text = Vec::new();
        // What cannot be said in JSON was explained where it is in the bytes.
        let _ = write_value(&mut text, self.context, ty, value);
        self.push(EntryKind::Absent, at..at, String::from_utf8_lossy(&text).into_owned());
        Ok(())
    }

    fn run(&mut self, bytes: Range<usize>) {
        self.runs.push(bytes);
    }

    fn register(&mut self, name: &str, value: u64, at: Range<usize>) {
        let path = self.container_path().to_owned();
        let entry = Entry {
            range: at,
            depth: self.open.len(),
            path,
            label: name.to_owned(),
            kind: EntryKind::Register,
            value: value.to_string(),
            span: None,
            target: None,
        };
        self.entries.push(entry);
    }

    fn level(&self) -> usize {
        self.open.len()
    }

    fn close_to(&mut self, level: usize, end: usize) {
        while self.open.len() > level {
            self.end(end);
        }
    }

    fn begin_ignored(&mut self, name: &str) {
        let next = (self.container_path().to_owned(), name.to_owned(), None);
        self.before_ignored = Some(std::mem::replace(&mut self.next, next));
    }

    fn end_ignored(&mut self) {
        if let Some(before) = self.before_ignored.take() {
            self.next = before;
        }
    }
}
