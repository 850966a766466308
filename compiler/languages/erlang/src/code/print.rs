//! The tree as text that knows where it may break. Brackets stand where precedence asks for them, and where operators on bits meet others.

use super::atoms::{atom, NULL};
use super::operators::{is_comparison, is_from_right, is_on_bits, strength};
use super::tree::{Clause, Expr, Generator, Try};

use crate::rows::{close, filled, rows, sequence, INDENT};
use aldis_emit::doc::{concat, group, hard, indent, join, soft, text, Doc};

/// A clause of a function.
pub(crate) fn clause_of(name: &str, clause: &Clause) -> Doc {
    let mut head = vec![sequence(&format!("{}(", atom(name)), docs(&clause.patterns), ")")];
    if !clause.guards.is_empty() {
        head.push(group(indent(INDENT, concat([soft(), text("when "), indent(5, guards(&clause.guards))]))));
    }
    // One statement stands on its head's line where there is room.
    let line = if clause.body.len() == 1 { soft() } else { hard() };
    let body = indent(INDENT, concat([line, statements(&clause.body)]));
    group(concat([concat(head), text(" ->"), body]))
}

fn docs(items: &[Expr]) -> Vec<Doc> {
    items.iter().map(of).collect()
}

fn statements(body: &[Expr]) -> Doc {
    join(concat([text(","), hard()]), body.iter().map(of))
}

fn guards(alternatives: &[Vec<Expr>]) -> Doc {
    join(text("; "), alternatives.iter().map(|tests| filled(docs(tests))))
}

