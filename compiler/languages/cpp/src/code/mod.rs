//! C++ as trees, between plan nodes and text: statements here, what they are made of in `tree`.

mod layout;
#[cfg(test)]
mod tests;
mod tree;

use crate::parameter::Parameter;
use aldis_emit::doc::{concat, group, hard, indent, join, soft, soft_empty, text, Doc};
use layout::{broken, FURTHER};
use std::collections::BTreeMap;

pub(crate) use aldis_template::{code, stmt};
pub(crate) use tree::{listed, var, Code, Template, ToCode};

/// Longest line.
pub(crate) const WIDTH: usize = 120;

/// Columns that a level is further in.
const LEVEL: usize = 4;

/// A statement, or what stands in the place of one.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Line(Code),
    /// `head {`, the body, `}` with what follows it.
    Block {
        head: Code,
        body: Vec<Stmt>,
        tail: &'static str,
    },
    /// `template <…> inline result name(parameters) {`, the body, `}`
    Function {
        head: Code,
        parameters: Vec<Code>,
        body: Vec<Stmt>,
    },
    /// A function on one line where there is room.
    Short {
        head: Code,
        body: Vec<Stmt>,
    },
    /// `for (…) {`, the body, `}`; nothing where the body is empty.
    For {
        each: Code,
        body: Vec<Stmt>,
    },
    /// Statements in braces, whose names nothing else sees.
    Braces(Vec<Stmt>),
    /// A beginning, items on lines of their own, an end.
    Rows {
        head: Code,
        items: Vec<Code>,
        tail: &'static str,
    },
    /// `case …:` and what belongs to it, further in.
    Case {
        label: Code,
        body: Vec<Stmt>,
    },
    /// `if (…) {…} else if (…) {…} else {…}`; the condition of the last may be `None`.
    Choice(Vec<(Option<Code>, Vec<Stmt>)>),
    /// `ty name = value;`
    Let {
        ty: Code,
        name: Code,
        value: Code,
        unused: Unused,
    },
    /// `name += by;`, which moves a place.
    Step {
        name: Code,
        by: Code,
    },
    /// `to = reader::load<ty>(at);`
    Load {
        to: Code,
        ty: Code,
        at: Code,
    },
    /// The bytes that a value takes whatever it holds are added to its size.
    Size(u64),
    /// Statements one after another.
    Group(Vec<Stmt>),
    Comment(String),
    /// `public:`, one level further out than what it stands between.
    Label(&'static str),
    Blank,
}

/// The fate of a name that nothing mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unused {
    Stays,
    /// A place to read from, which is not moved where nothing reads behind it.
    IsPlace,
    /// Another name for what is there anyway: it is left out.
    Goes,
    /// A value that is made for its effect: its name alone is left out.
    IsMade,
}

fn declared(ty: impl ToCode, name: &Code, value: impl Into<Code>, unused: Unused) -> Stmt {
    Stmt::Let { ty: ty.to_code(), name: name.clone(), value: value.into(), unused }
}

/// The declaration of a name.
pub(crate) fn declare(ty: impl ToCode, name: &Code, value: impl Into<Code>) -> Stmt {
    declared(ty, name, value, Unused::Stays)
}

/// The declaration of a place to read from.
pub(crate) fn place(name: &Code, value: impl Into<Code>) -> Stmt {
    declared("const std::byte*", name, value, Unused::IsPlace)
}

/// Another name for a value or place that is there anyway.
pub(crate) fn alias(ty: impl ToCode, name: &Code, value: impl Into<Code>) -> Stmt {
    declared(ty, name, value, Unused::Goes)
}

pub(crate) fn step(name: &Code, by: impl ToCode) -> Stmt {
    Stmt::Step { name: name.clone(), by: by.to_code() }
}

pub(crate) fn block(head: Code, body: Vec<Stmt>) -> Stmt {
    Stmt::Block { head, body, tail: "" }
}

/// A type, which ends with a semicolon.
pub(crate) fn definition(head: Code, body: Vec<Stmt>) -> Stmt {
    Stmt::Block { head, body, tail: ";" }
}

/// `for (std::size_t index = 0; index < count; ++index) {…}`
pub(crate) fn counted(index: &Code, count: impl ToCode, body: Vec<Stmt>) -> Stmt {
    Stmt::For { each: code!("std::size_t {index} = 0; {index} < {count}; ++{index}"), body }
}

/// `for (const auto& item : values) {…}`
pub(crate) fn for_each(each: Code, body: Vec<Stmt>) -> Stmt {
    Stmt::For { each, body }
}

/// `case …: {…}`, or the default.
pub(crate) fn case(label: Option<Code>, body: Vec<Stmt>) -> Stmt {
    Stmt::Case { label: label.map_or_else(|| code!("default:"), |label| code!("case {label}:")), body }
}

