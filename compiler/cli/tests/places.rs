//! Faults of bytes have the interpreter's offsets and paths, in generated C++ too: of a run or a head that the bytes end within, the
//! first member that is cut.

use std::path::Path;
use std::process::Command;

/// Compares answers to random values and damaged bytes of a schema, with the places of their faults.
fn places_agree(schema: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_aldis"))
        .args(["conform", "--lang", "cpp", "--exact", "--no-limits", "--count", "40", schema])
        .current_dir(root.join("conformance"))
        .output()
        .expect("the command starts");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{schema}\n{}{}", said(&output.stdout), said(&output.stderr));
}

#[test]
fn of_blocks_with_nests_and_versions() {
    places_agree("features/sbe_composite.xml");
    places_agree("vectors/sbe/evo-v3.xml");
}

#[test]
fn of_groups_and_data() {
    places_agree("schemas/market.xml");
}

#[test]
fn of_blocks_that_say_their_size() {
    places_agree("features/fbe_records.fbe");
    places_agree("schemas/fbe/trades.fbe");
}
