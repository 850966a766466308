//! Expressions on one line.

use aldis_erlang::code::{Clause, Expr};

/// The macro of `Aldis.Sizes` that every module of functions imports.
pub(crate) const BOUND: &str = "bound";

/// The expression on one line; `None` for what never is.
pub(crate) fn expr(expr: &Expr) -> Option<String> {
    Some(match expr {
        Expr::Number(text) => number(text),
        Expr::Atom(name) => atom(name),
        Expr::Null => "nil".to_owned(),
        Expr::Text(text) => string(text),
        Expr::Var(name) => name.clone(),
        Expr::Tuple(items) => format!("{{{}}}", list(items)?),
        Expr::List(items, None) => format!("[{}]", list(items)?),
        Expr::List(..) => linked(expr)?,
        Expr::Map(pairs) => {
            let pairs: Option<Vec<String>> = pairs.iter().map(|(key, _, value)| pair(key, value)).collect();
            format!("%{{{}}}", pairs?.join(", "))
        }
        Expr::Record(name, fields) => {
            let fields: Option<Vec<String>> =
                fields.iter().map(|(name, value)| Some(format!("{} {}", key(name), self::expr(value)?))).collect();
            format!("%{name}{{{}}}", fields?.join(", "))
        }
        Expr::Binary(segments) => binary(segments)?,
        Expr::Call(module, name, args) => called(module, name, args)?,
        Expr::Apply(name, args) => format!("{name}.({})", list(args)?),
        Expr::Macro(name, args) => guard_macro(name, args)?,
        Expr::FunctionName(module, name, arity) => format!("&{}{name}/{arity}", owner(module)),
        Expr::Lambda(clauses) => lambda(clauses)?,
        Expr::Segment { .. } => segment(expr)?,
        Expr::Key(..) | Expr::Case { .. } | Expr::Try(..) | Expr::Char(_) | Expr::Row(_) | Expr::When(..) => {
            return None
        }
        Expr::Match(left, right) => format!("{} = {}", self::expr(left)?, self::expr(right)?),
        Expr::Binop(operator, left, right) => binop(operator, left, right)?,
        Expr::Unop(operator, inner) => unop(operator, inner)?,
        Expr::Comprehension { .. } => format!("for({})", comprehension(expr)?.join(", ")),
    })
}

/// The expression as a statement, where `for` has no parentheses.
pub(super) fn statement(of: &Expr) -> Option<String> {
    match of {
        Expr::Comprehension { .. } => Some(format!("for {}", comprehension(of)?.join(", "))),
        other => expr(other),
    }
}

fn list(items: &[Expr]) -> Option<String> {
    let items: Option<Vec<String>> = items.iter().map(expr).collect();
    Some(items?.join(", "))
}

/// The elements of a list and what follows them; a list that follows is part of it.
pub(super) fn elements(list: &Expr) -> (Vec<&Expr>, Option<&Expr>) {
    let Expr::List(items, tail) = list else { return (Vec::new(), Some(list)) };
    let mut found: Vec<&Expr> = items.iter().collect();
    match tail.as_deref() {
        Some(more @ Expr::List(..)) => {
            let (items, tail) = elements(more);
            found.extend(items);
            (found, tail)
        }
        tail => (found, tail),
    }
}

fn linked(list: &Expr) -> Option<String> {
    let (items, tail) = elements(list);
    let items: Option<Vec<String>> = items.into_iter().map(expr).collect();
    let items = items?.join(", ");
    Some(match tail {
        Some(tail) => format!("[{items} | {}]", expr(tail)?),
        None => format!("[{items}]"),
    })
}

/// `"key" => value`
pub(super) fn pair(key: &Expr, value: &Expr) -> Option<String> {
    Some(format!("{} => {}", expr(key)?, expr(value)?))
}

