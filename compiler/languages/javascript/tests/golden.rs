//! Generated code as plain files in `golden/`, reviewed like any other code. `UPDATE_GOLDEN=1` rewrites them.

use aldis_javascript::JAVASCRIPT;
use aldis_schema::digest;
use aldis_testkit::{agree_with_golden, generated};
use std::collections::BTreeMap;
use std::path::Path;

/// The endings of the names of a schema's modules.
const ENDINGS: [&str; 8] =
    [".js", ".d.ts", "_json.js", "_json.d.ts", "_view.js", "_view.d.ts", "_stream.js", "_stream.d.ts"];

/// Each schema, its module, and the first of its files that is kept.
const SCHEMAS: [(&str, &str, usize); 4] = [
    // Tests in Node find more about hostile names than readers do; the types are here for the compiler of TypeScript.
    ("compiler/languages/javascript/tests/schemas/hostile.fbe", "hostile", 1),
    ("conformance/schemas/fbe/trades.fbe", "trades", 0),
    ("conformance/features/sbe_group.xml", "feature", 0),
    ("conformance/features/capnp_union.capnp", "capnp_union", 0),
];

/// Schemas that have most in them: there are digests of what is made of them.
const LARGE: [&str; 4] = [
    "conformance/vectors/sbe/dims.xml",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/schemas/market.xml",
    "conformance/schemas/addressbook.capnp",
];

const DIGESTS: &str = "digests.txt";

/// The golden files that there should be, by name.
fn expected() -> BTreeMap<String, String> {
    let mut golden = BTreeMap::new();
    for (schema, module, first) in SCHEMAS {
        let files = generated(&JAVASCRIPT, schema, None);
        let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ENDINGS.map(|ending| format!("{module}{ending}")), "{schema}");
        golden.extend(files.into_iter().skip(first));
    }
    let large = LARGE.iter().flat_map(|schema| generated(&JAVASCRIPT, schema, None));
    let digests = large.map(|(path, text)| format!("{} {:>6} lines  {path}\n", digest(&[&text]), text.lines().count()));
    golden.insert(DIGESTS.to_owned(), digests.collect());
    golden
}

#[test]
fn generated_code_is_as_in_golden() {
    agree_with_golden(&Path::new(env!("CARGO_MANIFEST_DIR")).join("golden"), expected());
}

#[test]
fn lines_end_without_white_space_and_files_with_one_line_end() {
    for schema in SCHEMAS.map(|(schema, ..)| schema).into_iter().chain(LARGE) {
        for (path, text) in generated(&JAVASCRIPT, schema, None) {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{path}");
        }
    }
}
