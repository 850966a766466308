//! What is shown of a message, whether on a terminal or on a page.

use crate::output::escaped;
use aldis_diagnostics::{Source, Sources};
use aldis_interpreter::{Entry, EntryKind, Explanation, Fault};

/// One message. All its text is escaped already.
#[derive(Debug)]
pub struct Page {
    pub title: String,
    pub summary: String,
    pub fault: Option<String>,
    pub bytes: Vec<u8>,
    pub rows: Vec<Row>,
}

/// A range of bytes and what it means.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub start: usize,
    pub end: usize,
    pub depth: usize,
    pub label: String,
    pub path: String,
    pub value: String,
    /// `market.fbe:12`, and the text of that line; empty where the schema says nothing about it.
    pub place: String,
    pub line: String,
    pub kind: Kind,
    /// The byte that a pointer leads to.
    pub target: Option<usize>,
}

/// What a row is, for its looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A record or list: its bytes are those of what follows, deeper.
    Group,
    Field,
    /// A field without bytes.
    Absent,
    Register,
    /// What tells where the value below it is.
    Pointer,
    /// A value that the schema names and nobody reads.
    Ignored,
    Padding,
    Unread,
    /// Where reading stopped.
    Broken,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Group => "group",
            Kind::Field => "field",
            Kind::Absent => "absent",
            Kind::Register => "register",
            Kind::Pointer => "pointer",
            Kind::Ignored => "ignored",
            Kind::Padding => "padding",
            Kind::Unread => "unread",
            Kind::Broken => "broken",
        }
    }

    /// Whether bytes of this row belong to it and not to what it contains.
    pub fn owns_bytes(self) -> bool {
        !matches!(self, Kind::Group | Kind::Absent)
    }
}

impl Page {
    /// The page of an explained message called `name`.
    pub fn new(name: &str, form: &str, bytes: Vec<u8>, explanation: &Explanation, sources: &Sources) -> Self {
        let mut rows: Vec<Row> = explanation.entries.iter().map(|entry| row(entry, sources)).collect();
        if let Some(fault) = &explanation.fault {
            let tail = rows.iter().rev().take_while(|row| row.kind == Kind::Unread).count();
            rows.insert(rows.len() - tail, broken(fault, bytes.len()));
        }
        if explanation.size < bytes.len() {
            rows.push(plain(explanation.size, bytes.len(), "after the message", Kind::Unread));
        }
        let summary = match &explanation.fault {
            Some(_) => format!("{} bytes.", bytes.len()),
            None => format!("{} bytes, {} of them the message.", bytes.len(), explanation.size),
        };
        let fault = explanation.fault.as_ref().map(safe);
        Self { title: safe(format!("{name} ({form})")), summary, fault, bytes, rows }
    }

    /// The page of bytes that are no message of the schema.
    pub fn unknown(form: &str, bytes: Vec<u8>, fault: &Fault) -> Self {
        let rows = vec![broken(fault, bytes.len()), plain(0, bytes.len(), "unread", Kind::Unread)];
        let summary = format!("{} bytes.", bytes.len());
        Self { title: format!("unknown message ({form})"), summary, fault: Some(safe(fault)), bytes, rows }
    }

    /// With `advice` behind the fault, if there is one.
    #[must_use]
    pub fn with_advice(mut self, advice: &str) -> Self {
        if let Some(fault) = &mut self.fault {
            fault.push_str(&escaped(advice));
        }
        self
    }

    /// For each byte the row that it belongs to. The place of a fault wins, then what is read in fewer bytes.
    pub fn owners(&self) -> Vec<Option<usize>> {
        let mut owners: Vec<Option<usize>> = vec![None; self.bytes.len()];
        let rank = |row: &Row| (row.kind != Kind::Broken, row.end - row.start);
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| row.kind.owns_bytes()) {
            for owner in &mut owners[row.start..row.end] {
                if owner.is_none_or(|held: usize| rank(row) < rank(&self.rows[held])) {
                    *owner = Some(index);
                }
            }
        }
        owners
    }
}

/// Text of the input or the schema, in a form that changes nothing on a terminal or a page but its own place.
fn safe(text: impl ToString) -> String {
    escaped(&text.to_string()).into_owned()
}

fn row(entry: &Entry, sources: &Sources) -> Row {
    let (place, line) = match entry.span {
        Some(span) => {
            let source = sources.get(span.source);
            let position = source.position(span.start as usize);
            let place = format!("{}:{}", short_name(source, sources), position.line);
            (safe(place), safe(source.line(position.line).trim()))
        }
        None => Default::default(),
    };
    Row {
        start: entry.range.start,
        end: entry.range.end,
        depth: entry.depth,
        label: safe(&entry.label),
        path: safe(&entry.path),
        value: safe(&entry.value),
        place,
        line,
        target: entry.target,
        kind: match entry.kind {
            EntryKind::Record | EntryKind::List => Kind::Group,
            EntryKind::Field => Kind::Field,
            EntryKind::Absent => Kind::Absent,
            EntryKind::Register | EntryKind::Choice => Kind::Register,
            EntryKind::Pointer => Kind::Pointer,
            EntryKind::Ignored => Kind::Ignored,
            EntryKind::Padding => Kind::Padding,
            EntryKind::Unread => Kind::Unread,
        },
    }
}

/// The file's name; its whole path where another source has the same name.
fn short_name<'a>(source: &'a Source, sources: &Sources) -> &'a str {
    let name = |source: &'a Source| source.path.rsplit(['/', '\\']).next().unwrap_or(&source.path);
    let wanted = name(source);
    let namesakes = sources.iter().filter(|other| other.path.ends_with(wanted)).count();
    if namesakes > 1 {
        &source.path
    } else {
        wanted
    }
}

fn broken(fault: &Fault, length: usize) -> Row {
    let start = fault.offset.unwrap_or(0).min(length);
    let label = if fault.path.is_empty() { "broken here".to_owned() } else { format!("broken in {}", fault.path) };
    let value = format!("{}: {}", fault.code, fault.text);
    Row { value: safe(value), path: safe(&fault.path), ..plain(start, (start + 1).min(length), &label, Kind::Broken) }
}

fn plain(start: usize, end: usize, label: &str, kind: Kind) -> Row {
    Row {
        start,
        end,
        depth: 0,
        label: safe(label),
        path: String::new(),
        value: String::new(),
        place: String::new(),
        line: String::new(),
        kind,
        target: None,
    }
}
