//! C++ statements as trees, between plan nodes and text.

use crate::parameter::Parameter;
use crate::scan::{behind_literal, is_name};
use aldis_emit::doc::{concat, hard, indent, join, text, Doc};
use std::collections::{BTreeMap, BTreeSet};

/// Longest line.
pub(crate) const WIDTH: usize = 120;

/// A statement, or what stands in the place of one.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Line(String),
    /// `head {`, the body, `}` with what follows it.
    Block {
        head: String,
        body: Vec<Stmt>,
        tail: &'static str,
    },
    /// `case …:` and what belongs to it, further in.
    Case {
        label: String,
        body: Vec<Stmt>,
    },
    /// `if (…) {…} else if (…) {…} else {…}`; the condition of the last may be `None`.
    Choice(Vec<(Option<String>, Vec<Stmt>)>),
    /// `ty name = value;`
    Let {
        ty: String,
        name: String,
        value: String,
        unused: Unused,
    },
    /// `name += by;`, which moves a place.
    Step {
        name: String,
        by: String,
    },
    /// `to = reader::load<ty>(at);`
    Load {
        to: String,
        ty: String,
        at: String,
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
    /// It is another name for what is there anyway.
    Goes,
    /// Its value is made nevertheless.
    IsMade,
}

/// The declaration of a name.
pub(crate) fn declare(ty: &str, name: &str, value: impl Into<String>) -> Stmt {
    Stmt::Let { ty: ty.to_owned(), name: name.to_owned(), value: value.into(), unused: Unused::Stays }
}

/// Another name for a value or place that is there anyway.
pub(crate) fn alias(ty: &str, name: &str, value: impl Into<String>) -> Stmt {
    Stmt::Let { ty: ty.to_owned(), name: name.to_owned(), value: value.into(), unused: Unused::Goes }
}

pub(crate) fn step(name: &str, by: impl Into<String>) -> Stmt {
    Stmt::Step { name: name.to_owned(), by: by.into() }
}

pub(crate) fn line(text: impl Into<String>) -> Stmt {
    Stmt::Line(text.into())
}

pub(crate) fn block(head: impl Into<String>, body: Vec<Stmt>) -> Stmt {
    Stmt::Block { head: head.into(), body, tail: "" }
}

pub(crate) fn when(condition: impl Into<String>, body: Vec<Stmt>) -> Stmt {
    Stmt::Choice(vec![(Some(condition.into()), body)])
}

pub(crate) fn when_else(condition: impl Into<String>, body: Vec<Stmt>, other: Vec<Stmt>) -> Stmt {
    match (body.is_empty(), other.is_empty()) {
        (_, true) => when(condition, body),
        (true, false) => when(format!("!({})", condition.into()), other),
        (false, false) => Stmt::Choice(vec![(Some(condition.into()), body), (None, other)]),
    }
}

/// Statements in braces of their own where they declare variables; as they are otherwise.
pub(crate) fn scoped(statements: Vec<Stmt>) -> Stmt {
    if statements.iter().any(|stmt| matches!(stmt, Stmt::Let { .. })) {
        block("", statements)
    } else {
        Stmt::Group(statements)
    }
}

/// Whether the statements have that identifier.
pub(crate) fn mention(statements: &[Stmt], name: &str) -> bool {
    let mut found = false;
    statements.iter().for_each(|stmt| stmt.each_identifier(&mut |identifier| found |= identifier == name));
    found
}

/// A function; its parameters stand on lines of their own where they do not fit beside its name.
pub(crate) fn function(head: &str, parameters: &[Parameter], body: Vec<Stmt>) -> Stmt {
    let parameters = parameters.iter().map(|parameter| match mention(&body, parameter.name) {
        true => parameter.to_string(),
        false => format!("[[maybe_unused]] {parameter}"),
    });
    let parameters: Vec<String> = parameters.collect();
    let flat = format!("{head}({})", parameters.join(", "));
    let body = tidy(body);
    if flat.lines().all(|line| line.chars().count() + 2 <= WIDTH) {
        return block(flat, body);
    }
    block(format!("{head}(\n    {})", parameters.join(",\n    ")), body)
}

/// A function on one line, which may be a member's, where it is one short statement.
pub(crate) fn short_function(head: String, body: Vec<Stmt>) -> Stmt {
    let body = tidy(body);
    match body.as_slice() {
        [Stmt::Line(only)] if head.len() + only.len() + "     {  }".len() <= WIDTH => {
            line(format!("{head} {{ {only} }}"))
        }
        _ => block(head, body),
    }
}

