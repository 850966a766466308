//! The tree printed, once, as a language writes it.

use crate::tree::{Class, Expr, Line, Member, Word};
use aldis_emit::doc::{blank, bracketed, concat, group, hard, indent, join, soft, text, word, Doc};
use aldis_emit::names::capital;
use aldis_emit::quoted;

/// How a language writes what all of them have.
pub struct Syntax {
    /// Long expressions break before operators, too, not in brackets alone.
    pub breaks_at_operators: bool,
    /// A function that is the last argument begins on the line of the others.
    pub hangs_functions: bool,
    /// Choices stand in brackets of their own.
    pub brackets_choices: bool,
    /// Ways of a switch stand in brackets.
    pub brackets_ways: bool,
    /// A call alone stands behind a test without brackets.
    pub opens_calls: bool,
    /// A member whose name is no identifier is asked for by a key.
    pub has_keys: bool,
    pub indent: usize,
    /// The runtime's words begin with a capital letter.
    pub capitals: bool,
    /// A bracket that opens a block has a line of its own.
    pub apart: bool,
    /// The suffix of a literal with 64 bits.
    pub long: &'static str,
    /// The largest number that has a sign and 64 bits.
    pub endless: &'static str,
    /// The names of what no digits say: of floats and of doubles no number, infinity, and what is below all numbers.
    pub floats: [[&'static str; 3]; 2],
    pub arrow: &'static str,
    /// The type or the keyword that declares the variable which counts the turns of a loop.
    pub counter: &'static str,
    /// The shift to the right that takes no sign along.
    pub shift: &'static str,
    /// The head of a handler that puts a step before a fault's path, up to the step and behind it, and what it does, likewise.
    pub handler: [(&'static str, &'static str); 2],
    /// The head of a handler that drops a fault.
    pub dropped: &'static str,
    /// A way of a switch: what is behind its value, and what leaves it.
    pub way: (&'static str, Option<&'static str>),
    /// A comment in front of a declaration.
    pub documented: fn(&str) -> Doc,
    /// A constant of an enum.
    pub constant: fn(&str, Vec<Doc>) -> Doc,
    /// Behind the last constant of an enum.
    pub last_constant: &'static str,
}

pub const WIDTH: usize = 120;
pub const INDENT: usize = 4;

impl Syntax {
    /// A class with its comment.
    pub fn class(&self, class: &Class) -> Doc {
        let mut parts = Vec::new();
        let mut before: Option<&Member> = None;
        for member in &class.members {
            let together =
                matches!((before, member), (Some(Member::Field { .. }), Member::Field { doc, .. }) if doc.is_empty());
            if before.is_some() && !together {
                parts.push(blank());
            }
            parts.extend([self.member(member), hard()]);
            before = Some(member);
        }
        let body = concat([hard()].into_iter().chain(trimmed(parts)));
        concat([(self.documented)(&class.doc), self.block(text(class.head.as_str()), body)])
    }

    /// A head, and in brackets what begins with a line's end.
    fn block(&self, head: Doc, body: Doc) -> Doc {
        concat([head, self.open(), indent(self.indent, body), hard(), word("}")])
    }

    fn open(&self) -> Doc {
        match self.apart {
            true => concat([hard(), word("{")]),
            false => word(" {"),
        }
    }

    /// Behind a block, what belongs to it.
    fn then(&self) -> Doc {
        match self.apart {
            true => hard(),
            false => word(" "),
        }
    }

    /// A head, and lines in brackets.
    pub fn braced(&self, head: Doc, body: &[Line]) -> Doc {
        self.block(head, concat(body.iter().flat_map(|line| [hard(), self.line(line)])))
    }

    /// A declaration in a class.
    pub fn member(&self, member: &Member) -> Doc {
        match member {
            Member::Field { doc, head, value } => {
                let value = value.as_ref().map(|value| concat([word(" = "), self.expr(value)]));
                concat([(self.documented)(doc), text(head.as_str()), value.unwrap_or_default(), word(";")])
            }
            Member::Method { doc, head, body } => {
                let open = concat([(self.documented)(doc), text(head.as_str())]);
                match body.as_slice() {
                    [] => concat([open, word(" {}")]),
                    body => self.braced(open, body),
                }
            }
            Member::Property { doc, head, front, get, set } => {
                let side = |of: &str, lines: &[Line]| match lines {
                    [Line::Return(value)] => concat([hard(), text(format!("{of} => ")), self.expr(value), word(";")]),
                    [line @ Line::Assign(..)] => concat([hard(), text(format!("{of} => ")), self.line(line)]),
                    lines => concat([hard(), self.braced(text(of), lines)]),
                };
                let open = concat([(self.documented)(doc), text(head.as_str())]);
                let front = if front.is_empty() { Doc::Nil } else { concat([hard(), text(*front)]) };
                let side = |of: &str, lines: &[Line]| if lines.is_empty() { Doc::Nil } else { side(of, lines) };
                self.block(open, concat([front, side("get", get), side("set", set)]))
            }
            Member::Nested(inner) => self.class(inner),
            Member::Constants(constants) => {
                let constants = constants.iter().map(|(doc, name, args)| {
                    let args = args.iter().map(|arg| self.expr(arg)).collect();
                    concat([(self.documented)(doc), (self.constant)(name, args)])
                });
                concat([join(concat([word(","), hard()]), constants), word(self.last_constant)])
            }
        }
    }

    fn line(&self, line: &Line) -> Doc {
        let end = || word(";");
        match line {
            Line::Declare(ty, name, None) => text(format!("{ty} {name};")),
            Line::Declare(ty, name, Some(value)) => concat([text(format!("{ty} {name} = ")), self.expr(value), end()]),
            Line::Assign(to, how, value) => concat([self.expr(to), text(format!(" {how} ")), self.expr(value), end()]),
            Line::Do(run) => concat([self.expr(run), end()]),
            Line::Step(number) => concat([self.expr(number), word("++;")]),
            Line::If(test, then, other) if other.is_empty() && self.is_short(then) => {
                concat([word("if ("), self.expr(test), word(") "), self.line(&then[0])])
            }
            Line::If(test, then, other) => {
                let then = self.braced(concat([word("if ("), self.expr(test), word(")")]), then);
                match other.as_slice() {
                    [] => then,
                    other => concat([then, self.then(), self.braced(word("else"), other)]),
                }
            }
            Line::For(index, count, body) => {
                let count = self.expr(count);
                let head = format!("for ({} {index} = 0; {index} < ", self.counter);
                let head = [text(head), count, text(format!("; {index}++)"))];
                self.braced(concat(head), body)
            }
            Line::Framed(lines, step) => {
                let with = |(before, behind): (&'static str, &'static str)| match behind {
                    "" => word(before),
                    behind => concat([word(before), self.expr(step), word(behind)]),
                };
                let [head, does] = self.handler.map(with);
                let tried = self.braced(word("try"), lines);
                concat([tried, self.then(), self.block(head, concat([hard(), does]))])
            }
            Line::Attempt(lines) => {
                let tried = self.braced(word("try"), lines);
                concat([tried, self.then(), self.block(word(self.dropped), Doc::Nil)])
            }
            Line::Switch(on, arms, other) => {
                let arms = arms.iter().map(|(tag, lines)| self.way(concat([word("case "), self.expr(tag)]), lines));
                let other = (!other.is_empty()).then(|| self.way(word("default"), other));
                let head = concat([word("switch ("), self.expr(on), word(")")]);
                self.block(head, concat(arms.chain(other)))
            }
            Line::Return(value) => concat([word("return "), self.expr(value), end()]),
            Line::Throw(value) => concat([word("throw "), self.expr(value), end()]),
        }
    }

    /// Whether lines stand behind a test without brackets.
    fn is_short(&self, lines: &[Line]) -> bool {
        match lines {
            [Line::Throw(_)] => true,
            [Line::Do(_)] => self.opens_calls,
            _ => false,
        }
    }

    /// A way of a switch.
    fn way(&self, head: Doc, lines: &[Line]) -> Doc {
        let (behind, leave) = self.way;
        let leave = leave.filter(|_| !matches!(lines.last(), Some(Line::Return(_) | Line::Throw(_))));
        let all = lines.iter().flat_map(|line| [hard(), self.line(line)]);
        let body = concat(all.chain(leave.into_iter().flat_map(|leave| [hard(), word(leave)])));
        let head = concat([head, word(behind)]);
        match lines {
            [line @ Line::Return(_)] if !self.brackets_ways => concat([hard(), head, word(" "), self.line(line)]),
            _ if !self.brackets_ways => concat([hard(), head, indent(self.indent, body)]),
            _ => concat([hard(), self.block(head, body)]),
        }
    }

    fn args_of(&self, open: String, args: &[Expr]) -> Doc {
        if let ([others @ .., last @ Expr::Lambda(..)], true) = (args, self.hangs_functions) {
            let others = others.iter().flat_map(|arg| [self.expr(arg), word(", ")]);
            return concat([text(open)].into_iter().chain(others).chain([self.expr(last), word(")")]));
        }
        bracketed(&open, args.iter().map(|arg| self.expr(arg)).collect(), ")", self.indent)
    }

    fn word(&self, word: &Word) -> String {
        match word {
            Word::Own(word) => word.clone(),
            Word::Runtime(word) if !self.capitals => word.clone().into_owned(),
            Word::Runtime(word) => word.split('.').map(capital).collect::<Vec<_>>().join("."),
        }
    }

    /// An expression.
    pub fn expr(&self, tree: &Expr) -> Doc {
        match tree {
            Expr::Name(name) => text(name.as_str()),
            Expr::Int(number) => text(number.to_string()),
            Expr::Long(number) => text(format!("{number}{}", self.long)),
            Expr::Bits(bits, is_long) => text(format!("{bits:#x}{}", if *is_long { self.long } else { "" })),
            Expr::Float(number) => text(float(&self.floats[0], f64::from(*number), format!("{number:?}f"))),
            Expr::Double(number) => text(float(&self.floats[1], *number, format!("{number:?}"))),
            Expr::Endless => word(self.endless),
            Expr::Text(content) => text(quoted(content)),
            Expr::Call(of, method, args) => {
                concat([self.tight(of), self.args_of(format!(".{}(", self.word(method)), args)])
            }
            Expr::Run(function, args) => self.args_of(format!("{}(", self.word(function)), args),
            Expr::Member(of, Word::Own(field)) if self.has_keys && !is_identifier(field) => {
                concat([self.tight(of), text(format!("[{}]", quoted(field)))])
            }
            Expr::Member(of, field) => concat([self.tight(of), text(format!(".{}", self.word(field)))]),
            Expr::New(class, args) => self.args_of(format!("new {class}("), args),
            Expr::Array(ty, items) => {
                let items = items.iter().map(|item| self.expr(item)).collect();
                bracketed(&format!("new {ty}[] {{"), items, "}", self.indent)
            }
            Expr::List(items) => bracketed("[", items.iter().map(|item| self.expr(item)).collect(), "]", self.indent),
            Expr::Object(members) => self.object(members),
            Expr::Apply(function, args) => concat([self.tight(function), self.args_of("(".to_owned(), args)]),
            Expr::Pure(inner) => concat([word("/*#__PURE__*/ "), self.expr(inner)]),
            Expr::Binary(operator, left, right) => {
                let own = strength(operator);
                let exact = matches!(*operator, "+" | "&&" | "||" | "|" | "&");
                let [left, right] =
                    [self.side(left, operator, own), self.side(right, operator, own + u8::from(!exact))];
                let shown = if *operator == ">>>" { self.shift } else { operator };
                match self.breaks_at_operators {
                    true => group(indent(self.indent, concat([left, soft(), text(format!("{shown} ")), right]))),
                    false => concat([left, text(format!(" {shown} ")), right]),
                }
            }
            Expr::Not(inner) => concat([word("!"), self.tight(inner)]),
            Expr::Ref(inner) => concat([word("ref "), self.expr(inner)]),
            Expr::Flip(inner) => concat([word("~"), self.tight(inner)]),
            Expr::Cast(ty, inner) => concat([text(format!("({ty}) ")), self.tight(inner)]),
            Expr::Index(of, at) => concat([self.tight(of), word("["), self.expr(at), word("]")]),
            Expr::Choose(test, then, other) if self.brackets_choices => {
                let [test, then, other] = [test, then, other].map(|part| self.expr(part));
                concat([word("("), test, word(" ? "), then, word(" : "), other, word(")")])
            }
            Expr::Choose(test, then, other) => {
                let [test, then, other] = [test, then, other].map(|part| self.tight(part));
                concat([test, word(" ? "), then, word(" : "), other])
            }
            Expr::Lambda(params, body) => {
                let value = match **body {
                    Expr::Object(_) => concat([word("("), self.expr(body), word(")")]),
                    _ => self.expr(body),
                };
                concat([text(format!("{params} {} ", self.arrow)), value])
            }
        }
    }

    fn object(&self, members: &[(String, Expr)]) -> Doc {
        if members.is_empty() {
            return word("{}");
        }
        let member = |(key, value): &(String, Expr)| match value {
            Expr::Name(value) if value == key && is_identifier(key) => text(key.as_str()),
            value => concat([text(format!("{}: ", own_key(key))), self.expr(value)]),
        };
        let members = join(concat([word(","), soft()]), members.iter().map(member));
        group(concat([word("{"), indent(self.indent, concat([soft(), members])), soft(), word("}")]))
    }

    /// An operand of what binds strongest.
    fn tight(&self, tree: &Expr) -> Doc {
        match tree {
            Expr::Choose(..) if self.brackets_choices => self.expr(tree),
            Expr::Binary(..) | Expr::Choose(..) | Expr::Cast(..) | Expr::Lambda(..) => {
                concat([word("("), self.expr(tree), word(")")])
            }
            tree => self.expr(tree),
        }
    }

    fn side(&self, tree: &Expr, operator: &str, least: u8) -> Doc {
        match tree {
            Expr::Binary(inner, ..) if strength(inner) >= least && !is_mixed(inner, operator) => self.expr(tree),
            Expr::Choose(..) if self.brackets_choices => self.expr(tree),
            Expr::Binary(..) | Expr::Choose(..) | Expr::Lambda(..) => concat([word("("), self.expr(tree), word(")")]),
            tree => self.expr(tree),
        }
    }
}

/// Without the line end behind the last.
fn trimmed(mut parts: Vec<Doc>) -> Vec<Doc> {
    parts.pop();
    parts
}

/// Whether two operators beside one another are clearer with brackets.
fn is_mixed(inner: &str, outer: &str) -> bool {
    let logic = |of: &str| matches!(of, "&&" | "||");
    let bits = |of: &str| matches!(of, "&" | "|" | "^" | "<<" | ">>" | ">>>");
    (logic(inner) && logic(outer) || bits(inner) || bits(outer)) && inner != outer
}

/// How strongly an operator binds what is beside it.
fn strength(operator: &str) -> u8 {
    match operator {
        "*" | "/" | "%" => 9,
        "+" | "-" => 8,
        "<<" | ">>" | ">>>" => 7,
        "<" | ">" | "<=" | ">=" => 6,
        "==" | "!=" | "===" | "!==" => 5,
        "&" => 4,
        "^" => 3,
        "|" => 2,
        "&&" => 1,
        _ => 0,
    }
}

fn float(names: &[&str; 3], number: f64, digits: String) -> String {
    let special = match number {
        _ if number.is_nan() => 0,
        _ if number.is_finite() => return digits,
        _ if number > 0.0 => 1,
        _ => 2,
    };
    names[special].to_owned()
}

/// A key that makes a property of an object's own: in a literal, `__proto__:` would set what it inherits from.
fn own_key(name: &str) -> String {
    match name {
        "__proto__" => "[\"__proto__\"]".to_owned(),
        name => key(name),
    }
}

/// A property's name where it stands alone.
pub fn key(name: &str) -> String {
    if is_identifier(name) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// Whether a property is called so without quotes.
fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}
