//! Reasons in words: `format_error` of generated modules says the value, the range, the enumerants, and which fields there are.

mod common;

use common::{answers, build, plans};

#[test]
fn reasons_say_the_value_and_what_its_field_takes() {
    let schema = "compiler/languages/erlang/tests/schemas/reasons.fbe";
    let testee = build(schema, &plans(schema));
    answers(&testee, "reasons_check", 21);
}
