//! Generated code as plain files in `golden/`, reviewed like any other code. `UPDATE_GOLDEN=1` rewrites them.

use aldis_java::JAVA;
use aldis_schema::digest;
use aldis_testkit::{agree_with_golden, generated};
use std::collections::BTreeMap;
use std::path::Path;

const SHOWN: &str = "conformance/features/sbe_group.xml";

/// Of this one there is the class of its requests.
const ASKS: &str = "compiler/languages/java/tests/ask.fbe";

/// Of this one there are the drafts.
const SETS: &str = "conformance/features/sbe_composite.xml";

/// Schemas that have most in them: there are digests of what is made of them.
const LARGE: [&str; 3] =
    ["conformance/vectors/sbe/dims.xml", "conformance/schemas/market.xml", "conformance/schemas/addressbook.capnp"];

/// The golden files that there should be, by name.
fn expected() -> BTreeMap<String, String> {
    let shown = generated(&JAVA, SHOWN, None).into_iter();
    let mut golden: BTreeMap<String, String> = shown.map(|(path, text)| (path.replace('/', "."), text)).collect();
    let asks = generated(&JAVA, ASKS, None).into_iter().filter(|(path, _)| path.ends_with("AskRequests.java"));
    golden.extend(asks.map(|(path, text)| (path.replace('/', "."), text)));
    let sets = generated(&JAVA, SETS, None).into_iter().filter(|(path, _)| path.ends_with("Draft.java"));
    golden.extend(sets.map(|(path, text)| (path.replace('/', "."), text)));
    let large = LARGE.iter().flat_map(|schema| generated(&JAVA, schema, None));
    let digests = large.map(|(path, text)| format!("{} {:>6} lines  {path}\n", digest(&[&text]), text.lines().count()));
    golden.insert("digests.txt".to_owned(), digests.collect());
    golden
}

#[test]
fn generated_code_is_as_in_golden() {
    agree_with_golden(&Path::new(env!("CARGO_MANIFEST_DIR")).join("golden"), expected());
}

#[test]
fn lines_end_without_white_space_and_no_class_has_the_name_of_another_file() {
    // The second has types that are called like the codecs of another.
    for schema in [LARGE[0], "compiler/languages/java/tests/names.fbe"] {
        let mut names = Vec::new();
        for (path, text) in generated(&JAVA, schema, None) {
            assert!(text.ends_with('\n') && text.lines().all(|line| line.trim_end() == line), "{path}");
            names.push(path.to_lowercase());
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{schema}");
    }
}
