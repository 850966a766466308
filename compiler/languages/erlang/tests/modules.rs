//! The modules of larger schemas, and parts that are left out.

mod common;

use aldis_interpreter::{to_hex, Codec};
use common::{agree, build, generate, plans_in, request, Text};
use std::fmt::Write as _;

/// A schema of so many messages of eight fields, which share an enum and a composite.
fn schema(messages: usize) -> &'static str {
    let mut text = String::from(
        r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="many" id="1" version="0"><types>
<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="Price"><type name="mantissa" primitiveType="int64"/><type name="exponent" primitiveType="int8"/></composite>
<enum name="Side" encodingType="uint8"><validValue name="buy">0</validValue><validValue name="sell">1</validValue></enum>
</types>
"#,
    );
    for id in 1..=messages {
        let _ = write!(text, r#"<sbe:message name="Note{id}" id="{id}">"#);
        for (field, ty) in ["uint32", "Side", "Price", "double", "Side", "int8", "uint64", "uint16"].iter().enumerate()
        {
            let _ = write!(text, r#"<field name="f{field}" id="{field}" type="{ty}"/>"#);
        }
        text.push_str("</sbe:message>");
    }
    Box::leak((text + "</sbe:messageSchema>").into_boxed_str())
}

#[test]
fn messages_of_a_larger_schema_are_in_modules_of_their_own() {
    let plans = plans_in("many.xml", &Text(schema(30)));
    let files = generate(&request(&plans)).files;
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert!(paths.contains(&"many.erl") && paths.contains(&"many.hrl"), "{paths:?}");
    for end in [".hrl", "_view.erl", "_json.erl"] {
        assert!(paths.iter().filter(|path| path.ends_with(end)).count() > 2, "{paths:?}");
    }
    let testee = build("many.xml", &plans);
    let codec = Codec::new(plans[0].clone());
    let mut asked = String::new();
    for message in 0..plans[0].messages.len() {
        let bytes = to_hex(&codec.encode(message, &codec.random(message, 7)).expect("random values can be encoded"));
        for to in ["sbe", "json"] {
            let _ = writeln!(asked, "r\tview\t{}\tsbe\t{to}\t{bytes}", codec.message_name(message));
        }
    }
    agree("many.xml", &plans, &testee, &asked);
}

#[test]
fn parts_are_left_out() {
    let plans = plans_in("a.fbe", &Text("package acme struct One { int32 x; }"));
    let mut request = request(&plans);
    let paths = |request: &aldis_emit::Request<'_>| {
        generate(request).files.into_iter().map(|file| file.path).collect::<Vec<_>>()
    };
    assert_eq!(paths(&request), ["acme.hrl", "acme.erl", "acme_final.erl", "acme_view.erl", "acme_json.erl"]);
    request.options = vec![("without".to_owned(), "json,view,final".to_owned())];
    assert_eq!(paths(&request), ["acme.hrl", "acme.erl"]);
    let text = &generate(&request).files[1].text;
    assert!(text.contains("encode_One/1") && !["json", "One_x", "_final"].iter().any(|part| text.contains(part)));
}
