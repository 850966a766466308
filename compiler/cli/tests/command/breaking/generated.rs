//! Proofs of broken verdicts, read by generated code: it makes of their bytes what the verdict says that readers make of them.

use super::{NEW, OLD};
use crate::{aldis, good, root, Folder};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// Reads each proof with the modules of the version whose readers break, and prints how many there were.
const READER: &str = r#"
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";

const [proofs, suffix] = process.argv.slice(2);
const modules = { B: "new", F: "old" };
const names = readdirSync(proofs).filter((name) => name.endsWith(".json"));
for (const name of names) {
  const proof = JSON.parse(readFileSync(`${proofs}/${name}`, "utf8"));
  const folder = modules[proof.breaks];
  const codec = await import(`./${folder}/schema.js`);
  const json = await import(`./${folder}/schema_json.js`);
  const type = proof.message.split(".").at(-1);
  // A message that is gone meets the reader of any message.
  const decode = codec[`decode${type}${suffix}`] ?? codec.decode;
  const toJson = json[`${type[0].toLowerCase()}${type.slice(1)}ToJson`];
  const bytes = Buffer.from(proof.bytes, "hex");
  if (proof.fault === undefined) {
    assert.deepEqual(JSON.parse(toJson(decode(bytes))), proof.read, name);
  } else {
    const [code, place] = /^([a-z-]+)( at byte \d+)?/.exec(proof.fault).slice(1);
    assert.throws(() => decode(bytes), (error) => error.code === code && error.message.startsWith(code + (place ?? "")), name);
  }
}
console.log(names.length);
"#;

/// Asserts that a schema's change has that many proofs of broken bytes, and that generated readers agree with each.
fn agrees(name: &str, [old, new]: [&str; 2], form: &str, suffix: &str, most: std::ops::RangeInclusive<usize>) {
    let folder = Folder::new(&format!("proofs-{name}"));
    folder.write("package.json", "{\"type\": \"module\"}");
    fs::create_dir_all(folder.0.join("node_modules/@aldis")).unwrap();
    symlink(root().join("runtime/javascript/codec"), folder.0.join("node_modules/@aldis/codec")).unwrap();
    for (schema, version) in [(old, "old"), (new, "new")] {
        let out = folder.path(version);
        good(&["gen", schema, "--lang", "javascript", "--name", "schema", "--out", &out], b"");
    }
    let proofs = folder.path("proofs");
    let run = aldis(&["breaking", new, "--against", old, "--form", form, "--witness", &proofs]);
    assert_eq!(run.code, 1, "{}", run.err);
    let reader = folder.write("reader.js", READER);
    let output = Command::new("node").args([&reader, &proofs, suffix]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let count: usize = said.trim().parse().unwrap();
    assert!(most.contains(&count), "{name}: {count} proofs");
}

#[test]
fn sbe() {
    agrees("sbe", [OLD, NEW], "sbe", "", 6..=6);
}

#[test]
fn fbe_in_both_forms() {
    let folder = Folder::new("proofs-of-fbe");
    let old = "package p\nenum E : byte { a; b; }\nstruct I(9) { int32 i; }\nstruct K(8) { int32 x; E e; }\n\
               struct M(1) { int32 a; string s; I[] l; int64? o; }\n";
    let new = "package p\nenum E : byte { b; a; }\nstruct I(9) { int64 i; }\nstruct K(8) { float x; E e; string t; }\n\
               struct M(1) { uint32 a; I[] l; string s; int32? o; }\n";
    let schemas = [folder.write("old.fbe", old), folder.write("new.fbe", new)];
    let schemas = schemas.each_ref().map(String::as_str);
    agrees("fbe", schemas, "fbe", "", 8..=20);
    agrees("fbe-final", schemas, "fbe-final", "Final", 8..=20);
}

#[test]
fn capnp() {
    let folder = Folder::new("proofs-of-capnp");
    let old = "@0xd4f12b9e6a7c360b;\nstruct M {\n  a @0 :Int32;\n  b @1 :Int64 = 7;\n  l @2 :List(Bool);\n  u @3 :Int32;\n}\n";
    let new =
        "@0xd4f12b9e6a7c360b;\nstruct I {\n  i @0 :Int32;\n}\nstruct M {\n  a @0 :Float32;\n  b @1 :Int64 = 8;\n  \
               l @2 :List(I);\n  u :union {\n    u @3 :Int32;\n    v @4 :Int32;\n  }\n}\n";
    let schemas = [folder.write("old.capnp", old), folder.write("new.capnp", new)];
    agrees("capnp", schemas.each_ref().map(String::as_str), "capnp", "", 6..=12);
}
