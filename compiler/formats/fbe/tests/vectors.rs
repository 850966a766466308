//! The sample schemas, against what the reference implementation wrote with them.

mod support;

use aldis_fbe::FBE;
use aldis_plan::{node_min_size, Compilation, Format, Node, Plan, Run, Step};
use support::{codes, conformance, rendered, Folder};

fn sample(name: &str) -> Compilation {
    let compilation = FBE.compile(name, &Folder(conformance("vectors/fbe")));
    assert_eq!(compilation.plans.len(), 2, "{name}:\n{}", rendered(&compilation));
    compilation
}

fn standard_run<'a>(plan: &'a Plan, message: &str) -> &'a Run {
    match plan.layout(plan.message(message).unwrap().record).steps.as_slice() {
        [Step::Run(run)] => run,
        steps => panic!("{message}: {steps:?}"),
    }
}

/// Name, message, schema and type of each row of INDEX.md.
fn rows() -> Vec<[String; 4]> {
    let index = std::fs::read_to_string(conformance("vectors/fbe/INDEX.md")).unwrap();
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = index.lines().filter(|line| line.contains(".fbe |")).map(cells);
    rows.map(|c| [c[1].clone(), c[2].clone(), c[3].clone(), c[4].clone()]).collect()
}

#[test]
fn the_samples_compile_without_a_word() {
    assert_eq!(codes(&sample("proto.fbe")), [] as [&str; 0]);
    assert_eq!(codes(&sample("extra.fbe")), [] as [&str; 0]);
}

#[test]
fn type_numbers_are_those_of_the_index() {
    let rows = rows();
    assert!(rows.len() > 50, "{}", rows.len());
    for [name, message, schema, number] in rows {
        let plan = &sample(&schema).plans[0];
        let id = plan.schema.message(&message).unwrap().id;
        assert_eq!(id.map(|id| id.to_string()), Some(number), "{name}");
    }
}

#[test]
fn block_sizes_are_those_of_the_reference() {
    for [name, message, schema, _] in rows() {
        let bytes = std::fs::read(conformance("vectors/fbe").join(format!("{name}.std.bin"))).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let root = word(4) as usize;
        let plan = &sample(&schema).plans[0];
        assert_eq!(standard_run(plan, &message).size, word(root), "{name}");
    }
}

/// A Final message whose texts and collections are empty and whose optionals are absent is as small as it gets.
#[test]
fn least_sizes_of_the_final_form_are_those_of_the_reference() {
    let empty = [
        "proto_account_default",
        "proto_order_default",
        "proto_balance_default",
        "extra_empty",
        "extra_withempty_default",
        "extra_scalars_default",
        "extra_optionals_none",
        "extra_vectors_empty",
        "extra_lists_empty",
        "extra_sets_empty",
        "extra_maps_empty",
        "extra_hashes_empty",
        "extra_num_a",
        "extra_reset_default",
    ];
    let rows: Vec<_> = rows().into_iter().filter(|[name, ..]| empty.contains(&name.as_str())).collect();
    assert_eq!(rows.len(), empty.len());
    for [name, message, schema, _] in rows {
        let bytes = std::fs::metadata(conformance("vectors/fbe").join(format!("{name}.final.bin"))).unwrap().len();
        let plan = &sample(&schema).plans[1];
        let record = plan.message(&message).unwrap().record;
        assert_eq!(8 + node_min_size(plan, &Node::Call { record }), bytes, "{name}");
    }
}
