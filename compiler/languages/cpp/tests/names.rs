//! Names: namespaces, prefixes, keywords, collisions, and schemas that cannot be generated.

mod common;

use aldis_cpp::CPP;
use aldis_emit::{Generated, Language};
use common::{generate, plans_in, request, Text};

const HEAD: &str = r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="Acme.Feed-2" id="1" version="0">
<types><composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/><type name="numInGroup" primitiveType="uint16"/></composite></types>
<sbe:message name="A" id="1"><group name="b_c" id="1"><field name="x" id="2" type="int8"/></group></sbe:message>
<sbe:message name="A_b" id="2"><group name="c" id="1"><field name="x" id="2" type="int8"/></group></sbe:message>
</sbe:messageSchema>"#;

#[test]
fn types_that_fall_together_are_numbered_and_packages_are_namespaces() {
    let plans = plans_in("a.xml", &Text(HEAD));
    let generated = generate(&request(&plans));
    assert_eq!(generated.diagnostics, []);
    assert_eq!(generated.files[0].path, "acme_feed_2.hpp");
    let headers = text_of(&generated);
    for text in ["namespace Acme::Feed_2 {", "struct A_b_c {", "struct A_b_c_2 {", "std::vector<A_b_c_2> c;"] {
        assert!(headers.contains(text), "{text}");
    }
}

fn text_of(generated: &Generated) -> String {
    generated.files.iter().map(|file| file.text.as_str()).collect()
}

#[test]
fn names_and_prefixes_are_as_asked_for() {
    let plans = plans_in("a.xml", &Text(HEAD));
    let mut request = request(&plans);
    request.name = Some("feed".to_owned());
    request.prefix = Some("F".to_owned());
    request.renames = vec![("Acme.Feed-2.A_b.c".to_owned(), "Other".to_owned())];
    let generated = generate(&request);
    assert_eq!(generated.files[1].path, "feed_json.hpp");
    let headers = text_of(&generated);
    for text in ["namespace feed {", "struct F_A_b_c {", "struct Other {"] {
        assert!(headers.contains(text), "{text}");
    }
}

#[test]
fn a_schema_without_a_form_that_is_spoken_is_an_error() {
    let mut plans = plans_in("a.xml", &Text(HEAD));
    plans[0].form.name = "smoke".to_owned();
    let generated = CPP.generate(&request(&plans));
    assert!(generated.files.is_empty());
    let codes: Vec<&str> = generated.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["cpp/E0001"]);
}
