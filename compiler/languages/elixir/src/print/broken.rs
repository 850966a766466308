//! Expressions on several lines.

use super::flat::{self, elements, operand, operator, owner, segment, spec};
use super::{line, WIDTH};
use crate::erlang::{Clause, Expr, Segment};

/// Where an expression stands: the column it begins at, the indentation of its line, and how many columns what follows
/// it on its last line takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub column: usize,
    pub indent: usize,
    pub behind: usize,
}

/// The expression on a line of its own, indented by `indent`, with `behind` columns to follow.
pub(crate) fn render(expr: &Expr, indent: usize, behind: usize) -> String {
    at(expr, Place { column: indent, indent, behind })
}

/// Statements with empty lines around those of several lines, without the first one's indentation.
pub(crate) fn statements(body: &[Expr], indent: usize) -> String {
    let texts: Vec<String> = body.iter().map(|statement| render(statement, indent, 0)).collect();
    let mut out = String::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            if text.contains('\n') || texts[index - 1].contains('\n') {
                out.push('\n');
            }
            out.push_str(&line(indent));
        }
        out.push_str(text);
    }
    out
}

fn at(expr: &Expr, place: Place) -> String {
    if let Some(text) = flat::expr(expr) {
        if place.column + text.chars().count() + place.behind <= WIDTH {
            return match expr {
                Expr::Comprehension { .. } if place.column == place.indent => statement_for(&text),
                _ => text,
            };
        }
    }
    let indent = place.indent;
    match expr {
        Expr::Tuple(items) => items_in("{", items, "}", indent),
        Expr::List(..) => list(expr, indent),
        Expr::Map(pairs) => {
            let texts = pairs.iter().map(|(key, value)| {
                let key = flat::expr(key).unwrap_or_default();
                let column = indent + 6 + key.chars().count();
                format!("{key} => {}", at(value, Place { column, indent: indent + 2, behind: 1 }))
            });
            lines_in("%{", texts.collect(), "}", indent)
        }
        Expr::Record(name, fields) => record(name, fields, indent),
        Expr::Binary(segments) => binary(segments, indent),
        Expr::Call(module, name, args) => items_in(&format!("{}{name}(", owner(module)), args, ")", indent),
        Expr::Apply(name, args) => items_in(&format!("{name}.("), args, ")", indent),
        Expr::Lambda(clauses) => lambda(clauses, indent),
        Expr::Case(value, clauses) => case(value, clauses, place),
        Expr::Try(parts) => {
            let mut out = format!("try do{}{}", line(indent + 2), statements(&parts.body, indent + 2));
            if !parts.clauses.is_empty() {
                out += &format!("{}catch{}", line(indent), line(indent + 2));
                out += &arrows(&parts.clauses, indent + 2);
            }
            if !parts.after.is_empty() {
                out += &format!("{}after{}", line(indent), line(indent + 2));
                out += &statements(&parts.after, indent + 2);
            }
            out + &line(indent) + "end"
        }
        Expr::Match(left, right) => bind(left, right, place),
        Expr::Binop(name, left, right) => binop(expr, name, left, right, place),
        Expr::Comprehension { .. } => comprehension(expr, place),
        other => flat::expr(other).unwrap_or_default(),
    }
}

/// `for` as a statement has no parentheses.
fn statement_for(text: &str) -> String {
    match text.strip_prefix("for(").and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => format!("for {inner}"),
        None => text.to_owned(),
    }
}

/// The opening, each text on a line of its own, the closing.
fn lines_in(open: &str, texts: Vec<String>, close: &str, indent: usize) -> String {
    let between = format!(",{}", line(indent + 2));
    format!("{open}{}{}{}{close}", line(indent + 2), texts.join(&between), line(indent))
}

fn items_in(open: &str, items: &[Expr], close: &str, indent: usize) -> String {
    if let ([Expr::List(..)], ")") = (items, close) {
        return format!("{open}{}{close}", list(&items[0], indent));
    }
    lines_in(open, items.iter().map(|item| render(item, indent + 2, 1)).collect(), close, indent)
}

