//! The table of what breaks whom, row by row and form by form.

use aldis_diagnostics::{any_error, Files};
use aldis_evolution::{codes, compare, Letters, Lock, Report};
use aldis_plan::{Format, Plan};
use std::io;

struct Text(String);

impl Files for Text {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }

    fn resolve(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

fn plans(format: &dyn Format, text: &str) -> Vec<Plan> {
    let compilation = format.compile("schema", &Text(text.to_owned()));
    assert!(!any_error(&compilation.diagnostics), "{:?}\n{text}", compilation.diagnostics);
    compilation.plans
}

fn reports(format: &dyn Format, old: &str, new: &str) -> Vec<Report> {
    let (old, new) = (plans(format, old), plans(format, new));
    old.iter().zip(&new).map(|(old, new)| compare(old, new, true)).collect()
}

/// Asserts what each form loses, `-` where nothing. What is broken of bytes has a witness.
fn breaks(format: &dyn Format, old: &str, new: &str, forms: &[&str]) {
    let reports = reports(format, old, new);
    for (report, expected) in reports.iter().zip(forms) {
        let broken = report.broken();
        let wanted = Letters::parse(expected.trim_matches('-')).unwrap();
        assert_eq!(broken.text(), wanted.text(), "{}: {old}\nto {new}\n{:#?}", report.form, report.differences);
        for difference in &report.differences {
            let proven: Vec<bool> = difference.witnesses.iter().map(|witness| witness.forward).collect();
            let wanted: Vec<bool> = [(difference.broken.b, false), (difference.broken.f, true)]
                .iter()
                .filter(|d| d.0)
                .map(|d| d.1)
                .collect();
            assert_eq!(proven, wanted, "{}: {old}\nto {new}\n{difference:#?}", report.form);
        }
    }
}

/// Two bodies of a struct in FBE, and what breaks in the standard form and in the final one.
fn fbe(old: &str, new: &str, forms: [&str; 2]) {
    let schema = |body: &str| {
        format!("package p\nenum E : byte {{ a; b; }}\nstruct I(9) {{ int32 i; }}\n{}", whole(body, "struct M(1)"))
    };
    breaks(&aldis_fbe::FBE, &schema(old), &schema(new), &forms);
}

/// A body alone, or whole declarations.
fn whole(body: &str, head: &str) -> String {
    if body.contains("struct M") || body.contains("message name=\"M\"") {
        body.to_owned()
    } else {
        format!("{head} {{ {body} }}")
    }
}

#[test]
fn fbe_as_the_table_says() {
    fbe("int32 a;", "int32 a; string b;", ["-", "BF"]);
    fbe("int32 a;", "int32 a; I[] b;", ["-", "BF"]);
    fbe("int32 a;", "int32 b; int32 a;", ["BF", "BF"]);
    fbe("int32 a; int32 b;", "int32 b;", ["BFJS", "BFJS"]);
    fbe("int32 a; int64 b;", "int64 b; int32 a;", ["BF", "BF"]);
    fbe("int32 a; int32 b;", "int64 a; int32 b;", ["BFS", "BFS"]);
    fbe("int32 a; string b;", "int32 a;", ["JS", "BFJS"]);
    fbe("int32 a;", "uint32 a;", ["BFS", "BFS"]);
    fbe("int32 a;", "float a;", ["BFS", "BFS"]);
    fbe("int32 a;", "int32? a;", ["BFJS", "BFJS"]);
    fbe("int32 a;", "int32 a = 5;", ["-", "-"]);
    fbe("int32 a;", "int32 z;", ["JS", "JS"]);
    fbe("int32[] a;", "I[] a;", ["BFJS", "BFJS"]);
    fbe(
        "struct B(2) { int32 x; } struct M(1) : B { int32 a; }",
        "struct B(2) { int32 x; int32 y; } struct M(1) : B { int32 a; }",
        ["BF", "BF"],
    );
    fbe("struct M(1) { int32 a; }", "struct M(2) { int32 a; }", ["BF", "BF"]);
}

#[test]
fn defaults_and_numbers_are_told() {
    let told = |old: &str, new: &str| -> Vec<(String, String)> {
        let reports = reports(&aldis_fbe::FBE, &format!("package p\n{old}"), &format!("package p\n{new}"));
        let all = reports[0].differences.iter();
        all.map(|difference| (difference.sentence(), difference.broken.text())).collect()
    };
    let one = |sentence: &str, letters: &str| vec![(sentence.to_owned(), letters.to_owned())];
    let field = |rest: &str| format!("struct M(1) {{ int32 a{rest}; }}");
    let sentence = "the field `p.M.a` is i32, 4 bytes at 8, default 5 now, not i32, 4 bytes at 8, default 0";
    assert_eq!(told(&field(""), &field(" = 5")), one(sentence, ""));
    assert_eq!(told(&field(""), &field(" = 0")), []);
    assert_eq!(told(&field(" = 5"), &field(" = 5")), []);
    let records = |p: u32, q: u32| {
        format!("struct P({p}) {{ int32 x; }} struct Q({q}) {{ int32 y; }} struct M(3) {{ P p; Q q; }}")
    };
    let swapped = told(&records(1, 2), &records(2, 1));
    let sentences: Vec<&str> = swapped.iter().map(|(sentence, _)| sentence.as_str()).collect();
    assert!(sentences.contains(&"`p.P` has id 2 now, was 1"), "{sentences:?}");
    assert!(sentences.contains(&"`p.Q` has id 1 now, was 2"), "{sentences:?}");
}

#[test]
fn fbe_enumerations() {
    let schema = |body: &str| format!("package p\n{body}\nstruct M(1) {{ E e; int32 a; }}");
    let check = |old: &str, new: &str, forms: [&str; 2]| breaks(&aldis_fbe::FBE, &schema(old), &schema(new), &forms);
    check("enum E : byte { a; b; }", "enum E : byte { a; b; c; }", ["-", "-"]);
    check("enum E : byte { a; b; }", "enum E : uint16 { a; b; }", ["BF", "BF"]);
    check("enum E : byte { a; b; }", "enum E : byte { b; a; }", ["BF", "BF"]);
    check("enum E : byte { a; b; }", "enum E : byte { a; }", ["S", "S"]);
    check("flags E : byte { a = 0x1; }", "flags E : byte { a = 0x1; b = 0x2; }", ["-", "-"]);
}

/// Two bodies of a message in SBE, its first version 0 and its second 1, and what breaks.
fn sbe(old: &str, new: &str, broken: &str) {
    let schema = |version: u32, body: &str| {
        let composite = |name: &str, members: &[(&str, &str)]| {
            let members = members.iter().map(|(name, ty)| format!("<type name=\"{name}\" primitiveType=\"{ty}\"/>"));
            format!("<composite name=\"{name}\">{}</composite>", members.collect::<String>())
        };
        let head = composite(
            "messageHeader",
            &[("blockLength", "uint16"), ("templateId", "uint16"), ("schemaId", "uint16"), ("version", "uint16")],
        );
        let wide = composite(
            "messageHeader",
            &[("blockLength", "uint32"), ("templateId", "uint16"), ("schemaId", "uint16"), ("version", "uint16")],
        );
        let group = composite("groupSizeEncoding", &[("blockLength", "uint16"), ("numInGroup", "uint8")]);
        let group2 = composite("wideGroup", &[("blockLength", "uint16"), ("numInGroup", "uint16")]);
        let data = "<composite name=\"d\"><type name=\"length\" primitiveType=\"uint8\"/><type name=\"varData\" primitiveType=\"uint8\" length=\"0\"/></composite>";
        let head = if body.starts_with("wide") { wide } else { head };
        let order = if body.starts_with("big") { "bigEndian" } else { "littleEndian" };
        let id = if body.starts_with("other") { 8 } else { 7 };
        let body = body
            .split_once(':')
            .map_or(body, |(word, rest)| if word.chars().all(char::is_alphabetic) { rest } else { body });
        let body = whole(body, "M").replace("M {", "<sbe:message name=\"M\" id=\"1\">").replace('}', "</sbe:message>");
        format!("<sbe:messageSchema xmlns:sbe=\"http://fixprotocol.io/2016/sbe\" package=\"p\" id=\"{id}\" version=\"{version}\" byteOrder=\"{order}\"><types>{head}{group}{group2}{data}</types>{body}</sbe:messageSchema>")
    };
    let f = |text: &str| {
        let mut id = 0;
        text.split_inclusive(';')
            .map(|field| {
                id += 1;
                match field.trim().trim_end_matches(';').split_once(' ') {
                    Some((ty, rest)) if ["uint", "int3", "int6", "floa"].contains(&&ty[..4.min(ty.len())]) => {
                        format!("<field id=\"{id}\" type=\"{ty}\" {rest}/>")
                    }
                    Some(("group", rest)) => {
                        format!("<group id=\"{id}\" {rest}><field name=\"in\" id=\"99\" type=\"uint8\"/></group>")
                    }
                    Some(("data", rest)) => format!("<data id=\"{id}\" type=\"d\" {rest}/>"),
                    _ => field.to_owned(),
                }
            })
            .collect::<String>()
    };
    let apart = |text: &str| match text.split_once(':') {
        Some((word, rest)) if word.chars().all(char::is_alphabetic) => format!("{word}:{}", f(rest)),
        _ => f(text),
    };
    breaks(&aldis_sbe::SBE, &schema(0, &apart(old)), &schema(1, &apart(new)), &[broken]);
}

#[test]
fn sbe_as_the_table_says() {
    let a = "uint32 name=\"a\";";
    let with = |rest: &str| format!("{a}{rest}");
    sbe(a, &with("uint32 name=\"b\" sinceVersion=\"1\" presence=\"optional\";"), "-");
    sbe(a, &with("uint32 name=\"b\" sinceVersion=\"1\";"), "-");
    sbe(a, &with("uint32 name=\"b\";"), "B");
    sbe(a, "uint32 name=\"b\";uint32 name=\"a\";", "BF");
    sbe(&with("uint32 name=\"b\";"), a, "FJS");
    sbe("uint16 name=\"x\" offset=\"0\";uint16 name=\"a\" offset=\"2\";", "uint16 name=\"a\" offset=\"2\";", "FJS");
    sbe(a, "int32 name=\"a\";", "BFS");
    sbe(a, "float name=\"a\";", "BFS");
    sbe(a, "uint32 name=\"a\" presence=\"optional\";", "BFJS");
    sbe(a, &with("group name=\"g\" sinceVersion=\"1\";"), "-");
    sbe(a, &with("group name=\"g\";"), "B");
    sbe(a, &with("data name=\"d\" sinceVersion=\"1\";"), "-");
    sbe(&with("data name=\"d\";"), &with("group name=\"g\" sinceVersion=\"1\";data name=\"d\";"), "F");
    sbe(&with("group name=\"g\";"), &with("group name=\"g\" dimensionType=\"wideGroup\";"), "BF");
    sbe(a, &format!("wide:{a}"), "BF");
    sbe(a, &format!("big:{a}"), "BF");
    sbe(a, &format!("other:{a}"), "BF");
    sbe(a, "uint32 name=\"z\";", "JS");
}

/// Two bodies of a struct in Cap'n Proto, and what breaks in the framed, packed and canonical form.
fn capnp(old: &str, new: &str, forms: [&str; 3]) {
    let schema = |body: &str| {
        format!(
            "@0xd4f12b9e6a7c360b;\nenum E {{ a @0; b @1; }}\nstruct I {{ i @0 :Int32; t @1 :Text; }}\n{}",
            whole(body, "struct M")
        )
    };
    breaks(&aldis_capnp::CAPNP, &schema(old), &schema(new), &forms);
}

#[test]
fn capnp_as_the_table_says() {
    let all = |letters| [letters; 3];
    capnp("a @0 :Int32;", "a @0 :Int32; b @1 :Text;", all("-"));
    capnp("a @0 :Int32; b @1 :Int64;", "b @1 :Int64; a @0 :Int32;", all("-"));
    capnp("a @0 :Int32; b @1 :Int64;", "a @1 :Int32; b @0 :Int64;", all("BF"));
    capnp("a @0 :Int32;", "a @0 :UInt32;", all("BFS"));
    capnp("a @0 :Int32;", "a @0 :Int32 = 5;", all("BF"));
    capnp("a @0 :Int32; b @1 :Text;", "a @0 :Int32;", all("JS"));
    // Zeros lie behind it: a wider number is read as it was written, a narrower one is cut.
    capnp("a @0 :UInt16;", "a @0 :UInt32;", all("FS"));
    capnp("a @0 :UInt16; b @1 :UInt16;", "a @0 :UInt32; b @1 :UInt16;", all("BFS"));
    capnp("a @0 :Int32;", "a @0 :Text;", all("BFJS"));
    capnp("a @0 :Int32;", "z @0 :Int32;", all("JS"));
    capnp("a @0 :Int32;", "g :group { a @0 :Int32; b @1 :Int32; }", all("JS"));
    // An arm beside the moved field has its bytes: old readers take them for the field.
    capnp("a @0 :Int32;", "u :union { a @0 :Int32; b @1 :Int32; }", all("FJS"));
    capnp("a @0 :Int32;", "u :union { a @0 :Int32; b @1 :Void; }", all("JS"));
    capnp("u :union { a @0 :Int32; b @1 :Void; }", "u :union { a @0 :Int32; b @1 :Void; c @2 :Int64; }", all("-"));
    capnp("a @0 :List(Int32);", "a @0 :List(I);", ["JS", "JS", "FJS"]);
    capnp("a @0 :List(Bool);", "a @0 :List(I);", all("BFJS"));
    capnp("a @0 :Text;", "a @0 :Data;", all("BFJS"));
}

fn venue(version: u32) -> Vec<Plan> {
    aldis_testkit::plans(&format!("conformance/evolution/venue-{version}.xml"))
}

/// The questions that each difference of the venue's two versions breaks, by its name there.
#[test]
fn an_exchange_a_year_later() {
    let report = compare(&venue(1)[0], &venue(2)[0], true);
    let name = |end: &Option<aldis_evolution::End>| end.as_ref().map(|end| end.name.clone());
    let mut found: Vec<(String, String)> = report
        .differences
        .iter()
        .map(|difference| {
            let bytes = Letters { j: false, s: false, ..difference.broken };
            (name(&difference.new).or_else(|| name(&difference.old)).unwrap(), bytes.text())
        })
        .collect();
    found.sort();
    let wanted = [
        ("venue.Cancel", ""),
        ("venue.Execution.account", "B"),
        ("venue.Execution.fills.price.mantissa", "BF"),
        ("venue.Execution.leaves", "BF"),
        ("venue.Heartbeat", "B"),
        ("venue.NewOrder.display", ""),
        ("venue.Reason.halted", ""),
        ("venue.Rejected.order", ""),
    ];
    assert_eq!(found, wanted.map(|(name, letters)| (name.to_owned(), letters.to_owned())));
    let leaves =
        report.differences.iter().find(|one| name(&one.new).is_some_and(|name| name.ends_with("leaves"))).unwrap();
    let witness = &leaves.witnesses[0];
    assert!(witness.written.contains("\"leaves\":4294967295"), "{witness:?}");
    assert!(witness.read.as_ref().unwrap().contains("\"leaves\":null"), "{witness:?}");
    assert_eq!(&witness.shown[witness.range.clone()], [0xff; 4]);
}

#[test]
fn a_schema_is_as_itself() {
    for path in ["conformance/schemas/market.xml", "conformance/schemas/market.fbe", "conformance/schemas/market.capnp"]
    {
        for plan in aldis_testkit::plans(path) {
            let report = compare(&plan, &plan, true);
            assert!(report.differences.is_empty(), "{path}: {:#?}", report.differences);
        }
    }
}

#[test]
fn a_lock_is_the_schema() {
    for path in ["conformance/schemas/market.xml", "conformance/schemas/market.fbe", "conformance/schemas/market.capnp"]
    {
        let plans = aldis_testkit::plans(path);
        let lock = Lock { tool: "0".into(), digest: plans[0].schema.hash.clone(), accepted: Vec::new(), plans };
        let text = lock.text().unwrap();
        assert!(!text.contains("\"span\"") && !text.contains("\"doc\""));
        let read = Lock::parse(&text).unwrap();
        assert_eq!(read.text().unwrap(), text);
        for (old, new) in read.plans.iter().zip(&lock.plans) {
            assert!(compare(old, new, false).differences.is_empty());
        }
    }
    for broken in ["", "{}", "[]", "{\"accepted\":[],\"plans\":[]}", "{\"accepted\":[],\"plans\":[{}]}"] {
        assert!(Lock::parse(broken).unwrap_err().contains("no lock"), "{broken}");
    }
}

#[test]
fn every_code_has_a_mend() {
    for (index, code) in codes::TABLE.iter().enumerate() {
        assert_eq!(code.code, format!("evolution/E{:04}", index + 1));
        assert!(!code.mend.is_empty() && !code.meaning.is_empty());
    }
}
