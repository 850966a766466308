//! JSON that a schema shapes with the annotations of `json.capnp`; what is expected here is what `capnp convert` prints.

mod common;

use aldis_capnp::CAPNP;
use aldis_interpreter::Codec;
use aldis_testkit::{compile, Text};
use common::vectors;
use std::fs;

fn codec() -> Codec {
    let request = fs::read(vectors("capnp").join("cgr/shaped.cgr")).unwrap();
    Codec::new(aldis_capnp::compile_request(&request).unwrap().plans.swap_remove(0))
}

/// Reads JSON, takes it through bytes, and writes it.
fn through(given: &str) -> String {
    let codec = codec();
    let message = codec.message_named("T").unwrap();
    let value = codec.from_json(message, given.as_bytes()).unwrap_or_else(|fault| panic!("{given}: {fault}"));
    let bytes = codec.encode(message, &value).unwrap();
    let (decoded, _) = codec.decode(message, &bytes).unwrap();
    let (mut streamed, mut written) = (Vec::new(), Vec::new());
    codec.to_json(message, &bytes, &mut streamed).unwrap();
    codec.value_to_json(message, &decoded, &mut written).unwrap();
    assert_eq!(String::from_utf8_lossy(&streamed), String::from_utf8_lossy(&written), "{given}");
    String::from_utf8(streamed).unwrap()
}

#[test]
fn defaults() {
    let expected = concat!(
        r#"{"A A":"0","why":0,"h_p":0,"kind":"a1","a1":"","w":{"kindw":"a2","val":""},"n":{"a3":""},"f_k":"AAA","f_v":"","#,
        r#""en":"ONE","m_a5":""}"#
    );
    assert_eq!(through("{}"), expected);
}

