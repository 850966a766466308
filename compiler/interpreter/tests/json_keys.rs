//! Keys of maps and elements of sets in JSON: how keys are spelled, and that nothing is given twice.

use aldis_diagnostics::Files;
use aldis_interpreter::Codec;
use aldis_plan::Format;
use std::io;

const SCHEMA: &str = "
package keys
enum Side : int8 { buy; sell; }
struct Maps { byte<int8> small; byte<int64> wide; byte<uint64> unsigned; byte<Side> sides; }
struct Item { [key] int32 id; string name; }
struct Secret { int8 open; [hidden] int8 pin; [hidden] Side side; [hidden] byte<int8> map; }
struct Sets { int32! numbers; decimal! prices; string! names; double! floats; Item! items; Side! sides; uuid! ids; }
";

struct One;

impl Files for One {
    fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
        Ok(SCHEMA.into())
    }

    fn resolve(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }
}

/// The outcome of reading an object with that key: the JSON written back, or the code of the fault.
fn read(codec: &Codec, field: &str, key: &str) -> Result<String, String> {
    let text = format!(r#"{{"{field}":{{"{key}":1}}}}"#);
    let value = codec.from_json(0, text.as_bytes()).map_err(|fault| fault.code.to_string())?;
    let mut out = Vec::new();
    codec.value_to_json(0, &value, &mut out).map_err(|fault| fault.to_string())?;
    Ok(String::from_utf8(out).expect("JSON is UTF-8"))
}

#[test]
fn keys_are_read_as_they_are_written() {
    let codec = Codec::new(aldis_fbe::FBE.compile("keys.fbe", &One).plans.remove(0));
    for (field, key) in [
        ("small", "0"),
        ("small", "-128"),
        ("wide", "-9223372036854775808"),
        ("unsigned", "18446744073709551615"),
        ("sides", "1"),
    ] {
        let written = read(&codec, field, key).unwrap();
        assert!(written.contains(&format!(r#""{field}":{{"{key}":1}}"#)), "{written}");
    }
    let spellings =
        ["", " 1", "1 ", "1e0", "1.0", "01", "+1", "-0", "-", "-01", "0x1", "1_0", "null", "\\\"1\\\"", "1,"];
    for field in ["small", "wide", "unsigned", "sides"] {
        for key in spellings {
            assert_eq!(read(&codec, field, key), Err("bad-json".to_owned()), "{field} {key}");
        }
    }
    for (field, key) in [("small", "128"), ("unsigned", "-1"), ("wide", "99999999999999999999999999999999999999999")] {
        assert_eq!(read(&codec, field, key), Err("out-of-range".to_owned()), "{field} {key}");
    }
    // An escape spells the same text.
    assert!(read(&codec, "small", "\\u0031").is_ok());
}

#[test]
fn elements_of_sets_are_given_once() {
    let codec = Codec::new(aldis_fbe::FBE.compile("keys.fbe", &One).plans.remove(0));
    let message = codec.message_named("keys.Sets").unwrap();
    let read = |field: &str, elements: &str| {
        let text = format!(r#"{{"{field}":[{elements}]}}"#);
        let value =
            codec.from_json(message, text.as_bytes()).map_err(|fault| (fault.code.to_string(), fault.path.clone()))?;
        let mut out = Vec::new();
        codec.value_to_json(message, &value, &mut out).map_err(|fault| (fault.to_string(), String::new()))?;
        Ok(String::from_utf8(out).expect("JSON is UTF-8"))
    };
    for (field, two, sorted) in [
        ("numbers", "3,-1", "[-1,3]"),
        ("prices", r#""2","1.5""#, r#"["1.5","2"]"#),
        ("names", r#""b","a""#, r#"["a","b"]"#),
        ("items", r#"{"id":2,"name":"x"},{"id":1,"name":"x"}"#, r#"[{"id":1,"name":"x"},{"id":2,"name":"x"}]"#),
    ] {
        let written = read(field, two).unwrap();
        assert!(written.contains(&format!(r#""{field}":{sorted}"#)), "{written}");
    }
    for (field, twice) in [
        ("numbers", "1,2,1"),
        ("prices", r#""1.10","1.1""#),
        ("names", r#""a","\u0061""#),
        ("floats", "0.0,-0.0"),
        ("items", r#"{"id":1,"name":"x"},{"id":1,"name":"y"}"#),
        ("sides", "1,1"),
        ("ids", r#""0a000000-0000-0000-0000-000000000000","0A000000-0000-0000-0000-000000000000""#),
    ] {
        assert_eq!(read(field, twice), Err(("bad-json".to_owned(), field.to_owned())), "{twice}");
    }
}

#[test]
fn faults_do_not_show_hidden_values() {
    let codec = Codec::new(aldis_fbe::FBE.compile("keys.fbe", &One).plans.remove(0));
    let secret = codec.message_named("keys.Secret").expect("the schema has it");
    let said = |text: &str| codec.from_json(secret, text.as_bytes()).expect_err("it is wrong").to_string();
    assert_eq!(said(r#"{"open":777}"#), "out-of-range at byte 8 in open: 777 is not an integer from -128 to 127");
    assert_eq!(said(r#"{"pin":777}"#), "out-of-range at byte 7 in pin: *** is not an integer from -128 to 127");
    for text in [r#"{"side":"q777"}"#, r#"{"side":777}"#, r#"{"map":{"a":777}}"#] {
        assert!(!said(text).contains("777"), "{}", said(text));
    }
}
