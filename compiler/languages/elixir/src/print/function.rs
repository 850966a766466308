//! Functions.

use super::broken::{conjunction, container, items_on_lines, statements, tried};
use super::{flat, line, WIDTH};
use aldis_erlang::code::{Clause, Expr, Function};

/// A function's clauses, indented by two, with a line end behind: those of one line one below the other, with empty lines
/// around longer ones.
pub(crate) fn function(function: &Function, public: bool) -> String {
    let keyword = if public { "def" } else { "defp" };
    let clauses: Vec<String> =
        function.clauses.iter().map(|clause| self::clause(keyword, &function.name, clause)).collect();
    let mut out = String::new();
    for (index, clause) in clauses.iter().enumerate() {
        if index > 0 && (clause.contains('\n') || clauses[index - 1].contains('\n')) {
            out.push('\n');
        }
        out.push_str("  ");
        out.push_str(clause);
        out.push('\n');
    }
    out
}

const INDENT: usize = 2;

fn clause(keyword: &str, name: &str, clause: &Clause) -> String {
    let guarded = clause.guard().and_then(flat).map(|guard| format!(" when {guard}")).unwrap_or_default();
    let unguarded = clause.guards.is_empty() || !guarded.is_empty();
    let args: Option<Vec<String>> = clause.patterns.iter().map(flat).collect();
    let call = args.map(|args| match args.as_slice() {
        [] => format!("{keyword} {name}"),
        args => format!("{keyword} {name}({})", args.join(", ")),
    });
    if let (Some(call), [body], true) = (&call, clause.body.as_slice(), unguarded) {
        let short = flat(body).map(|body| format!("{call}{guarded}, do: {body}"));
        let plain = !matches!(body, Expr::Match(..) | Expr::Comprehension { .. });
        if let Some(short) = short.filter(|short| plain && INDENT + short.chars().count() <= WIDTH) {
            return short;
        }
    }
    let head = match &call {
        Some(call) if unguarded && INDENT + call.chars().count() + guarded.chars().count() + room(clause) <= WIDTH => {
            format!("{call}{guarded}")
        }
        _ => long_head(keyword, name, clause, call),
    };
    format!("{head} do{}{}end", body(&clause.body), line(INDENT))
}

/// Columns for the ` do` behind a head. The formatter does not count them behind a single `pattern = variable` or tuple.
fn room(clause: &Clause) -> usize {
    match (clause.patterns.as_slice(), clause.guard()) {
        ([Expr::Match(..) | Expr::Tuple(_)], None) => 0,
        _ => " do".len(),
    }
}

/// The statements; a function that is nothing but a `try` is one itself.
fn body(body_of: &[Expr]) -> String {
    match body_of {
        [Expr::Try(parts)] => tried(parts, INDENT),
        body => line(INDENT + 2) + &statements(body, INDENT + 2),
    }
}

/// The guard below the arguments, and these below one another where they are too long.
fn long_head(keyword: &str, name: &str, clause: &Clause, call: Option<String>) -> String {
    let indent = INDENT + keyword.len() + 1;
    let behind = if !clause.guards.is_empty() { 0 } else { room(clause) };
    let call = call.filter(|call| INDENT + call.chars().count() + behind <= WIDTH);
    let call = call.unwrap_or_else(|| {
        if let [only] = clause.patterns.as_slice() {
            if let Some(text) = container(only, indent) {
                return format!("{keyword} {name}({text})");
            }
        }
        let args = items_on_lines(&clause.patterns, indent + 2);
        let between = format!(",{}", line(indent + 2));
        format!("{keyword} {name}({}{}{})", line(indent + 2), args.join(&between), line(indent))
    });
    match clause.guard() {
        None => call,
        Some(guard) => {
            let text = conjunction(guard, (indent + 5, indent + 7), 3);
            format!("{call}{}when {text}", line(indent))
        }
    }
}

/// `defguardp name(value) when …`, indented by two, with a line end behind.
pub(crate) fn guard(head: &str, guard: &Expr) -> String {
    let short = flat(guard).map(|guard| format!("  defguardp {head} when {guard}\n"));
    if let Some(short) = short.filter(|short| short.chars().count() <= WIDTH + 1) {
        return short;
    }
    let indent = INDENT + "defguardp ".len();
    let text = conjunction(guard, (indent + 5, indent + 7), 0);
    format!("  defguardp {head}{}when {text}\n", line(indent))
}
