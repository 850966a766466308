//! Variables in Elixir's case.

use aldis_emit::names::snake;
use aldis_erlang::code::Clause;
use std::collections::BTreeMap;

/// Words that no variable can be called.
const WORDS: [&str; 16] = [
    "after",
    "and",
    "catch",
    "do",
    "else",
    "end",
    "false",
    "fn",
    "in",
    "nil",
    "not",
    "or",
    "rescue",
    "true",
    "when",
    "__MODULE__",
];

/// Gives each variable of a function's clause its name in Elixir; different ones stay different.
pub(crate) fn rename(clause: &mut Clause) {
    let mut names: Vec<String> = Vec::new();
    clause.each(&mut |expr| {
        if let Some(name) = expr.variable() {
            if name != "_" && !names.contains(name) {
                names.push(name.clone());
            }
        }
    });
    let chosen = choose(&names);
    clause.each_mut(&mut |expr| {
        if let Some(name) = expr.variable_mut() {
            if let Some(new) = chosen.get(name.as_str()) {
                new.clone_into(name);
            }
        }
    });
}

fn choose(names: &[String]) -> BTreeMap<&str, String> {
    let mut chosen: BTreeMap<&str, String> = BTreeMap::new();
    // Those that were told apart from others by an underscore behind come last.
    let (plain, marked): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| !name.ends_with('_'));
    for name in plain.into_iter().chain(marked) {
        let wanted = variable(name);
        let free = |candidate: &str| chosen.values().all(|taken| taken.as_str() != candidate);
        let numbered = (2..).map(|n| format!("{wanted}_{n}"));
        let found = std::iter::once(wanted.clone()).chain(numbered).find(|candidate| free(candidate));
        chosen.insert(name, found.unwrap_or(wanted));
    }
    chosen
}

fn variable(name: &str) -> String {
    let unused = if name.starts_with('_') { "_" } else { "" };
    let plain = snake(name.trim_end_matches('_'));
    let plain = if plain.starts_with(|c: char| c.is_ascii_lowercase()) { plain } else { format!("v_{plain}") };
    if WORDS.contains(&plain.as_str()) && unused.is_empty() {
        return format!("{plain}_");
    }
    format!("{unused}{plain}")
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn variables_stay_apart() {
        let names = ["Id_", "SymbolAt", "Outer_In_A", "_Path", "End", "Symbol_At", "At1", "Bin"].map(str::to_owned);
        let chosen = choose(&names);
        let of = |name: &str| chosen[name].as_str();
        assert_eq!(of("Id_"), "id");
        assert_eq!(of("SymbolAt"), "symbol_at");
        assert_eq!(of("Symbol_At"), "symbol_at_2");
        assert_eq!(of("Outer_In_A"), "outer_in_a");
        assert_eq!(of("_Path"), "_path");
        assert_eq!(of("End"), "end_");
        assert_eq!(of("At1"), "at1");
    }
}
