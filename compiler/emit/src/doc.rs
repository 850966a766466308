//! A tree of text that knows where it may break.
//!
//! A [`Doc`] is built bottom up without any writer state and printed once. A [`group`] is printed on one line when that
//! fits, else every [`soft`] line of it breaks (those of groups inside it are decided on their own).

/// Text with places where lines may or must break.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Doc {
    #[default]
    Nil,
    /// Text without line ends.
    Text(String),
    /// Such text that is known when the compiler is built.
    Word(&'static str),
    /// A text (usually a space, or none) where the group is flat, else a line end.
    Soft(&'static str),
    /// Always a line end; every group around it is broken.
    Hard,
    /// One empty line, however many of these follow one another.
    Blank,
    Concat(Vec<Doc>),
    /// Lines that begin within are indented by this many more columns.
    Indent(usize, Box<Doc>),
    Group(Box<Doc>),
}

impl From<&str> for Doc {
    fn from(text: &str) -> Self {
        Doc::Text(text.to_owned())
    }
}

impl From<String> for Doc {
    fn from(text: String) -> Self {
        Doc::Text(text)
    }
}

/// A word that is known when the compiler is built: it takes no memory of its own.
pub fn word(text: &'static str) -> Doc {
    Doc::Word(text)
}

/// Text; what has line ends becomes lines.
pub fn text(text: impl Into<String>) -> Doc {
    Doc::Text(text.into())
}

/// A space, or a line end where the group breaks.
pub fn soft() -> Doc {
    Doc::Soft(" ")
}

/// Nothing, or a line end where the group breaks.
pub fn soft_empty() -> Doc {
    Doc::Soft("")
}

/// A line end.
pub fn hard() -> Doc {
    Doc::Hard
}

/// An empty line.
pub fn blank() -> Doc {
    Doc::Blank
}

/// One after the other.
pub fn concat(parts: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::Concat(parts.into_iter().collect())
}

/// `inner` with its lines indented by `columns` more.
pub fn indent(columns: usize, inner: Doc) -> Doc {
    Doc::Indent(columns, Box::new(inner))
}

/// `inner` on one line if it fits.
pub fn group(inner: Doc) -> Doc {
    Doc::Group(Box::new(inner))
}

/// The items with `separator` between any two.
pub fn join(separator: Doc, items: impl IntoIterator<Item = Doc>) -> Doc {
    let mut parts = Vec::new();
    for item in items {
        if !parts.is_empty() {
            parts.push(separator.clone());
        }
        parts.push(item);
    }
    Doc::Concat(parts)
}

/// `open item, item, item close`, on one line or with each item on a line of its own.
pub fn bracketed(open: &str, items: Vec<Doc>, close: &str, columns: usize) -> Doc {
    if items.is_empty() {
        return text(format!("{open}{close}"));
    }
    let mut list = Vec::with_capacity(3 * items.len());
    for item in items {
        let (comma, line) = if list.is_empty() { (Doc::Nil, soft_empty()) } else { (Doc::Word(","), soft()) };
        list.extend([comma, line, item]);
    }
    group(concat([text(open), indent(columns, Doc::Concat(list)), soft_empty(), text(close)]))
}

/// Lines that each begin with `mark` and a space; empty lines have the mark alone.
pub fn comment(mark: &str, body: &str) -> Doc {
    let lines = body.lines().map(|line| text(format!("{mark} {line}").trim_end().to_owned()));
    concat(lines.map(|line| concat([line, hard()])))
}

/// A comment between `/**` and ` */`, each line of it behind a `*`. Nothing in it may end it.
pub fn block_comment(body: &str) -> Doc {
    let lines: Vec<&str> = body.lines().map(str::trim_end).collect();
    match lines.as_slice() {
        [line] => concat([text(format!("/** {line} */")), hard()]),
        lines => {
            let inner = lines.iter().flat_map(|line| [text(format!(" * {line}").trim_end().to_owned()), hard()]);
            concat([text("/**"), hard()].into_iter().chain(inner).chain([text(" */"), hard()]))
        }
    }
}

impl Doc {
    /// Whether nothing would be printed.
    pub fn is_nil(&self) -> bool {
        match self {
            Doc::Nil => true,
            Doc::Text(text) => text.is_empty(),
            Doc::Word(text) => text.is_empty(),
            Doc::Concat(parts) => parts.iter().all(Doc::is_nil),
            Doc::Indent(_, inner) | Doc::Group(inner) => inner.is_nil(),
            Doc::Soft(_) | Doc::Hard | Doc::Blank => false,
        }
    }

    /// The text, lines of at most `width` columns where the breaks allow it. No line ends in white space.
    pub fn print(&self, width: usize) -> String {
        let mut printer = Printer::new(width);
        printer.add(self);
        printer.text()
    }

    fn must_break(&self) -> bool {
        match self {
            Doc::Hard | Doc::Blank => true,
            Doc::Concat(parts) => parts.iter().any(Doc::must_break),
            Doc::Indent(_, inner) | Doc::Group(inner) => inner.must_break(),
            Doc::Nil | Doc::Text(_) | Doc::Word(_) | Doc::Soft(_) => false,
        }
    }
}

/// Trees one after the other, which are printed the same way.
#[derive(Clone, Copy)]
struct Items<'a> {
    indent: usize,
    flat: bool,
    docs: &'a [Doc],
}

