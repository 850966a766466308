//! Variables of generated functions.

use crate::code::Expr;
use crate::slots::Named;
use aldis_emit::names::Scope;
use std::fmt;

/// A variable of a row, in which each holds what became of the one before: `Bin`, `Bin1`, `Bin2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbered {
    stem: &'static str,
    number: u32,
}

impl Numbered {
    /// The first of its row, which has no number.
    pub const fn first(stem: &'static str) -> Self {
        Self { stem, number: 0 }
    }

    pub fn next(self) -> Self {
        Self { number: self.number + 1, ..self }
    }

    /// The variable of another row that has the same number.
    pub fn beside(self, stem: &'static str) -> Self {
        Self { stem, ..self }
    }
}

impl From<Numbered> for Expr {
    fn from(var: Numbered) -> Self {
        Expr::Var(var.to_string())
    }
}

impl fmt::Display for Numbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            0 => f.write_str(self.stem),
            number => write!(f, "{}{number}", self.stem),
        }
    }
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