/// Statements in a namespace.
pub(crate) fn namespace(name: impl ToCode, body: Vec<Stmt>) -> Stmt {
    let name = name.to_code();
    let (open, close) = (stmt!("namespace {name} {{"), stmt!("}}  // namespace {name}"));
    Stmt::Group([open].into_iter().chain(body).chain([close, Stmt::Blank]).collect())
}

pub(crate) fn when(condition: Code, body: Vec<Stmt>) -> Stmt {
    Stmt::Choice(vec![(Some(condition), body)])
}

pub(crate) fn when_else(condition: Code, body: Vec<Stmt>, other: Vec<Stmt>) -> Stmt {
    match (body.is_empty(), other.is_empty()) {
        (_, true) => when(condition, body),
        (true, false) => when(code!("!({condition})"), other),
        (false, false) => Stmt::Choice(vec![(Some(condition), body), (None, other)]),
    }
}

/// Statements in braces of their own where they declare variables; as they are otherwise.
pub(crate) fn scoped(statements: Vec<Stmt>) -> Stmt {
    if statements.iter().any(|stmt| matches!(stmt, Stmt::Let { .. })) {
        Stmt::Braces(statements)
    } else {
        Stmt::Group(statements)
    }
}

/// Whether the statements mention that name.
pub(crate) fn mention(statements: &[Stmt], name: &Code) -> bool {
    let Code::Name(name) = name else { return false };
    let mut found = false;
    statements.iter().for_each(|stmt| stmt.each_name(&mut |other| found |= *other == **name));
    found
}

/// A function; its parameters stand on lines of their own where they do not fit beside its name.
pub(crate) fn function(head: Code, parameters: &[Parameter], body: Vec<Stmt>) -> Stmt {
    let parameters = parameters.iter().map(|parameter| match mention(&body, &var(parameter.name)) {
        true => parameter.to_code(),
        false => code!("[[maybe_unused]] {parameter}"),
    });
    Stmt::Function { head, parameters: parameters.collect(), body: tidy(body) }
}

/// A function on one line, which may be a member's, where it is one short statement.
pub(crate) fn short_function(head: Code, body: Vec<Stmt>) -> Stmt {
    match tidy(body) {
        body if matches!(body.as_slice(), [Stmt::Line(_)]) => Stmt::Short { head, body },
        body => block(head, body),
    }
}

/// `head`, items on lines of their own, `tail`.
pub(crate) fn rows(head: Code, items: Vec<Code>, tail: &'static str) -> Stmt {
    Stmt::Rows { head, items, tail }
}

/// The statements as text, indented by four columns a level, without a line end behind the last. Lines have so much room.
pub(crate) fn doc(statements: &[Stmt], room: usize) -> Doc {
    let mut flat = Vec::new();
    flatten(statements, &mut flat);
    let mut parts = Vec::new();
    let mut fresh = true;
    for (index, stmt) in flat.iter().enumerate() {
        if let Stmt::Blank = stmt {
            if index > 0 && index + 1 < flat.len() {
                parts.push(Doc::Blank);
                fresh = true;
            }
            continue;
        }
        if !fresh {
            parts.push(hard());
        }
        parts.push(stmt.doc(room));
        fresh = false;
    }
    concat(parts)
}

/// Groups opened.
fn flatten<'s>(statements: &'s [Stmt], flat: &mut Vec<&'s Stmt>) {
    for stmt in statements {
        match stmt {
            Stmt::Group(inner) => flatten(inner, flat),
            other => flat.push(other),
        }
    }
}

/// Statements on lines of their own between braces.
fn braces(head: Doc, body: &[Stmt], tail: &'static str, room: usize) -> Doc {
    let mut parts = vec![head, text("{")];
    let is_label = |stmt: &Stmt| matches!(stmt, Stmt::Label(_));
    for (index, section) in body.split(is_label).enumerate() {
        if let Some(Stmt::Label(label)) =
            index.checked_sub(1).and_then(|index| body.iter().filter(|s| is_label(s)).nth(index))
        {
            // A blank line stands before every label but the first.
            parts.extend([if index > 1 { Doc::Blank } else { hard() }, text(*label)]);
        }
        let inner = doc(section, room.saturating_sub(LEVEL));
        if !inner.is_nil() {
            parts.push(indent(LEVEL, concat([hard(), inner])));
        }
    }
    parts.extend([hard(), text("}"), text(tail)]);
    concat(parts)
}

/// A function, whose parameters stand on lines of their own where they do not fit beside its name.
fn function_doc(head: &Code, parameters: &[Code], body: &[Stmt], room: usize) -> Doc {
    let mut list = Vec::new();
    for parameter in parameters {
        let line = if list.is_empty() { soft_empty() } else { concat([text(","), soft()]) };
        list.extend([line, broken(parameter, FURTHER)]);
    }
    let list = group(concat([text("("), indent(LEVEL, concat(list)), text(") {")]));
    concat([broken(head, FURTHER), list, indent(LEVEL, inner(body, room)), hard(), text("}")])
}

