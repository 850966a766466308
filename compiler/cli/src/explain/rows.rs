//! The rows that are shown of a message, whether on a terminal or on a page.

use super::schema_line::schema_line;
use crate::output::escaped;
use aldis_diagnostics::{Source, Sources, Span};
use aldis_interpreter::{Entry, EntryKind, Explainer, Fault};
use std::collections::HashMap;

/// One message. All its text is escaped already. Its rows are made one after another, since hostile bytes may have very
/// many.
pub struct Page<'a> {
    pub title: String,
    pub summary: String,
    pub fault: Option<String>,
    pub bytes: &'a [u8],
    /// The message, and the sources of its schema; `None` for bytes that are no message of the schema.
    read: Option<(&'a Explainer<'a>, &'a Sources)>,
    /// The place where reading stopped, if it did.
    broken: Option<Row>,
    /// The bytes behind the message.
    rest: Option<Row>,
    choice: Choice,
}

/// The choice of rows that are shown.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Those of the value at this path alone; all when empty.
    pub path: String,
    /// So many at the most.
    pub most: usize,
}

impl Choice {
    fn has(&self, entry: &Entry) -> bool {
        is_within(&self.path, &entry.path)
    }
}

/// Whether the value at `path` is the one at `whole`, or lies in it.
pub(super) fn is_within(whole: &str, path: &str) -> bool {
    let rest = path.strip_prefix(whole);
    whole.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// A range of bytes and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The kind of a row, for its looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A record or list: its bytes are those of what follows, deeper.
    Group,
    Field,
    /// A field without bytes.
    Absent,
    Register,
    /// A link or pointer, which tells where the value below it is.
    Pointer,
    /// A part of the header value, which is beside the message.
    Header,
    /// A value that the schema names and nobody reads.
    Ignored,
    Padding,
    Unread,
    /// The place where reading stopped.
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
            Kind::Header => "header",
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

impl<'a> Page<'a> {
    /// The page of an explained message called `name`, whose bytes, unpacked, are `bytes`.
    pub fn new(
        name: &str,
        form: &str,
        bytes: &'a [u8],
        read: (&'a Explainer<'a>, &'a Sources),
        choice: Choice,
    ) -> Self {
        let explainer = read.0;
        let broken = explainer.fault.as_ref().map(|fault| broken(fault, bytes.len()));
        let rest = (explainer.size < bytes.len())
            .then(|| plain(explainer.size, bytes.len(), "after the message", Kind::Unread));
        let summary = match &explainer.fault {
            Some(_) => format!("{} bytes.", bytes.len()),
            None => format!("{} bytes, {} of them the message.", bytes.len(), explainer.size),
        };
        let fault = explainer.fault.as_ref().map(safe);
        Self { title: safe(format!("{name} ({form})")), summary, fault, bytes, read: Some(read), broken, rest, choice }
    }

    /// The page of bytes that are no message of the schema.
    pub fn unknown(form: &str, bytes: &'a [u8], fault: &Fault, choice: Choice) -> Self {
        let rest = Some(plain(0, bytes.len(), "unread", Kind::Unread));
        Self {
            title: format!("unknown message ({form})"),
            summary: format!("{} bytes.", bytes.len()),
            fault: Some(safe(fault)),
            bytes,
            read: None,
            broken: Some(broken(fault, bytes.len())),
            rest,
            choice,
        }
    }

    /// With `advice` behind the fault, if there is one.
    #[must_use]
    pub fn with_advice(mut self, advice: &str) -> Self {
        if let Some(fault) = &mut self.fault {
            fault.push_str(&escaped(advice));
        }
        self
    }

    /// Makes the rows that are shown, one after another, and gives how many are left out.
    pub fn each(&self, visit: &mut dyn FnMut(&Row)) -> usize {
        let mut broken = self.broken.as_ref();
        let (mut found, mut shown) = (0, 0);
        if let Some((explainer, sources)) = self.read {
            let mut places = Places { sources, known: HashMap::new() };
            let mut at = 0;
            let most = if self.choice.path.is_empty() { self.choice.most } else { usize::MAX };
            explainer.each(most, &mut |entry| {
                if at == explainer.count - explainer.unread {
                    broken.take().into_iter().for_each(&mut *visit);
                }
                at += 1;
                if self.choice.has(&entry) {
                    found += 1;
                    if shown < self.choice.most {
                        shown += 1;
                        visit(&row(&entry, &mut places));
                    }
                }
            });
            found = if self.choice.path.is_empty() { explainer.count } else { found };
        }
        let left_out = found - shown;
        if left_out > 0 {
            visit(&plain(0, 0, &format!("… and {left_out} more"), Kind::Absent));
        }
        broken.into_iter().chain(&self.rest).for_each(visit);
        left_out
    }
}

/// For each byte the row that it belongs to. The place of a fault wins, then what is read in fewer bytes.
pub fn owners(rows: &[Row], length: usize) -> Vec<Option<u32>> {
    let mut order: Vec<usize> = (0..rows.len()).filter(|&index| rows[index].kind.owns_bytes()).collect();
    order.sort_by_key(|&index| (rows[index].kind != Kind::Broken, rows[index].end - rows[index].start));
    let mut owners = vec![None; length];
    // For each byte the first one from there on that may have no owner yet.
    let mut free: Vec<u32> = (0..=length as u32).collect();
    for index in order {
        let mut at = rows[index].start;
        while at < rows[index].end {
            let found = first_free(&mut free, at);
            if found >= rows[index].end {
                break;
            }
            owners[found] = Some(index as u32);
            free[found] = found as u32 + 1;
            at = found + 1;
        }
    }
    owners
}

/// Follows the way from `at` to what is free, and makes it short for the next who goes there.
fn first_free(free: &mut [u32], at: usize) -> usize {
    let mut end = at;
    while free[end] as usize != end {
        end = free[end] as usize;
    }
    let mut on = at;
    while on != end {
        on = std::mem::replace(&mut free[on], end as u32) as usize;
    }
    end
}

/// The places of declarations in the schema, each looked up once.
struct Places<'a> {
    sources: &'a Sources,
    known: HashMap<Span, (String, String)>,
}

impl Places<'_> {
    /// `market.fbe:12`, and what that line says.
    fn of(&mut self, span: Span) -> (String, String) {
        let look = || {
            let source = self.sources.get(span.source);
            let line = source.position(span.start as usize).line;
            let place = format!("{}:{line}", short_name(source, self.sources));
            (safe(place), safe(schema_line(source, span)))
        };
        self.known.entry(span).or_insert_with(look).clone()
    }
}

/// Text of the input or the schema, in a form that changes nothing on a terminal or a page but its own place.
fn safe(text: impl ToString) -> String {
    escaped(&text.to_string()).into_owned()
}

fn row(entry: &Entry, places: &mut Places<'_>) -> Row {
    let (place, line) = entry.span.map(|span| places.of(span)).unwrap_or_default();
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
            EntryKind::Header => Kind::Header,
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

#[cfg(test)]
mod tests {
    use super::{owners, plain, Kind};

    #[test]
    fn a_byte_is_of_the_fault_then_of_the_shortest_row() {
        let rows = [
            plain(0, 9, "long", Kind::Field),
            plain(2, 6, "short", Kind::Field),
            plain(2, 6, "again", Kind::Pointer),
            plain(0, 10, "all", Kind::Group),
            plain(5, 6, "fault", Kind::Broken),
        ];
        let owners = owners(&rows, 10);
        let wanted = [0, 0, 1, 1, 1, 4, 0, 0, 0].map(Some);
        assert_eq!(owners, [&wanted[..], &[None]].concat());
    }
}
