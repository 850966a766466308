//! Expressions as a careful person writes them: without brackets that nothing needs, and in several lines where one is too
//! long.
//!
//! Emitters put expressions together from text, with brackets wherever a caller may need them, and say nothing about lines.
//! Here each text of a clause is read as far as its brackets and operators; what is no whole expression stays as it is.

mod parse;
mod simple;

use crate::rows::{sequence, INDENT};
use aldis_emit::doc::{concat, group, indent, join, soft, text, Doc};
use parse::{Part, Row};

/// The clause with its texts tidied.
pub(crate) fn tidy(clause: Doc) -> Doc {
    match clause {
        Doc::Text(code) => match parse::rows(&code) {
            Some(mut rows) => {
                rows.iter_mut().for_each(simple::simplify);
                join(text(", "), rows.iter().map(|row| row_doc(row)))
            }
            None => Doc::Text(code),
        },
        Doc::Concat(parts) => Doc::Concat(parts.into_iter().map(tidy).collect()),
        Doc::Indent(columns, inner) => Doc::Indent(columns, Box::new(tidy(*inner))),
        Doc::Group(inner) => Doc::Group(Box::new(tidy(*inner))),
        other => other,
    }
}

/// Operators that a line may begin with, those that bind least first.
const LEVELS: [&[&str]; 5] =
    [&["||"], &["|"], &["orelse", "andalso"], &["+", "-", "bor", "bxor"], &["band", "bsl", "bsr", "*"]];

/// An expression; a long one is broken at the operators that bind least, with as many terms on a line as fit.
fn row_doc(row: &[Part]) -> Doc {
    if let Some(at) = row.iter().position(|part| is_one_of(part, &["->", "="])) {
        let body = indent(INDENT, concat([soft(), row_doc(&row[at + 1..])]));
        return group(concat([parts_doc(&row[..=at]), body]));
    }
    let Some(level) = LEVELS.iter().find(|level| row.iter().any(|part| is_one_of(part, level))) else {
        return parts_doc(row);
    };
    let starts = || (0..row.len()).filter(|at| is_one_of(&row[*at], level));
    let ends = starts().skip(1).chain([row.len()]);
    let first = starts().next().unwrap_or(row.len());
    let further = starts().zip(ends).map(|(start, end)| group(concat([soft(), parts_doc(&row[start..end])])));
    group(concat([parts_doc(&row[..first]), indent(INDENT, concat(further))]))
}

fn is_one_of(part: &Part, operators: &[&str]) -> bool {
    matches!(part, Part::Operator(operator) if operators.contains(operator))
}

/// Parts on one line, but for what is in brackets. There is a space on each side of an operator that has something there.
fn parts_doc(parts: &[Part]) -> Doc {
    let last = parts.len().saturating_sub(1);
    concat(parts.iter().enumerate().map(|(index, part)| match part {
        Part::Operator(operator) => {
            let (before, after) = (if index > 0 { " " } else { "" }, if index < last { " " } else { "" });
            text(format!("{before}{operator}{after}"))
        }
        part => part_doc(part),
    }))
}

fn part_doc(part: &Part) -> Doc {
    match part {
        Part::Text(code) => text(code.as_str()),
        Part::Operator(operator) => text(*operator),
        Part::Parens(row) => concat([text("("), row_doc(row), text(")")]),
        Part::Brackets { open, rows, close } => {
            let comprehends = rows.iter().flatten().any(simple::comprehends);
            match (*open, comprehends) {
                // An element's own brackets stand apart.
                ("<<", true) => comprehension(rows),
                _ => sequence(open, rows.iter().map(|row| row_doc(row)).collect(), close),
            }
        }
        Part::Case { value, clauses } => {
            let clauses = join(concat([text(";"), soft()]), clauses.iter().map(|row| row_doc(row)));
            let head = concat([text("case "), parts_doc(value), text(" of")]);
            group(concat([head, indent(INDENT, concat([soft(), clauses])), soft(), text("end")]))
        }
        Part::Fun { args, body } => {
            let args = join(text(", "), args.iter().map(|row| row_doc(row)));
            let body = join(concat([text(","), soft()]), body.iter().map(|row| row_doc(row)));
            group(concat([
                text("fun("),
                args,
                text(") ->"),
                indent(INDENT, concat([soft(), body])),
                soft(),
                text("end"),
            ]))
        }
    }
}

/// `<< Element || Pattern <- List >>`
fn comprehension(rows: &[Row]) -> Doc {
    let rows = join(concat([text(","), soft()]), rows.iter().map(|row| row_doc(row)));
    group(concat([text("<<"), indent(INDENT, concat([soft(), rows])), soft(), text(">>")]))
}

#[cfg(test)]
mod tests {
    use super::tidy;
    use aldis_emit::doc::text;

    fn tidied(code: &str, width: usize) -> String {
        tidy(text(code)).print(width)
    }

    #[test]
    fn brackets_that_nothing_needs_go() {
        for (code, wanted) in [
            ("f((A + B), ((g(C)) bsl 8) bor (D))", "f(A + B, (g(C) bsl 8) bor D)"),
            ("<<(g(A)):8, (B):16/little, (<<(C):8, D/binary>>)/binary>>", "<<(g(A)):8, B:16/little, C:8, D/binary>>"),
            ("{A, (case B of null -> (f(0)); _ -> 1 end)}", "{A, case B of null -> f(0); _ -> 1 end}"),
            ("X - (Y - (m:f(Z)))", "X - (Y - m:f(Z))"),
            ("[(A) || A <- (f(B))]", "[A || A <- f(B)]"),
            ("(A):16/little", "A:16/little"),
            ("f(At + 0, (8 + 0) * 2, [a | [b | [C || C <- D]]])", "f(At, 8 * 2, [a, b | [C || C <- D]])"),
            ("[w | [size | Path]]", "[w, size | Path]"),
        ] {
            assert_eq!(tidied(code, 100), wanted);
        }
    }

    #[test]
    fn brackets_that_something_needs_stay() {
        for code in [
            "(f(A))",
            "(A)",
            "f(A + 0 * B)",
            "<<(f(A))>>",
            "<<(f(A))/binary, 0:(8 - A)/unit:8>>",
            "<< <<(f(A)):8>> || A <- B >>",
            "<<(<< <<A:8>> || A <- B >>)/binary>>",
            "A - (B - C)",
            "(-A) band 7",
            "'odd (name'((A + B) * 2, \"(\", $()",
        ] {
            assert_eq!(tidied(code, 100), code);
        }
    }

    #[test]
    fn what_is_no_whole_expression_stays() {
        for code in ["((A)", "[", " | Rest]", "case ", "f((A)) end", "try (A) catch _:_ -> (B) end", "'open"] {
            assert_eq!(tidied(code, 4), code);
        }
    }

    #[test]
    fn long_lines_break() {
        assert_eq!(
            tidied("(A bsr 8) bor (B bsr 8) bor (C bsr 8) =:= 0", 28),
            "(A bsr 8) bor (B bsr 8)\n    bor (C bsr 8) =:= 0"
        );
        assert_eq!(
            tidied("f(<< <<(g(A)):8>> || A <- Values >>, fun(B) -> B + 1 end)", 30),
            "f(\n    <<\n        <<(g(A)):8>>\n            || A <- Values\n    >>, fun(B) -> B + 1 end\n)"
        );
        assert_eq!(
            tidied("(case A of null -> 0; _ -> length(A) end):64", 30),
            "(case A of\n    null -> 0;\n    _ -> length(A)\nend):64"
        );
    }
}