impl<'a> Items<'a> {
    /// The first of them, which is no longer there.
    fn pop(stack: &mut Vec<Self>) -> Option<(Self, &'a Doc)> {
        loop {
            let items = stack.last_mut()?;
            let own = *items;
            match own.docs.split_first() {
                Some((first, rest)) => {
                    items.docs = rest;
                    return Some((own, first));
                }
                None => stack.truncate(stack.len() - 1),
            }
        }
    }

    fn of(self, docs: &'a [Doc]) -> Self {
        Self { docs, ..self }
    }

    fn one(self, doc: &'a Doc) -> Self {
        self.of(std::slice::from_ref(doc))
    }
}

/// Indentation is copied from here.
const SPACES: &str = "                                                                ";

/// A text to which trees are printed one by one, so that those of a large file need not be there together.
pub struct Printer {
    out: String,
    column: usize,
    /// Indentation owed to the line, written with its first text so that empty lines stay empty.
    pending: usize,
    width: usize,
}

impl Printer {
    /// An empty text, with lines of at most `width` columns where the breaks allow it.
    pub fn new(width: usize) -> Self {
        Self { out: String::new(), column: 0, pending: 0, width }
    }

    /// Everything that was added.
    pub fn text(mut self) -> String {
        // Texts of many files are there together.
        self.out.shrink_to_fit();
        self.out
    }

    /// Adds a tree behind what is there. A line end should follow: whether a group fits is seen without what is added later.
    pub fn add(&mut self, doc: &Doc) {
        let mut stack = vec![Items { indent: 0, flat: false, docs: std::slice::from_ref(doc) }];
        while let Some((items, doc)) = Items::pop(&mut stack) {
            match doc {
                Doc::Nil => {}
                Doc::Text(text) => self.write(text),
                Doc::Word(text) => self.write(text),
                Doc::Soft(flat) if items.flat => self.write(flat),
                Doc::Soft(_) | Doc::Hard => self.line(items.indent),
                Doc::Blank => self.blank(items.indent),
                Doc::Concat(parts) => stack.push(items.of(parts)),
                Doc::Indent(columns, inner) => {
                    stack.push(Items { indent: items.indent + columns, ..items.one(inner) });
                }
                Doc::Group(inner) => {
                    // Most that must break is long, too, which is found out within a line.
                    let flat = items.flat || (self.fits(inner, &stack) && !inner.must_break());
                    stack.push(Items { flat, ..items.one(inner) });
                }
            }
        }
    }

    /// Whether `doc`, flat, and what follows it up to the next possible line end fit on this line.
    fn fits(&self, doc: &Doc, rest: &[Items<'_>]) -> bool {
        let used = self.column + self.pending;
        let Some(mut left) = self.width.checked_sub(used) else { return false };
        let mut stack = vec![Items { indent: 0, flat: true, docs: std::slice::from_ref(doc) }];
        let mut rest = rest.iter().rev();
        loop {
            let Some((items, doc)) = Items::pop(&mut stack) else {
                let Some(next) = rest.next() else { return true };
                stack.push(*next);
                continue;
            };
            let taken = match doc {
                Doc::Nil => 0,
                Doc::Text(text) => text.chars().count(),
                Doc::Word(text) => text.chars().count(),
                Doc::Soft(flat) if items.flat => flat.len(),
                Doc::Soft(_) | Doc::Hard | Doc::Blank => return true,
                Doc::Concat(parts) => {
                    stack.push(items.of(parts));
                    0
                }
                Doc::Indent(_, inner) | Doc::Group(inner) => {
                    stack.push(items.one(inner));
                    0
                }
            };
            match left.checked_sub(taken) {
                Some(remaining) => left = remaining,
                None => return false,
            }
        }
    }

    fn write(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        while self.pending > SPACES.len() {
            self.out.push_str(SPACES);
            self.column += SPACES.len();
            self.pending -= SPACES.len();
        }
        self.out.push_str(&SPACES[..self.pending]);
        self.column += self.pending + text.chars().count();
        self.pending = 0;
        self.out.push_str(text);
    }

    fn line(&mut self, indent: usize) {
        self.end_line();
        self.pending = indent;
    }

    fn blank(&mut self, indent: usize) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.end_line();
        }
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.pending = indent;
    }

    fn end_line(&mut self) {
        let kept = self.out.trim_end_matches(' ').len();
        self.out.truncate(kept);
        self.out.push('\n');
        self.column = 0;
    }
}
