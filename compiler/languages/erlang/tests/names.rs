//! Names: modules, prefixes, collisions.

mod common;

use common::{generate, plans_in, request, Text};

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
