//! Keys of maps in JSON objects: the text that is written is the only one that is read.

use aldis_diagnostics::Files;
use aldis_interpreter::Codec;
use aldis_plan::Format;
use std::io;

const SCHEMA: &str = "
package keys
enum Side : int8 { buy; sell; }
struct Maps { byte<int8> small; byte<int64> wide; byte<uint64> unsigned; byte<Side> sides; }
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

/// What reading an object with that key comes to: the JSON written back, or the code of the fault.
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
