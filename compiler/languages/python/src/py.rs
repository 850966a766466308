//! Trees of Python, printed once.

use aldis_emit::doc::{blank, bracketed, concat, group, hard, indent, join, soft, soft_empty, text, Doc};

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
    /// An argument with its name.
    Named(&'static str, Box<Expr>),
    /// A function without parameters.
    Later(Box<Expr>),
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
    Expr::Call(Box::new(name(function)), args)
}

/// A statement of a module, class or function. Types are text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt {
    Import(String),
    /// `from module import Name as _Name, …`
    From {
        module: &'static str,
        names: Vec<String>,
    },
    /// `name: type = value`; either may be left out, and documentation follows.
    Assign {
        name: String,
        ty: Option<String>,
        value: Option<Expr>,
        doc: String,
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
}

/// Columns of generated files.
const WIDTH: usize = 110;
const INDENT: usize = 4;

/// A module's text: the first lines are comments.
pub(crate) fn module(comment: &str, doc: &str, statements: &[Stmt]) -> String {
    let mut parts = vec![aldis_emit::doc::comment("#", comment), documented(doc)];
    let mut before: Option<&Stmt> = None;
    for statement in statements {
        if !before.is_some_and(|before| belong_together(before, statement)) {
            parts.push(blank());
            // Two of them are around what has a body.
            let is_large = |of: &Stmt| matches!(of, Stmt::Class { .. } | Stmt::Def { .. });
            parts.extend((is_large(statement) || before.is_some_and(is_large)).then(hard));
        }
        parts.extend([self::statement(statement), hard()]);
        before = Some(statement);
    }
    concat(parts).print(WIDTH)
}

fn belong_together(before: &Stmt, after: &Stmt) -> bool {
    let alike = std::mem::discriminant(before) == std::mem::discriminant(after);
    let short = |statement: &Stmt| match statement {
        Stmt::Assign { doc, .. } => doc.is_empty(),
        Stmt::Import(_) => true,
        _ => false,
    };
    alike && short(before) && short(after)
}

fn statement(statement: &Stmt) -> Doc {
    match statement {
        Stmt::Import(line) => text(line.as_str()),
        Stmt::From { module, names } => {
            let names = names.iter().map(|name| text(format!("{name} as _{name}"))).collect();
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
        Expr::Named(name, value) => concat([text(format!("{name}=")), expr(value)]),
        Expr::Later(value) => concat([text("lambda: "), expr(value)]),
    }
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