fn list(expr: &Expr, indent: usize) -> String {
    let (items, tail) = elements(expr);
    let mut texts: Vec<String> = items.into_iter().map(|item| render(item, indent + 2, 1)).collect();
    if let (Some(tail), Some(last)) = (tail, texts.last_mut()) {
        let tail = at(tail, Place { column: indent + 4, indent: indent + 4, behind: 0 });
        last.push_str(&format!("{}| {tail}", line(indent + 2)));
    }
    lines_in("[", texts, "]", indent)
}

fn record(name: &str, fields: &[(String, Expr)], indent: usize) -> String {
    let texts = fields.iter().map(|(name, value)| {
        let key = flat::key(name);
        let column = indent + 3 + key.chars().count();
        match value {
            Expr::Case(..) | Expr::Call(..) if !fits(value, column, 1) => {
                format!("{key}{}{}", line(indent + 4), render(value, indent + 4, 1))
            }
            _ => format!("{key} {}", at(value, Place { column, indent: indent + 2, behind: 1 })),
        }
    });
    lines_in(&format!("%{name}{{"), texts.collect(), "}", indent)
}

fn fits(expr: &Expr, column: usize, behind: usize) -> bool {
    flat::expr(expr).is_some_and(|text| column + text.chars().count() + behind <= WIDTH)
}

fn binary(segments: &[Segment], indent: usize) -> String {
    let texts = segments.iter().map(|one| {
        let text = segment(one).filter(|text| indent + 3 + text.chars().count() <= WIDTH);
        text.unwrap_or_else(|| {
            let spec = spec(one).unwrap_or_default();
            render(&one.value, indent + 2, spec.len() + 1) + &spec
        })
    });
    lines_in("<<", texts.collect(), ">>", indent)
}

fn lambda(clauses: &[Clause], indent: usize) -> String {
    if let [Clause { patterns, guard: None, body }] = clauses {
        let head: Vec<String> = patterns.iter().filter_map(flat::expr).collect();
        let space = if head.is_empty() { "" } else { " " };
        let body = statements(body, indent + 2);
        return format!("fn{space}{} ->{}{body}{}end", head.join(", "), line(indent + 2), line(indent));
    }
    format!("fn{}{}{}end", line(indent + 2), arrows(clauses, indent + 2), line(indent))
}

fn case(value: &Expr, clauses: &[Clause], place: Place) -> String {
    let indent = place.indent;
    let value = at(value, Place { column: place.column + 5, indent, behind: 3 });
    format!("case {value} do{}{}{}end", line(indent + 2), arrows(clauses, indent + 2), line(indent))
}

/// Clauses with arrows: each on one line if all are, else with empty lines between them.
fn arrows(clauses: &[Clause], indent: usize) -> String {
    let short: Option<Vec<String>> = clauses
        .iter()
        .map(|clause| {
            let [body] = clause.body.as_slice() else { return None };
            let text = format!("{} -> {}", flat_head(clause)?, flat::expr(body)?);
            (indent + text.chars().count() <= WIDTH).then(|| statement_body(text, body))
        })
        .collect();
    if let Some(short) = short {
        return short.join(&line(indent));
    }
    let long: Vec<String> = clauses
        .iter()
        .map(|clause| format!("{}{}{}", head(clause, indent), line(indent + 2), statements(&clause.body, indent + 2)))
        .collect();
    long.join(&format!("\n{}", line(indent)))
}

/// A clause on one line; `for` needs no parentheses there.
fn statement_body(text: String, body: &Expr) -> String {
    match (body, flat::expr(body)) {
        (Expr::Comprehension { .. }, Some(inner)) => text.replace(&inner, &statement_for(&inner)),
        _ => text,
    }
}

fn flat_head(clause: &Clause) -> Option<String> {
    let patterns: Option<Vec<String>> = clause.patterns.iter().map(flat::expr).collect();
    let patterns = patterns?.join(", ");
    Some(match &clause.guard {
        Some(guard) => format!("{patterns} when {}", flat::expr(guard)?),
        None => patterns,
    })
}

