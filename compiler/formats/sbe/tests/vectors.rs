//! The reference's schemas compile, and what the plan says of headers and blocks is what the reference wrote.

mod common;

use aldis_diagnostics::any_error;
use aldis_plan::{ByteOrder, Meaning, Plan, Run};
use common::{compile_file, conformance, rendered};

const SCHEMAS: [&str; 6] = ["be-all", "dims", "evo-v1", "evo-v2", "evo-v3", "le-all"];

fn plan(schema: &str) -> Plan {
    let mut compilation = compile_file("vectors/sbe", &format!("{schema}.xml"));
    let shown = rendered(&compilation.diagnostics, &compilation.sources);
    assert!(!any_error(&compilation.diagnostics), "{schema}: {shown}");
    compilation.plans.pop().expect("a schema without errors has a plan")
}

/// The number in the bytes that a register of the head names.
fn stored(plan: &Plan, head: &Run, bytes: &[u8], wanted: fn(&Meaning) -> bool) -> u64 {
    let (slot, _) = head.register(|r| wanted(&r.meaning)).expect("the head has the register");
    let bytes = &bytes[slot.at as usize..slot.end() as usize];
    let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    match plan.byte_order {
        ByteOrder::Big => bytes.iter().fold(0, fold),
        ByteOrder::Little => bytes.iter().rev().fold(0, fold),
    }
}

#[test]
fn headers_and_block_lengths_are_the_references() {
    let mut checked = 0;
    for schema in SCHEMAS {
        let plan = plan(schema);
        for entry in std::fs::read_dir(conformance("vectors/sbe")).expect("the vectors are there") {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(rest) = name.strip_prefix(&format!("{schema}.")).and_then(|n| n.strip_suffix(".bin")) else {
                continue;
            };
            let local = rest.split('.').next().unwrap_or_default();
            let message =
                plan.message(&format!("{}.{local}", plan.schema.package)).expect("the message is in the schema");
            let head = &message.envelope.head;
            let bytes = std::fs::read(&path).expect("a readable vector");
            let values = std::fs::read_to_string(path.with_extension("values.json")).expect("its values");
            assert!(values.replace(' ', "").contains(&format!("\"headerLength\":{}", head.size)), "{name}");
            let written = |meaning: &Meaning| match meaning {
                Meaning::Extent { writes } | Meaning::Version { writes } => *writes,
                Meaning::TypeId { expect } | Meaning::SchemaId { expect } => *expect,
                _ => panic!("no such register in a message header"),
            };
            for wanted in [
                |m: &Meaning| matches!(m, Meaning::Extent { .. }),
                |m: &Meaning| matches!(m, Meaning::TypeId { .. }),
                |m: &Meaning| matches!(m, Meaning::SchemaId { .. }),
                |m: &Meaning| matches!(m, Meaning::Version { .. }),
            ] {
                let (_, register) = head.register(|r| wanted(&r.meaning)).expect("the head has the register");
                assert_eq!(
                    stored(&plan, head, &bytes, wanted),
                    written(&register.meaning),
                    "{name}: {}",
                    register.name
                );
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 72, "messages checked");
}
