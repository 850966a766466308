//! JSON that a schema shapes with the annotations of `json.capnp`; what is expected here is what `capnp convert` prints,
//! but for null members of unions, which it shows as their defaults.

mod common;

use aldis_interpreter::Codec;
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
    let expected = r#"{"A A":"0","why":0,"h_p":0,"kind":"a1","w":{"kindw":"a2"},"n":{},"f_k":"AAA","en":"ONE"}"#;
    assert_eq!(through("{}"), expected);
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
        r#"{"A A":"0","why":0,"h_v":null,"s.type":"s1","s.s1":"z","kind":"c1","w":{"kindw":"c2"},"n":{},"#,
        r#""f_k":"AAA","en":"ONE"}"#
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
