//! Random schemas, random values, random damage.

mod common;

use aldis_diagnostics::{render, Files, Style};
use aldis_interpreter::{explain, Codec};
use aldis_plan::Format;
use common::{hex, json, value_json};
use proptest::prelude::*;
use std::io;

/// One schema text under any name.
struct Text(String);

impl Files for Text {
    fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }

    fn resolve(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }
}

fn codecs(format: &dyn Format, text: &str) -> Vec<Codec> {
    let compilation = format.compile("random", &Text(text.to_owned()));
    if let Some(error) = compilation.diagnostics.iter().find(|d| d.is_error()) {
        panic!("{}\n{text}", render(error, &compilation.sources, Style::Plain));
    }
    // JSON that shows all nulls, since otherwise it does not keep those of lists.
    let shows_nulls = |plan| {
        let mut codec = Codec::new(plan);
        codec.nulls = true;
        codec
    };
    compilation.plans.into_iter().map(shows_nulls).collect()
}

/// The laws that hold for every value in every form of a schema.
fn check_values(codecs: &[Codec], seed: u64) {
    let messages = codecs[0].plan().messages.len();
    for message in 0..messages {
        let value = codecs[0].random(message, seed);
        let text = value_json(&codecs[0], message, &value);
        assert_eq!(value_json(&codecs[0], message, &codecs[0].from_json(message, text.as_bytes()).unwrap()), text);
        for codec in codecs {
            let bytes = codec.encode(message, &value).unwrap_or_else(|fault| panic!("{fault}: {text}"));
            let (decoded, size) = codec.decode(message, &bytes).unwrap_or_else(|fault| panic!("{fault}: {text}"));
            assert_eq!(size, bytes.len());
            assert_eq!(json(codec, message, &bytes), text);
            assert_eq!(value_json(codec, message, &decoded), text);
            assert_eq!(hex(&codec.encode(message, &decoded).unwrap()), hex(&bytes));
            let read = codec.from_json(message, text.as_bytes()).unwrap();
            assert_eq!(hex(&codec.encode(message, &read).unwrap()), hex(&bytes));
            check_explanation(codec, message, &bytes);
        }
    }
}

/// Every byte of a message is explained, by one value or as padding.
fn check_explanation(codec: &Codec, message: usize, bytes: &[u8]) {
    let explanation = explain(codec, message, bytes);
    assert!(explanation.fault.is_none());
    let mut seen = vec![0; explanation.unpacked.as_ref().map_or(bytes.len(), Vec::len)];
    for entry in &explanation.entries {
        if !matches!(entry.kind, aldis_interpreter::EntryKind::Record | aldis_interpreter::EntryKind::List) {
            seen[entry.range.clone()].iter_mut().for_each(|count| *count += 1);
        }
    }
    assert!(seen.iter().all(|&count| count >= 1), "some bytes are not explained: {seen:?}");
}

/// Damaged bytes give a value or a fault within the input, the same by every way, and what decodes encodes.
fn check_damage(codecs: &[Codec], seed: u64, damage: &[(usize, u8)], cut: usize) {
    for message in 0..codecs[0].plan().messages.len() {
        for codec in codecs {
            let value = codec.random(message, seed);
            let mut bytes = codec.encode(message, &value).unwrap();
            for &(at, byte) in damage {
                let length = bytes.len();
                bytes[at % length] = byte;
            }
            if cut.is_multiple_of(3) {
                bytes.truncate(cut % (bytes.len() + 1));
            }
            let decoded = codec.decode(message, &bytes);
            let sizes = decoded.as_ref().map(|(_, size)| *size).map_err(ToString::to_string);
            assert_eq!(codec.verify(message, &bytes).map_err(|fault| fault.to_string()), sizes);
            let explained = explain(codec, message, &bytes);
            match decoded {
                Ok((value, size)) => {
                    assert!(size <= bytes.len());
                    assert!(explained.fault.is_none());
                    // A damaged bool or a missing required field may not go back to the same bytes, but it must not panic.
                    let _ = codec.encode(message, &value);
                }
                Err(fault) => {
                    let packed = codec.plan().form.name.ends_with("-packed");
                    assert!(fault.offset.map_or(packed, |offset| offset <= bytes.len()), "{fault}");
                    assert_eq!(explained.fault.map(|f| f.code), Some(fault.code));
                    let in_json = codec.to_json(message, &bytes, &mut Vec::new()).unwrap_err();
                    assert_eq!(in_json.code, fault.code);
                }
            }
            let _ = codec.find(&bytes);
        }
    }
}

/// Damaged JSON gives a value or a fault within the text.
fn check_damaged_json(codec: &Codec, seed: u64, damage: &[(usize, u8)]) {
    for message in 0..codec.plan().messages.len() {
        let mut text = value_json(codec, message, &codec.random(message, seed)).into_bytes();
        for &(at, byte) in damage {
            let length = text.len();
            text[at % length] = byte;
        }
        if let Err(fault) = codec.from_json(message, &text) {
            assert!(fault.offset.is_some_and(|offset| offset <= text.len()), "{fault}");
        }
    }
}

/// 400 cases each, or as many as `PROPTEST_CASES` says.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    ProptestConfig { cases, max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn fbe_values_survive(schema in aldis_schemagen::fbe::schema(), seed: u64) {
        check_values(&codecs(&aldis_fbe::FBE, &schema), seed);
    }

    #[test]
    fn sbe_values_survive(schema in aldis_schemagen::sbe::schema(), seed: u64) {
        check_values(&codecs(&aldis_sbe::SBE, &schema), seed);
    }

    #[test]
    fn capnp_values_survive(schema in aldis_schemagen::capnp::schema(), seed: u64) {
        check_values(&codecs(&aldis_capnp::CAPNP, &schema), seed);
    }

    #[test]
    fn damaged_capnp_is_harmless(
        schema in aldis_schemagen::capnp::schema(),
        seed: u64,
        damage in prop::collection::vec(any::<(usize, u8)>(), 1..6),
        cut: usize,
    ) {
        let codecs = codecs(&aldis_capnp::CAPNP, &schema);
        check_damage(&codecs, seed, &damage, cut);
        check_damaged_json(&codecs[0], seed, &damage);
    }

    #[test]
    fn damaged_fbe_is_harmless(
        schema in aldis_schemagen::fbe::schema(),
        seed: u64,
        damage in prop::collection::vec(any::<(usize, u8)>(), 1..6),
        cut: usize,
    ) {
        let codecs = codecs(&aldis_fbe::FBE, &schema);
        check_damage(&codecs, seed, &damage, cut);
        check_damaged_json(&codecs[0], seed, &damage);
    }

    #[test]
    fn damaged_sbe_is_harmless(
        schema in aldis_schemagen::sbe::schema(),
        seed: u64,
        damage in prop::collection::vec(any::<(usize, u8)>(), 1..6),
        cut: usize,
    ) {
        let codecs = codecs(&aldis_sbe::SBE, &schema);
        check_damage(&codecs, seed, &damage, cut);
        check_damaged_json(&codecs[0], seed, &damage);
    }

    #[test]
    fn the_same_schema_gives_the_same_plan(schema in aldis_schemagen::fbe::schema()) {
        let plan = |text: &str| {
            let compilation = aldis_fbe::FBE.compile("random", &Text(text.to_owned()));
            compilation.plans.iter().map(|plan| serde_json::to_string(plan).unwrap()).collect::<Vec<_>>()
        };
        prop_assert_eq!(plan(&schema), plan(&schema));
    }
}
