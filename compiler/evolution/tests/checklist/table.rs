//! The table of what breaks whom: each row is a change, made in each format that has it. `docs/evolution.md` shows it.

use crate::reports;
use aldis_evolution::{Letters, Report};
use aldis_plan::Format;
use std::fmt::Write as _;
use std::{env, fs};

const PAGE: &str = "docs/evolution.md";
const BEGIN: &str =
    "<!-- The test of compiler/evolution/tests/checklist/table.rs writes this table: UPDATE_GOLDEN=1. -->\n";
const FORMATS: [&str; 4] = ["FBE", "FBE Final", "SBE", "Cap'n Proto"];

/// The changes in the order in which they were first made, each with what it breaks in each format.
#[derive(Default)]
struct Table(Vec<(String, [String; 4])>);

impl Table {
    fn put(&mut self, change: &str, column: usize, text: String) {
        let known = self.0.iter().position(|(name, _)| name == change);
        let row = known.unwrap_or_else(|| {
            self.0.push((change.to_owned(), Default::default()));
            self.0.len() - 1
        });
        let cell = &mut self.0[row].1[column];
        assert!(cell.is_empty(), "{change}: made twice in {}", FORMATS[column]);
        *cell = text;
    }

    fn text(&self) -> String {
        let mut out = format!("| change | {} |\n|---{}|\n", FORMATS.join(" | "), "|---".repeat(FORMATS.len()));
        for (change, cells) in &self.0 {
            let _ = writeln!(out, "| {change} | {} |", cells.join(" | "));
        }
        out
    }

    /// Two bodies of a struct in FBE, and what breaks in the standard form and in the final one.
    fn fbe(&mut self, change: &str, old: &str, new: &str, forms: [&str; 2]) {
        let schema = |body: &str| {
            let enums = if body.contains(" E ") { "" } else { "enum E : byte { a; b; }" };
            format!("package p\n{enums}\nstruct I(9) {{ int32 i; }}\n{}", whole(body, "struct M(1)"))
        };
        breaks(&aldis_fbe::FBE, &schema(old), &schema(new), &forms);
        forms.iter().enumerate().for_each(|(column, letters)| self.put(change, column, shown(letters)));
    }

    /// Two versions of a schema in SBE, and what breaks.
    fn sbe(&mut self, change: &str, old: &Sbe, new: &Sbe, broken: &str) {
        breaks(&aldis_sbe::SBE, &old.text(0), &new.text(1), &[broken]);
        self.put(change, 2, shown(broken));
    }

    /// Two bodies of a struct in Cap'n Proto, and what breaks in the framed, packed and canonical form.
    fn capnp(&mut self, change: &str, old: &str, new: &str, forms: [&str; 3]) {
        let schema = |body: &str| {
            let enums = if body.contains("enum E") { "" } else { "enum E { a @0; b @1; }" };
            let more = "struct I { i @0 :Int32; t @1 :Text; }";
            format!("@0xd4f12b9e6a7c360b;\n{enums}\n{more}\n{}", whole(body, "struct M"))
        };
        breaks(&aldis_capnp::CAPNP, &schema(old), &schema(new), &forms);
        assert_eq!(forms[0], forms[1], "{change}: packing changes nothing");
        let canonical = format!("{}; canonical {}", shown(forms[0]), shown(forms[2]));
        self.put(change, 3, if forms[0] == forms[2] { shown(forms[0]) } else { canonical });
    }
}

/// A body alone, or whole declarations.
fn whole(body: &str, head: &str) -> String {
    if body.contains("struct M") {
        return body.to_owned();
    }
    format!("{head} {{ {body} }}")
}

fn shown(letters: &str) -> String {
    letters.replace('-', "–")
}

