//! `convert` with several schemas: no value of an older version is lost, and no two tables are one file.

use super::{aldis, Folder, Run};
use serde_json::{json, Value};
use std::fs;

/// A schema of SBE in a package, with an id and a version, a member of the head, types and messages.
struct Schema<'s> {
    package: &'s str,
    id: u16,
    head: &'s str,
    types: &'s str,
    messages: String,
}

impl Schema<'_> {
    fn text(&self, version: u16) -> String {
        let Self { package, id, head, types, messages } = self;
        let member = |name: &str| format!(r#"<type name="{name}" primitiveType="uint16"/>"#);
        let composite = |name: &str, members: &[&str], more: &str| {
            let members: String = members.iter().map(|name| member(name)).collect();
            format!(r#"<composite name="{name}">{members}{more}</composite>"#)
        };
        let header = composite("messageHeader", &["blockLength", "templateId", "schemaId", "version"], head);
        let group = composite("groupSizeEncoding", &["blockLength", "numInGroup"], "");
        let text = r#"<type name="varData" length="0" primitiveType="uint8" characterEncoding="UTF-8"/>"#;
        let data = composite("varData", &["length"], text);
        format!(
            r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="{package}" id="{id}" version="{version}" byteOrder="littleEndian">
<types>{header}{group}{data}{types}</types>{messages}</sbe:messageSchema>"#
        )
    }
}

fn message(name: &str, id: u16, fields: &str) -> String {
    format!(r#"<sbe:message name="{name}" id="{id}"><field name="a" id="1" type="uint32"/>{fields}</sbe:message>"#)
}

/// Types and the second field of the message `T`.
type Side<'s> = (&'s str, &'s str);

fn schema<'s>((types, fields): Side<'s>, head: &'s str) -> Schema<'s> {
    Schema { package: "p", id: 5, head, types, messages: message("T", 1, fields) }
}

/// Random messages of the schemas, each after the other, as tables by all of them.
fn converted(folder: &Folder, writers: &[&str], schemas: &[&str], more: &[&str]) -> (Run, String) {
    let random = |schema: &&str| {
        let run = aldis(&["random", schema, "--seed", "3", "--count", "6", "--to", "bytes", "--framing", "u16le"]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let feed = folder.write("feed.bin", writers.iter().flat_map(random).collect::<Vec<u8>>());
    let out = folder.path("out");
    let _ = fs::remove_dir_all(&out);
    let schemas = schemas.iter().flat_map(|schema| ["--schema", schema]);
    let how = ["convert", &feed, "--framing", "u16le", "--to", "jsonl", "--times", "integers", "--out", &out];
    let run = aldis(&how.into_iter().chain(schemas).chain(more.iter().copied()).collect::<Vec<&str>>());
    (run, out)
}

/// The names of tables and their rows.
fn counts(folder: &str) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let rows = fs::read_to_string(&path).unwrap().lines().count();
            (path.file_stem().unwrap().to_string_lossy().into_owned(), rows)
        })
        .collect();
    found.sort();
    found
}

fn table(name: &str, rows: usize) -> (String, usize) {
    (name.to_owned(), rows)
}

const X: &str = r#"<enum name="E" encodingType="uint8"><validValue name="x">1</validValue></enum>"#;
const XY: &str = r#"<enum name="E" encodingType="uint8"><validValue name="x">1</validValue><validValue name="y">2</validValue></enum>"#;
const FLAG: &str = r#"<set name="E" encodingType="uint8"><choice name="x">1</choice></set>"#;
const FLAGS: &str =
    r#"<set name="E" encodingType="uint8"><choice name="x">1</choice><choice name="y">2</choice></set>"#;
const OF_E: &str = r#"<field name="b" id="2" type="E"/>"#;
const NUMBER: &str = r#"<field name="b" id="2" type="uint8"/>"#;
const GROUP: &str = r#"<group name="g" id="3"><field name="b" id="2" type="uint32"/></group>"#;
const WIDER: &str =
    r#"<group name="g" id="3"><field name="b" id="2" type="uint32"/><field name="c" id="4" type="uint32"/></group>"#;

#[test]
fn values_that_the_newest_version_has_not_are_in_a_table_of_their_own() {
    let time = |more: &str| format!(r#"<field name="b" id="2" type="uint64" {more}/>"#);
    let (nanos, millis) = (time(r#"timeUnit="nanosecond""#), time(r#"timeUnit="millisecond""#));
    let plain = time("");
    let renamed = NUMBER.replace("\"b\"", "\"other\"");
    let cases: [(&str, Side<'_>, Side<'_>); 13] = [
        ("a field was removed", ("", NUMBER), ("", "")),
        ("a field was renamed", ("", NUMBER), ("", &renamed)),
        ("a number became a letter", ("", NUMBER), ("", r#"<field name="b" id="2" type="char"/>"#)),
        ("a number became narrower", ("", r#"<field name="b" id="2" type="uint16"/>"#), ("", NUMBER)),
        ("a name became a number", (X, OF_E), ("", NUMBER)),
        ("a value of an enum was removed", (XY, OF_E), (X, OF_E)),
        ("a value of an enum was renamed", (X, OF_E), (&X.replace("\"x\"", "\"z\""), OF_E)),
        ("a flag was removed", (FLAGS, OF_E), (FLAG, OF_E)),
        ("a unit of time is another", ("", &nanos), ("", &millis)),
        ("a time became a number", ("", &nanos), ("", &plain)),
        ("a group was removed", ("", GROUP), ("", "")),
        ("a field of a group was removed", ("", WIDER), ("", GROUP)),
        ("data was removed", ("", r#"<data name="d" id="3" type="varData"/>"#), ("", "")),
    ];
    let folder = Folder::new("convert-lost-values");
    for (what, old, new) in cases {
        let old = folder.write("old.xml", schema(old, "").text(1));
        let new = folder.write("new.xml", schema(new, "").text(2));
        let (run, out) = converted(&folder, &[&old], &[&new, &old], &[]);
        assert_eq!(run.code, 0, "{what}: {}", run.err);
        assert!(run.err.contains("p.T.v1: a table of its own, since "), "{what}: {}", run.err);
        assert_eq!(counts(&out), [table("p.T.v1", 6)], "{what}");
    }
    let [old, new] = ["seq", "number"].map(|name| format!(r#"<type name="{name}" primitiveType="uint32"/>"#));
    let old = folder.write("old.xml", schema(("", ""), &old).text(1));
    let new = folder.write("new.xml", schema(("", ""), &new).text(2));
    let (run, out) = converted(&folder, &[&old], &[&new, &old], &[]);
    assert_eq!((run.code, counts(&out)), (0, vec![table("p.T.v1", 6)]), "{}", run.err);
}

#[test]
fn versions_to_which_something_was_added_share_a_table() {
    let since = r#"<field name="c" id="9" type="uint8" sinceVersion="2"/>"#;
    let data = r#"<data name="d" id="4" type="varData" sinceVersion="2"/>"#;
    let cases: [(&str, Side<'_>, Side<'_>); 4] = [
        ("a field", ("", NUMBER), ("", &format!("{NUMBER}{since}"))),
        ("a value of an enum", (X, OF_E), (XY, OF_E)),
        ("a flag", (FLAG, OF_E), (FLAGS, OF_E)),
        ("data", ("", GROUP), ("", &format!("{GROUP}{data}"))),
    ];
    let folder = Folder::new("convert-shared");
    for (what, old, new) in cases {
        let old = folder.write("old.xml", schema(old, "").text(1));
        let mut newer = schema(new, "");
        newer.package = "renamed";
        let new = folder.write("new.xml", newer.text(2));
        let (run, out) = converted(&folder, &[&old, &new], &[&new, &old], &[]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{what}");
        assert_eq!(counts(&out), [table("renamed.T", 12)], "{what}");
    }
}

#[test]
fn messages_that_only_an_older_version_has_keep_their_tables() {
    let folder = Folder::new("convert-lost-messages");
    let mut older = schema(("", ""), "");
    older.messages += &message("Gone", 2, "");
    older.messages += &message("Old", 3, "");
    let mut newer = schema(("", ""), "");
    newer.messages += &message("Other", 3, "");
    let (old, new) = (folder.write("old.xml", older.text(1)), folder.write("new.xml", newer.text(2)));
    let (run, out) = converted(&folder, &[&old], &[&old, &new], &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(counts(&out), [table("p.Gone.v1", 2), table("p.Old.v1", 2), table("p.T", 2)]);
}

#[test]
fn tables_whose_names_are_alike_are_different_files() {
    let folder = Folder::new("convert-names");
    let of = |package, id, messages| Schema { package, id, head: "", types: "", messages };
    let group = folder.write("group.xml", of("p", 5, message("T", 1, GROUP)).text(0));
    let package = folder.write("package.xml", of("p.T", 6, message("g", 1, "")).text(0));
    let capitals = folder.write("capitals.xml", of("P", 7, message("T", 1, "")).text(0));
    let again = folder.write("again.xml", of("p", 8, message("T", 1, "")).text(0));
    let all = [group.as_str(), &package, &capitals, &again];
    let (run, out) = converted(&folder, &all, &all, &["--groups", "tables"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("p.T.g: its file is called p.T.g_"), "{}", run.err);
    let found = counts(&out);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["P.T.3", "p.T", "p.T.4", "p.T.g", "p.T.g_"]);
    let rows: Vec<Value> = ["p.T.g", "p.T.g_"]
        .map(|name| {
            let text = fs::read_to_string(format!("{out}/{name}.jsonl")).unwrap();
            let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
            json!([row.get("a").is_some(), row.get("_parent").is_some()])
        })
        .into();
    assert_eq!(rows, [json!([true, false]), json!([false, true])]);
}
