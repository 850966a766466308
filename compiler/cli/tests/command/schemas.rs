//! Several schemas at once: each message is read by the one that its head says.

use super::{aldis, aldis_with, Folder};
use serde_json::Value;

/// A schema of SBE with that id and version, whose message has as many fields.
pub fn sbe(id: u16, version: u16) -> String {
    let field =
        |since: u16| format!(r#"<field name="f{since}" id="{}" type="uint32" sinceVersion="{since}"/>"#, since + 1);
    let fields: String = (0..=version).map(field).collect();
    format!(
        r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="s{id}" id="{id}" version="{version}" byteOrder="littleEndian">
<types><composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/><type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite></types>
<sbe:message name="Tick" id="1">{fields}</sbe:message></sbe:messageSchema>"#
    )
}

/// A message of that schema and version in a frame of `u16le`; its fields are 7.
pub fn message(schema: u16, version: u16) -> Vec<u8> {
    let fields = version + 1;
    let head = [8 + 4 * fields, 4 * fields, 1, schema, version];
    let head = head.into_iter().flat_map(u16::to_le_bytes);
    head.chain((0..fields).flat_map(|_| 7u32.to_le_bytes())).collect()
}

#[test]
fn each_message_is_read_by_its_schema_and_version() {
    let folder = Folder::new("schemas-sbe");
    let paths =
        [(5, 0), (5, 2), (6, 0)].map(|(id, version)| folder.write(&format!("{id}-{version}.xml"), sbe(id, version)));
    let [old, new, other] = &paths;
    let stream = [(5, 0), (5, 2), (6, 0), (5, 1), (5, 4)].map(|(schema, version)| message(schema, version)).concat();
    let feed = folder.write("feed.bin", &stream);
    let all = ["--schema", new, "--schema", old, "--schema", other, &feed, "--framing", "u16le"];
    let run = aldis(&[&["decode"][..], &all].concat());
    let lines: Vec<Value> = run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let fields: Vec<usize> = lines.iter().map(|line| line["value"].as_object().unwrap().len()).collect();
    assert_eq!((run.code, fields), (0, vec![1, 3, 1, 3, 3]), "{}", run.err);
    assert_eq!(lines[2]["message"], "s6.Tick");
    assert_eq!(lines[3]["value"]["f2"], Value::Null);
    assert!(run.err.contains("1 message of versions newer than all schemas"), "{}", run.err);
    let third = aldis(&[&["explain", "--index", "2"][..], &all].concat());
    assert!(third.text().contains("s6.Tick") && third.text().contains("6-0.xml"), "{}", third.text());
    let unknown = aldis_with(&["decode", "--schema", old, "--schema", other], &message(9, 0)[2..]);
    assert!(
        unknown.code == 1 && unknown.err.contains("schema 9") && unknown.err.contains("the ids 5, 6"),
        "{}",
        unknown.err
    );
}

/// Rows of a table as JSON.
fn table(folder: &str, name: &str) -> Vec<Value> {
    let text =
        std::fs::read_to_string(format!("{folder}/{name}.jsonl")).unwrap_or_else(|error| panic!("{name}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Versions of a message share the newest's table where the newest reads them all; others have tables of their own.
#[test]
fn versions_of_a_message_are_rows_of_one_table_where_they_fit() {
    let folder = Folder::new("schemas-tables");
    let write = |name: &str, text: &str| folder.write(name, text);
    let [old, new] = [0, 2].map(|version| write(&format!("{version}.xml"), &sbe(5, version)));
    // The same names under another schema id, and a version whose first field has another type.
    let other = write("other.xml", &sbe(6, 0).replace("package=\"s6\"", "package=\"s5\""));
    let float = sbe(5, 3).replacen("type=\"uint32\"", "type=\"float\"", 1);
    let float = write("float.xml", &float);
    let convert = |schemas: &[&String], messages: &[(u16, u16)]| {
        let stream = messages.iter().flat_map(|(schema, version)| message(*schema, *version));
        let feed = folder.write("feed.bin", stream.collect::<Vec<u8>>());
        let out = format!("{feed}.{}.tables", messages.len());
        let schemas = schemas.iter().flat_map(|schema| ["--schema", schema]);
        let how = [&feed, "--framing", "u16le", "--to", "jsonl", "--out", &out];
        let run = aldis(&["convert"].into_iter().chain(schemas).chain(how).collect::<Vec<&str>>());
        (run, out)
    };
    let (run, out) = convert(&[&old, &new, &other], &[(5, 0), (5, 2), (6, 0), (5, 1), (5, 4)]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("1 message of versions newer than all schemas"), "{}", run.err);
    let rows = table(&out, "s5.Tick");
    let numbers: Vec<&Value> = rows.iter().map(|row| &row["_message"]).collect();
    assert_eq!(numbers, [0, 1, 3, 4]);
    for (row, fields) in rows.iter().zip([1, 3, 2, 3]) {
        let known: Vec<bool> = ["f0", "f1", "f2"].map(|name| row[name] == 7).to_vec();
        let all: Vec<bool> = (0..3).map(|field| field < fields).collect();
        assert_eq!(known, all, "{row}");
        assert!(row.get("f2").is_some_and(|value| value.is_null() || *value == 7), "{row}");
    }
    assert_eq!(table(&out, "s5.Tick.3").len(), 1);
    let (run, out) = convert(&[&float, &old, &new], &[(5, 3), (5, 0), (5, 2), (5, 1)]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("s5.Tick.v2: a table of its own, since ") && run.err.contains("float.xml"), "{}", run.err);
    let counts = ["s5.Tick", "s5.Tick.v0", "s5.Tick.v2"].map(|name| table(&out, name).len());
    assert_eq!(counts, [1, 1, 2]);
    assert_eq!((&table(&out, "s5.Tick.v2")[0]["f0"], table(&out, "s5.Tick.v0")[0].get("f1")), (&7.into(), None));
}

/// Random messages of a schema, without names, are such as are found from their bytes.
#[test]
fn random_messages_of_a_whole_schema_are_found_by_their_ids() {
    let folder = Folder::new("schemas-random");
    let proto = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/vectors/fbe/proto.fbe");
    let feed =
        folder.write("feed.bin", aldis(&["random", proto, "--count", "9", "--to", "bytes", "--framing", "fbe"]).out);
    let out = format!("{feed}.tables");
    let run = aldis(&["convert", &feed, "--schema", proto, "--framing", "fbe", "--to", "jsonl", "--out", &out]);
    assert_eq!(run.code, 0, "{}", run.err);
    let rows =
        ["OrderMessage", "BalanceMessage", "AccountMessage"].map(|name| table(&out, &format!("proto.{name}")).len());
    assert_eq!(rows, [3, 3, 3]);
}

#[test]
fn schemas_that_cannot_be_told_apart_are_refused_with_words() {
    let folder = Folder::new("schemas-same");
    let refused = |first: (&str, &str), second: (&str, &str), words: &str| {
        let (first, second) = (folder.write(first.0, first.1), folder.write(second.0, second.1));
        let run = aldis_with(&["decode", "--schema", &first, "--schema", &second], b"");
        assert!(run.code == 2 && run.err.contains(words), "{words}: {}", run.err);
    };
    let (sbe, struct_of) =
        (sbe(5, 0), |name: &str, id: u8| format!("package {name}\nstruct Order({id})\n{{\n    int32 id;\n}}\n"));
    refused(("a.xml", &sbe), ("b.xml", &sbe), "have the same id and the version 0");
    refused(("a.fbe", &struct_of("a", 1)), ("b.fbe", &struct_of("b", 1)), "the id 1 (b.Order)");
    refused(("a.xml", &sbe), ("b.fbe", &struct_of("b", 1)), "cannot be told apart");
    let capnp = "@0xbf5147cbbecf40c1;\nstruct A { x @0 :Int8; }\n";
    refused(("a.capnp", capnp), ("b.capnp", capnp), "do not say what they are");
    let (one, two) = (folder.write("one.fbe", struct_of("a", 1)), folder.write("two.fbe", struct_of("b", 2)));
    let bytes = aldis(&["random", &two, "--to", "bytes"]).out;
    let run = aldis_with(&["decode", "--schema", &one, "--schema", &two], &bytes);
    assert!(run.code == 0 && run.text().starts_with(r#"{"message":"b.Order""#), "{}", run.err);
    let files = aldis(&["decode", &one, "feed.bin", "--schema", &two]);
    assert!(files.code == 2 && files.err.contains("put --schema before each schema"), "{}", files.err);
}