/// Asserts what each form loses, `-` where nothing. A difference in bytes has a witness.
fn breaks(format: &dyn Format, old: &str, new: &str, forms: &[&str]) {
    let reports = reports(format, old, new);
    assert_eq!(reports.len(), forms.len());
    for (report, expected) in reports.iter().zip(forms) {
        let wanted = Letters::parse(expected.trim_matches('-')).unwrap();
        assert_eq!(
            report.broken().text(),
            wanted.text(),
            "{}: {old}\nto {new}\n{:#?}",
            report.form,
            report.differences
        );
        is_proven(report, &format!("{}: {old}\nto {new}", report.form));
    }
}

fn is_proven(report: &Report, about: &str) {
    for difference in &report.differences {
        let proven: Vec<bool> = difference.witnesses.iter().map(|witness| witness.forward).collect();
        let directions = [(difference.broken.b, false), (difference.broken.f, true)];
        let wanted: Vec<bool> = directions.iter().filter(|(broken, _)| *broken).map(|(_, forward)| *forward).collect();
        assert_eq!(proven, wanted, "{about}\n{difference:#?}");
    }
}

/// A schema of SBE with one message.
#[derive(Clone)]
struct Sbe {
    body: String,
    types: String,
    order: &'static str,
    block_length: &'static str,
    id: u32,
    template: u32,
}

impl Sbe {
    fn text(&self, version: u32) -> String {
        let composite = |name: &str, members: &[(&str, &str)]| {
            let members = members.iter().map(|(name, ty)| format!("<type name=\"{name}\" primitiveType=\"{ty}\"/>"));
            format!("<composite name=\"{name}\">{}</composite>", members.collect::<String>())
        };
        let [template, schema, of_version] = ["templateId", "schemaId", "version"].map(|name| (name, "uint16"));
        let head = composite("messageHeader", &[("blockLength", self.block_length), template, schema, of_version]);
        let group = composite("groupSizeEncoding", &[("blockLength", "uint16"), ("numInGroup", "uint8")]);
        let wide = composite("wideGroup", &[("blockLength", "uint16"), ("numInGroup", "uint16")]);
        let data = "<composite name=\"d\"><type name=\"length\" primitiveType=\"uint8\"/>\
                    <type name=\"varData\" primitiveType=\"uint8\" length=\"0\"/></composite>";
        let Self { body, types, order, id, template, .. } = self;
        format!(
            "<sbe:messageSchema xmlns:sbe=\"http://fixprotocol.io/2016/sbe\" package=\"p\" id=\"{id}\" \
             version=\"{version}\" byteOrder=\"{order}\"><types>{head}{group}{wide}{data}{types}</types>\
             <sbe:message name=\"M\" id=\"{template}\">{body}</sbe:message></sbe:messageSchema>"
        )
    }
}

/// A schema of fields as `type name` and further attributes, where a type may be `group` or `data`.
fn message(fields: &[(&str, &str, &str)]) -> Sbe {
    let fields = fields.iter().enumerate().map(|(index, (ty, name, rest))| {
        let head = format!("id=\"{}\" name=\"{name}\" {rest}", index + 1);
        match *ty {
            "group" => format!("<group {head}><field name=\"in\" id=\"99\" type=\"uint8\"/></group>"),
            "data" => format!("<data type=\"d\" {head}/>"),
            _ => format!("<field type=\"{ty}\" {head}/>"),
        }
    });
    let body = fields.collect();
    Sbe { body, types: String::new(), order: "littleEndian", block_length: "uint16", id: 7, template: 1 }
}

/// A message with one field of an enumeration of characters or numbers, which has these values.
fn enumeration(ty: &str, values: &[(&str, &str)]) -> Sbe {
    let values: String =
        values.iter().map(|(name, value)| format!("<validValue name=\"{name}\">{value}</validValue>")).collect();
    let types = format!("<enum name=\"E\" encodingType=\"{ty}\">{values}</enum>");
    Sbe { types, ..message(&[("E", "e", ""), ("uint32", "a", "")]) }
}

