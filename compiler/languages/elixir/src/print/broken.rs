//! Expressions on several lines.

use super::flat::{self, elements, operand, operator, owner, segment, spec};
use super::{line, WIDTH};
use aldis_erlang::code::{Clause, Expr, Try};

/// The expression as the value of a key that ends at `column`, with `,` to follow.
pub(crate) fn value(expr: &Expr, column: usize, indent: usize) -> String {
    at(expr, Place { column, indent, behind: 1, statement: false })
}

/// The place of an expression: the column it begins at, the indentation of its line, and how many columns what follows
/// it on its last line takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub column: usize,
    pub indent: usize,
    pub behind: usize,
    /// Whether it is a statement, or all that one binds: then `for` needs no parentheses.
    pub statement: bool,
}

/// The expression on a line of its own, indented by `indent`, with `behind` columns to follow.
pub(crate) fn render(expr: &Expr, indent: usize, behind: usize) -> String {
    at(expr, Place { column: indent, indent, behind, statement: false })
}

fn statement(expr: &Expr, indent: usize) -> String {
    at(expr, Place { column: indent, indent, behind: 0, statement: true })
}

/// Statements with empty lines around those of several lines, without the first one's indentation.
pub(crate) fn statements(body: &[Expr], indent: usize) -> String {
    let texts: Vec<String> = body.iter().map(|one| statement(one, indent)).collect();
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
    if let Some(text) = flat_at(expr, place) {
        return text;
    }
    let indent = place.indent;
    match expr {
        Expr::Tuple(items) => items_in("{", items, "}", indent),
        Expr::List(..) => list(expr, indent),
        Expr::Map(pairs) => {
            let texts = pairs.iter().map(|(key, _, value)| {
                let key = flat::expr(key).unwrap_or_default();
                let column = indent + 6 + key.chars().count();
                format!("{key} => {}", at(value, Place { column, indent: indent + 2, behind: 1, statement: false }))
            });
            lines_in("%{", texts.collect(), "}", indent)
        }
        Expr::Record(name, fields) => record(name, fields, indent),
        Expr::Binary(segments) => binary(segments, indent),
        Expr::Call(module, name, args) => items_in(&format!("{}{name}(", owner(module)), args, ")", indent),
        Expr::Macro(name, args) if name != "WITHIN" => {
            items_in(&format!("{}(", name.to_lowercase()), args, ")", indent)
        }
        Expr::Apply(name, args) => items_in(&format!("{name}.("), args, ")", indent),
        Expr::Lambda(clauses) => lambda(clauses, indent),
        Expr::Case { value, clauses, .. } => case(value, clauses, place),
        Expr::Try(parts) => format!("try do{}{}end", tried(parts, indent), line(indent)),
        Expr::Match(left, right) => bind(left, right, place),
        Expr::Binop(name, left, right) => binop(expr, name, left, right, place),
        Expr::Comprehension { .. } => comprehension(expr, place),
        other => flat::expr(other).unwrap_or_default(),
    }
}

/// The expression on one line, if it fits there.
fn flat_at(expr: &Expr, place: Place) -> Option<String> {
    let text = match expr {
        _ if place.statement => flat::statement(expr)?,
        _ => flat::expr(expr)?,
    };
    (place.column + text.chars().count() + place.behind <= WIDTH).then_some(text)
}

