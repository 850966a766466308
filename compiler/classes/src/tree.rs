//! Java as a tree: expressions, statements, members, classes. It is printed once, by [`file`].

use aldis_emit::doc::{blank, bracketed, concat, group, hard, indent, join, soft, text, Doc};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A name, or a path of names.
    Name(String),
    Int(i128),
    Long(i128),
    Float(f32),
    Double(f64),
    Text(String),
    Call(Box<Expr>, String, Vec<Expr>),
    Run(String, Vec<Expr>),
    Member(Box<Expr>, String),
    New(String, Vec<Expr>),
    /// `new int[] {…}`
    Array(String, Vec<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// `~bits`
    Flip(Box<Expr>),
    Cast(String, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `() -> body`
    Lambda(&'static str, Box<Expr>),
}

pub fn name(name: impl Into<String>) -> Expr {
    Expr::Name(name.into())
}

pub fn int(number: impl Into<i128>) -> Expr {
    Expr::Int(number.into())
}

pub fn string(content: impl Into<String>) -> Expr {
    Expr::Text(content.into())
}

pub fn run(function: impl Into<String>, args: Vec<Expr>) -> Expr {
    Expr::Run(function.into(), args)
}

pub fn call(of: Expr, method: impl Into<String>, args: Vec<Expr>) -> Expr {
    Expr::Call(Box::new(of), method.into(), args)
}

pub fn member(of: Expr, field: impl Into<String>) -> Expr {
    Expr::Member(Box::new(of), field.into())
}

pub fn make(class: impl Into<String>, args: Vec<Expr>) -> Expr {
    Expr::New(class.into(), args)
}

pub fn binary(left: Expr, operator: &'static str, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

pub fn cast(ty: impl Into<String>, inner: Expr) -> Expr {
    Expr::Cast(ty.into(), Box::new(inner))
}

pub fn index(of: Expr, at: Expr) -> Expr {
    Expr::Index(Box::new(of), Box::new(at))
}

pub fn later(inner: Expr) -> Expr {
    Expr::Lambda("()", Box::new(inner))
}

pub fn truth(value: bool) -> Expr {
    name(if value { "true" } else { "false" })
}

pub fn is_true(tree: &Expr) -> bool {
    *tree == truth(true)
}

pub fn is_false(tree: &Expr) -> bool {
    *tree == truth(false)
}

/// The contrary of a test.
pub fn not(test: Expr) -> Expr {
    match test {
        Expr::Not(inner) => *inner,
        test if is_true(&test) => truth(false),
        test if is_false(&test) => truth(true),
        test => Expr::Not(Box::new(test)),
    }
}

/// `base + bytes`
pub fn plus(base: Expr, bytes: u32) -> Expr {
    match (base, bytes) {
        (base, 0) => base,
        (Expr::Int(base), bytes) => Expr::Int(base + i128::from(bytes)),
        (base, bytes) => binary(base, "+", int(bytes)),
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Declare(String, String, Option<Expr>),
    Assign(Expr, &'static str, Expr),
    Do(Expr),
    If(Expr, Vec<Line>, Vec<Line>),
    /// From 0 up to a count.
    For(String, Expr, Vec<Line>),
    /// A fault that leaves the lines has the step put before its path.
    Framed(Vec<Line>, Expr),
    Switch(Expr, Vec<(Expr, Vec<Line>)>, Vec<Line>),
    Return(Expr),
    Throw(Expr),
}

/// A declaration in a class.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    Field {
        doc: String,
        head: String,
        value: Option<Expr>,
    },
    Method {
        doc: String,
        /// All up to the body: `public int id()`.
        head: String,
        body: Vec<Line>,
    },
    /// Constants of an enum, in order.
    Constants(Vec<(String, String, Vec<Expr>)>),
}

/// A class, enum, interface or record.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    pub doc: String,
    pub head: String,
    pub members: Vec<Member>,
}

const WIDTH: usize = 120;
const INDENT: usize = 4;

/// A file's text: comment lines, package, imports, one class.
pub fn file(comment: &str, package: &str, imports: &[&str], class: &Class) -> String {
    let mut parts = vec![aldis_emit::doc::comment("//", comment), text(format!("package {package};")), hard()];
    if !imports.is_empty() {
        parts.push(blank());
    }
    parts.extend(imports.iter().flat_map(|import| [text(format!("import {import};")), hard()]));
    parts.extend([blank(), self::class(class), hard()]);
    concat(parts).print(WIDTH)
}

fn class(class: &Class) -> Doc {
    let mut parts = Vec::new();
    let mut before: Option<&Member> = None;
    for member in &class.members {
        let together =
            matches!((before, member), (Some(Member::Field { .. }), Member::Field { doc, .. }) if doc.is_empty());
        if before.is_some() && !together {
            parts.push(blank());
        }
        parts.extend([self::member_doc(member), hard()]);
        before = Some(member);
    }
    let body = indent(INDENT, concat([hard()].into_iter().chain(trimmed(parts))));
    concat([documented(&class.doc), text(format!("{} {{", class.head)), body, hard(), text("}")])
}

/// Without the line end behind the last.
fn trimmed(mut parts: Vec<Doc>) -> Vec<Doc> {
    parts.pop();
    parts
}

fn member_doc(member: &Member) -> Doc {
    match member {
        Member::Field { doc, head, value } => {
            let value = value.as_ref().map(|value| concat([text(" = "), expr(value)]));
            concat([documented(doc), text(head.as_str()), value.unwrap_or_default(), text(";")])
        }
        Member::Method { doc, head, body } => {
            let open = concat([documented(doc), text(head.as_str())]);
            match body.as_slice() {
                [] => concat([open, text(" {}")]),
                body => concat([open, text(" "), braced(body)]),
            }
        }
        Member::Constants(constants) => {
            let constants = constants.iter().map(|(doc, name, args)| {
                concat([documented(doc), bracketed(&format!("{name}("), args.iter().map(expr).collect(), ")", INDENT)])
            });
            concat([join(concat([text(","), hard()]), constants), text(";")])
        }
    }
}

fn braced(body: &[Line]) -> Doc {
    let body = concat(body.iter().flat_map(|line| [hard(), self::line(line)]));
    concat([text("{"), indent(INDENT, body), hard(), text("}")])
}

fn line(line: &Line) -> Doc {
    let end = || text(";");
    match line {
        Line::Declare(ty, name, None) => text(format!("{ty} {name};")),
        Line::Declare(ty, name, Some(value)) => concat([text(format!("{ty} {name} = ")), expr(value), end()]),
        Line::Assign(to, how, value) => concat([expr(to), text(format!(" {how} ")), expr(value), end()]),
        Line::Do(run) => concat([expr(run), end()]),
        Line::If(test, then, other) if other.is_empty() && matches!(then.as_slice(), [Line::Throw(_)]) => {
            concat([text("if ("), expr(test), text(") "), self::line(&then[0])])
        }
        Line::If(test, then, other) => {
            let then = concat([text("if ("), expr(test), text(") "), braced(then)]);
            match other.as_slice() {
                [] => then,
                other => concat([then, text(" else "), braced(other)]),
            }
        }
        Line::For(index, count, body) => concat([
            text(format!("for (int {index} = 0; {index} < ")),
            expr(count),
            text(format!("; {index}++) ")),
            braced(body),
        ]),
        Line::Framed(lines, step) => {
            let thrown = concat([hard(), text("throw fault.within("), expr(step), text(");")]);
            let handler = concat([text(" catch (CodecException fault) {"), indent(INDENT, thrown), hard(), text("}")]);
            concat([text("try "), braced(lines), handler])
        }
        Line::Switch(on, arms, other) => {
            let way = |head: Doc, lines: &[Line]| concat([hard(), head, text(" -> "), braced(lines)]);
            let arms = arms.iter().map(|(tag, lines)| way(concat([text("case "), expr(tag)]), lines));
            let other = (!other.is_empty()).then(|| way(text("default"), other));
            let ways = indent(INDENT, concat(arms.chain(other)));
            concat([text("switch ("), expr(on), text(") {"), ways, hard(), text("}")])
        }
        Line::Return(value) => concat([text("return "), expr(value), end()]),
        Line::Throw(value) => concat([text("throw "), expr(value), end()]),
    }
}

/// A comment in front of a declaration. Nothing in it ends it.
fn documented(doc: &str) -> Doc {
    let doc = doc.trim();
    if doc.is_empty() {
        return Doc::Nil;
    }
    let html = doc.chars().flat_map(|c| match c {
        '&' => "&amp;".chars().collect::<Vec<_>>(),
        '<' => "&lt;".chars().collect(),
        '>' => "&gt;".chars().collect(),
        '@' => "&#64;".chars().collect(),
        '\\' => "&#92;".chars().collect(),
        c if c.is_control() && c != '\n' => vec![' '],
        c => vec![c],
    });
    let safe = html.collect::<String>().replace("*/", "*&#47;").replace("{&#64;", "&#123;&#64;");
    let lines: Vec<&str> = safe.lines().map(str::trim_end).collect();
    match lines.as_slice() {
        [line] => concat([text(format!("/** {line} */")), hard()]),
        lines => {
            let inner = lines.iter().flat_map(|line| [text(format!(" * {line}").trim_end().to_owned()), hard()]);
            concat([text("/**"), hard()].into_iter().chain(inner).chain([text(" */"), hard()]))
        }
    }
}

fn args_of(open: String, args: &[Expr]) -> Doc {
    bracketed(&open, args.iter().map(expr).collect(), ")", INDENT)
}

fn expr(tree: &Expr) -> Doc {
    match tree {
        Expr::Name(name) => text(name.as_str()),
        Expr::Int(number) => text(number.to_string()),
        Expr::Long(number) => text(format!("{number}L")),
        Expr::Float(number) => text(float("Float", f64::from(*number), format!("{number:?}f"))),
        Expr::Double(number) => text(float("Double", *number, format!("{number:?}"))),
        Expr::Text(content) => text(quoted(content)),
        Expr::Call(of, method, args) => concat([tight(of), args_of(format!(".{method}("), args)]),
        Expr::Run(function, args) => args_of(format!("{function}("), args),
        Expr::Member(of, field) => concat([tight(of), text(format!(".{field}"))]),
        Expr::New(class, args) => args_of(format!("new {class}("), args),
        Expr::Array(ty, items) => bracketed(&format!("new {ty}[] {{"), items.iter().map(expr).collect(), "}", INDENT),
        Expr::Binary(operator, left, right) => {
            let own = strength(operator);
            let exact = matches!(*operator, "+" | "&&" | "||" | "|" | "&");
            let [left, right] = [side(left, operator, own), side(right, operator, own + u8::from(!exact))];
            group(indent(INDENT, concat([left, soft(), text(format!("{operator} ")), right])))
        }
        Expr::Not(inner) => concat([text("!"), tight(inner)]),
        Expr::Flip(inner) => concat([text("~"), tight(inner)]),
        Expr::Cast(ty, inner) => concat([text(format!("({ty}) ")), tight(inner)]),
        Expr::Index(of, at) => concat([tight(of), text("["), expr(at), text("]")]),
        Expr::Choose(test, then, other) => concat([tight(test), text(" ? "), tight(then), text(" : "), tight(other)]),
        Expr::Lambda(params, body) => concat([text(format!("{params} -> ")), expr(body)]),
    }
}

/// An operand of what binds strongest.
fn tight(tree: &Expr) -> Doc {
    match tree {
        Expr::Binary(..) | Expr::Choose(..) | Expr::Cast(..) | Expr::Lambda(..) => {
            concat([text("("), expr(tree), text(")")])
        }
        tree => expr(tree),
    }
}

fn side(tree: &Expr, operator: &str, least: u8) -> Doc {
    match tree {
        Expr::Binary(inner, ..) if strength(inner) >= least && !is_mixed(inner, operator) => expr(tree),
        Expr::Binary(..) | Expr::Choose(..) | Expr::Lambda(..) => concat([text("("), expr(tree), text(")")]),
        tree => expr(tree),
    }
}

/// Whether two operators beside one another are clearer with brackets.
fn is_mixed(inner: &str, outer: &str) -> bool {
    let logic = |of: &str| matches!(of, "&&" | "||");
    let bits = |of: &str| matches!(of, "&" | "|" | "^" | "<<" | ">>>");
    (logic(inner) && logic(outer) || bits(inner) || bits(outer)) && inner != outer
}

/// How strongly an operator binds what is beside it.
fn strength(operator: &str) -> u8 {
    match operator {
        "*" | "/" => 9,
        "+" | "-" => 8,
        "<<" | ">>>" => 7,
        "<" | ">" | "<=" | ">=" => 6,
        "==" | "!=" => 5,
        "&" => 4,
        "^" => 3,
        "|" => 2,
        "&&" => 1,
        _ => 0,
    }
}

fn float(class: &str, number: f64, digits: String) -> String {
    match number {
        _ if number.is_nan() => format!("{class}.NaN"),
        _ if number.is_infinite() => format!("{class}.{}_INFINITY", if number > 0.0 { "POSITIVE" } else { "NEGATIVE" }),
        _ => digits,
    }
}

/// A string literal; what is not printed as it is, is escaped.
pub fn quoted(content: &str) -> String {
    let mut literal = String::from("\"");
    for c in content.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            ' '..='~' => literal.push(c),
            c => {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().for_each(|unit| literal.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
    literal.push('"');
    literal
}
