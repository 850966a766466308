//! Trees of JavaScript and TypeScript, printed once.

mod code;

use aldis_emit::doc::{bracketed, concat, group, hard, indent, join, soft, text, Doc};
use aldis_emit::quoted;

pub(crate) use code::{module, Code};

/// The parameter that has the bytes, the place behind what was read, and the limits.
pub(crate) const FRAME: &str = "f";

/// `import * as name from "module";`
pub(crate) fn import_all(name: impl Into<String>, from: impl Into<String>) -> Stmt {
    Stmt::ImportAll { name: name.into(), from: from.into() }
}

/// A check that the runtime is the one that a file needs.
pub(crate) fn needs(from: &str, file: String) -> Stmt {
    Stmt::Run(call(from, vec![string(file), string(aldis_emit::RUNTIME)]))
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A name that is declared somewhere, or a word of the language such as `null`.
    Name(String),
    Int(i128),
    BigInt(i128),
    Float(f64),
    Text(String),
    Array(Vec<Expr>),
    /// Keys in order. Values that are `undefined` belong to keys too.
    Object(Vec<(String, Expr)>),
    Call(Box<Expr>, Vec<Expr>),
    /// A call whose result may be left out with its name, as it does nothing else.
    Pure(Box<Expr>),
    New(Box<Expr>, Vec<Expr>),
    Arrow(Vec<String>, Box<Expr>),
    /// Two operands of an operator.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// `test ? one : other`
    Either(Box<[Expr; 3]>),
    TypeOf(Box<Expr>),
    /// `of[at]`
    Index(Box<Expr>, Box<Expr>),
    /// `of.name`
    Member(Box<Expr>, String),
}

/// A line of a function's body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    Const(String, Expr),
    /// Names without values yet.
    Let(Vec<String>),
    LetBe(String, Expr),
    Assign(String, Expr),
    /// `[a, b] = …`
    Unpack(Vec<String>, Expr),
    Do(Expr),
    If(Expr, Vec<Line>, Vec<Line>),
    /// The lines to run for each number, and those for all others.
    Switch(Expr, Vec<(u64, Vec<Line>)>, Vec<Line>),
    /// So many times, counted by a name.
    For(String, Expr, Vec<Line>),
    Return(Expr),
    /// Lines, the name of what they throw, and what is thrown in its place.
    Try(Vec<Line>, &'static str, Expr),
}

