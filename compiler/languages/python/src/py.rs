//! Trees of Python, printed once.

use aldis_emit::doc::{blank, bracketed, concat, group, hard, indent, join, soft, soft_empty, text, Doc, Printer};
use aldis_routine::data::Datum;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A name that is declared somewhere, with dots in it where it is a module's.
    Name(String),
    Int(i128),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Set(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Call(Box<Expr>, Vec<Expr>),
    /// Operands and the operator between them.
    Binary(Box<Expr>, &'static str, Box<Expr>),
    Not(Box<Expr>),
    /// `of[from:to]`
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Attribute(Box<Expr>, &'static str),
    /// A method, or with dots in front of its own name one of what it gives.
    Method(Box<Expr>, &'static str, Vec<Expr>),
    /// `then if test else other`
    Either(Box<[Expr; 3]>),
    /// `[item for names in all]`
    Collect(Box<Expr>, Target, Box<Expr>),
}

/// Names that are bound together: to a value, or to the items of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    pub names: Vec<String>,
    pub is_row: bool,
}

pub(crate) fn target(name: impl Into<String>) -> Target {
    Target { names: vec![name.into()], is_row: false }
}

pub(crate) fn row(names: Vec<String>) -> Target {
    Target { names, is_row: true }
}

pub(crate) fn name(name: impl Into<String>) -> Expr {
    Expr::Name(name.into())
}

pub(crate) fn string(text: impl Into<String>) -> Expr {
    Expr::Text(text.into())
}

pub(crate) fn int(number: impl Into<i128>) -> Expr {
    Expr::Int(number.into())
}

pub(crate) fn call(function: impl Into<String>, args: Vec<Expr>) -> Expr {
    apply(name(function), args)
}

/// A call of what an expression gives.
pub(crate) fn apply(function: Expr, args: Vec<Expr>) -> Expr {
    Expr::Call(Box::new(function), args)
}

pub(crate) fn index(of: Expr, at: Expr) -> Expr {
    Expr::Index(Box::new(of), Box::new(at))
}

pub(crate) fn binary(left: Expr, operator: &'static str, right: Expr) -> Expr {
    Expr::Binary(Box::new(left), operator, Box::new(right))
}

/// `base + bytes`
pub(crate) fn plus(base: Expr, bytes: i64) -> Expr {
    match bytes {
        0 => base,
        1.. => binary(base, "+", int(bytes)),
        _ => binary(base, "-", int(-bytes)),
    }
}

pub(crate) fn method(of: Expr, method: &'static str, args: Vec<Expr>) -> Expr {
    Expr::Method(Box::new(of), method, args)
}

pub(crate) fn slice(of: Expr, from: Expr, to: Expr) -> Expr {
    Expr::Slice(Box::new(of), Box::new(from), Box::new(to))
}

pub(crate) fn either(test: Expr, then: Expr, other: Expr) -> Expr {
    Expr::Either(Box::new([then, test, other]))
}

/// A statement of a module, class or function. Types are text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt {
    Import(String),
    /// `from module import Name as own, …`
    From {
        module: String,
        names: Vec<(String, String)>,
    },
    /// `name: type = value`; either may be left out, and documentation follows.
    Assign {
        name: String,
        ty: Option<String>,
        value: Option<Expr>,
        doc: String,
    },
    /// `name: type = value`, of a value that may be too large to be a tree as a whole.
    Data {
        name: String,
        ty: &'static str,
        value: Data,
    },
    Class {
        decorators: Vec<&'static str>,
        name: String,
        base: Option<&'static str>,
        doc: String,
        body: Vec<Stmt>,
    },
    Def {
        decorators: Vec<&'static str>,
        name: String,
        params: Vec<String>,
        gives: String,
        doc: String,
        body: Vec<Stmt>,
    },
    Return(Expr),
    Run(Expr),
    /// `name, name = value`
    Bind(Target, Expr),
    /// `name -= value`, or with another operator.
    Change(String, &'static str, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    For {
        target: Target,
        all: Expr,
        body: Vec<Stmt>,
    },
    Raise(&'static str),
    /// `try`, and what is done instead after errors of that name.
    Try(Vec<Stmt>, &'static str, Vec<Stmt>),
}

/// The value of a name in the data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    One(Datum),
    /// A dict of more than one line.
    Named(Vec<(&'static str, Datum)>),
}

pub(crate) fn import(line: impl Into<String>) -> Stmt {
    Stmt::Import(line.into())
}

/// `own: ty = value`
pub(crate) fn assign(own: impl Into<String>, ty: Option<&str>, value: Expr) -> Stmt {
    Stmt::Assign { name: own.into(), ty: ty.map(str::to_owned), value: Some(value), doc: String::new() }
}

/// A function without decorators and documentation.
pub(crate) fn def(name: impl Into<String>, params: Vec<String>, gives: impl Into<String>, body: Vec<Stmt>) -> Stmt {
    let (name, gives, doc) = (name.into(), gives.into(), String::new());
    Stmt::Def { decorators: Vec::new(), name, params, gives, doc, body }
}

/// A function that after its first statements gives a value.
pub(crate) fn giving(
    decorators: Vec<&'static str>,
    (name, params): (impl Into<String>, Vec<String>),
    (gives, doc): (&str, &str),
    mut body: Vec<Stmt>,
    value: Expr,
) -> Stmt {
    body.push(Stmt::Return(value));
    Stmt::Def { decorators, name: name.into(), params, gives: gives.to_owned(), doc: doc.to_owned(), body }
}

/// The data as a constant, whose lists are tuples.
pub(crate) fn constant(datum: &Datum) -> Expr {
    match datum {
        Datum::None => name("None"),
        Datum::Bool(value) => name(if *value { "True" } else { "False" }),
        Datum::Int(number) => Expr::Int(*number),
        Datum::Float(number) => Expr::Float(*number),
        Datum::Text(text) => Expr::Text(text.clone()),
        Datum::Bytes(bytes) => Expr::Bytes(bytes.clone()),
        Datum::List(items) => Expr::Tuple(items.iter().map(constant).collect()),
        Datum::Op(own, operands) => {
            Expr::Tuple([Expr::Text((*own).to_owned())].into_iter().chain(operands.iter().map(constant)).collect())
        }
        Datum::Part(part) => constant(&part.data()),
    }
}

/// The imports of type checkers alone.
pub(crate) fn typing(more: Vec<Stmt>) -> [Stmt; 2] {
    let any = [import("from typing import Any")].into_iter().chain(more).collect();
    [assign("TYPE_CHECKING", None, name("False")), Stmt::If(name("TYPE_CHECKING"), any, Vec::new())]
}

/// Columns of generated files.
const WIDTH: usize = 110;
const INDENT: usize = 4;

/// A module's text: the first lines are comments. Each statement is printed as soon as it is there, and may then go.
pub(crate) fn module(comment: &str, doc: &str, statements: impl IntoIterator<Item = Stmt>) -> String {
    let mut printer = Printer::new(WIDTH);
    printer.add(&concat([aldis_emit::doc::comment("#", comment), documented(doc)]));
    let mut before: Option<Standing> = None;
    for statement in statements {
        let own = Standing::of(&statement);
        if !before.as_ref().is_some_and(|before| before.is_beside(&own)) {
            // Two empty lines are around what has a body.
            let is_apart = own == Standing::Large || before == Some(Standing::Large);
            printer.add(&concat([blank()].into_iter().chain(is_apart.then(hard))));
        }
        match &statement {
            Stmt::Data { name, ty, value } => add_data(&mut printer, &format!("{name}: {ty} = "), value),
            statement => printer.add(&self::statement(statement)),
        }
        printer.add(&hard());
        before = Some(own);
    }
    printer.text()
}

/// The kinds of statements of a module, as empty lines go.
#[derive(PartialEq)]
enum Standing {
    Import,
    Constant,
    Large,
    Other,
}

impl Standing {
    fn of(statement: &Stmt) -> Self {
        match statement {
            Stmt::Import(_) => Self::Import,
            Stmt::Assign { doc, .. } if doc.is_empty() => Self::Constant,
            Stmt::Data { .. } => Self::Constant,
            Stmt::Class { .. } | Stmt::Def { .. } => Self::Large,
            _ => Self::Other,
        }
    }

    /// Whether no empty line is between them.
    fn is_beside(&self, after: &Self) -> bool {
        self == after && matches!(self, Self::Import | Self::Constant)
    }
}

/// Adds a value with what stands before it, item by item where these are too many for a line.
fn add_data(printer: &mut Printer, before: &str, value: &Data) {
    match value {
        Data::One(datum) => add_datum(printer, (0, before), datum, ""),
        Data::Named(members) => {
            printer.add(&text(format!("{before}{{")));
            for (index, (key, datum)) in members.iter().enumerate() {
                let comma = if index + 1 < members.len() { "," } else { "" };
                printer.add(&indent(INDENT, hard()));
                add_datum(printer, (INDENT, &format!("{}: ", quoted(key))), datum, comma);
            }
            printer.add(&concat([hard(), text("}")]));
        }
    }
}

fn add_datum(printer: &mut Printer, (columns, before): (usize, &str), datum: &Datum, after: &'static str) {
    match datum {
        // So many items are longer than a line: each takes three columns or more.
        Datum::List(items) if items.len() > WIDTH / 3 => {
            printer.add(&text(format!("{before}(")));
            for (index, item) in items.iter().enumerate() {
                let comma = if index + 1 < items.len() { "," } else { "" };
                printer.add(&indent(columns + INDENT, concat([hard(), expr(&constant(item)), Doc::Word(comma)])));
            }
            printer.add(&indent(columns, concat([hard(), text(")"), Doc::Word(after)])));
        }
        datum => printer.add(&indent(columns, concat([text(before), expr(&constant(datum)), Doc::Word(after)]))),
    }
}

fn statement(statement: &Stmt) -> Doc {
    match statement {
        Stmt::Import(line) => text(line.as_str()),
        Stmt::From { module, names } => {
            let named = |(name, own): &(String, String)| match name == own {
                true => text(name.as_str()),
                false => text(format!("{name} as {own}")),
            };
            let names = names.iter().map(named).collect();
            concat([text(format!("from {module} import ")), bracketed("(", names, ")", INDENT)])
        }
        Stmt::Assign { name, ty, value, doc } => {
            let ty = ty.as_ref().map(|ty| text(format!(": {ty}")));
            let value = value.as_ref().map(|value| concat([text(" = "), expr(value)]));
            let doc = (!doc.trim().is_empty()).then(|| concat([hard(), docstring(doc)]));
            concat([Some(text(name.as_str())), ty, value, doc].into_iter().flatten())
        }
        Stmt::Class { decorators, name, base, doc, body } => {
            let base = base.map(|base| format!("({base})")).unwrap_or_default();
            concat([decorated(decorators), text(format!("class {name}{base}:")), suite(doc, body)])
        }
        Stmt::Def { decorators, name, params, gives, doc, body } => {
            let params = bracketed("(", params.iter().map(|param| text(param.as_str())).collect(), ")", INDENT);
            let head = concat([text(format!("def {name}")), params, text(format!(" -> {gives}:"))]);
            concat([decorated(decorators), head, suite(doc, body)])
        }
        Stmt::Return(value) => concat([text("return "), expr(value)]),
        Stmt::Run(value) => expr(value),
        Stmt::Bind(target, value) => concat([bound(target), text(" = "), expr(value)]),
        Stmt::Change(name, operator, value) => concat([text(format!("{name} {operator} ")), expr(value)]),
        Stmt::If(test, then, other) => {
            let mut parts = vec![text("if "), expr(test), text(":"), suite("", then)];
            match other.as_slice() {
                [] => {}
                [more @ Stmt::If(..)] => parts.extend([hard(), text("el"), self::statement(more)]),
                other => parts.extend([hard(), text("else:"), suite("", other)]),
            }
            concat(parts)
        }
        Stmt::For { target, all, body } => {
            concat([text("for "), bound(target), text(" in "), expr(all), text(":"), suite("", body)])
        }
        Stmt::Try(body, errors, instead) => {
            let except = text(format!("except {errors}:"));
            concat([text("try:"), suite("", body), hard(), except, suite("", instead)])
        }
        Stmt::Raise(what) => text(format!("raise {what}")),
        Stmt::Data { .. } => unreachable!("data stands at a module's top"),
    }
}

fn bound(target: &Target) -> Doc {
    match target.names.as_slice() {
        [one] if target.is_row => text(format!("({one},)")),
        [one] => text(one.as_str()),
        names if names.iter().map(|name| name.len() + 2).sum::<usize>() < WIDTH / 2 => text(names.join(", ")),
        names => bracketed("(", names.iter().map(|name| text(name.as_str())).collect(), ")", INDENT),
    }
}

fn decorated(decorators: &[&'static str]) -> Doc {
    concat(decorators.iter().flat_map(|decorator| [text(format!("@{decorator}")), hard()]))
}

/// The body of a class or function.
fn suite(doc: &str, body: &[Stmt]) -> Doc {
    let mut lines = Vec::new();
    if !doc.trim().is_empty() {
        lines.extend([hard(), docstring(doc)]);
    }
    let mut before: Option<&Stmt> = None;
    for statement in body {
        let large = |of: &Stmt| matches!(of, Stmt::Def { .. });
        let apart = match before {
            None => lines.len() > 1 && large(statement),
            Some(before) => large(before) || large(statement),
        };
        lines.extend(apart.then(blank_line));
        lines.extend([hard(), self::statement(statement)]);
        before = Some(statement);
    }
    if lines.is_empty() {
        lines.extend([hard(), text("pass")]);
    }
    indent(INDENT, concat(lines))
}

fn blank_line() -> Doc {
    concat([hard(), text("")])
}

fn documented(doc: &str) -> Doc {
    concat([docstring(doc), hard()])
}

/// Documentation as a string. Nothing in it ends it.
fn docstring(doc: &str) -> Doc {
    let safe = doc.trim().replace('\\', "\\\\").replace("\"\"\"", "'''");
    let lines: Vec<&str> = safe.lines().map(str::trim_end).collect();
    match lines.as_slice() {
        [line] if !line.ends_with('"') => text(format!("\"\"\"{line}\"\"\"")),
        lines => {
            let mut parts = vec![text("\"\"\"")];
            parts.push(join(hard(), lines.iter().map(|line| text(*line))));
            parts.extend([hard(), text("\"\"\"")]);
            concat(parts)
        }
    }
}

/// An expression on one line.
pub(crate) fn line(tree: &Expr) -> String {
    expr(tree).print(usize::MAX / 2)
}

fn expr(tree: &Expr) -> Doc {
    match tree {
        Expr::Name(name) => text(name.as_str()),
        Expr::Int(number) => text(number.to_string()),
        Expr::Float(number) => text(float(*number)),
        Expr::Text(content) => text(quoted(content)),
        Expr::Bytes(bytes) => text(octets(bytes)),
        Expr::Tuple(items) => match items.as_slice() {
            [one] => concat([text("("), expr(one), text(",)")]),
            items => bracketed("(", items.iter().map(expr).collect(), ")", INDENT),
        },
        Expr::List(items) => bracketed("[", items.iter().map(expr).collect(), "]", INDENT),
        Expr::Set(items) if items.is_empty() => text("set()"),
        Expr::Set(items) => bracketed("{", items.iter().map(expr).collect(), "}", INDENT),
        Expr::Dict(members) => {
            let member = |(key, value): &(Expr, Expr)| concat([expr(key), text(": "), expr(value)]);
            let members = join(concat([text(","), soft()]), members.iter().map(member));
            group(concat([text("{"), indent(INDENT, concat([soft_empty(), members])), soft_empty(), text("}")]))
        }
        Expr::Call(function, args) => {
            concat([expr(function), bracketed("(", args.iter().map(expr).collect(), ")", INDENT)])
        }
        Expr::Binary(left, operator, right) => {
            let own = level(tree);
            concat([least(left, own), text(format!(" {operator} ")), least(right, own + 1)])
        }
        Expr::Not(of) => concat([text("not "), least(of, NOT)]),
        Expr::Slice(of, from, to) => concat([primary(of), text("["), expr(from), text(" : "), expr(to), text("]")]),
        Expr::Attribute(of, own) => concat([primary(of), text(format!(".{own}"))]),
        Expr::Index(of, at) => concat([primary(of), text("["), expr(at), text("]")]),
        Expr::Method(of, method, args) => {
            let args = bracketed("(", args.iter().map(expr).collect(), ")", INDENT);
            concat([primary(of), text(format!(".{method}")), args])
        }
        Expr::Either(parts) => {
            let [then, test, other] = &**parts;
            concat([operand(then), text(" if "), operand(test), text(" else "), operand(other)])
        }
        Expr::Collect(item, target, all) => {
            let parts = [operand(item), soft(), text("for "), bound(target), text(" in "), expr(all)];
            group(concat([text("["), indent(INDENT, concat([soft_empty(), concat(parts)])), soft_empty(), text("]")]))
        }
    }
}

const NOT: u8 = 4;
const PRIMARY: u8 = 20;

/// How tightly an expression holds together.
fn level(tree: &Expr) -> u8 {
    match tree {
        Expr::Either(_) => 1,
        Expr::Binary(_, "or", _) => 2,
        Expr::Binary(_, "and", _) => 3,
        Expr::Not(_) => NOT,
        Expr::Binary(_, "|", _) => 6,
        Expr::Binary(_, "^", _) => 7,
        Expr::Binary(_, "&", _) => 8,
        Expr::Binary(_, "<<" | ">>", _) => 9,
        Expr::Binary(_, "+" | "-", _) => 10,
        Expr::Binary(_, "*" | "//", _) => 11,
        Expr::Binary(..) => 5,
        Expr::Int(number) if *number < 0 => 12,
        _ => PRIMARY,
    }
}

fn closed(tree: &Expr) -> Doc {
    concat([text("("), expr(tree), text(")")])
}

/// An expression in brackets where it holds together less than that.
fn least(tree: &Expr, own: u8) -> Doc {
    if level(tree) < own {
        closed(tree)
    } else {
        expr(tree)
    }
}

fn primary(tree: &Expr) -> Doc {
    least(tree, PRIMARY)
}

fn operand(tree: &Expr) -> Doc {
    least(tree, 2)
}

/// A string literal; what is not printed as it is, is escaped.
pub(crate) fn quoted(content: &str) -> String {
    let mut literal = String::from("\"");
    for c in content.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            ' '..='~' => literal.push(c),
            c if u32::from(c) < 0x10000 => literal.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => literal.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    literal.push('"');
    literal
}

fn octets(bytes: &[u8]) -> String {
    let mut literal = String::from("b\"");
    for &byte in bytes {
        match byte {
            b'"' => literal.push_str("\\\""),
            b'\\' => literal.push_str("\\\\"),
            b' '..=b'~' => literal.push(char::from(byte)),
            byte => literal.push_str(&format!("\\x{byte:02x}")),
        }
    }
    literal.push('"');
    literal
}

fn float(number: f64) -> String {
    match number {
        _ if number.is_nan() => "float(\"nan\")".to_owned(),
        _ if number.is_infinite() => if number > 0.0 { "1e999" } else { "-1e999" }.to_owned(),
        _ => format!("{number:?}"),
    }
}
