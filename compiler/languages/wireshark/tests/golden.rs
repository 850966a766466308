//! Generated tables as plain files in `golden/`, reviewed like any other code. `UPDATE_GOLDEN=1` rewrites them.

use aldis_schema::digest;
use aldis_testkit::{agree_with_golden, generated};
use aldis_wireshark::{engine, WIRESHARK};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The schemas whose tables are shown.
const SHOWN: [(&str, &str); 2] = [
    ("conformance/features/sbe_group.xml", "group"), //
    ("conformance/features/capnp_union.capnp", "union"),
];

/// Schemas that have most in them: there are digests of what is made of them.
const LARGE: [&str; 4] = [
    "conformance/vectors/sbe/dims.xml",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/schemas/market.xml",
    "conformance/schemas/addressbook.capnp",
];

/// The only file that is made of a schema, without the engine.
fn tables(schema: &str, name: Option<&str>) -> (String, String) {
    let mut files = generated(&WIRESHARK, schema, name);
    assert_eq!(files.len(), 1);
    let (path, text) = files.remove(0);
    let tables = text.strip_suffix(&engine()).expect("the engine is at the end").to_owned();
    (path, tables)
}

#[test]
fn tables_are_as_in_golden() {
    let mut golden: BTreeMap<String, String> = SHOWN.iter().map(|(schema, name)| tables(schema, Some(name))).collect();
    let mut digests = String::new();
    for schema in LARGE {
        let (path, text) = tables(schema, None);
        let _ = writeln!(digests, "{} {:>6} lines  {path}", digest(&[&text]), text.lines().count());
    }
    let engine = engine();
    let _ = writeln!(digests, "{} {:>6} lines  the engine", digest(&[&engine]), engine.lines().count());
    golden.insert("digests.txt".to_owned(), digests);
    let long: Vec<_> = golden.iter().filter(|(_, text)| text.lines().count() >= 300).map(|(path, _)| path).collect();
    assert!(long.is_empty(), "{long:?}");
    agree_with_golden(&Path::new(env!("CARGO_MANIFEST_DIR")).join("golden"), golden);
}