pub(crate) fn binary(left: Expr, operator: &'static str, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

/// One expression where the test holds, else the other.
pub(crate) fn either(test: Expr, one: Expr, other: Expr) -> Expr {
    Expr::Either(Box::new([test, one, other]))
}

/// A test that holds where the other does not.
pub(crate) fn not(test: Expr) -> Expr {
    match test {
        Expr::Binary("==", left, right) => Expr::Binary("!=", left, right),
        Expr::Binary("===", left, right) => Expr::Binary("!==", left, right),
        test => Expr::Not(Box::new(test)),
    }
}

pub(crate) fn member(of: Expr, name: &str) -> Expr {
    Expr::Member(Box::new(of), name.to_owned())
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

pub(crate) fn make(class: impl Into<String>, args: Vec<Expr>) -> Expr {
    Expr::New(Box::new(name(class)), args)
}

/// `export function name(params) { return gives; }`
pub(crate) fn function(name: impl Into<String>, params: &[&str], gives: Expr) -> Stmt {
    Stmt::Function { name: name.into(), params: params.iter().map(|param| (*param).to_owned()).collect(), gives }
}

/// A declaration of what a module exports, with its comment: the type is all that stands behind its name.
pub(crate) fn declare(doc: impl Into<String>, what: &'static str, name: &str, ty: String) -> Stmt {
    Stmt::Declare(Declared { doc: doc.into(), what, name: name.to_owned(), ty })
}

/// `import type { names } from "module";`
pub(crate) fn import_types(names: impl IntoIterator<Item = impl Into<String>>, from: impl Into<String>) -> Stmt {
    Stmt::Import { types: true, names: names.into_iter().map(Into::into).collect(), from: from.into() }
}

/// `() => body`
pub(crate) fn later(body: Expr) -> Expr {
    Expr::Arrow(Vec::new(), Box::new(body))
}

/// The name of what is set, that of its value, and the lines that set it.
pub(crate) type Setter = (String, String, Vec<Line>);

/// One line of a `switch` that returns.
pub(crate) type Case = (Expr, Expr);

/// A statement, or a declaration at a module's top.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt {
    /// `import { names } from "module";`, or of types alone.
    Import {
        types: bool,
        names: Vec<String>,
        from: String,
    },
    /// `import * as name from "module";`
    ImportAll {
        name: String,
        from: String,
    },
    Const {
        export: bool,
        name: String,
        value: Expr,
    },
    /// `export { own as other };`
    Exports(Vec<(String, String)>),
    /// A function of one expression, which the module exports.
    Function {
        name: String,
        params: Vec<String>,
        gives: Expr,
    },
    /// A function of several lines, for this module alone.
    Code {
        name: String,
        params: Vec<String>,
        body: Vec<Line>,
    },
    /// A class: what its constructor takes and does, and lines that give its properties.
    Class {
        name: String,
        params: Vec<String>,
        body: Vec<Line>,
        getters: Vec<(String, Vec<Line>)>,
    },
    /// A class with another's constructor: lines that give its properties, and lines that take a value for them.
    Accessors {
        name: String,
        base: &'static str,
        getters: Vec<(String, Vec<Line>)>,
        setters: Vec<Setter>,
    },
    /// A function that switches on something of its parameters.
    Choice {
        export: bool,
        name: String,
        params: &'static str,
        on: &'static str,
        cases: Vec<Case>,
        other: Expr,
    },
    Run(Expr),
    /// A declaration of types, whose parts are types' text.
    Interface {
        doc: String,
        name: String,
        members: Vec<Member>,
    },
    Type {
        doc: String,
        name: String,
        ty: String,
    },
    Declare(Declared),
    /// A function or a constant with its declaration, in TypeScript.
    Typed(Declared, Box<Stmt>),
}

/// The name of a function or constant that a module exports, with its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declared {
    pub doc: String,
    /// `function` or `const`
    pub what: &'static str,
    pub name: String,
    pub ty: String,
}

/// A property of an interface.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub doc: String,
    pub name: String,
    pub access: Access,
    pub ty: String,
}

/// The ways to a property: any, or the one of an accessor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Access {
    Any,
    Get,
    Set,
}

/// Columns of generated files.
const WIDTH: usize = 110;
const INDENT: usize = 2;

fn printed(statement: &Stmt) -> String {
    concat([self::statement(statement), hard()]).print(WIDTH)
}

