//! A request gives the plans that its schema's text gives.

mod support;

use aldis_capnp::{compile_requested_files, CAPNP};
use aldis_capnp_peer::compile;
use aldis_plan::{Format, Plan};
use support::{conformance, Disk};

/// All that plans say, but for places in texts and for the comment on the reference's `StreamResult`, which is our own.
fn without_places(plans: &[Plan]) -> String {
    let text = format!("{plans:#?}");
    let mut out = String::new();
    let mut lines = text.lines();
    let mut stream_result = false;
    while let Some(line) = lines.next() {
        if line.trim_start().starts_with("span: Span {") {
            let indent = line.len() - line.trim_start().len();
            lines.by_ref().find(|line| line.trim_start() == "}," && line.len() == indent + 2);
        } else if std::mem::replace(&mut stream_result, line.ends_with("StreamResult\",")) {
            lines.by_ref().find(|line| line.trim_start().starts_with("doc:"));
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}

#[test]
fn each_requested_file_gives_the_plans_of_its_text() {
    let folder = conformance("vectors/capnp/schema");
    let names = ["edge.capnp", "layout.capnp", "names.capnp", "names-types.capnp"];
    for files in names.iter().map(std::slice::from_ref).chain([&["edge.capnp", "layout.capnp"][..]]) {
        let request = compile(&folder, files).unwrap();
        let requested = compile_requested_files(&request).unwrap();
        assert_eq!(requested.len(), files.len());
        for (file, (name, found)) in files.iter().zip(requested) {
            assert_eq!(name, *file);
            let mut expected = CAPNP.compile(file, &Disk(folder.clone()));
            assert!(expected.diagnostics.is_empty() && expected.plans.len() == 3);
            // A request does not tell the texts of imported files.
            for plan in &mut expected.plans {
                (plan.schema.modules, plan.schema.owners) = (Vec::new(), Vec::new());
            }
            let (found, expected) = (without_places(&found.plans), without_places(&expected.plans));
            let differs = found.lines().zip(expected.lines()).enumerate().find(|(_, (one, other))| one != other);
            assert!(found == expected, "{file}: {differs:?}");
        }
    }
}
