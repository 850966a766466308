//! Null in SBE's JSON: what may be null, and the bytes that stand for it.

mod common;

use aldis_interpreter::{Codec, Fault, Value};
use common::{check_round_trips, codecs, hex, json};
use std::path::Path;

fn codec() -> Codec {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas/sbe");
    codecs(&aldis_sbe::SBE, &folder.join("optional-parts.xml")).remove(0)
}

/// The bytes of a message's JSON, its header of 8 bytes left out.
fn block(codec: &Codec, message: &str, text: &str) -> Result<String, Fault> {
    let message = codec.message_named(message).unwrap();
    let value = codec.from_json(message, text.as_bytes())?;
    let bytes = codec.encode(message, &value)?;
    check_round_trips(text, codec, message, &bytes);
    Ok(hex(&bytes[8..]))
}

fn parts(text: &str) -> Result<String, Fault> {
    block(&codec(), "optional.parts.Parts", text)
}

fn constants(text: &str) -> Result<String, Fault> {
    block(&codec(), "optional.parts.Constants", text)
}

/// `id`, then the nulls of `price` (mantissa, spread, side, marks, inner, spare), `code`, `short`, `levels`, `marks`,
/// then `plain`.
const NULLS: &str = "0007 800000007fc00000000000c80000c80000 00000000 000000 ffffffff 0000 014142";

#[test]
fn what_is_optional_by_name_only_may_be_missing_or_null() {
    let nulls = NULLS.replace(' ', "");
    let plain = r#""plain":{"count":1,"tag":"AB"}"#;
    assert_eq!(parts(&format!(r#"{{"id":7,{plain}}}"#)).unwrap(), nulls);
    let given = r#""price":null,"code":null,"short":null,"levels":null,"marks":null"#;
    assert_eq!(parts(&format!(r#"{{"id":7,{given},{plain}}}"#)).unwrap(), nulls);
}

#[test]
fn such_nulls_are_read_as_what_they_are_made_of() {
    let codec = codec();
    let message = codec.message_named("optional.parts.Parts").unwrap();
    let value = codec.from_json(message, br#"{"id":7,"plain":{"count":1,"tag":"AB"}}"#).unwrap();
    let shown = json(&codec, message, &codec.encode(message, &value).unwrap());
    let price = r#"{"mantissa":-2147483648,"exponent":-4,"spread":null,"side":0,"marks":[],"inner":{"count":200,"tag":""},"spare":{"count":200,"tag":""}}"#;
    let rest = r#""code":"","short":"","levels":[null,null],"marks":[],"plain":{"count":1,"tag":"AB"}"#;
    assert_eq!(shown, format!(r#"{{"id":7,"price":{price},{rest}}}"#));
}

#[test]
fn an_optional_member_of_a_composite_that_is_given() {
    let price = r#"{"mantissa":1,"side":"Buy","marks":["Last"],"inner":{"count":2,"tag":""}}"#;
    let bytes = parts(&format!(r#"{{"id":7,"price":{price},"plain":{{"count":1,"tag":"AB"}}}}"#)).unwrap();
    assert_eq!(&bytes[4..38], "000000017fc0000031020002".to_owned() + "0000c80000");
}

#[test]
fn what_is_required_may_not_be_null() {
    let missing = parts(r#"{"id":7}"#).unwrap_err();
    assert_eq!((missing.code.to_string(), missing.path.to_string()), ("bad-json".into(), "plain".into()));
    for (text, path) in [
        (r#"{"id":7,"plain":null}"#, "plain"),
        (r#"{"id":null,"plain":{"count":1,"tag":""}}"#, "id"),
        (r#"{"id":7,"plain":{"count":null,"tag":""}}"#, "plain.count"),
        (r#"{"id":7,"plain":{"count":1}}"#, "plain.tag"),
        (r#"{"id":7,"price":{"mantissa":null},"plain":{"count":1,"tag":""}}"#, "price.mantissa"),
    ] {
        let fault = parts(text).unwrap_err();
        assert_eq!((fault.code.to_string(), fault.path.to_string()), ("bad-json".into(), path.into()), "{text}");
    }
}

#[test]
fn constants_that_are_not_numbers_are_given_back() {
    let bytes = constants(r#"{"id":1}"#).unwrap();
    assert_eq!(bytes, "0001");
    assert_eq!(constants(r#"{"id":1,"double":"NaN","single":"NaN","side":"Sell"}"#).unwrap(), bytes);
    for wrong in [r#""double":"Infinity""#, r#""single":1.5"#, r#""double":null"#, r#""side":"Buy""#] {
        let fault = constants(&format!(r#"{{"id":1,{wrong}}}"#)).unwrap_err();
        assert_eq!(fault.code.to_string(), "bad-json", "{wrong}");
    }
}

#[test]
fn a_constant_that_older_writers_do_not_know_may_be_null() {
    assert_eq!(constants(r#"{"id":1,"side":null}"#).unwrap(), "0001");
}

#[test]
fn messages_name_what_was_found() {
    for (text, message) in [
        (r#"{"id":null}"#, "expected a number, found null"),
        (r#"{"id":true}"#, "expected a number, found true"),
        (r#"{"id":nul}"#, "expected a number, found `n`"),
        (r#"{"price":{"side":null}}"#, "expected a name or a number, found null"),
        (r#"{"price":{"side":{}}}"#, "expected a name or a number, found an object"),
        (r#"{"plain":null}"#, "expected an object, found null"),
    ] {
        assert_eq!(parts(text).unwrap_err().text, message, "{text}");
    }
}

#[test]
fn a_null_for_what_is_required_is_called_so() {
    let codec = codec();
    let message = codec.message_named("optional.parts.Parts").unwrap();
    let null = |index: usize| {
        let mut fields: Vec<Value> = vec![Value::Null; 7];
        fields[0] = Value::UInt(1);
        fields[6] = Value::Record(Box::new([Value::UInt(1), Value::Bytes(Box::default())]));
        assert!(codec.encode(message, &Value::Record(fields.clone().into())).is_ok());
        fields[index] = Value::Null;
        codec.encode(message, &Value::Record(fields.into())).unwrap_err()
    };
    for (index, path) in [(0, "id"), (6, "plain")] {
        let fault = null(index);
        assert_eq!((&*fault.text, fault.path.to_string()), ("null, but the field is required", path.to_string()));
    }
}