/// Statements within braces, each on a line of its own; nothing where there are none.
fn inner(body: &[Stmt], room: usize) -> Doc {
    let inner = doc(body, room.saturating_sub(LEVEL));
    if inner.is_nil() {
        return inner;
    }
    concat([hard(), inner])
}

fn choice_doc(arms: &[(Option<Code>, Vec<Stmt>)], room: usize) -> Doc {
    let mut parts = Vec::new();
    for (index, (condition, body)) in arms.iter().enumerate() {
        let before = if index == 0 { "" } else { "} else " };
        let head = condition.as_ref().map_or_else(|| code!("{{"), |condition| code!("if ({condition}) {{"));
        let head = match head.flat(room.saturating_sub(before.len())) {
            Some(flat) => text(flat),
            None => indent(LEVEL, broken(&head, 0)),
        };
        parts.extend([text(before), head, indent(LEVEL, inner(body, room)), hard()]);
    }
    parts.push(text("}"));
    concat(parts)
}

/// Code on one line where that has room for it.
fn line_of(code: &Code, room: usize) -> Doc {
    match code.flat(room) {
        Some(flat) => text(flat),
        None => broken(code, FURTHER),
    }
}

impl Stmt {
    /// A name for a value that is made, whether it is mentioned or not.
    pub fn made(name: &Code, value: Code) -> Self {
        declared("auto&", name, value, Unused::IsMade)
    }

    fn doc(&self, room: usize) -> Doc {
        match self {
            Stmt::Line(line) => line_of(line, room),
            Stmt::Let { ty, name, value, .. } => line_of(&code!("{ty} {name} = {value};"), room),
            Stmt::Step { name, by } => line_of(&code!("{name} += {by};"), room),
            Stmt::Load { to, ty, at } => line_of(&code!("{to} = reader::load<{ty}>({at});"), room),
            Stmt::Size(bytes) => line_of(&code!("out.add({bytes});"), room),
            Stmt::Comment(comment) => text(format!("// {comment}")),
            Stmt::Label(label) => text(*label),
            Stmt::Blank => Doc::Blank,
            Stmt::Group(statements) => doc(statements, room),
            Stmt::Braces(body) => braces(Doc::Nil, body, "", room),
            Stmt::For { each, body } => braces(line_of(&code!("for ({each}) "), room), body, "", room),
            Stmt::Block { head, body, tail } => braces(line_of(&code!("{head} "), room), body, tail, room),
            Stmt::Function { head, parameters, body } => function_doc(head, parameters, body, room),
            Stmt::Short { head, body } => {
                let body = join(hard(), body.iter().map(Stmt::broken));
                let body = group(concat([text(" {"), indent(LEVEL, concat([soft(), body])), soft(), text("}")]));
                concat([broken(head, FURTHER), body])
            }
            Stmt::Rows { head, items, tail } => {
                let room = room.saturating_sub(LEVEL + 1);
                let items = items.iter().map(|item| line_of(item, room));
                let items = join(concat([text(","), hard()]), items);
                concat([line_of(head, room), indent(LEVEL, concat([hard(), items])), text(*tail)])
            }
            Stmt::Case { label, body } => {
                let body = doc(body, room.saturating_sub(LEVEL));
                concat([line_of(label, room), indent(LEVEL, concat([hard(), body]))])
            }
            Stmt::Choice(arms) => choice_doc(arms, room),
        }
    }

    /// A line whose place is not known.
    fn broken(&self) -> Doc {
        match self {
            Stmt::Line(line) => broken(line, FURTHER),
            other => other.doc(WIDTH),
        }
    }

    /// The names that the statement mentions.
    fn each_name(&self, visit: &mut dyn FnMut(&str)) {
        let all = |body: &[Stmt], visit: &mut dyn FnMut(&str)| body.iter().for_each(|stmt| stmt.each_name(visit));
        match self {
            Stmt::Line(line) => line.each_name(visit),
            Stmt::Let { ty, name, value, .. } => [ty, name, value].iter().for_each(|code| code.each_name(visit)),
            Stmt::Step { name, by } => [name, by].iter().for_each(|code| code.each_name(visit)),
            Stmt::Load { to, ty, at } => [to, ty, at].iter().for_each(|code| code.each_name(visit)),
            Stmt::Size(_) => visit("out"),
            Stmt::Block { head: before, body, .. }
            | Stmt::Case { label: before, body }
            | Stmt::For { each: before, body }
            | Stmt::Function { head: before, body, .. }
            | Stmt::Short { head: before, body } => {
                before.each_name(visit);
                all(body, visit);
            }
            Stmt::Rows { head, items, .. } => {
                head.each_name(visit);
                items.iter().for_each(|item| item.each_name(visit));
            }
            Stmt::Choice(arms) => {
                for (condition, body) in arms {
                    condition.iter().for_each(|condition| condition.each_name(visit));
                    all(body, visit);
                }
            }
            Stmt::Group(body) | Stmt::Braces(body) => all(body, visit),
            Stmt::Comment(_) | Stmt::Label(_) | Stmt::Blank => {}
        }
    }
}