fn binary(segments: &[Expr]) -> Option<String> {
    if let [(Expr::Text(text), None, _)] = segments.iter().map(Expr::as_segment).collect::<Vec<_>>()[..] {
        return Some(string(text));
    }
    if segments.is_empty() {
        return Some("\"\"".to_owned());
    }
    let parts: Option<Vec<String>> = segments.iter().map(segment).collect();
    Some(format!("<<{}>>", parts?.join(", ")))
}

pub(super) fn segment(segment: &Expr) -> Option<String> {
    let value = match segment.as_segment().0 {
        inner @ Expr::Binary(_) => format!("({})", expr(inner)?),
        inner => expr(inner)?,
    };
    Some(value + &spec(segment)?)
}

/// `::little-signed-32`
pub(super) fn spec(segment: &Expr) -> Option<String> {
    let (_, size, specs) = segment.as_segment();
    let mut parts: Vec<String> = Vec::new();
    let mut unit = None;
    for spec in specs {
        match spec.strip_prefix("unit:") {
            Some(bits) => unit = Some(format!("unit({bits})")),
            None => parts.push(spec.clone()),
        }
    }
    // Byte order first, as it is read aloud: little-endian, signed, 32 bits.
    parts.sort_by_key(|part| match part.as_str() {
        "float" => 0,
        "little" | "big" => 1,
        _ => 2,
    });
    match size {
        Some(Expr::Number(bits)) if !parts.iter().any(|part| part == "binary") && unit.is_none() => {
            parts.push(bits.clone());
        }
        Some(size) => parts.push(format!("size({})", expr(size)?)),
        None => {}
    }
    parts.extend(unit);
    Some(if parts.is_empty() { String::new() } else { format!("::{}", parts.join("-")) })
}

/// `:aldis_wire.`, `Aldis.Values.`
pub(super) fn owner(module: &Option<String>) -> String {
    match module {
        Some(module) => format!("{}.", atom(module)),
        None => String::new(),
    }
}

fn called(module: &Option<String>, name: &str, args: &[Expr]) -> Option<String> {
    Some(format!("{}{name}({})", owner(module), list(args)?))
}

/// The guards that generated Erlang has as macros.
pub(super) fn guard_macro(name: &str, args: &[Expr]) -> Option<String> {
    let texts: Option<Vec<String>> = args.iter().map(expr).collect();
    let texts = texts?;
    match (name, texts.as_slice()) {
        ("WITHIN", [value, low, high]) => Some(format!("{value} in {low}..{high}")),
        ("WITHIN_OR_NULL", [value, low, high]) => Some(format!("(is_nil({value}) or {value} in {low}..{high})")),
        _ => Some(format!("{}({})", name.to_lowercase(), texts.join(", "))),
    }
}

fn lambda(clauses: &[Clause]) -> Option<String> {
    let [Clause { patterns, guards, body }] = clauses else { return None };
    let [body] = body.as_slice() else { return None };
    let head = guards.is_empty().then(|| list(patterns)).flatten()?;
    let space = if head.is_empty() { "" } else { " " };
    Some(format!("fn{space}{head} -> {} end", expr(body)?))
}

/// The arguments of `for`.
pub(super) fn comprehension(expr: &Expr) -> Option<Vec<String>> {
    let Expr::Comprehension { binary, value, generator } = expr else { return None };
    let source = self::expr(&generator.source)?;
    let each = match &generator.pattern {
        Expr::Binary(segments) => {
            let parts: Option<Vec<String>> = segments.iter().map(segment).collect();
            format!("<<{} <- {source}>>", parts?.join(", "))
        }
        pattern => format!("{} <- {source}", self::expr(pattern)?),
    };
    let mut parts = vec![each];
    if *binary {
        parts.push("into: <<>>".to_owned());
    }
    parts.push(format!("do: {}", self::expr(value)?));
    Some(parts)
}

/// Operators that Elixir has as functions.
const FUNCTIONS: [(&str, &str); 7] = [
    ("band", "band"),
    ("bor", "bor"),
    ("bsl", "bsl"),
    ("bsr", "bsr"),
    ("bxor", "bxor"),
    ("div", "div"),
    ("rem", "rem"),
];

