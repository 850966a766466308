//! Drafts: what they set is what encoding writes.

mod common;

use aldis_emit::names::capital;
use aldis_interpreter::Codec;
use common::{module_of, node_with, testee_into};

const SCHEMAS: [&str; 15] = [
    "conformance/schemas/market.xml",
    "conformance/schemas/market.fbe",
    "conformance/schemas/market.capnp",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/features/sbe_array.xml",
    "conformance/features/sbe_big_endian.xml",
    "conformance/features/sbe_chars.xml",
    "conformance/features/sbe_null.xml",
    "conformance/features/fbe_decimal.fbe",
    "conformance/features/fbe_uuid.fbe",
    "conformance/features/capnp_bool.capnp",
    "conformance/features/capnp_default.capnp",
    "conformance/features/capnp_group.capnp",
    "compiler/languages/javascript/tests/schemas/hostile.fbe",
    "compiler/languages/javascript/tests/schemas/secret.fbe",
];

#[test]
fn fields_that_are_set_where_they_lie_are_those_that_are_written() {
    for (index, schema) in SCHEMAS.iter().enumerate() {
        let (folder, plans) = testee_into(schema, &format!("draft_{index}"));
        let mut messages = Vec::new();
        for plan in &plans {
            let codec = Codec::new(plan.clone());
            // Two values of which each field of one is set in the other.
            for message in 0..plan.messages.len() {
                let name = format!("{}{}", name_of(plan, message), capital(&plan.form.suffix));
                let files: Vec<String> = [3, 8]
                    .into_iter()
                    .filter_map(|seed| {
                        let value = codec.random(message, seed);
                        let file = format!("{name}_{seed}.bin");
                        let bytes = codec.encode(message, &value).ok()?;
                        std::fs::write(folder.join(&file), bytes).expect("the message can be written");
                        Some(file)
                    })
                    .collect();
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