fn statement(statement: &Stmt) -> Doc {
    match statement {
        Stmt::Import { types, names, from } => {
            let names = join(concat([text(","), soft()]), names.iter().map(|name| text(name.as_str())));
            let list = group(concat([text("{"), indent(INDENT, concat([soft(), names])), soft(), text("}")]));
            concat([
                text(if *types { "import type " } else { "import " }),
                list,
                text(format!(" from {};", quoted(from))),
            ])
        }
        Stmt::Exports(names) => {
            let names = names.iter().map(|(own, other)| concat([hard(), text(format!("{own} as {other},"))]));
            concat([text("export {"), indent(INDENT, concat(names)), hard(), text("};")])
        }
        Stmt::ImportAll { name, from } => text(format!("import * as {name} from {};", quoted(from))),
        Stmt::Const { export, name, value } => {
            let head = format!("{}const {name} = ", exported(*export));
            concat([text(head), expr(value), text(";")])
        }
        Stmt::Function { name, params, gives } => {
            concat([text(format!("export function {name}({}) ", params.join(", "))), returning(gives)])
        }
        Stmt::Code { name, params, body } => {
            concat([text(format!("function {name}({}) ", params.join(", "))), braced(body)])
        }
        Stmt::Class { name, params, body, getters } => class(name, params, body, getters),
        Stmt::Accessors { name, base, getters, setters } => {
            let set = |(own, value, body): &Setter| accessor(format!("set {}({value}) ", method(own)), body);
            let members = concat(getters.iter().map(getter).chain(setters.iter().map(set)));
            concat([text(format!("class {name} extends {base} {{")), indent(INDENT, members), hard(), text("}")])
        }
        Stmt::Choice { export, name, params, on, cases, other } => {
            let case = |(when, gives): &Case| {
                concat([hard(), text("case "), expr(when), text(": return "), expr(gives), text(";")])
            };
            let other = concat([hard(), text("default: return "), expr(other), text(";")]);
            let cases = concat(cases.iter().map(case).chain([other]));
            let switch = concat([hard(), text(format!("switch ({on}) {{")), indent(INDENT, cases), hard(), text("}")]);
            concat([
                text(format!("{}function {name}({params}) {{", exported(*export))),
                indent(INDENT, switch),
                hard(),
                text("}"),
            ])
        }
        Stmt::Run(run) => concat([expr(run), text(";")]),
        Stmt::Interface { doc, name, members } => {
            let members = concat(members.iter().map(member_of_interface));
            let head = text(format!("export interface {name} {{"));
            concat([documented(doc), head, indent(INDENT, members), hard(), text("}")])
        }
        Stmt::Type { doc, name, ty } => concat([documented(doc), text(format!("export type {name} = {ty};"))]),
        Stmt::Declare(declared) => concat([declaration(declared), text(";")]),
        Stmt::Typed(declared, inner) => match &**inner {
            Stmt::Const { value, .. } => concat([declaration(declared), text(" = "), expr(value), text(";")]),
            Stmt::Function { gives, .. } => concat([declaration(declared), text(" "), returning(gives)]),
            other => self::statement(other),
        },
    }
}

fn member_of_interface(member: &Member) -> Doc {
    let (own, ty) = (key(&member.name), &member.ty);
    let line = match member.access {
        Access::Any => format!("{own}: {ty};"),
        Access::Get => format!("get {own}(): {ty};"),
        Access::Set => format!("set {own}(value: {ty});"),
    };
    concat([hard(), documented(&member.doc), text(line)])
}

fn declaration(declared: &Declared) -> Doc {
    let Declared { doc, what, name, ty } = declared;
    concat([documented(doc), text(format!("export {what} {name}{ty}"))])
}

fn returning(gives: &Expr) -> Doc {
    let body = concat([hard(), text("return "), expr(gives), text(";")]);
    concat([text("{"), indent(INDENT, body), hard(), text("}")])
}

fn class(name: &str, params: &[String], body: &[Line], getters: &[(String, Vec<Line>)]) -> Doc {
    let made = concat([hard(), text(format!("constructor({}) ", params.join(", "))), braced(body)]);
    let getters = getters.iter().flat_map(|one| [hard(), getter(one)]);
    let members = concat([made].into_iter().chain(getters));
    concat([text(format!("class {name} {{")), indent(INDENT, members), hard(), text("}")])
}

fn getter((own, body): &(String, Vec<Line>)) -> Doc {
    accessor(format!("get {}() ", method(own)), body)
}

fn accessor(head: String, body: &[Line]) -> Doc {
    concat([hard(), text(head), braced(body)])
}

/// The name of an accessor: it may not be called `constructor`, but by an expression.
fn method(own: &str) -> String {
    match own {
        "constructor" => format!("[{}]", quoted(own)),
        own => key(own),
    }
}

fn braced(body: &[Line]) -> Doc {
    let body = concat(body.iter().flat_map(|line| [hard(), self::line(line)]));
    concat([text("{"), indent(INDENT, body), hard(), text("}")])
}