fn head(clause: &Clause, indent: usize) -> String {
    match flat_head(clause) {
        Some(text) if indent + text.chars().count() + 3 <= WIDTH => format!("{text} ->"),
        _ => {
            let patterns: Vec<String> = clause.patterns.iter().map(|pattern| render(pattern, indent, 3)).collect();
            let guard = clause.guard.as_ref().map(|guard| {
                let guard = conjunction(guard, indent + 5, 3);
                format!("{}when {guard}", line(indent))
            });
            format!("{}{} ->", patterns.join(", "), guard.unwrap_or_default())
        }
    }
}

/// A guard, with each part of a conjunction on a line of its own where it is too long for one.
pub(super) fn conjunction(guard: &Expr, column: usize, behind: usize) -> String {
    match flat::expr(guard) {
        Some(text) if column + text.chars().count() + behind <= WIDTH => text,
        _ => parts(guard, column).join(&format!(" and{}", line(column))),
    }
}

fn parts(guard: &Expr, column: usize) -> Vec<String> {
    match guard {
        Expr::Binop("andalso", left, right) => {
            let mut found = parts(left, column);
            found.extend(parts(right, column));
            found
        }
        other => match operand("andalso", other, false) {
            // The parts behind the first stand two columns further to the right; ` and` follows.
            Some(text) if column + 2 + text.chars().count() + 4 > WIDTH => {
                vec![text.replacen(" or ", &format!(" or{}", line(column + 3)), 1)]
            }
            text => text.into_iter().collect(),
        },
    }
}

fn bind(left: &Expr, right: &Expr, place: Place) -> String {
    let indent = place.indent;
    let pattern = at(left, Place { column: place.column, indent, behind: 2 });
    let column = pattern.rsplit('\n').next().map_or(0, |last| last.chars().count());
    let column = if pattern.contains('\n') { column } else { place.column + column } + 3;
    let stays = matches!(right, Expr::Tuple(_) | Expr::List(..) | Expr::Map(_) | Expr::Record(..) | Expr::Lambda(_))
        || matches!(right, Expr::Binary(segments) if segments.len() > 1);
    if stays || fits(right, column, place.behind) {
        return format!("{pattern} = {}", at(right, Place { column, indent, behind: place.behind }));
    }
    let next = render(right, indent + 2, place.behind);
    format!("{pattern} ={}{next}", line(indent + 2))
}

fn binop(expr: &Expr, name: &'static str, left: &Expr, right: &Expr, place: Place) -> String {
    let function = operator(name);
    if matches!(name, "band" | "bor" | "bsl" | "bsr" | "bxor" | "div" | "rem") {
        return items_in(&format!("{function}("), &[left.clone(), right.clone()], ")", place.indent);
    }
    if name == "andalso" {
        return conjunction(expr, place.column, place.behind);
    }
    let left = at(left, Place { behind: function.len() + 1, ..place });
    format!("{left} {function}{}{}", line(place.indent + 2), render(right, place.indent + 2, place.behind))
}

fn comprehension(expr: &Expr, place: Place) -> String {
    let Expr::Comprehension { binary, value, generator } = expr else { return String::new() };
    let parts = Expr::Comprehension { binary: *binary, value: Box::new(Expr::Null), generator: generator.clone() };
    let mut parts = flat::comprehension(&parts).unwrap_or_default();
    parts.pop();
    let indent = place.indent;
    if place.column == indent {
        let body = statements(std::slice::from_ref(value), indent + 2);
        let head = filled(&format!("for {} do", parts.join(", ")), indent);
        return format!("{head}{}{body}{}end", line(indent + 2), line(indent));
    }
    let column = indent + 6;
    parts.push(format!("do: {}", at(value, Place { column, indent: indent + 2, behind: 1 })));
    lines_in("for(", parts, ")", indent)
}

/// The head of a `for` with as much on each line as fits.
fn filled(head: &str, indent: usize) -> String {
    if indent + head.chars().count() <= WIDTH {
        return head.to_owned();
    }
    let mut out = String::new();
    let mut column = indent;
    for (index, part) in head.split(", ").enumerate() {
        let width = part.chars().count() + 1;
        if index > 0 {
            out.push(',');
            if column + 1 + width > WIDTH {
                out.push_str(&line(indent + 6));
                column = indent + 6;
            } else {
                out.push(' ');
                column += 1;
            }
        }
        out.push_str(part);
        column += width;
    }
    out
}