#[test]
fn the_table_is_true() {
    let mut table = Table::default();
    appended(&mut table);
    moved(&mut table);
    retyped(&mut table);
    parts(&mut table);
    enumerations(&mut table);
    identified(&mut table);
    let path = aldis_testkit::root().join(PAGE);
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).expect("the page has a place for the table");
    let (found, tail) = rest.split_once("\n\n").unwrap();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        return fs::write(&path, format!("{head}{BEGIN}{}\n{tail}", table.text())).unwrap();
    }
    assert_eq!(format!("{found}\n"), table.text(), "{PAGE} has another table; UPDATE_GOLDEN=1 writes it");
}

const SINCE: &str = "sinceVersion=\"1\"";
const ALL: [&str; 3] = ["BF"; 3];
const NONE: [&str; 3] = ["-"; 3];
const NAMES: [&str; 3] = ["JS"; 3];

fn appended(table: &mut Table) {
    let a = ("uint32", "a", "");
    let one = message(&[a]);
    let change = "field appended";
    table.fbe(change, "int32 a;", "int32 a; string b;", ["-", "BF"]);
    table.capnp(change, "a @0 :Int32;", "a @0 :Int32; b @1 :Text;", NONE);
    table.sbe(change, &one, &message(&[a, ("uint32", "b", "")]), "B");
    let change = "field appended with `sinceVersion` of a raised version";
    table.sbe(change, &one, &message(&[a, ("uint32", "b", SINCE)]), "-");
    let change = "optional field appended with `sinceVersion` of a raised version";
    table.sbe(change, &one, &message(&[a, ("uint32", "b", &format!("{SINCE} presence=\"optional\""))]), "-");
    table.fbe("list appended", "int32 a;", "int32 a; I[] b;", ["-", "BF"]);
    table.capnp("list appended", "a @0 :Int32;", "a @0 :Int32; b @1 :List(I);", NONE);
    let (old, new) = ("struct B(2) { int32 x; }", "struct B(2) { int32 x; int32 y; }");
    let child = "struct M(1) : B { int32 a; }";
    table.fbe("field appended to a base struct", &format!("{old} {child}"), &format!("{new} {child}"), ["BF", "BF"]);
}

fn moved(table: &mut Table) {
    let (a, b) = (("uint32", "a", ""), ("uint32", "b", ""));
    table.fbe("field inserted", "int32 a;", "int32 b; int32 a;", ["BF", "BF"]);
    table.sbe("field inserted", &message(&[a]), &message(&[b, a]), "BF");
    table.capnp("field inserted", "a @0 :Int32;", "b @0 :Int64; a @1 :Int32;", ALL);
    table.fbe("last field removed", "int32 a; string b;", "int32 a;", ["JS", "BFJS"]);
    table.sbe("last field removed", &message(&[a, b]), &message(&[a]), "FJS");
    table.capnp("last field removed", "a @0 :Int32; b @1 :Text;", "a @0 :Int32;", NAMES);
    table.fbe("another field removed", "int32 a; int32 b;", "int32 b;", ["BFJS", "BFJS"]);
    table.sbe("another field removed", &message(&[a, ("uint64", "b", "")]), &message(&[("uint64", "b", "")]), "BFJS");
    let second = ("uint16", "a", "offset=\"2\"");
    let change = "another field removed, with a hole in its place";
    table.sbe(change, &message(&[("uint16", "x", "offset=\"0\""), second]), &message(&[second]), "FJS");
    table.fbe("fields swapped", "int32 a; int64 b;", "int64 b; int32 a;", ["BF", "BF"]);
    table.sbe("fields swapped", &message(&[a, b]), &message(&[b, a]), "BF");
    table.capnp("fields swapped", "a @0 :Int32; b @1 :Int64;", "a @1 :Int32; b @0 :Int64;", ALL);
    let change = "fields swapped in the text alone";
    table.capnp(change, "a @0 :Int32; b @1 :Int64;", "b @1 :Int64; a @0 :Int32;", NONE);
    table.capnp("field moved into a new group", "a @0 :Int32;", "g :group { a @0 :Int32; b @1 :Int32; }", NAMES);
    let change = "field moved into a new union, whose other arm has no bytes";
    table.capnp(change, "a @0 :Int32;", "u :union { a @0 :Int32; b @1 :Void; }", NAMES);
    // Old readers take the other arm's bytes for the field.
    let change = "field moved into a new union, where another arm has its bytes";
    table.capnp(change, "a @0 :Int32;", "u :union { a @0 :Int32; b @1 :Int32; }", ["FJS"; 3]);
    let (old, new) = ("a @0 :Int32; b @1 :Void;", "a @0 :Int32; b @1 :Void; c @2 :Int64;");
    table.capnp("arm appended to a union", &format!("u :union {{ {old} }}"), &format!("u :union {{ {new} }}"), NONE);
    table.fbe("field renamed", "int32 a;", "int32 z;", ["JS", "JS"]);
    table.sbe("field renamed", &message(&[a]), &message(&[("uint32", "z", "")]), "JS");
    table.capnp("field renamed", "a @0 :Int32;", "z @0 :Int32;", NAMES);
    let fbe = |name| {
        format!("enum E : byte {{ a; b; }} struct {name}(2) {{ int32 x; }} struct M(1) {{ {name} f; {name}[] g; }}")
    };
    table.fbe("type renamed", &fbe("P"), &fbe("Q"), ["S", "S"]);
    let old = enumeration("uint8", &[("a", "0")]);
    let ty = |text: &str| text.replace("\"E\"", "\"Z\"");
    table.sbe("type renamed", &old, &Sbe { body: ty(&old.body), types: ty(&old.types), ..old.clone() }, "S");
    let capnp = |name| format!("struct {name} {{ x @0 :Int32; }} struct M {{ f @0 :{name}; g @1 :List({name}); }}");
    table.capnp("type renamed", &capnp("P"), &capnp("Q"), ["S", "S", "S"]);
}

