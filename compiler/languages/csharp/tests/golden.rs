//! Generated code as plain files in `golden/`, reviewed like any other code. `UPDATE_GOLDEN=1` rewrites them.

use aldis_csharp::CSHARP;
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
    ["conformance/vectors/sbe/dims.xml", "conformance/schemas/market.xml", "conformance/schemas/market.fbe"];

/// The golden files that there should be, by name.
fn expected() -> BTreeMap<String, String> {
    let mut golden: BTreeMap<String, String> = generated(&CSHARP, SHOWN, None).into_iter().collect();
    let asks = generated(&CSHARP, ASKS, None).into_iter();
    golden.extend(asks.filter(|(path, _)| path.ends_with("AskRequests.cs")));
    let sets = generated(&CSHARP, SETS, None).into_iter();
    golden.extend(sets.filter(|(path, _)| path.ends_with("Draft.cs")));
    let large = LARGE.iter().flat_map(|schema| generated(&CSHARP, schema, None));
    let digests = large.map(|(path, text)| format!("{} {:>6} lines  {path}\n", digest(&[&text]), text.lines().count()));
    golden.insert("digests.txt".to_owned(), digests.collect());
    golden
}

#[test]
fn generated_code_is_as_in_golden() {
    agree_with_golden(&Path::new(env!("CARGO_MANIFEST_DIR")).join("golden"), expected());
}

#[test]
fn lines_end_without_white_space_and_no_file_is_written_twice() {
    for schema in LARGE.iter().chain([&SHOWN]) {
        let mut paths = Vec::new();
        for (path, text) in generated(&CSHARP, schema, None) {
            assert!(text.lines().all(|line| line.trim_end() == line), "{path}");
            let path = path.to_lowercase();
            assert!(!paths.contains(&path), "{path} is written twice");
            paths.push(path);
        }
    }
}
