//! Mentions and line ends of trees.

use super::{code, doc, mention, stmt, var, Code, Stmt, WIDTH};

fn mentions(code: &Code, name: &str) -> bool {
    let mut found = false;
    code.each_name(&mut |other| found |= other == name);
    found
}

fn printed(code: Code) -> String {
    doc(&[Stmt::Line(code)], WIDTH).print(WIDTH)
}

#[test]
fn names_in_literals_and_of_members_are_no_mention() {
    let (at, text) = (var("at"), "at");
    assert!(mentions(&code!("return in.load(at + 4);"), "at"));
    assert!(mentions(&code!("return in.load({at} + 4);"), "at"));
    assert!(mentions(&code!("c = '\"'; at = 1'000;"), "at"));
    for code in [
        code!("return place.at + 4;"),
        code!("return in.in_field(\"at\");"),
        code!("out.raw(\"a\\\" at \\\\\");"),
        code!("return {text};"),
        code!("format_at(at2)"),
        code!("at::begin()"),
    ] {
        assert!(!mentions(&code, "at"), "{code:?}");
    }
    assert!(mention(&[stmt!("++at;")], &at));
}

#[test]
fn lines_end_outside_of_brackets_and_literals() {
    let text = "a, b".repeat(18);
    let first = code!("    ready = first<one, two>(one)");
    let second = code!("second(\"{text}\", three, four_and_more)");
    assert_eq!(
        printed(code!("{first} && {second};")),
        format!("    ready = first<one, two>(one)\n    && second(\"{text}\", three, four_and_more);")
    );
}

#[test]
fn bodies_are_opened_before_the_arguments_in_front_of_them() {
    let long = "a".repeat(80);
    let body = code!("return use(item, {long});");
    assert_eq!(
        printed(code!("if (!each(values, [&](auto& item) {{ {body} }})) {{")),
        format!("if (!each(values, [&](auto& item) {{\n    return use(item, {long});\n}})) {{")
    );
}

#[test]
fn what_fits_and_what_has_no_place_for_a_line_end_stays() {
    let long = "a".repeat(WIDTH);
    for (code, text) in [
        (code!("int a = 1;"), "int a = 1;".to_owned()),
        (code!("// {long}, b"), format!("// {long}, b")),
        (code!("f(\"{long}, b\");"), format!("f(\"{long}, b\");")),
    ] {
        assert_eq!(printed(code), text);
    }
}