fn pair((key, sign, value): &(Expr, &'static str, Expr)) -> Doc {
    concat([of(key), text(format!(" {sign} ")), of(value)])
}

/// Whether an expression is the same whenever it is evaluated. Tables are, and are printed close together.
fn is_literal(expr: &Expr) -> bool {
    let mut literal = true;
    expr.each(&mut |expr| {
        literal &= matches!(
            expr,
            Expr::Number(_)
                | Expr::Atom(_)
                | Expr::Null
                | Expr::Text(_)
                | Expr::FunctionName(..)
                | Expr::Tuple(_)
                | Expr::List(_, None)
                | Expr::Map(_)
                | Expr::Binary(_)
        );
    });
    literal
}

/// An expression.
pub(crate) fn of(expr: &Expr) -> Doc {
    match expr {
        Expr::Number(number) => text(number.as_str()),
        Expr::Char('\\') => text("$\\\\"),
        Expr::Char(' ') => text("$\\s"),
        Expr::Char(c) => text(format!("${c}")),
        Expr::Atom(name) => text(atom(name).to_string()),
        Expr::Null => text(NULL),
        Expr::Text(content) => text(format!("\"{}\"", content.replace('\\', "\\\\").replace('"', "\\\""))),
        Expr::Var(name) => text(name.as_str()),
        Expr::Tuple(items) if is_literal(expr) => close("{", filled(docs(items)), "}"),
        Expr::List(items, None) if is_literal(expr) => close("[", rows(docs(items)), "]"),
        Expr::Map(pairs) if is_literal(expr) => close("#{", rows(pairs.iter().map(pair).collect()), "}"),
        Expr::Tuple(items) => sequence("{", docs(items), "}"),
        Expr::List(items, tail) => {
            let mut items = docs(items);
            if let Some(tail) = tail {
                let last = items.pop().unwrap_or_default();
                items.push(group(concat([last, indent(INDENT, concat([soft(), text("| "), of(tail)]))])));
            }
            sequence("[", items, "]")
        }
        Expr::Map(pairs) => sequence("#{", pairs.iter().map(pair).collect(), "}"),
        Expr::Record(name, fields) => {
            let field = |(name, value): &(String, Expr)| concat([text(format!("{} = ", atom(name))), of(value)]);
            sequence(&format!("#{}{{", atom(name)), fields.iter().map(field).collect(), "}")
        }
        Expr::Key(name, field) => text(format!("#{}.{}", atom(name), atom(field))),
        Expr::Binary(segments) => sequence("<<", segments.iter().map(segment).collect(), ">>"),
        Expr::Segment { .. } => segment(expr),
        Expr::Call(module, name, args) => call(&owned(module.as_deref(), name), args),
        Expr::Apply(name, args) => call(name, args),
        Expr::Macro(name, args) if args.is_empty() => text(format!("?{name}")),
        Expr::Macro(name, args) => call(&format!("?{name}"), args),
        Expr::FunctionName(module, name, arity) => text(format!("fun {}/{arity}", owned(module.as_deref(), name))),
        Expr::Lambda(clauses) => lambda(clauses),
        Expr::Case { value, clauses, apart } => case(value, clauses, *apart),
        Expr::Try(parts) => attempt(parts),
        Expr::Match(left, right) => assign(of(left), " =", vec![of(right)], soft()),
        Expr::Binop(..) => chain(expr),
        Expr::Unop(operator, inner) => {
            let space = if *operator == "-" { "" } else { " " };
            concat([text(format!("{operator}{space}")), bracketed(inner, is_compound(inner) || is_negative(inner))])
        }
        Expr::Comprehension { binary, value, generator } => comprehension(*binary, value, generator),
        Expr::Row(items) => join(text(", "), docs(items)),
        Expr::When(pattern, tests) => concat([of(pattern), text(" when "), guards(tests)]),
    }
}

fn owned(module: Option<&str>, name: &str) -> String {
    match module {
        Some(module) => format!("{}:{}", atom(module), atom(name)),
        None => atom(name).to_string(),
    }
}

fn call(name: &str, args: &[Expr]) -> Doc {
    sequence(&format!("{name}("), docs(args), ")")
}

/// A sign between its left and its right side, which stands further in on a line of its own if there is no room.
fn assign(left: Doc, sign: &'static str, right: Vec<Doc>, line: Doc) -> Doc {
    let right = join(concat([text(","), line.clone()]), right);
    concat([left, group(concat([text(sign), indent(INDENT, concat([line, right]))]))])
}

/// A clause of a `case` or `try`.
fn arm(clause: &Clause, apart: bool) -> Doc {
    let patterns = join(text(":"), clause.patterns.iter().map(of));
    let head = match clause.guards.is_empty() {
        true => patterns,
        false => concat([patterns, text(" when "), indent(INDENT, guards(&clause.guards))]),
    };
    let line = if apart && clause.body.len() > 1 { hard() } else { soft() };
    assign(head, " ->", docs(&clause.body), line)
}

fn case(value: &Expr, clauses: &[Clause], apart: bool) -> Doc {
    let line = || if apart { hard() } else { soft() };
    let clauses = join(concat([text(";"), line()]), clauses.iter().map(|clause| arm(clause, apart)));
    let head = concat([text("case "), of(value), text(" of")]);
    group(concat([head, indent(INDENT, concat([line(), clauses])), line(), text("end")]))
}

/// Each part of a `try` stands on one line where it is short and there is room.
fn attempt(parts: &Try) -> Doc {
    let part = |word: &'static str, inner: Doc, short: bool| {
        let line = if short { soft() } else { hard() };
        group(concat([text(word), indent(INDENT, concat([line, inner]))]))
    };
    let caught = |clause: &Clause| match clause.patterns.as_slice() {
        [_] => concat([text("throw:"), arm(clause, true)]),
        _ => arm(clause, true),
    };
    let short = parts.body.len() == 1;
    let mut found = vec![part("try", statements(&parts.body), short)];
    if !parts.clauses.is_empty() {
        let clauses = join(concat([text(";"), hard()]), parts.clauses.iter().map(caught));
        found.push(part("catch", clauses, short && parts.clauses.len() == 1));
    }
    if !parts.after.is_empty() {
        found.push(part("after", statements(&parts.after), short && parts.after.len() == 1));
    }
    found.push(text("end"));
    let line = if short { soft() } else { hard() };
    group(join(line, found))
}

fn lambda(clauses: &[Clause]) -> Doc {
    let one = |clause: &Clause| {
        let mut head = vec![text("("), join(text(", "), clause.patterns.iter().map(of)), text(")")];
        if !clause.guards.is_empty() {
            head.extend([text(" when "), guards(&clause.guards)]);
        }
        let body = join(concat([text(","), soft()]), clause.body.iter().map(of));
        concat([concat(head), text(" ->"), indent(INDENT, concat([soft(), body]))])
    };
    let clauses = join(concat([text(";"), soft(), text("   ")]), clauses.iter().map(one));
    group(concat([text("fun"), clauses, soft(), text("end")]))
}