/// The statements without what values that take no bytes leave behind: steps of 0 bytes, names that nothing mentions,
/// loops that do nothing.
fn tidy(statements: Vec<Stmt>) -> Vec<Stmt> {
    // From the end, so that what is mentioned later is known.
    let mut kept = Kept::new(&statements);
    for stmt in statements.into_iter().rev() {
        match stmt {
            Stmt::Step { by: Code::Number(0), .. } => {}
            Stmt::Step { ref name, .. } if kept.is_place(name) && !kept.mentions(name) => {}
            Stmt::Let { ref name, unused: Unused::Goes, .. } if !kept.mentions(name) => {}
            Stmt::Let { name, value, unused: Unused::IsMade, .. } if !kept.mentions(&name) => {
                kept.push(stmt!("{value};"));
            }
            Stmt::Block { head, body, tail } => kept.push(Stmt::Block { head, body: tidy(body), tail }),
            Stmt::For { each, body } => {
                let body = tidy(body);
                if !body.is_empty() {
                    kept.push(Stmt::For { each, body });
                }
            }
            Stmt::Braces(body) => {
                let body = tidy(body);
                if !body.is_empty() {
                    kept.push(Stmt::Braces(body));
                }
            }
            Stmt::Case { label, body } => kept.push(Stmt::Case { label, body: tidy(body) }),
            Stmt::Choice(arms) => {
                let arms: Vec<_> = arms.into_iter().map(|(condition, body)| (condition, tidy(body))).collect();
                if arms.iter().any(|(_, body)| !body.is_empty()) {
                    kept.push(Stmt::Choice(arms));
                }
            }
            Stmt::Group(inner) => tidy(inner).into_iter().rev().for_each(|stmt| kept.push(stmt)),
            other => kept.push(other),
        }
    }
    kept.statements.reverse();
    kept.statements
}

/// Statements that stay, the last one first.
struct Kept {
    statements: Vec<Stmt>,
    /// The names that are declared or stepped, with whether a statement that stays mentions them, and whether they are places.
    mentioned: BTreeMap<String, (bool, bool)>,
}

impl Kept {
    fn new(all: &[Stmt]) -> Self {
        let mut mentioned = BTreeMap::new();
        for stmt in all {
            let (name, is_place) = match stmt {
                Stmt::Let { name, unused, .. } => (name, *unused == Unused::IsPlace),
                Stmt::Step { name, .. } => (name, false),
                _ => continue,
            };
            name.each_name(&mut |name| mentioned.entry(name.to_owned()).or_insert((false, false)).1 |= is_place);
        }
        Self { statements: Vec::new(), mentioned }
    }

    fn push(&mut self, stmt: Stmt) {
        if !self.mentioned.is_empty() {
            stmt.each_name(&mut |name| {
                if let Some((mentioned, _)) = self.mentioned.get_mut(name) {
                    *mentioned = true;
                }
            });
        }
        self.statements.push(stmt);
    }

    fn state(&self, name: &Code) -> (bool, bool) {
        match name {
            Code::Name(name) => self.mentioned.get(&**name).copied().unwrap_or_default(),
            // An expression may mention anything.
            _ => (true, false),
        }
    }

    fn mentions(&self, name: &Code) -> bool {
        self.state(name).0
    }

    fn is_place(&self, name: &Code) -> bool {
        self.state(name).1
    }
}

/// `0x2a`
pub(crate) fn hex(bits: u64) -> Code {
    format!("{bits:#x}").to_code()
}

/// A string literal.
pub(crate) fn quoted(text: &str) -> Code {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            // Trigraphs are no more, but compilers still warn of them.
            b'?' => out.push_str("\\?"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x20..=0x7E => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out.to_code()
}

/// A string literal of JSON text, raw where that spares escapes.
pub(crate) fn raw(text: &str) -> Code {
    let plain = text.bytes().all(|byte| (0x20..0x7F).contains(&byte)) && !text.contains(")\"");
    if plain && text.contains('"') {
        format!("R\"({text})\"").to_code()
    } else {
        quoted(text)
    }
}

/// The heading of a part of a header.
pub(crate) fn rule(title: &str) -> Stmt {
    let rule = "-".repeat(100);
    Stmt::Group(vec![Stmt::Comment(rule.clone()), Stmt::Comment(title.to_owned()), Stmt::Comment(rule), Stmt::Blank])
}
