//! Names: modules, prefixes, collisions.

mod common;

use aldis_diagnostics::Files;
use common::{generate, plans_in, request, Text};
use std::io;

const HEAD: &str = r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="Acme.Feed-2" id="1" version="0">
<types><composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/><type name="numInGroup" primitiveType="uint16"/></composite></types>
<sbe:message name="A" id="1"><group name="b_c" id="1"><field name="x" id="2" type="int8"/></group></sbe:message>
<sbe:message name="A_b" id="2"><group name="c" id="1"><field name="x" id="2" type="int8"/></group></sbe:message>
</sbe:messageSchema>"#;

#[test]
fn types_that_fall_together_are_an_error_that_names_both() {
    let plans = plans_in("a.xml", &Text(HEAD));
    let generated = generate(&request(&plans));
    assert!(generated.files.is_empty());
    let clash = &generated.diagnostics[0];
    assert_eq!(clash.code, "erlang/E0001");
    assert_eq!(clash.message, "`Acme.Feed-2.A.b_c` and `Acme.Feed-2.A_b.c` are both called `A_b_c` in Erlang");
    assert_eq!(clash.labels.len(), 2);
    assert_ne!(clash.labels[0].span, clash.labels[1].span);
}

#[test]
fn a_rename_ends_a_clash() {
    let plans = plans_in("a.xml", &Text(HEAD));
    let mut request = request(&plans);
    request.renames = vec![("Acme.Feed-2.A_b.c".to_owned(), "Other".to_owned())];
    let generated = generate(&request);
    assert_eq!(generated.diagnostics, []);
    assert!(generated.files[0].text.contains("-record('Other', {"));
    assert!(generated.files[0].text.contains("-record('A_b_c', {"));
}

#[test]
fn the_module_is_called_after_the_package() {
    let plans = plans_in("a.fbe", &Text("package acme struct One { int32 x; }"));
    let mut request = request(&plans);
    assert_eq!(generate(&request).files[0].path, "acme.hrl");
    request.name = Some("Other-Name".to_owned());
    assert_eq!(generate(&request).files[1].path, "mOther_Name.erl");
    request.prefix = Some("acme".to_owned());
    let files = generate(&request).files;
    assert!(files[0].text.contains("-record(acme_One, {"), "{}", files[0].text);
    assert!(files[1].text.contains("encode_acme_One/1"));
}

#[test]
fn names_too_long_for_atoms_are_refused() {
    let text: &'static str = Box::leak(format!("package p struct {} {{ int32 x; }}", "N".repeat(121)).into_boxed_str());
    let plans = plans_in("a.fbe", &Text(text));
    let codes: Vec<&str> = generate(&request(&plans)).diagnostics.iter().map(|d| d.code).collect();
    assert!(codes.contains(&"erlang/E0002"), "{codes:?}");
}

fn codes(schema: &'static str, name: Option<&str>) -> Vec<(&'static str, String)> {
    let plans = plans_in("a.fbe", &Text(schema));
    let mut request = request(&plans);
    request.name = name.map(str::to_owned);
    generate(&request).diagnostics.into_iter().map(|d| (d.code, d.message)).collect()
}

#[test]
fn functions_that_fall_together_are_an_error() {
    let cases = [
        ("package p struct module { int32 info; }", "`p.module.info` would be `module_info/1`"),
        ("package p struct is { int32 integer; }", "`p.is.integer` would be `is_integer/1`"),
        ("package p struct iolist { int32 size; }", "`p.iolist.size` would be `iolist_size/1`"),
        ("package p struct identify { int32 final; }", "`p.identify.final` would be `identify_final/1`"),
        ("package p struct decode { int32 final; }", "`p.decode.final` would be `decode_final/1`"),
        ("package p struct A { int32 x; } struct A_iolist { int32 y; }", "`p.A` and `p.A_iolist` both have a function"),
        ("package p struct A { int32 x; } struct A_final { int32 y; }", "`p.A` and `p.A_final` both have a function"),
        ("package p struct A { int32 b_c; } struct A_b { int32 c; }", "both have a function `A_b_c/1`"),
    ];
    for (schema, said) in cases {
        let found = codes(schema, None);
        assert!(found.iter().any(|(code, text)| *code == "erlang/E0001" && text.contains(said)), "{schema}: {found:?}");
    }
}

