//! Generated code as plain files in `golden/`, reviewed like any other code. `UPDATE_GOLDEN=1` rewrites them.

use aldis_python::PYTHON;
use aldis_schema::digest;
use aldis_testkit::{agree_with_golden, generated};
use std::collections::BTreeMap;
use std::path::Path;

/// Schemas whose packages are kept whole.
const SCHEMAS: [&str; 2] = ["conformance/features/sbe_group.xml", "conformance/features/capnp_union.capnp"];

/// Schemas that have most in them: there are digests of what is made of them.
const LARGE: [&str; 5] = [
    "compiler/languages/javascript/tests/schemas/hostile.fbe",
    "conformance/vectors/sbe/dims.xml",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/schemas/market.xml",
    "conformance/schemas/addressbook.capnp",
];

/// The golden files that there should be, by name.
fn expected() -> BTreeMap<String, String> {
    let mut golden = BTreeMap::new();
    for schema in SCHEMAS {
        let files = generated(&PYTHON, schema, None).into_iter().filter(|(path, _)| path.ends_with(".py"));
        golden.extend(files.map(|(path, text)| (path.replace('/', "."), text)));
    }
    let large = LARGE.iter().flat_map(|schema| generated(&PYTHON, schema, None));
    let digests = large.map(|(path, text)| format!("{} {:>6} lines  {path}\n", digest(&[&text]), text.lines().count()));
    golden.insert("digests.txt".to_owned(), digests.collect());
    golden
}

#[test]
fn generated_code_is_as_in_golden() {
    agree_with_golden(&Path::new(env!("CARGO_MANIFEST_DIR")).join("golden"), expected());
}

#[test]
fn lines_end_without_white_space_and_files_with_one_line_end() {
    for schema in SCHEMAS.into_iter().chain(LARGE) {
        for (path, text) in generated(&PYTHON, schema, None) {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{path}");
        }
    }
}
