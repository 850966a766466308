//! Generated code on a host of the other byte order: golden messages are read and written there as here.

mod common;

use common::{headers_into, include_flags, root};
use std::path::Path;
use std::process::Command;

/// Compiles a program for s390x, and runs it with the folder of golden messages as its argument.
fn check(program: &str, schemas: &[&str], vectors: &str) {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), &format!("big_endian_{program}"));
    schemas.iter().for_each(|schema| headers_into(&folder, schema));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cpp").join(format!("{program}.cpp"));
    let binary = folder.join(program);
    // Linked statically, so that it needs no libraries of that machine beside the emulator.
    let compiled = Command::new("s390x-linux-gnu-g++")
        .args(["-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-static"])
        .args(include_flags(&folder))
        .arg(source)
        .arg("-o")
        .arg(&binary)
        .output()
        .expect("a C++ compiler for s390x is installed (make setup)");
    assert!(compiled.status.success(), "{program}: {}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new("qemu-s390x").arg(&binary).arg(root().join(vectors)).output();
    let output = output.expect("qemu-s390x is installed (make setup)");
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn fbe_is_the_same_on_big_endian_hosts() {
    for program in ["account_check", "view_check", "writer_check"] {
        check(program, &["conformance/vectors/fbe/proto.fbe"], "conformance/vectors/fbe");
    }
}

#[test]
fn sbe_is_the_same_on_big_endian_hosts() {
    check("evolution_check", &["conformance/vectors/sbe/evo-v3.xml"], "conformance/vectors/sbe");
}

#[test]
fn capnp_is_the_same_on_big_endian_hosts() {
    let vectors = "conformance/vectors/capnp";
    let schemas = ["conformance/vectors/capnp/schema/edge.capnp", "conformance/vectors/capnp/schema/layout.capnp"];
    check("segments_check", &[schemas[0], schemas[1], "conformance/schemas/addressbook.capnp"], vectors);
}
