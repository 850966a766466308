//! Variables of generated functions.

use crate::slots::Named;
use aldis_emit::names::Scope;

/// The next variable of a row: `Bin`, `Bin1`, `Bin2`.
pub(crate) fn next(var: &str) -> String {
    let (stem, number) = parts(var);
    format!("{stem}{}", number.parse::<u32>().unwrap_or(0) + 1)
}

/// The variable `stem` with the number of another one.
pub(crate) fn named_as(stem: &str, var: &str) -> String {
    format!("{stem}{}", parts(var).1)
}

/// The name of a row of variables, and the number of one in it.
fn parts(var: &str) -> (&str, &str) {
    var.split_at(var.trim_end_matches(|c: char| c.is_ascii_digit()).len())
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
