//! Drafts: what they set is what encoding writes.

mod common;

use aldis_emit::names::capital;
use aldis_interpreter::Codec;
use aldis_testkit::{two_messages, SCHEMAS_OF_DRAFTS};
use common::{module_of, node_with, testee_into};

/// Schemas whose names are hostile to JavaScript, and one with hidden fields.
const OTHERS: [&str; 2] = [
    "compiler/languages/javascript/tests/schemas/hostile.fbe",
    "compiler/languages/javascript/tests/schemas/secret.fbe",
];

#[test]
fn fields_that_are_set_where_they_lie_are_those_that_are_written() {
    for (index, schema) in SCHEMAS_OF_DRAFTS.iter().chain(&OTHERS).enumerate() {
        let (folder, plans) = testee_into(schema, &format!("draft_{index}"));
        let mut messages = Vec::new();
        for plan in &plans {
            let codec = Codec::new(plan.clone());
            // Two values of which each field of one is set in the other.
            for message in 0..plan.messages.len() {
                let name = format!("{}{}", name_of(plan, message), capital(&plan.form.suffix));
                let encoded = |seed| codec.encode(message, &codec.random(message, seed)).ok();
                let files = two_messages(&folder, &name, encoded);
                messages.push(format!("{name}={}", files.join(",")));
            }
        }
        let stem = module_of(&folder);
        let stem = stem.trim_end_matches(".js");
        let args: Vec<&str> = [stem].into_iter().chain(messages.iter().map(String::as_str)).collect();
        node_with(&folder, "draft_check.js", &args);
    }
}

fn name_of(plan: &aldis_plan::Plan, message: usize) -> String {
    plan.schema.type_def(plan.messages[message].record).name.path.join("_")
}