fn retyped(table: &mut Table) {
    let one = message(&[("uint32", "a", "")]);
    for (change, fbe, sbe, capnp) in [
        ("signed number to unsigned", "uint32", "int32", "UInt32"),
        ("whole number to float", "float", "float", "Float32"),
    ] {
        table.fbe(change, "int32 a;", &format!("{fbe} a;"), ["BFS", "BFS"]);
        table.sbe(change, &one, &message(&[(sbe, "a", "")]), "BFS");
        table.capnp(change, "a @0 :Int32;", &format!("a @0 :{capnp};"), ["BFS"; 3]);
    }
    table.fbe("a wider number", "int32 a; int32 b;", "int64 a; int32 b;", ["BFS", "BFS"]);
    table.sbe("a wider number", &one, &message(&[("uint64", "a", "")]), "BFS");
    let (old, new) = ("a @0 :UInt16; b @1 :UInt16;", "a @0 :UInt32; b @1 :UInt16;");
    table.capnp("a wider number", old, new, ["BFS"; 3]);
    // A wider number is read as it was written, a narrower one is cut.
    table.capnp("a wider number, behind which zeros lie", "a @0 :UInt16;", "a @0 :UInt32;", ["FS"; 3]);
    let optional = message(&[("uint32", "a", "presence=\"optional\"")]);
    table.fbe("required to optional", "int32 a;", "int32? a;", ["BFJS", "BFJS"]);
    table.sbe("required to optional", &one, &optional, "BFJS");
    table.fbe("optional to required", "int32? a;", "int32 a;", ["BFJS", "BFJS"]);
    table.sbe("optional to required", &optional, &one, "BFJS");
    table.fbe("default changed", "int32 a;", "int32 a = 5;", ["-", "-"]);
    table.capnp("default changed", "a @0 :Int32;", "a @0 :Int32 = 5;", ALL);
    table.fbe("list of numbers to list of records", "int32[] a;", "I[] a;", ["BFJS", "BFJS"]);
    let change = "list of numbers to list of records";
    table.capnp(change, "a @0 :List(Int32);", "a @0 :List(I);", ["JS", "JS", "FJS"]);
    table.capnp("list of `Bool` to list of records", "a @0 :List(Bool);", "a @0 :List(I);", ["BFJS"; 3]);
    table.capnp("number to text", "a @0 :Int32;", "a @0 :Text;", ["BFJS"; 3]);
    table.fbe("number to text", "int32 a;", "string a;", ["BFJS", "BFJS"]);
    table.capnp("text to bytes", "a @0 :Text;", "a @0 :Data;", ["BFJS"; 3]);
}

