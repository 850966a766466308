//! Text that is not UTF-8, in every place of every form: kept when bytes are decoded, refused by the strict codec.

mod common;

use aldis_interpreter::{Code, Codec};
use common::{codecs, vectors};
use std::fs;

/// The replaced text of the vectors.
const BAD: &[u8] = b"\xc3(\xff\x80";

fn vectors_of(format: &dyn aldis_plan::Format, schema: &str, endings: &[(&str, &str)]) {
    let folder = vectors("text").join(schema.split('/').next().unwrap());
    let codecs = codecs(format, &vectors("text").join(schema));
    let mut seen = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some((_, form)) = endings.iter().find(|(ending, _)| name.ends_with(ending)) else { continue };
        let codec = codecs.iter().find(|codec| codec.plan().form.name == *form).unwrap();
        let mut strict = Codec::new(codec.plan().clone());
        strict.strict_text = true;
        let message = (0..codec.plan().messages.len()).find(|&m| codec.message_name(m).ends_with("Texts")).unwrap();
        let bytes = fs::read(&path).unwrap();
        let (value, size) = codec.decode(message, &bytes).unwrap();
        assert_eq!((size, &codec.encode(message, &value).unwrap()), (bytes.len(), &bytes), "{name}");
        let fault = strict.decode(message, &bytes).unwrap_err();
        assert_eq!(fault.code, Code::BadText, "{name}: {fault}");
        assert!(!fault.path.is_empty() && !fault.path.starts_with('.'), "{name}: {fault}");
        if *form == "capnp-packed" {
            assert_eq!(fault.offset, None, "{name}: {fault}");
        } else {
            assert!(bytes[fault.offset.unwrap()..].starts_with(BAD), "{name}: {fault}");
        }
        assert_eq!(strict.to_json(message, &bytes, &mut Vec::new()).unwrap_err().to_string(), fault.to_string());
        let good = codec.encode(message, &codec.random(message, 7)).unwrap();
        assert_eq!(strict.decode(message, &good), codec.decode(message, &good), "{name}");
        seen += 1;
    }
    assert!(seen >= 8, "{seen}");
}

#[test]
fn fbe() {
    vectors_of(&aldis_fbe::FBE, "fbe/text.fbe", &[(".std.bin", "fbe"), (".final.bin", "fbe-final")]);
}

#[test]
fn sbe() {
    vectors_of(&aldis_sbe::SBE, "sbe/text.xml", &[(".bin", "sbe")]);
}

#[test]
fn capnp() {
    let endings = [(".bin", "capnp"), (".packed", "capnp-packed"), (".canon", "capnp-canonical")];
    vectors_of(&aldis_capnp::CAPNP, "capnp/text.capnp", &endings);
}