fn line(line: &Line) -> Doc {
    let set = |head: String, value: &Expr| concat([text(head), expr(value), text(";")]);
    match line {
        Line::Const(name, value) => set(format!("const {name} = "), value),
        Line::Let(names) => text(format!("let {};", names.join(", "))),
        Line::LetBe(name, value) => set(format!("let {name} = "), value),
        Line::Assign(name, value) => set(format!("{name} = "), value),
        Line::Unpack(names, value) => set(format!("[{}] = ", names.join(", ")), value),
        Line::Do(run) => concat([expr(run), text(";")]),
        Line::If(test, then, other) if other.is_empty() && matches!(then.as_slice(), [Line::Do(_)]) => {
            concat([text("if ("), expr(test), text(") "), concat(then.iter().map(self::line))])
        }
        Line::If(test, then, other) => {
            let then = concat([text("if ("), expr(test), text(") "), braced(then)]);
            if other.is_empty() {
                then
            } else {
                concat([then, text(" else "), braced(other)])
            }
        }
        Line::Switch(on, arms, other) => {
            let way = |head: String, lines: &[Line]| {
                let lines = lines.iter().flat_map(|line| [hard(), self::line(line)]);
                concat([hard(), text(head), indent(INDENT, concat(lines.chain([hard(), text("break;")])))])
            };
            let arms = arms.iter().map(|(number, lines)| way(format!("case {number}:"), lines));
            let other = (!other.is_empty()).then(|| way("default:".to_owned(), other));
            let ways = indent(INDENT, concat(arms.chain(other)));
            concat([text("switch ("), expr(on), text(") {"), ways, hard(), text("}")])
        }
        Line::For(index, count, body) => concat([
            text(format!("for (let {index} = 0; {index} < ")),
            expr(count),
            text(format!("; {index}++) ")),
            braced(body),
        ]),
        Line::Try(lines, fault, thrown) => {
            let handler = indent(INDENT, concat([hard(), text("throw "), expr(thrown), text(";")]));
            let handler = concat([text(format!(" catch ({fault}) {{")), handler, hard(), text("}")]);
            concat([text("try "), braced(lines), handler])
        }
        Line::Return(value) => concat([text("return "), expr(value), text(";")]),
    }
}

fn exported(export: bool) -> &'static str {
    if export {
        "export "
    } else {
        ""
    }
}

/// A comment in front of a declaration. Nothing in it ends it.
fn documented(doc: &str) -> Doc {
    if doc.trim().is_empty() {
        return Doc::Nil;
    }
    let safe = doc.trim().replace("*/", "*\u{200b}/");
    let lines: Vec<&str> = safe.lines().map(str::trim_end).collect();
    match lines.as_slice() {
        [line] => concat([text(format!("/** {line} */")), hard()]),
        lines => {
            let inner = lines.iter().flat_map(|line| [text(format!(" * {line}").trim_end().to_owned()), hard()]);
            concat([text("/**"), hard()].into_iter().chain(inner).chain([text(" */"), hard()]))
        }
    }
}

