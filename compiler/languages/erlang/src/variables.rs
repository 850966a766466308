//! Variables of generated functions.

use crate::slots::Named;
use aldis_emit::names::Scope;

/// The next variable of a row: `Bin`, `Bin1`, `Bin2`.
pub(crate) fn next(var: &str) -> String {
    let stem = var.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: u32 = var[stem.len()..].parse().unwrap_or(0);
    format!("{stem}{}", number + 1)
}

/// A variable for the elements of what `var` holds, which shadows no other.
pub(crate) fn inner_variable(var: &str) -> String {
    let clean: String = var.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{}Item", aldis_emit::names::capital(&clean))
}

/// The variables of members, and of theirs.
pub(crate) fn variables(named: &[Named<'_>]) -> Vec<String> {
    named.iter().flat_map(|one| std::iter::once(one.var.clone()).chain(variables(&one.members))).collect()
}

/// Members under other names, apart from those that are taken.
pub(crate) fn renamed<'a>(named: &[Named<'a>], name: &dyn Fn(&str) -> String, scope: &mut Scope<()>) -> Vec<Named<'a>> {
    named
        .iter()
        .map(|one| {
            let var = scope.fresh(&name(&one.var), ());
            Named { members: renamed(&one.members, name, scope), ..Named::cell(one.slot, var) }
        })
        .collect()
}