#[test]
fn functions_of_other_arities_do_not_fall_together() {
    // `A_get/2` reads any field, `A_get/1` the field `get`.
    assert_eq!(codes("package p struct A { int32 get; } struct new { int32 A; }", None), []);
}

#[test]
fn sbe_fields_that_make_built_in_functions_are_an_error() {
    let text = HEAD.replace("name=\"A\"", "name=\"byte\"").replace("name=\"b_c\"", "name=\"size\"");
    let plans = plans_in("a.xml", &Text(Box::leak(text.into_boxed_str())));
    let found = generate(&request(&plans)).diagnostics;
    assert!(found.iter().any(|d| d.message.contains("`byte_size/1`")), "{found:?}");
}

#[test]
fn modules_of_erlang_and_of_the_runtime_are_left_alone() {
    for name in ["lists", "maps", "io", "file", "kernel", "stdlib", "erlang", "aldis", "aldis_json"] {
        let found = codes("package p struct A { int32 x; }", Some(name));
        assert_eq!(found.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["erlang/E0004"], "{name}");
    }
    assert_eq!(codes("package p struct A { int32 x; }", Some("aldista")), []);
}

#[test]
fn a_schema_that_is_called_like_a_module_of_otp_gets_another_name_and_is_told() {
    for (package, module) in [
        ("rpc", "rpc_codec"),
        ("lists", "lists_codec"),
        ("ssl", "ssl_codec"),
        ("xmerl_scan", "xmerl_scan_codec"),
        ("aldis_json", "schema_aldis_json"),
    ] {
        let text = format!("package {package} struct A {{ int32 x; }}");
        let plans = plans_in("a.fbe", &Text(Box::leak(text.into_boxed_str())));
        let generated = generate(&request(&plans));
        assert_eq!(generated.files[1].path, format!("{module}.erl"));
        assert!(generated.files[1].text.contains(&format!("-module({module}).")), "{package}");
        let [said] = generated.diagnostics.as_slice() else { panic!("{:?}", generated.diagnostics) };
        assert!(!said.is_error() && said.message.contains(&format!("`{module}`")), "{said:?}");
    }
}

/// A root schema that imports another with a type of the same name.
struct Two;

impl Files for Two {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let root = path == "root.fbe";
        let text = if root {
            "package root import other struct A { int32 x; } struct B { other.A a; other.C c; }"
        } else {
            "package other offset 100 struct A { int32 y; } struct C { A a; }"
        };
        Ok(text.as_bytes().to_vec())
    }

    fn resolve(&self, _: &str, name: &str) -> Option<String> {
        Some(name.to_owned())
    }
}

#[test]
fn imported_types_with_names_of_the_root_get_their_package_in_front() {
    let generated = generate(&request(&plans_in("root.fbe", &Two)));
    assert_eq!(generated.diagnostics, []);
    for record in ["'A'", "other_A", "'B'", "'C'"] {
        assert!(generated.files[0].text.contains(&format!("-record({record}, {{")), "{record}");
    }
}

/// A function that binds all fields of a record has an end, and the place of the record is said.
#[test]
fn records_of_too_many_fields_are_refused() {
    let fields: String = (0..4_097).map(|i| format!("bool f{i};\n")).collect();
    let text: &'static str = Box::leak(format!("package p\nstruct Wide {{ {fields} }}").into_boxed_str());
    let plans = plans_in("a.fbe", &Text(text));
    let generated = generate(&request(&plans));
    assert!(generated.files.is_empty());
    let [refused] = generated.diagnostics.as_slice() else { panic!("{:?}", generated.diagnostics) };
    assert_eq!((refused.code, refused.labels.len()), ("erlang/E0006", 1));
    assert!(refused.message.contains("`p.Wide` has 4097 fields"), "{}", refused.message);
}
