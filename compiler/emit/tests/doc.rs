//! The printer's lines, to the column.

use aldis_emit::doc::{blank, bracketed, comment, concat, group, hard, indent, soft, text, Doc};

fn call() -> Doc {
    bracketed("f(", vec![text("first"), text("second"), text("third")], ")", 4)
}

#[test]
fn a_group_that_fits_is_one_line() {
    assert_eq!(call().print(23), "f(first, second, third)");
}

#[test]
fn a_group_too_wide_by_one_column_breaks_everywhere() {
    assert_eq!(call().print(22), "f(\n    first,\n    second,\n    third\n)");
}

#[test]
fn what_follows_a_group_counts_towards_its_line() {
    let doc = concat([call(), text(";")]);
    assert_eq!(doc.print(24), "f(first, second, third);");
    assert_eq!(doc.print(23), "f(\n    first,\n    second,\n    third\n);");
}

#[test]
fn inner_groups_decide_for_themselves() {
    let doc = bracketed("g(", vec![call(), text("x")], ")", 2);
    assert_eq!(doc.print(26), "g(\n  f(first, second, third),\n  x\n)");
}

#[test]
fn a_hard_line_breaks_the_groups_around_it() {
    let doc = group(concat([text("a"), soft(), text("b"), hard(), text("c")]));
    assert_eq!(doc.print(80), "a\nb\nc");
}

#[test]
fn empty_lines_are_empty_and_single() {
    let doc = indent(4, concat([text("a"), hard(), text("b "), blank(), blank(), text("c")]));
    assert_eq!(doc.print(80), "a\n    b\n\n    c");
}

#[test]
fn comments_keep_their_lines() {
    assert_eq!(comment("%%", "one\n\n  two").print(10), "%% one\n%%\n%%   two\n");
}

#[test]
fn empty_brackets_stay_together() {
    assert_eq!(bracketed("{", vec![], "}", 4).print(0), "{}");
}

#[test]
fn printing_is_a_function_of_the_tree() {
    assert_eq!(call().print(12), call().print(12));
}
