//! Erlang's trees as the rules of Elixir take them: guards are one expression, numbers are decimal.

use aldis_erlang::code::{Clause, Expr, Form, Macro};

/// The forms as the rules of this back end take them.
pub(crate) fn forms(forms: &[Form]) -> Vec<Form> {
    let mut forms = forms.to_vec();
    for form in &mut forms {
        let Form::Function(function) = form else { continue };
        for clause in &mut function.clauses {
            join(clause);
            clause.below_mut(&mut adapt);
        }
    }
    forms
}

/// A macro as the rules take it.
pub(crate) fn of_macro(of: &Macro) -> Macro {
    let mut of = of.clone();
    of.params.iter_mut().chain([&mut of.body]).for_each(adapt);
    of
}

/// Makes an expression or a pattern one that the rules take.
pub(crate) fn adapt(expr: &mut Expr) {
    expr.each_mut(&mut |expr| match expr {
        Expr::Number(number) => *number = decimal(number),
        Expr::Char(c) => *expr = Expr::Number(u32::from(*c).to_string()),
        Expr::Lambda(clauses) | Expr::Case { clauses, .. } => clauses.iter_mut().for_each(join),
        Expr::Try(parts) => parts.clauses.iter_mut().for_each(join),
        _ => {}
    });
}

/// Commas are `andalso`, semicolons `orelse`.
fn join(clause: &mut Clause) {
    let joined = |operator| move |one, other| Expr::Binop(operator, Box::new(one), Box::new(other));
    let alternatives = std::mem::take(&mut clause.guards).into_iter();
    let all = alternatives.filter_map(|tests| tests.into_iter().reduce(joined("andalso")));
    clause.guards.extend(all.reduce(joined("orelse")).map(|guard| vec![guard]));
}

/// A number as it is written in Erlang, with its digits in decimal.
fn decimal(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let hex = digits.strip_prefix("16#").and_then(|digits| u128::from_str_radix(digits, 16).ok());
    hex.map_or_else(|| number.to_owned(), |number| format!("{sign}{number}"))
}