fn comprehension(binary: bool, value: &Expr, generator: &Generator) -> Doc {
    let sign = if generator.binary { " <= " } else { " <- " };
    let from = concat([text("|| "), of(&generator.pattern), text(sign), of(&generator.source)]);
    let brackets = binary && !matches!(value, Expr::Binary(_) | Expr::Comprehension { .. }) && !is_simple(value);
    let inner = concat([bracketed(value, brackets), indent(INDENT, group(concat([soft(), from])))]);
    match binary {
        // The brackets of an element stand apart.
        true => group(concat([text("<<"), indent(INDENT, concat([soft(), inner])), soft(), text(">>")])),
        false => sequence("[", vec![inner], "]"),
    }
}

/// A part of a binary. A value that is more than a name or a literal stands in brackets.
fn segment(part: &Expr) -> Doc {
    let Expr::Segment { value, size, specs } = part else { return bracketed(part, !is_simple(part)) };
    let mut found = vec![bracketed(value, !is_simple(value))];
    if let Some(size) = size {
        found.extend([text(":"), bracketed(size, !is_simple(size))]);
    }
    if !specs.is_empty() {
        found.push(text(format!("/{}", specs.join("-"))));
    }
    concat(found)
}

fn bracketed(expr: &Expr, brackets: bool) -> Doc {
    match brackets {
        true => concat([text("("), of(expr), text(")")]),
        false => of(expr),
    }
}

fn is_simple(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Number(_) | Expr::Char(_) | Expr::Text(_) | Expr::Var(_) | Expr::Atom(_) | Expr::Null | Expr::List(..)
    )
}

/// Whether an operand of one sign stands in brackets.
fn is_compound(expr: &Expr) -> bool {
    matches!(expr, Expr::Binop(..) | Expr::Match(..) | Expr::Case { .. } | Expr::Unop(..))
}