fn parts(table: &mut Table) {
    let (a, group, data) = (("uint32", "a", ""), ("group", "g", ""), ("data", "d", ""));
    let since = ("group", "g", SINCE);
    table.sbe("group appended", &message(&[a]), &message(&[a, group]), "B");
    table.sbe("group appended with `sinceVersion`", &message(&[a]), &message(&[a, since]), "-");
    table.sbe("data appended with `sinceVersion`", &message(&[a]), &message(&[a, ("data", "d", SINCE)]), "-");
    table.sbe("group between existing parts", &message(&[a, data]), &message(&[a, since, data]), "F");
    let wide = ("group", "g", "dimensionType=\"wideGroup\"");
    table.sbe("dimension type of a group", &message(&[a, group]), &message(&[a, wide]), "BF");
}

fn enumerations(table: &mut Table) {
    let fbe = |body: &str| format!("{body} struct M(1) {{ E e; int32 a; }}");
    let capnp = |body: &str| format!("enum E {{ {body} }} struct M {{ e @0 :E; a @1 :Int32; }}");
    let two = fbe("enum E : byte { a; b; }");
    let (ab, abc) = (capnp("a @0; b @1;"), capnp("a @0; b @1; c @2;"));
    let sbe_two = enumeration("uint8", &[("A", "1"), ("B", "2")]);
    table.fbe("value added to an enum", &two, &fbe("enum E : byte { a; b; c; }"), ["-", "-"]);
    table.sbe("value added to an enum", &sbe_two, &enumeration("uint8", &[("A", "1"), ("B", "2"), ("C", "3")]), "-");
    table.capnp("value added to an enum", &ab, &abc, NONE);
    table.fbe("value removed from an enum", &two, &fbe("enum E : byte { a; }"), ["S", "S"]);
    table.sbe("value removed from an enum", &sbe_two, &enumeration("uint8", &[("A", "1")]), "JS");
    table.capnp("value removed from an enum", &abc, &ab, NAMES);
    table.fbe("another number type of an enum", &two, &fbe("enum E : uint16 { a; b; }"), ["BF", "BF"]);
    table.sbe("another number type of an enum", &sbe_two, &enumeration("uint16", &[("A", "1"), ("B", "2")]), "BF");
    table.fbe("names of an enum with other numbers", &two, &fbe("enum E : byte { b; a; }"), ["BFJ", "BFJ"]);
    let swapped = enumeration("uint8", &[("B", "1"), ("A", "2")]);
    table.sbe("names of an enum with other numbers", &sbe_two, &swapped, "BF");
    table.capnp("names of an enum with other numbers", &ab, &capnp("b @0; a @1;"), ALL);
    let (old, new) = ("flags E : byte { a = 0x1; }", "flags E : byte { a = 0x1; b = 0x2; }");
    table.fbe("flag added", &fbe(old), &fbe(new), ["-", "-"]);
    table.fbe("width of flags", &fbe(old), &fbe("flags E : uint16 { a = 0x1; }"), ["BF", "BF"]);
}

fn identified(table: &mut Table) {
    let one = message(&[("uint32", "a", "")]);
    let change = "type number or template id";
    table.fbe(change, "struct M(1) { int32 a; }", "struct M(2) { int32 a; }", ["BF", "BF"]);
    table.sbe(change, &one, &Sbe { template: 2, ..one.clone() }, "BF");
    table.sbe("schema id", &one, &Sbe { id: 8, ..one.clone() }, "BF");
    table.sbe("byte order", &one, &Sbe { order: "bigEndian", ..one.clone() }, "BF");
    table.sbe("a member of the header with another width", &one, &Sbe { block_length: "uint32", ..one.clone() }, "BF");
}