/// A container, with its first sign where it stands and its last at the indentation.
pub(super) fn container(expr: &Expr, indent: usize) -> Option<String> {
    match expr {
        Expr::List(..) => Some(list(expr, indent)),
        Expr::Binary(segments) => Some(binary(segments, indent)),
        Expr::Record(name, fields) => Some(record(name, fields, indent)),
        _ => None,
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
    lines_in(open, items_on_lines(items, indent + 2), close, indent)
}

/// Each item as it stands on a line of its own; a comma follows all but the last.
pub(super) fn items_on_lines(items: &[Expr], indent: usize) -> Vec<String> {
    let comma = |index: usize| usize::from(index + 1 < items.len());
    items.iter().enumerate().map(|(index, item)| render(item, indent, comma(index))).collect()
}

fn list(expr: &Expr, indent: usize) -> String {
    let (items, tail) = elements(expr);
    let last = items.len();
    let comma = |index: usize| usize::from(index + 1 < last);
    let mut texts: Vec<String> =
        items.into_iter().enumerate().map(|(index, item)| render(item, indent + 2, comma(index))).collect();
    if let (Some(tail), Some(last)) = (tail, texts.last_mut()) {
        let tail = at(tail, Place { column: indent + 4, indent: indent + 4, behind: 0, statement: false });
        last.push_str(&format!("{}| {tail}", line(indent + 2)));
    }
    lines_in("[", texts, "]", indent)
}

fn record(name: &str, fields: &[(String, Expr)], indent: usize) -> String {
    let texts = fields.iter().enumerate().map(|(index, (name, value))| {
        let behind = usize::from(index + 1 < fields.len());
        let key = flat::key(name);
        let column = indent + 3 + key.chars().count();
        let here = Place { column, indent: indent + 2, behind, statement: false };
        match value {
            Expr::Case { .. } | Expr::Call(..) | Expr::Comprehension { .. } if flat_at(value, here).is_none() => {
                format!("{key}{}{}", line(indent + 4), render(value, indent + 4, behind))
            }
            _ => format!("{key} {}", at(value, here)),
        }
    });
    lines_in(&format!("%{name}{{"), texts.collect(), "}", indent)
}

fn binary(segments: &[Expr], indent: usize) -> String {
    let texts = segments.iter().enumerate().map(|(index, one)| {
        let behind = usize::from(index + 1 < segments.len());
        let text = segment(one).filter(|text| indent + 2 + text.chars().count() + behind <= WIDTH);
        text.unwrap_or_else(|| {
            let spec = spec(one).unwrap_or_default();
            render(one.as_segment().0, indent + 2, spec.len() + behind) + &spec
        })
    });
    lines_in("<<", texts.collect(), ">>", indent)
}

fn lambda(clauses: &[Clause], indent: usize) -> String {
    match clauses {
        [Clause { patterns, guards, body }] if guards.is_empty() => {
            let head: Vec<String> = patterns.iter().filter_map(flat::expr).collect();
            let space = if head.is_empty() { "" } else { " " };
            let body = statements(body, indent + 2);
            format!("fn{space}{} ->{}{body}{}end", head.join(", "), line(indent + 2), line(indent))
        }
        _ => format!("fn{}{}{}end", line(indent + 2), arrows(clauses, indent + 2), line(indent)),
    }
}

fn case(value: &Expr, clauses: &[Clause], place: Place) -> String {
    let indent = place.indent;
    let value = at(value, Place { column: place.column + 5, indent: indent + 5, behind: 3, statement: false });
    format!("case {value} do{}{}{}end", line(indent + 2), arrows(clauses, indent + 2), line(indent))
}

/// The lines between the `do` of a `try` and its `end`.
pub(super) fn tried(parts: &Try, indent: usize) -> String {
    let mut out = line(indent + 2) + &statements(&parts.body, indent + 2);
    if !parts.clauses.is_empty() {
        out += &format!("{}catch{}", line(indent), line(indent + 2));
        out += &arrows(&parts.clauses, indent + 2);
    }
    if !parts.after.is_empty() {
        out += &format!("{}after{}", line(indent), line(indent + 2));
        out += &statements(&parts.after, indent + 2);
    }
    out
}

/// Clauses with arrows: each on one line if all are, else with empty lines between them.
fn arrows(clauses: &[Clause], indent: usize) -> String {
    let short: Option<Vec<String>> = clauses
        .iter()
        .map(|clause| {
            let [body] = clause.body.as_slice() else { return None };
            let text = |body: String| Some(format!("{} -> {body}", flat_head(clause)?));
            let fits = indent + text(flat::expr(body)?)?.chars().count() <= WIDTH;
            fits.then(|| text(flat::statement(body)?)).flatten()
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

fn flat_head(clause: &Clause) -> Option<String> {
    let patterns: Option<Vec<String>> = clause.patterns.iter().map(flat::expr).collect();
    let patterns = patterns?.join(", ");
    Some(match clause.guard() {
        Some(guard) => format!("{patterns} when {}", flat::expr(guard)?),
        None => patterns,
    })
}

fn head(clause: &Clause, indent: usize) -> String {
    match flat_head(clause) {
        Some(text) if indent + text.chars().count() + 3 <= WIDTH => format!("{text} ->"),
        _ => {
            let patterns: Vec<String> = clause.patterns.iter().map(|pattern| render(pattern, indent, 3)).collect();
            let guard = clause.guard().map(|guard| {
                let guard = conjunction(guard, (indent + 5, indent + 7), 3);
                format!("{}when {guard}", line(indent))
            });
            format!("{}{} ->", patterns.join(", "), guard.unwrap_or_default())
        }
    }
}

/// A guard, with each part of a conjunction on a line of its own where it is too long for one: the first at the first
/// column, the others at the second.
pub(super) fn conjunction(guard: &Expr, (first, more): (usize, usize), behind: usize) -> String {
    if let Some(text) = flat::expr(guard).filter(|text| first + text.chars().count() + behind <= WIDTH) {
        return text;
    }
    let mut out = String::new();
    let all = parts("andalso", guard);
    for (index, part) in all.iter().enumerate() {
        let behind = if index + 1 < all.len() { " and".len() } else { behind };
        let column = if index == 0 { first } else { more };
        if index > 0 {
            out.push_str(&format!(" and{}", line(more)));
        }
        out.push_str(&conjunct(part, column, behind, all.len() == 1));
    }
    out
}

/// A part of a conjunction, or all of it.
fn conjunct(part: &Expr, column: usize, behind: usize, alone: bool) -> String {
    let fits = |text: &String, column: usize, behind: usize| column + text.chars().count() + behind <= WIDTH;
    if let Some(text) = operand("andalso", part, false).filter(|text| fits(text, column, behind)) {
        return text;
    }
    if !matches!(part, Expr::Binop("orelse", ..)) {
        return render(part, column, behind);
    }
    let first = if alone { column } else { column + 1 };
    let mut texts = Vec::new();
    let all = parts("orelse", part);
    for (index, one) in all.iter().enumerate() {
        let column = if index == 0 { first } else { first + 2 };
        // The formatter does not count the closing parenthesis.
        let behind = if index + 1 < all.len() { " or".len() } else { behind };
        let flat = operand("orelse", one, false).filter(|text| fits(text, column, behind));
        texts.push(flat.unwrap_or_else(|| render(one, column, behind)));
    }
    let chain = texts.join(&format!(" or{}", line(first + 2)));
    if alone {
        chain
    } else {
        format!("({chain})")
    }
}

/// The operands of a chain of one operator.
fn parts<'e>(name: &str, chain: &'e Expr) -> Vec<&'e Expr> {
    match chain {
        Expr::Binop(operator, left, right) if *operator == name => {
            let mut found = parts(name, left);
            found.extend(parts(name, right));
            found
        }
        other => vec![other],
    }
}

fn bind(left: &Expr, right: &Expr, place: Place) -> String {
    let indent = place.indent;
    let pattern = at(left, Place { column: place.column, indent, behind: 2, statement: false });
    let column = pattern.rsplit('\n').next().map_or(0, |last| last.chars().count());
    let column = if pattern.contains('\n') { column } else { place.column + column } + 3;
    let stays = matches!(right, Expr::Tuple(_) | Expr::List(..) | Expr::Map(_) | Expr::Record(..) | Expr::Lambda(_))
        || matches!(right, Expr::Binary(segments) if segments.len() > 1);
    let here = Place { column, indent, ..place };
    if stays || flat_at(right, here).is_some() {
        return format!("{pattern} = {}", at(right, here));
    }
    let next = at(right, Place { column: indent + 2, indent: indent + 2, ..place });
    format!("{pattern} ={}{next}", line(indent + 2))
}

fn binop(expr: &Expr, name: &'static str, left: &Expr, right: &Expr, place: Place) -> String {
    let function = operator(name);
    if matches!(name, "band" | "bor" | "bsl" | "bsr" | "bxor" | "div" | "rem") {
        return items_in(&format!("{function}("), &[left.clone(), right.clone()], ")", place.indent);
    }
    if name == "andalso" {
        return conjunction(expr, (place.column, place.column + 2), place.behind);
    }
    let left = at(left, Place { behind: function.len() + 1, statement: false, ..place });
    format!("{left} {function}{}{}", line(place.indent + 2), render(right, place.indent + 2, place.behind))
}

fn comprehension(expr: &Expr, place: Place) -> String {
    let Expr::Comprehension { binary, value, generator } = expr else { return String::new() };
    let parts = Expr::Comprehension { binary: *binary, value: Box::new(Expr::Null), generator: generator.clone() };
    let mut parts = flat::comprehension(&parts).unwrap_or_default();
    parts.pop();
    let indent = place.indent;
    if place.statement && place.column == indent {
        let body = statements(std::slice::from_ref(value), indent + 2);
        let head = filled(&format!("for {} do", parts.join(", ")), indent, indent + 6, 0);
        return format!("{head}{}{body}{}end", line(indent + 2), line(indent));
    }
    let column = indent + 6;
    if let Some(generator) = parts.first_mut() {
        *generator = filled(generator, indent + 2, indent + 4, 1);
    }
    parts.push(format!("do: {}", at(value, Place { column, indent: indent + 2, behind: 1, statement: false })));
    lines_in("for(", parts, ")", indent)
}

/// The head of a `for`, which begins at `column`, with as much on each line as fits; further lines begin at `next`, and `behind`
/// columns follow. Only white space is put in, and no text within a head has a comma.
fn filled(head: &str, column: usize, next: usize, behind: usize) -> String {
    if column + head.chars().count() + behind <= WIDTH {
        return head.to_owned();
    }
    let mut out = String::new();
    let mut column = column;
    for (index, part) in head.split(", ").enumerate() {
        let width = part.chars().count() + 1;
        if index > 0 {
            out.push(',');
            if column + 1 + width > WIDTH {
                out.push_str(&line(next));
                column = next;
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