/// An operator with its operands, as many of them on a line as fit. A long expression is broken at the operators that bind least.
fn chain(expr: &Expr) -> Doc {
    let Expr::Binop(outer, left, right) = expr else { return of(expr) };
    let own = strength(outer);
    // Operands and the operators between them, from the end that binds first.
    let (mut terms, mut rest) = match is_from_right(own) {
        true => (vec![(*outer, operand(left, outer, false))], &**right),
        false => (vec![(*outer, operand(right, outer, true))], &**left),
    };
    while let Expr::Binop(operator, left, right) = rest {
        if strength(operator) != own || in_brackets(rest, outer, is_from_right(own)) {
            break;
        }
        let (term, further) = if is_from_right(own) { (left, right) } else { (right, left) };
        terms.push((*operator, operand(term, operator, !is_from_right(own))));
        rest = further;
    }
    let last = terms.last().map_or(*outer, |(operator, _)| *operator);
    let rest = operand(rest, last, is_from_right(own));
    let (first, further) = in_order(terms, rest, is_from_right(own));
    if is_comparison(own) {
        let rest = further.into_iter().map(|(operator, term)| concat([text(format!(" {operator} ")), term]));
        return concat([first].into_iter().chain(rest));
    }
    let term = |(operator, term): (&'static str, Doc)| group(concat([soft(), text(format!("{operator} ")), term]));
    group(concat([first, indent(INDENT, concat(further.into_iter().map(term)))]))
}

/// The first operand, and the others with the operators in front of them.
fn in_order(mut terms: Vec<(&'static str, Doc)>, rest: Doc, from_right: bool) -> (Doc, Vec<(&'static str, Doc)>) {
    if !from_right {
        terms.reverse();
        return (rest, terms);
    }
    let operators: Vec<&'static str> = terms.iter().map(|(operator, _)| *operator).collect();
    let mut operands = terms.into_iter().map(|(_, operand)| operand).chain([rest]);
    let first = operands.next().unwrap_or_default();
    (first, operators.into_iter().zip(operands).collect())
}

fn operand(expr: &Expr, outer: &str, right: bool) -> Doc {
    bracketed(expr, in_brackets(expr, outer, right))
}

fn in_brackets(expr: &Expr, outer: &str, right: bool) -> bool {
    let Expr::Binop(inner, ..) = expr else {
        return matches!(expr, Expr::Match(..) | Expr::Unop("-", _))
            || right && matches!(outer, "+" | "-") && is_negative(expr);
    };
    let (own, of) = (strength(inner), strength(outer));
    let associates = !is_comparison(own) && right == is_from_right(of);
    let unclear = *inner != outer && own >= strength("+") && (is_on_bits(inner) || is_on_bits(outer)) && of >= 3;
    let mixed = *inner == "andalso" && outer == "orelse";
    own < of || own == of && !associates || unclear || mixed
}

fn is_negative(expr: &Expr) -> bool {
    matches!(expr, Expr::Number(number) if number.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::super::{quote, quote_with};
    use super::of;

    #[test]
    fn brackets_stand_where_something_asks_for_them() {
        for (template, printed) in [
            ("f((A + B), ((g(C)) bsl 8) bor (D))", "f(A + B, (g(C) bsl 8) bor D)"),
            ("<<(g(A)):8, (B):16/little, 0:(8 - A)/unit:8>>", "<<(g(A)):8, B:16/little, 0:(8 - A)/unit:8>>"),
            ("{A, (case B of null -> (f(0)); _ -> 1 end)}", "{A, case B of null -> f(0); _ -> 1 end}"),
            ("X - (Y - (m:f(Z)))", "X - (Y - m:f(Z))"),
            ("(A bsr 8) =:= 0 andalso (B orelse C)", "(A bsr 8) =:= 0 andalso (B orelse C)"),
            ("[(A) || A <- (f(B))]", "[A || A <- f(B)]"),
            ("<< <<(f(A)):8>> || A <- B >>", "<< <<(f(A)):8>> || A <- B >>"),
            ("'odd (name'((A + B) * 2, <<\"(\">>, $()", "'odd (name'((A + B) * 2, <<\"(\">>, $()"),
            ("#'Odd'{a = A, 'B' = undefined} when A > 0; B", "#'Odd'{a = A, 'B' = undefined} when A > 0; B"),
        ] {
            assert_eq!(of(&quote(template)).print(200), printed);
        }
    }

    #[test]
    fn a_row_in_a_hole_is_several() {
        let row = quote("Size:32/little, Kind");
        let call = quote_with("f(<<?1, Rest/binary>>, ?2)", [row, quote("A + 1")]);
        assert_eq!(of(&call).print(200), "f(<<Size:32/little, Kind, Rest/binary>>, A + 1)");
    }

    #[test]
    fn long_lines_break_at_what_binds_least() {
        let sum = quote("(A bsr 8) bor (B bsr 8) bor (C bsr 8) =:= 0");
        assert_eq!(of(&sum).print(28), "((A bsr 8) bor (B bsr 8)\n    bor (C bsr 8)) =:= 0");
        let case = quote("(case A of null -> 0; _ -> length(A) end):64");
        assert_eq!(of(&case).print(30), "(case A of\n    null -> 0;\n    _ -> length(A)\nend):64");
    }

    #[test]
    fn a_printed_tree_is_read_as_it_was() {
        for template in [
            "(A -- B) -- C",
            "A -- (B -- C)",
            "(A ++ B) -- C",
            "A ++ B ++ C",
            "(A -- B) ++ C",
            "(A - B) - C",
            "A - (B + C)",
            "A - -5",
            "-(-5)",
            "-(A + B) * 2",
            "A * (-B)",
            "not (A andalso B)",
            "bnot A band 7",
            "(A = B) + 1",
            "(A orelse B) andalso C",
            "A orelse (B andalso C)",
            "(A =:= B) =:= C",
            "[(A - B) bsl 3, 16#FF, 1.0e-7, -0.0, $a, $\\\\]",
            "try f(A), g(A) catch throw:{a, _} = F when F > 0 -> 1; _:_ -> try B catch _:_ -> 2 end after h() end",
            "fun (0) -> 1; (N) when N > 0; N < -1 -> N end",
            "fun m:f/2",
            "#{a => 1, <<\"b\">> := X}",
            "<< (f(A)) || <<A:8>> <= B >>",
            "<<-1:8/signed, \"a\\\"\\\\\", (f(A)):(B + 1)/unit:8>>",
            "['a\\'b\\\\', 'é\n', undefined, 'undefined', X(1), ?M, ?N(1)]",
        ] {
            let tree = quote(template);
            for width in [20, 200] {
                let printed = of(&tree).print(width);
                assert_eq!(quote(&printed), tree, "{template}: {printed}");
            }
        }
    }
}