const OPERATORS: [(&str, &str); 15] = [
    ("orelse", "or"),
    ("andalso", "and"),
    ("=:=", "==="),
    ("=/=", "!=="),
    ("==", "=="),
    ("/=", "!="),
    ("=<", "<="),
    ("<", "<"),
    (">=", ">="),
    (">", ">"),
    ("++", "++"),
    ("--", "--"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
];

/// An operator as Elixir writes it.
pub(super) fn operator(erlang: &'static str) -> &'static str {
    OPERATORS.iter().chain(&FUNCTIONS).find(|(name, _)| *name == erlang).map_or(erlang, |(_, found)| found)
}

fn is_call(expr: &Expr) -> bool {
    matches!(expr, Expr::Binop(name, ..) if FUNCTIONS.iter().any(|(function, _)| function == name))
}

fn binop(name: &'static str, left: &Expr, right: &Expr) -> Option<String> {
    if FUNCTIONS.iter().any(|(function, _)| *function == name) {
        return Some(format!("{}({}, {})", operator(name), expr(left)?, expr(right)?));
    }
    Some(format!("{} {} {}", operand(name, left, false)?, operator(name), operand(name, right, true)?))
}

/// How strongly an operator binds.
fn strength(name: &str) -> usize {
    match name {
        "orelse" => 1,
        "andalso" => 2,
        "=:=" | "=/=" | "==" | "/=" => 3,
        "=<" | "<" | ">=" | ">" => 4,
        "++" | "--" => 5,
        "+" | "-" => 6,
        _ => 7,
    }
}

/// An operand, in parentheses where it needs them or where `and` meets `or`.
pub(super) fn operand(outer: &str, inner: &Expr, right: bool) -> Option<String> {
    let text = expr(inner)?;
    let Expr::Binop(name, ..) = inner else { return Some(text) };
    if is_call(inner) {
        return Some(text);
    }
    let (outside, inside) = (strength(outer), strength(name));
    let logical = outside <= 2 && inside <= 2 && outer != *name;
    let needed = logical || inside < outside || (right && inside == outside);
    Some(if needed { format!("({text})") } else { text })
}

fn unop(operator: &str, inner: &Expr) -> Option<String> {
    let text = expr(inner)?;
    Some(match (operator, inner) {
        ("not", Expr::Binop(..)) if !is_call(inner) => format!("not ({text})"),
        ("not", _) => format!("not {text}"),
        ("^", _) => format!("^{text}"),
        ("bnot" | BOUND, _) => format!("{operator}({text})"),
        (_, Expr::Binop(..)) if !is_call(inner) => format!("-({text})"),
        _ => format!("-{text}"),
    })
}

/// A number with `_` between its thousands where it has six digits or more.
pub(crate) fn number(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, tail) = rest.split_at(end);
    if digits.len() < 6 {
        return text.to_owned();
    }
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push('_');
        }
        out.push(digit);
    }
    format!("{sign}{out}{tail}")
}

/// Whether Elixir takes the word for an atom or a key without quotes.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '@')
}

/// An atom; those of Elixir's modules are aliases.
pub(crate) fn atom(name: &str) -> String {
    match name {
        "true" | "false" | "nil" => name.to_owned(),
        "-" => ":-".to_owned(),
        _ if is_word(name) => format!(":{name}"),
        _ => match name.strip_prefix("Elixir.") {
            Some(alias) if alias.split('.').all(is_word) => alias.to_owned(),
            _ => format!(":{}", string(name)),
        },
    }
}

/// `key:`
pub(crate) fn key(name: &str) -> String {
    if is_word(name) {
        format!("{name}:")
    } else {
        format!("{}:", string(name))
    }
}

/// Text in quotes.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '#' => out.push('#'),
            c if c.is_control() => out.push_str(&format!("\\x{{{:X}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    let out = out.replace("#{", "\\#{");
    out + "\""
}