fn expr(tree: &Expr) -> Doc {
    match tree {
        Expr::Name(name) => text(name.as_str()),
        Expr::Int(number) => text(number.to_string()),
        Expr::BigInt(number) => text(format!("{number}n")),
        Expr::Float(number) => text(float(*number)),
        Expr::Text(content) => text(quoted(content)),
        Expr::Array(items) => bracketed("[", items.iter().map(expr).collect(), "]", INDENT),
        Expr::Object(members) => object(members),
        Expr::Call(function, args) => call_of(expr(function), args),
        Expr::Pure(inner) => concat([text("/*#__PURE__*/ "), expr(inner)]),
        Expr::New(class, args) => concat([text("new "), call_of(expr(class), args)]),
        Expr::Binary(operator, left, right) => {
            let side = |side: &Expr, least: u8| match side {
                Expr::Binary(inner, ..) if !binds_as(inner, operator, least) => {
                    concat([text("("), expr(side), text(")")])
                }
                side => expr(side),
            };
            let own = strength(operator);
            let [left, right] = [side(left, own), side(right, own + u8::from(!matches!(*operator, "+" | "&&" | "||")))];
            concat([left, text(format!(" {operator} ")), right])
        }
        Expr::Either(ways) => {
            let [test, one, other] = ways.each_ref().map(expr);
            concat([text("("), test, text(" ? "), one, text(" : "), other, text(")")])
        }
        Expr::Index(of, at) => concat([expr(of), text("["), expr(at), text("]")]),
        Expr::Member(of, name) if is_identifier(name) => concat([expr(of), text(format!(".{name}"))]),
        Expr::Member(of, name) => concat([expr(of), text(format!("[{}]", quoted(name)))]),
        Expr::TypeOf(inner) => concat([text("typeof "), expr(inner)]),
        Expr::Not(inner) => match **inner {
            Expr::Binary(..) => concat([text("!("), expr(inner), text(")")]),
            _ => concat([text("!"), expr(inner)]),
        },
        Expr::Arrow(params, body) => {
            let head = match params.as_slice() {
                [one] => format!("({one}) => "),
                params => format!("({}) => ", params.join(", ")),
            };
            let body = match **body {
                Expr::Object(_) => concat([text("("), expr(body), text(")")]),
                _ => expr(body),
            };
            concat([text(head), body])
        }
    }
}

/// How strongly an operator binds what is beside it.
fn strength(operator: &str) -> u8 {
    match operator {
        "*" | "/" | "%" => 9,
        "+" | "-" => 8,
        "<<" | ">>" | ">>>" => 7,
        "<" | ">" | "<=" | ">=" => 6,
        "==" | "!=" | "===" | "!==" => 5,
        "&" | "^" | "|" => 4,
        "&&" | "||" => 3,
        _ => 2,
    }
}

/// Whether an operand needs no brackets: what is done with bits, and `&&` beside `||`, has some all the same.
fn binds_as(inner: &str, operator: &str, least: u8) -> bool {
    let plain = |of: &str| matches!(strength(of), 8 | 9 | 6 | 5) || of == "&&" || of == "||" || strength(of) == 2;
    let mixed = strength(inner) == 3 && inner != operator;
    strength(inner) >= least && plain(inner) && plain(operator) && (!mixed || strength(operator) == 2)
}

/// A function as the last argument begins on the line of the others.
fn call_of(function: Doc, args: &[Expr]) -> Doc {
    if let [others @ .., last @ Expr::Arrow(..)] = args {
        let others = others.iter().flat_map(|arg| [expr(arg), text(", ")]);
        let args = concat(others.chain([expr(last)]));
        return concat([function, text("("), args, text(")")]);
    }
    concat([function, bracketed("(", args.iter().map(expr).collect(), ")", INDENT)])
}

fn object(members: &[(String, Expr)]) -> Doc {
    if members.is_empty() {
        return text("{}");
    }
    let member = |(name, value): &(String, Expr)| match value {
        Expr::Name(value) if value == name && is_identifier(name) => text(name.as_str()),
        value => concat([text(format!("{}: ", own_key(name))), expr(value)]),
    };
    let members = join(concat([text(","), soft()]), members.iter().map(member));
    group(concat([text("{"), indent(INDENT, concat([soft(), members])), soft(), text("}")]))
}

/// A key that makes a property of an object's own: in a literal, `__proto__:` would set what it inherits from.
fn own_key(name: &str) -> String {
    match name {
        "__proto__" => "[\"__proto__\"]".to_owned(),
        name => key(name),
    }
}

fn key(name: &str) -> String {
    if is_identifier(name) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// Whether a property is called so without quotes.
pub(crate) fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

fn float(number: f64) -> String {
    match number {
        _ if number.is_nan() => "NaN".to_owned(),
        _ if number.is_infinite() => if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        _ => format!("{number:?}"),
    }
}
