//! Generated code for review: in `golden/` what each feature of the Plan looks like, and digests of large schemas.
//! `UPDATE_GOLDEN=1` rewrites them.

mod common;

use aldis_cpp::CPP;
use aldis_testkit::{features, generated, Golden};
use common::{compile, stem, write};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Schemas that have most in them. Other tests compile what is made of them and ask it.
const LARGE: [&str; 5] = [
    "conformance/vectors/fbe/proto.fbe",
    "conformance/vectors/sbe/dims.xml",
    "compiler/languages/cpp/tests/schemas/names.fbe",
    "conformance/schemas/addressbook.capnp",
    "conformance/vectors/capnp/schema/edge.capnp",
];

#[test]
fn generated_code_is_as_in_golden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    Golden { language: &CPP, folder, shown: |_| true, large: &LARGE }.check();
}

#[test]
fn lines_are_short_and_end_without_white_space_and_files_with_one_line_end() {
    let schemas = features().into_iter().chain(LARGE.map(str::to_owned));
    for schema in schemas {
        for (path, text) in generated(&CPP, &schema, None) {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{schema}: {path}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{schema}: {path}");
            let long = text.lines().find(|line| line.chars().count() > 120);
            assert_eq!(long, None, "{schema}: {path}");
        }
    }
}

/// All headers of all features in one program, each feature in a namespace of its own.
#[test]
fn features_compile_without_a_word() {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), "features");
    let mut program = String::new();
    for schema in features() {
        for (path, text) in generated(&CPP, &schema, Some(&stem(&schema))) {
            write(&folder.join(&path), &text);
            let _ = writeln!(program, "#include \"{path}\"");
        }
    }
    let source = folder.join("all.cpp");
    fs::write(&source, program + "int main() {}\n").expect("the program can be written");
    compile(&source, &folder, &["-fsyntax-only"]);
}