/// The JSON of a message of this schema, and the JSON that shows nulls, which brings the same bytes back.
fn with_and_without_nulls(source: &'static str, record: &str, given: &str) -> (String, String) {
    let mut codec = Codec::new(compile(&CAPNP, "test.capnp", &Text(source)).swap_remove(0));
    let message = codec.message_named(record).unwrap();
    let value = codec.from_json(message, given.as_bytes()).unwrap_or_else(|fault| panic!("{given}: {fault}"));
    let bytes = codec.encode(message, &value).unwrap();
    let json = |codec: &Codec| {
        let mut out = Vec::new();
        codec.to_json(message, &bytes, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let plain = json(&codec);
    codec.nulls = true;
    let shown = json(&codec);
    let again = codec.from_json(message, shown.as_bytes()).unwrap();
    assert_eq!(codec.encode(message, &again).unwrap(), bytes, "{shown}");
    (plain, shown)
}

#[test]
fn null_elements_are_empty_values() {
    let source =
        "@0xa1c0ffee00000140; struct S { t @0 :List(Text); d @1 :List(Data); l @2 :List(List(UInt8)); s @3 :S; \
                  v @4 :List(Void); i @5 :List(Capability); }";
    let given = r#"{"t":[null,"a",""],"d":[null,[1]],"l":[null,[]],"v":[null],"i":[null]}"#;
    let (plain, shown) = with_and_without_nulls(source, "S", given);
    assert_eq!(plain, r#"{"t":["","a",""],"d":[[],[1]],"l":[[],[]],"v":[null],"i":[null]}"#);
    assert_eq!(shown, r#"{"t":[null,"a",""],"d":[null,[1]],"l":[null,[]],"s":null,"v":[null],"i":[null]}"#);
}

#[test]
fn null_arms_are_null_or_empty_values_where_the_struct_is_annotated() {
    let source = |import: &str, annotation: &str| -> &'static str {
        String::leak(format!(
            "@0xa1c0ffee00000140; {import} struct S {{ n @0 :UInt8 {annotation}; union {{ t @1 :Text; l @2 :List(Text); \
             d @3 :Data; s @4 :S; v @5 :Void; c @6 :AnyPointer; }} }}"
        ))
    };
    let import = r#"using Json = import "/capnp/compat/json.capnp";"#;
    for (given, plain, empty) in [
        ("{}", r#"{"n":0}"#, r#"{"N":0,"t":""}"#),
        (r#"{"l":null}"#, r#"{"n":0,"l":null}"#, r#"{"N":0,"l":[]}"#),
        (r#"{"d":null}"#, r#"{"n":0,"d":null}"#, r#"{"N":0,"d":[]}"#),
        (r#"{"s":null}"#, r#"{"n":0,"s":null}"#, r#"{"N":0,"s":{}}"#),
        (r#"{"v":null}"#, r#"{"n":0,"v":null}"#, r#"{"N":0,"v":null}"#),
        (r#"{"c":null}"#, r#"{"n":0,"c":null}"#, r#"{"N":0,"c":null}"#),
    ] {
        assert_eq!(with_and_without_nulls(source("", ""), "S", given).0, plain);
        let annotated = source(import, r#"$Json.name("N")"#);
        let (found, shown) = with_and_without_nulls(annotated, "S", given);
        assert_eq!(found, empty);
        assert!(shown.ends_with(":null}"), "{shown}");
    }
}

#[test]
fn every_annotation_and_back() {
    let full = concat!(
        r#"{"A A":"5","x":"q","why":3,"h_x":"w","h_q":"r","s.k":"kk","s.type":"s3","kind":"b1","b1":4,"#,
        r#""w":{"kindw":"b2","val":7},"n":{"b3":3},"f_k":"b4","f_v":9,"d":"YWJj","e":"010aff","en":"ONE","#,
        r#""ld":[[97]],"m_b5":1}"#
    );
    assert_eq!(through(full), full);
}

#[test]
fn void_arms_that_are_told_by_name_have_no_member() {
    let text = through(r#"{"kind":"c1","w":{"kindw":"c2"},"h_v":null,"s.type":"s1","s.s1":"z"}"#);
    let expected = concat!(
        r#"{"A A":"0","why":0,"h_v":null,"s.type":"s1","s.s1":"z","kind":"c1","w":{"kindw":"c2"},"n":{"a3":""},"#,
        r#""f_k":"AAA","f_v":"","en":"ONE","m_a5":""}"#
    );
    assert_eq!(text, expected);
}

#[test]
fn members_may_come_in_any_order() {
    assert!(through(r#"{"f_v":3,"f_k":"b4"}"#).contains(r#""f_k":"b4","f_v":3"#));
    assert!(through(r#"{"val":7,"w":{"val":8,"kindw":"b2"}}"#).contains(r#""w":{"kindw":"b2","val":8}"#));
    assert!(through(r#"{"d1":{"z":3}}"#).contains(r#""kind":"d1","d1":{"z":3}"#));
    assert!(through(r#"{"kind":"b1"}"#).contains(r#""kind":"b1","b1":0"#));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let codec = codec();
    let message = codec.message_named("T").unwrap();
    for (given, code, path) in [
        (r#"{"kind":"zzz"}"#, "bad-json", "kind"),
        (r#"{"a1":"x","b1":3}"#, "bad-json", "b1"),
        (r#"{"why":256}"#, "out-of-range", "why"),
        (r#"{"en":"one"}"#, "bad-json", "en"),
        (r#"{"e":"0g"}"#, "bad-json", "e"),
        (r#"{"s.type":4}"#, "bad-json", "s.type"),
        (r#"{"why":1,"why":1}"#, "bad-json", "why"),
    ] {
        let fault = codec.from_json(message, given.as_bytes()).unwrap_err();
        assert_eq!((fault.code.as_str(), fault.path.as_str()), (code, path), "{given}: {fault}");
    }
}

#[test]
fn a_union_without_a_name_has_no_member_of_its_own() {
    let request = fs::read(vectors("capnp").join("cgr/layout.cgr")).unwrap();
    let codec = Codec::new(aldis_capnp::compile_request(&request).unwrap().plans.swap_remove(0));
    let message = codec.message_named("U11allvoid").unwrap();
    let read = |given: &str| codec.from_json(message, given.as_bytes()).unwrap();
    assert_eq!(read(r#"{"":{"b":null},"x":3}"#), read(r#"{"x":3}"#));
    assert_eq!(read(r#"{"":null,"b":null}"#), read(r#"{"b":null}"#));
    assert_ne!(read(r#"{"b":null}"#), read("{}"));
}
