//! Trees of JavaScript and TypeScript, printed once.

mod code;

use aldis_classes::print::{key, Syntax};
use aldis_emit::doc::{block_comment, concat, group, hard, indent, join, soft, text, Doc};
use aldis_emit::quoted;

pub(crate) use aldis_classes::tree::{
    apply, index, int, later, make, member, method, name, pure, run, string, truth, Class, Expr, Line,
    Member as ClassMember,
};
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

/// How the shared tree is printed as JavaScript.
static JAVASCRIPT: Syntax = Syntax {
    breaks_at_operators: false,
    hangs_functions: true,
    brackets_choices: true,
    brackets_ways: false,
    opens_calls: true,
    has_keys: true,
    indent: 2,
    capitals: false,
    apart: false,
    long: "n",
    endless: "Infinity",
    floats: [["NaN", "Infinity", "-Infinity"]; 2],
    arrow: "=>",
    counter: "let",
    shift: ">>>",
    handler: [("catch ($fault)", ""), ("throw ", ";")],
    dropped: "catch",
    way: (":", Some("break;")),
    documented,
    constant: |name, _| text(name),
    last_constant: "",
};

pub(crate) fn constant(name: impl Into<String>, value: Expr) -> Line {
    Line::Declare("const".to_owned(), name.into(), Some(value))
}

/// Names without values yet.
pub(crate) fn variables(names: &[String]) -> Line {
    Line::Declare("let".to_owned(), names.join(", "), None)
}

pub(crate) fn variable(name: impl Into<String>, value: Expr) -> Line {
    Line::Declare("let".to_owned(), name.into(), Some(value))
}

pub(crate) fn assign(to: impl Into<String>, value: Expr) -> Line {
    Line::Assign(name(to), "=", value)
}

/// `(params) => body`
pub(crate) fn arrow(params: &[String], body: Expr) -> Expr {
    Expr::Lambda(format!("({})", params.join(", ")).into(), Box::new(body))
}

/// Two operands of an operator.
pub(crate) fn binary(left: Expr, operator: &'static str, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

/// One expression where the test holds, else the other.
pub(crate) fn either(test: Expr, one: Expr, other: Expr) -> Expr {
    Expr::Choose(Box::new(test), Box::new(one), Box::new(other))
}

/// A test that holds where the other does not.
pub(crate) fn not(test: Expr) -> Expr {
    match test {
        Expr::Binary("==", left, right) => Expr::Binary("!=", left, right),
        Expr::Binary("===", left, right) => Expr::Binary("!==", left, right),
        test => Expr::Not(Box::new(test)),
    }
}

pub(crate) fn call(function: impl Into<String>, args: Vec<Expr>) -> Expr {
    run(function.into(), args)
}

/// `import type { names } from "module";`
pub(crate) fn import_types(names: impl IntoIterator<Item = impl Into<String>>, from: impl Into<String>) -> Stmt {
    Stmt::Import { types: true, names: names.into_iter().map(Into::into).collect(), from: from.into() }
}

/// A function that gives what belongs to one of these values, or else to any.
pub(crate) fn choice(
    (export, name): (bool, String),
    params: &str,
    on: &str,
    cases: Vec<(Expr, Expr)>,
    other: Expr,
) -> Stmt {
    let cases = cases.into_iter().map(|(when, gives)| (when, vec![Line::Return(gives)])).collect();
    let body = vec![Line::Switch(self::name(on), cases, vec![Line::Return(other)])];
    Stmt::Function { export, name, params: vec![params.to_owned()], body }
}

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
    /// A function, for this module alone or exported.
    Function {
        export: bool,
        name: String,
        params: Vec<String>,
        body: Vec<Line>,
    },
    Class(Class),
    /// A class with another's constructor, and ways to its properties.
    Accessors {
        name: String,
        base: &'static str,
        members: Vec<ClassMember>,
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
        Stmt::Function { export, name, params, body } => {
            let head = format!("{}function {name}({})", exported(*export), params.join(", "));
            JAVASCRIPT.braced(text(head), body)
        }
        Stmt::Class(class) => JAVASCRIPT.class(class),
        Stmt::Accessors { name, base, members } => {
            let members = concat(members.iter().flat_map(|member| [hard(), JAVASCRIPT.member(member)]));
            concat([text(format!("class {name} extends {base} {{")), indent(INDENT, members), hard(), text("}")])
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
            Stmt::Function { body, .. } => JAVASCRIPT.braced(declaration(declared), body),
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

/// A way to a property: `get own()`, `set own(value)`.
pub(crate) fn accessor(way: &str, own: &str, param: &str, body: Vec<Line>) -> ClassMember {
    method(String::new(), format!("{way} {}({param})", method_name(own)), body)
}

/// The name of an accessor: it may not be called `constructor`, but by an expression.
fn method_name(own: &str) -> String {
    match own {
        "constructor" => format!("[{}]", quoted(own)),
        own => key(own),
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
    block_comment(&doc.trim().replace("*/", "*\u{200b}/"))
}

fn expr(tree: &Expr) -> Doc {
    JAVASCRIPT.expr(tree)
}
