//! Faults of bytes have the interpreter's offsets and paths in generated C++; in Erlang those of a run or a head that the bytes end
//! within: the first member that is cut.

use aldis_testkit::fresh;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Compares answers to random values and damaged bytes of a schema, with the places of their faults. Gives what conform says.
fn compared(lang: &str, schema: &str, keep: &Path) -> (bool, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_aldis"))
        .args(["conform", "--lang", lang, "--exact", "--no-limits", "--count", "15", schema, "--keep"])
        .arg(keep)
        .current_dir(root.join("conformance"))
        .output()
        .expect("the command starts");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), format!("{schema}\n{}{}", said(&output.stdout), said(&output.stderr)))
}

fn cpp_agrees(schema: &str) {
    let keep = fresh(env!("CARGO_TARGET_TMPDIR"), &format!("places_cpp_{schema}"));
    let (agrees, said) = compared("cpp", schema, &keep);
    assert!(agrees, "{said}");
}

/// In Erlang other faults have places of their own.
fn erlang_agrees_where_bytes_end(schema: &str) {
    let keep = fresh(env!("CARGO_TARGET_TMPDIR"), &format!("places_erlang_{schema}"));
    let (agrees, said) = compared("erlang", schema, &keep);
    if agrees {
        return;
    }
    let differences = fs::read_to_string(keep.join("erlang/differences.txt")).expect("conform keeps what differs");
    let cut = |found: &&str| found.contains("wanted truncated");
    let wrong: Vec<&str> = differences.split("\ndamaged bytes").filter(cut).collect();
    // Only the first hundred are kept.
    assert!(differences.matches("wanted ").count() < 100, "{said}");
    assert!(wrong.is_empty() && said.contains("damaged bytes"), "{said}{}", wrong.join("\n"));
}

#[test]
fn of_blocks_with_nests_and_versions() {
    cpp_agrees("features/sbe_composite.xml");
    cpp_agrees("vectors/sbe/evo-v3.xml");
    erlang_agrees_where_bytes_end("vectors/sbe/evo-v3.xml");
}

#[test]
fn of_groups_and_data() {
    cpp_agrees("schemas/market.xml");
    erlang_agrees_where_bytes_end("schemas/market.xml");
}

#[test]
fn of_blocks_that_say_their_size() {
    cpp_agrees("features/fbe_records.fbe");
    cpp_agrees("schemas/fbe/trades.fbe");
    erlang_agrees_where_bytes_end("features/fbe_records.fbe");
    erlang_agrees_where_bytes_end("features/final_list.fbe");
}
