//! Generated headers, compiled as strictly as they promise, and used as users would use them.

mod common;

use common::{compile, headers, headers_into, named_headers, named_headers_into, pmr_headers_into, root};
use std::path::Path;
use std::process::Command;

fn program(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cpp").join(name)
}

#[test]
fn the_account_is_read_and_written_as_fbe_does() {
    let folder = headers("conformance/vectors/fbe/proto.fbe", "account_check");
    let check = compile(&program("account_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).arg(root().join("conformance/vectors/fbe")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_account_is_read_in_place() {
    let folder = headers("conformance/vectors/fbe/proto.fbe", "view_check");
    let check = compile(&program("view_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).arg(root().join("conformance/vectors/fbe")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn decoding_and_checking_blame_the_same_byte_where_the_budget_ends() {
    let folder = headers("conformance/features/fbe_list.fbe", "budget_check");
    let check = compile(&program("budget_check.cpp"), &folder, &["-O0"]);
    assert!(Command::new(check).status().expect("the check starts").success());
}

#[test]
fn the_account_is_written_in_place() {
    let folder = headers("conformance/vectors/fbe/proto.fbe", "writer_check");
    let check = compile(&program("writer_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).arg(root().join("conformance/vectors/fbe")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_sbe_message_of_an_older_or_shorter_writer_is_told_apart() {
    let folder = headers("conformance/vectors/sbe/evo-v3.xml", "evolution_check");
    let check = compile(&program("evolution_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).arg(root().join("conformance/vectors/sbe")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn few_bytes_do_not_ask_for_much_memory() {
    let folder = headers("compiler/languages/cpp/tests/schemas/large.fbe", "large_check");
    headers_into(&folder, "compiler/languages/cpp/tests/schemas/crew.xml");
    let check = compile(&program("large_check.cpp"), &folder, &["-O1"]);
    let output = Command::new(check).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn few_bytes_of_segments_do_not_ask_for_much_memory() {
    let folder = headers("compiler/languages/cpp/tests/schemas/wide.capnp", "wide_check");
    let check = compile(&program("wide_check.cpp"), &folder, &["-O1"]);
    let output = Command::new(check).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn elements_without_bytes_are_written_as_they_are_read() {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), "empties_check");
    for (schema, name) in
        [("fbe/empties.fbe", "linked"), ("sbe/empties.xml", "grouped"), ("capnp/empties.capnp", "pointed")]
    {
        named_headers_into(&folder, &format!("conformance/schemas/{schema}"), name);
    }
    let check = compile(&program("empties_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn values_take_memory_from_their_arena_alone() {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), "pmr_check");
    let schemas = ["fbe/extra.fbe", "fbe/proto.fbe", "sbe/dims.xml", "capnp/schema/edge.capnp"];
    let schemas = schemas.map(|schema| format!("conformance/vectors/{schema}"));
    for schema in schemas.iter().map(String::as_str).chain(["conformance/schemas/addressbook.capnp"]) {
        pmr_headers_into(&folder, schema);
    }
    let check = compile(&program("pmr_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).arg(root().join("conformance/vectors")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn testees_of_values_in_arenas_compile() {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), "pmr_testees");
    pmr_headers_into(&folder, "conformance/vectors/capnp/schema/edge.capnp");
    pmr_headers_into(&folder, "conformance/schemas/addressbook.capnp");
    for testee in ["edge_testee.cpp", "addressbook_testee.cpp"] {
        compile(&folder.join(testee), &folder, &["-fsyntax-only"]);
    }
}

#[test]
fn arrays_of_no_elements_compile() {
    let folder = headers("conformance/schemas/sbe/nothing.xml", "nothing");
    compile(&folder.join("nothing_testee.cpp"), &folder, &["-fsyntax-only"]);
}

#[test]
fn writing_into_new_memory_is_nothing_to_warn_of() {
    let folder = headers("conformance/vectors/sbe/dims.xml", "new_memory");
    compile(&program("new_memory.cpp"), &folder, &["-O2", "-fno-sanitize=all", "-c"]);
}

#[test]
fn fuzz_targets_compile() {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), "fuzz_targets");
    for target in ["bytes.cpp", "json.cpp", "stream.cpp", "transport.cpp"] {
        compile(&root().join("fuzz/cpp").join(target), &folder, &["-fsyntax-only"]);
    }
}

#[test]
fn an_address_book_is_written_and_read_in_all_forms() {
    let folder = headers("conformance/schemas/addressbook.capnp", "addressbook_check");
    let check = compile(&program("addressbook_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn messages_of_segments_are_read_and_written_in_place() {
    let folder = headers("conformance/vectors/capnp/schema/edge.capnp", "segments_check");
    headers_into(&folder, "conformance/vectors/capnp/schema/layout.capnp");
    headers_into(&folder, "conformance/schemas/addressbook.capnp");
    let check = compile(&program("segments_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).arg(root().join("conformance/vectors/capnp")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn views_of_temporaries_do_not_compile() {
    let folder = headers("conformance/vectors/fbe/proto.fbe", "dangling_check");
    let check = program("dangling_check.cpp");
    let compiles = |compiler: &str, case: u32| {
        let status = Command::new(compiler)
            .args(["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", &format!("-DCASE={case}")])
            .args(common::include_flags(&folder))
            .arg(&check)
            .stderr(std::process::Stdio::null())
            .status();
        status.ok().map(|status| status.success())
    };
    let own = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    assert_eq!(compiles(&own, 0), Some(true));
    for case in 1..=5 {
        assert_eq!(compiles(&own, case), Some(false), "case {case}");
    }
    // Clang need not be there.
    if compiles("clang++-14", 0).is_some() {
        for case in [0, 1, 2, 3, 4, 5, 11, 12] {
            assert_eq!(compiles("clang++-14", case), Some(case == 0), "case {case}");
        }
    }
}

#[test]
fn what_breaks_fbe_itself_is_refused() {
    let folder = headers("compiler/languages/cpp/tests/schemas/attack.fbe", "attack");
    headers_into(&folder, "conformance/vectors/fbe/proto.fbe");
    let check = compile(&program("attack_check.cpp"), &folder, &["-O1"]);
    let output = Command::new(check).arg(root().join("conformance/vectors/fbe")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn faults_do_not_quote_hidden_fields() {
    let folder = headers("compiler/languages/cpp/tests/schemas/secret.fbe", "secret_check");
    let check = compile(&program("secret_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn names_that_cpp_cannot_have_compile() {
    let folder = headers("compiler/languages/cpp/tests/schemas/names.fbe", "names_check");
    compile(&program("names_check.cpp"), &folder, &["-O0", "-fsyntax-only"]);
}

#[test]
fn a_record_may_have_the_name_of_its_package() {
    let names = |format: &str| format!("compiler/languages/cpp/tests/schemas/order.{format}");
    let addressbook = "conformance/schemas/addressbook.capnp".to_owned();
    for (schema, of) in [(names("fbe"), "order"), (names("xml"), "order"), (addressbook, "Person")] {
        for allocator in ["std", "pmr"] {
            let folder = named_headers(&schema, of, allocator);
            let includes =
                ["_json", "_stream", "_view", "_writer"].map(|part| format!("#include \"{of}{part}.hpp\"\n"));
            let uses = format!("{}int main() {{ return {of}::to_json({of}::{of}()) ? 0 : 1; }}\n", includes.concat());
            let program = folder.join("check.cpp");
            std::fs::write(&program, uses).expect("the program can be written");
            compile(&program, &folder, &["-O0", "-fsyntax-only"]);
        }
    }
}

#[test]
fn types_of_imported_schemas_are_one_type() {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), "imports_check");
    for file in
        ["common.fbe", "one.fbe", "two.fbe", "base.capnp", "uses.capnp", "also.capnp", "left.capnp", "right.capnp"]
    {
        headers_into(&folder, &format!("compiler/languages/cpp/tests/schemas/imports/{file}"));
    }
    let check = compile(&program("imports_check.cpp"), &folder, &["-O0"]);
    let output = Command::new(check).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Copies of headers, as targets of a build have them of the same import, are harmless; others are refused with words.
#[test]
fn headers_of_imports_go_together() {
    let schema = |file: &str| format!("compiler/languages/cpp/tests/schemas/imports/{file}.fbe");
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), "imports_copies");
    for name in ["one", "two"] {
        let own = folder.join(name);
        std::fs::create_dir(&own).expect("a folder");
        headers_into(&own, &schema("common"));
        headers_into(&own, &schema(name));
    }
    let program = folder.join("copies.cpp");
    let text =
        "#include \"one/one.hpp\"\n#include \"two/two.hpp\"\nint main() { one::Order{}.level = two::Fill{}.level; }\n";
    std::fs::write(&program, text).expect("the program can be written");
    compile(&program, &folder, &["-fsyntax-only"]);

    pmr_headers_into(&folder.join("one"), &schema("common"));
    let refused = std::panic::catch_unwind(|| compile(&program, &folder, &["-fsyntax-only"]));
    let said = refused.expect_err("other options").downcast::<String>().expect("words");
    assert!(said.contains("common was generated from another common than this needs"), "{said}");
}

#[test]
fn packing_is_the_same_on_all_processors() {
    let folder = headers("conformance/schemas/addressbook.capnp", "packing_check");
    let check = compile(&program("packing_check.cpp"), &folder, &["-O1"]);
    let output = Command::new(check).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