/// A list on as many lines as it needs, within two levels.
pub(crate) fn wrapped(head: &str, items: &[impl AsRef<str>], tail: &str) -> Stmt {
    const ROOM: usize = WIDTH - 8;
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    let flat = format!("{head}{}{tail}", items.join(", "));
    if flat.len() <= ROOM {
        return line(flat);
    }
    let mut lines = vec![head.to_owned()];
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { tail };
        let last = lines.len() - 1;
        if lines.len() > 1 && lines[last].len() + item.len() + comma.len() < ROOM {
            lines[last].push_str(&format!(" {item}{comma}"));
        } else {
            lines.push(format!("    {item}{comma}"));
        }
    }
    line(lines.join("\n"))
}

/// The statements as text, indented by four columns a level, without a line end behind the last.
pub(crate) fn doc(statements: &[Stmt]) -> Doc {
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
        parts.push(stmt.doc());
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

/// A brace's body: its lines further in, then the closing brace on a line of its own.
fn braces(head: &str, body: &[Stmt], close: &str) -> Doc {
    let mut parts = vec![lines(head)];
    let is_label = |stmt: &Stmt| matches!(stmt, Stmt::Label(_));
    for (index, section) in body.split(is_label).enumerate() {
        if let Some(Stmt::Label(label)) =
            index.checked_sub(1).and_then(|index| body.iter().filter(|s| is_label(s)).nth(index))
        {
            // A blank line stands before every label but the first.
            parts.extend([if index > 1 { Doc::Blank } else { hard() }, text(*label)]);
        }
        let inner = doc(section);
        if !inner.is_nil() {
            parts.push(indent(4, concat([hard(), inner])));
        }
    }
    parts.extend([hard(), text(close)]);
    concat(parts)
}

impl Stmt {
    /// A name for a value that is made, whether it is mentioned or not.
    pub fn made(name: &str, value: impl Into<String>) -> Self {
        Self::Let { ty: "auto&".to_owned(), name: name.to_owned(), value: value.into(), unused: Unused::IsMade }
    }

    fn doc(&self) -> Doc {
        match self {
            Stmt::Line(line) => lines(line),
            Stmt::Let { ty, name, value, .. } => lines(&format!("{ty} {name} = {value};")),
            Stmt::Step { name, by } => lines(&format!("{name} += {by};")),
            Stmt::Load { to, ty, at } => lines(&format!("{to} = reader::load<{ty}>({at});")),
            Stmt::Size(bytes) => lines(&format!("out.add({bytes});")),
            Stmt::Comment(comment) => {
                let commented = comment.lines().map(|line| text(format!("// {line}").trim_end().to_owned()));
                join(hard(), commented)
            }
            Stmt::Label(label) => text(*label),
            Stmt::Blank => Doc::Blank,
            Stmt::Group(statements) => doc(statements),
            Stmt::Block { head, body, tail } => {
                let gap = if head.is_empty() || head.ends_with('{') { "" } else { " " };
                braces(&format!("{head}{gap}{{"), body, &format!("}}{tail}"))
            }
            Stmt::Case { label, body } => concat([text(label.clone()), indent(4, concat([hard(), doc(body)]))]),
            Stmt::Choice(arms) => {
                let mut parts = Vec::new();
                for (index, (condition, body)) in arms.iter().enumerate() {
                    let before = if index == 0 { "" } else { "} else " };
                    let head = condition.as_ref().map_or_else(String::new, |condition| format!("if ({condition}) "));
                    let inner = concat([hard(), doc(body)]);
                    parts.extend([lines(&format!("{before}{head}{{")), indent(4, inner), hard()]);
                }
                parts.push(text("}"));
                concat(parts)
            }
        }
    }

    /// The identifiers in the text of the statement.
    fn each_identifier(&self, visit: &mut dyn FnMut(&str)) {
        match self {
            Stmt::Line(line) => each_identifier(line, visit),
            Stmt::Let { ty, name, value, .. } => {
                each_identifier(ty, visit);
                visit(name);
                each_identifier(value, visit);
            }
            Stmt::Step { name, by } => {
                visit(name);
                each_identifier(by, visit);
            }
            Stmt::Load { to, ty, at } => [to, ty, at].into_iter().for_each(|code| each_identifier(code, visit)),
            Stmt::Size(_) => visit("out"),
            Stmt::Block { head: before, body, .. } | Stmt::Case { label: before, body } => {
                each_identifier(before, visit);
                body.iter().for_each(|stmt| stmt.each_identifier(visit));
            }
            Stmt::Choice(arms) => {
                for (condition, body) in arms {
                    condition.iter().for_each(|condition| each_identifier(condition, visit));
                    body.iter().for_each(|stmt| stmt.each_identifier(visit));
                }
            }
            Stmt::Group(statements) => statements.iter().for_each(|stmt| stmt.each_identifier(visit)),
            Stmt::Comment(_) | Stmt::Label(_) | Stmt::Blank => {}
        }
    }
}

/// Several lines of text.
fn lines(text_of: &str) -> Doc {
    join(hard(), text_of.split('\n').map(text))
}

/// The statements without what values that take no bytes leave behind: steps of 0 bytes, names that nothing mentions,
/// loops that do nothing.
fn tidy(statements: Vec<Stmt>) -> Vec<Stmt> {
    let own: BTreeSet<String> = statements.iter().filter_map(own_place).map(str::to_owned).collect();
    // From the end, so that what is mentioned later is known.
    let mut kept = Kept::new(&statements);
    for stmt in statements.into_iter().rev() {
        match stmt {
            Stmt::Step { by, .. } if by == "0" => {}
            Stmt::Step { name, .. } if own.contains(&name) && !kept.mentions(&name) => {}
            Stmt::Let { name, unused: Unused::Goes, .. } if !kept.mentions(&name) => {}
            Stmt::Let { name, value, unused: Unused::IsMade, .. } if !kept.mentions(&name) => {
                kept.push(Stmt::Line(value + ";"));
            }
            Stmt::Block { head, body, tail } => {
                let body = tidy(body);
                if !(body.is_empty() && (head.is_empty() || head.starts_with("for "))) {
                    kept.push(Stmt::Block { head, body, tail });
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
    /// The names that are declared or stepped, with whether a statement that stays mentions them.
    mentioned: BTreeMap<String, bool>,
}

impl Kept {
    fn new(all: &[Stmt]) -> Self {
        let names = all.iter().filter_map(|stmt| match stmt {
            Stmt::Let { name, .. } | Stmt::Step { name, .. } => Some(name),
            _ => None,
        });
        Self { statements: Vec::new(), mentioned: names.map(|name| (name.to_owned(), false)).collect() }
    }

    fn push(&mut self, stmt: Stmt) {
        if !self.mentioned.is_empty() {
            stmt.each_identifier(&mut |name| {
                if let Some(mentioned) = self.mentioned.get_mut(name) {
                    *mentioned = true;
                }
            });
        }
        self.statements.push(stmt);
    }

    fn mentions(&self, name: &str) -> bool {
        self.mentioned.get(name) == Some(&true)
    }
}

/// The place that a statement declares to be read from.
fn own_place(stmt: &Stmt) -> Option<&str> {
    match stmt {
        Stmt::Let { ty, name, .. } if ty == "const std::byte*" => Some(name),
        _ => None,
    }
}

/// The identifiers in code, but for those in literals and members of something.
fn each_identifier(code: &str, visit: &mut dyn FnMut(&str)) {
    let (bytes, mut at, mut before) = (code.as_bytes(), 0, b' ');
    while at < bytes.len() {
        let start = at;
        at = match bytes[at] {
            b'"' | b'\'' => behind_literal(bytes, at),
            byte if is_name(byte) => at + bytes[at..].iter().take_while(|&&byte| is_name(byte)).count(),
            _ => at + 1,
        };
        if is_name(bytes[start]) && before != b'.' {
            visit(&code[start..at]);
        }
        before = bytes[start];
    }
}

/// A string literal.
pub(crate) fn quoted(text: &str) -> String {
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
    out
}

/// A string literal of JSON text, raw where that spares escapes.
pub(crate) fn raw(text: &str) -> String {
    let plain = text.bytes().all(|byte| (0x20..0x7F).contains(&byte)) && !text.contains(")\"");
    if plain && text.contains('"') {
        format!("R\"({text})\"")
    } else {
        quoted(text)
    }
}

/// The heading of a part of a header.
pub(crate) fn rule(title: &str) -> Stmt {
    let line_of = "-".repeat(100);
    Stmt::Group(vec![
        Stmt::Comment(line_of.clone()),
        Stmt::Comment(title.to_owned()),
        Stmt::Comment(line_of),
        Stmt::Blank,
    ])
}

#[cfg(test)]
mod tests {
    use super::each_identifier;

    fn has_identifier(code: &str, name: &str) -> bool {
        let mut found = false;
        each_identifier(code, &mut |identifier| found |= identifier == name);
        found
    }

    #[test]
    fn names_in_literals_and_of_members_are_no_mention() {
        assert!(has_identifier("return in.load(at + 4);", "at"));
        assert!(!has_identifier("return place.at + 4;", "at"));
        assert!(!has_identifier(r#"return in.in_field("at");"#, "at"));
        assert!(!has_identifier(r#"out.raw("a\" at \\");"#, "at"));
        assert!(has_identifier(r#"f("a\\", at)"#, "at"));
        assert!(has_identifier(r#"f(R"(a"b\)", at)"#, "at"));
        assert!(!has_identifier(r#"f(R"(", at)")"#, "at"));
        assert!(has_identifier(r#"c = '"'; at = 1'000;"#, "at"));
        assert!(!has_identifier("format_at(at2)", "at"));
    }
}
