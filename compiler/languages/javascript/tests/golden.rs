//! Generated code for review: in `golden/` what features of the Plan look like, and digests of the others and of large schemas; in
//! `tests/types/` declarations that the tests of `@aldis/codec` compile. `UPDATE_GOLDEN=1` rewrites them.

use aldis_emit::{Language, Request};
use aldis_javascript::JAVASCRIPT;
use aldis_testkit::{agree_with_golden, features, generated, Golden};
use std::path::{Path, PathBuf};

/// Schemas whose declarations TypeScript's compiler reads.
const TYPED: [&str; 4] = [
    "compiler/languages/javascript/tests/schemas/hostile.fbe",
    "conformance/schemas/fbe/trades.fbe",
    "conformance/features/sbe_group.xml",
    "conformance/features/capnp_union.capnp",
];

/// Schemas that have most in them: there are digests of what is made of them.
const LARGE: [&str; 5] = [
    "compiler/languages/javascript/tests/schemas/hostile.fbe",
    "conformance/vectors/sbe/dims.xml",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/schemas/market.xml",
    "conformance/schemas/addressbook.capnp",
];

/// Features whose code has shapes that others do not have.
fn shown(feature: &str) -> bool {
    let own = ["array", "data", "decimal", "enum", "group", "map", "null", "optional", "set", "text", "versions"];
    feature.split_once('_').is_some_and(|(form, name)| name == "base" || form != "capnp" && own.contains(&name))
        || feature == "capnp_enum"
        || feature == "capnp_union"
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn generated_code_is_as_in_golden() {
    Golden { language: &JAVASCRIPT, folder: folder("golden"), shown, large: &LARGE }.check();
}

#[test]
fn declarations_are_those_that_are_compiled() {
    let files = TYPED.iter().flat_map(|schema| generated(&JAVASCRIPT, schema, None));
    agree_with_golden(&folder("tests/types"), files.filter(|(path, _)| path.ends_with(".d.ts")).collect());
}

#[test]
fn typescript_is_what_is_compiled() {
    let schema = "conformance/schemas/fbe/trades.fbe";
    let plans = aldis_testkit::plans(schema);
    let options = vec![("output".to_owned(), "ts".to_owned())];
    let request = Request { options, stem: aldis_testkit::stem(schema), ..aldis_testkit::request(&plans) };
    let files = JAVASCRIPT.generate(&request).files;
    assert!(files.iter().all(|file| file.path.ends_with(".ts") && !file.path.ends_with(".d.ts")));
    agree_with_golden(&folder("tests/typescript"), files.into_iter().map(|file| (file.path, file.text)).collect());
}

#[test]
fn lines_end_without_white_space_and_files_with_one_line_end() {
    for schema in features().into_iter().chain(LARGE.map(str::to_owned)) {
        for (path, text) in generated(&JAVASCRIPT, &schema, None) {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{path}");
        }
    }
}
