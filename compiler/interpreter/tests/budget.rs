//! The budget is kept: messages that encoders write are read, and values without bytes are charged as if they had some.

mod common;

use aldis_interpreter::{Codec, Value};
use aldis_plan::{Format, Limits};
use common::{codecs, vectors};
use proptest::prelude::*;

struct Text(String);

impl aldis_diagnostics::Files for Text {
    fn read(&self, _path: &str) -> std::io::Result<Vec<u8>> {
        Ok(self.0.as_bytes().to_vec())
    }

    fn resolve(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }
}

fn compiled(format: &dyn Format, text: &str) -> Vec<Codec> {
    let compilation = format.compile("schema", &Text(text.to_owned()));
    assert!(!compilation.plans.is_empty(), "{:?}", compilation.diagnostics);
    compilation.plans.into_iter().map(Codec::new).collect()
}

fn capnp(text: &str) -> Vec<Codec> {
    compiled(&aldis_capnp::CAPNP, &format!("@0xb5c1dd2f3a4e5f60;\n{text}"))
}

/// A group of `fields` optional int64.
fn group(fields: usize) -> Codec {
    let field = |id: usize| format!(r#"<field name="f{id}" id="{}" type="int64" presence="optional"/>"#, id + 10);
    let fields: String = (0..fields).map(field).collect();
    let text = format!(
        r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="p" id="1" version="0" byteOrder="littleEndian">
<types><composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/><type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/><type name="numInGroup" primitiveType="uint16"/></composite></types>
<sbe:message name="M" id="1"><group name="g" id="1">{fields}</group></sbe:message></sbe:messageSchema>"#
    );
    compiled(&aldis_sbe::SBE, &text).remove(0)
}

fn code(result: Result<(Value, usize), aldis_interpreter::Fault>) -> &'static str {
    result.map_or_else(|fault| fault.code.as_str(), |_| "ok")
}

/// As many entries as the budget has room for, and one more.
#[test]
fn short_entries_are_charged_by_their_count() {
    // Blocks without bytes: 8, and 4 for each field.
    let codec = group(100);
    let message = |extent: u16, count: u16, rest: usize| {
        let head = [0, 1, 1, 0, extent, count].map(u16::to_le_bytes).concat();
        [head, vec![0; rest]].concat()
    };
    let most = (8 * 12 + 256 * 1024 - 12) / 408;
    assert_eq!(code(codec.decode(0, &message(0, most as u16, 0))), "ok");
    let fault = codec.decode(0, &message(0, most as u16 + 1, 0)).unwrap_err();
    assert_eq!((fault.code.as_str(), fault.offset, fault.path.as_str()), ("too-large", Some(12), "g"));
    assert_eq!(code(codec.decode(0, &message(0, 65_534, 0))), "too-large");
    // One field each: its bytes, and 4 for each of the others.
    assert_eq!(code(codec.decode(0, &message(8, 500, 4000))), "ok");
    assert_eq!(code(codec.decode(0, &message(8, 4000, 32_000))), "too-large");
    // All fields: what every encoder writes.
    assert_eq!(code(codec.decode(0, &message(800, 10_000, 8_000_000))), "ok");
}

#[test]
fn the_budget_of_packed_bytes_goes_by_what_they_unpack_to() {
    let codecs = capnp("struct S { d @0 :Data; }");
    let value = |size: usize| Value::Record(Box::new([Value::Bytes(vec![0; size].into())]));
    for size in [300_000, 16 << 20] {
        for codec in &codecs {
            let bytes = codec.encode(0, &value(size)).unwrap();
            assert!(codec.decode(0, &bytes).unwrap().0 == value(size), "{}: {size}", codec.plan().form.name);
        }
    }
    let bytes = codecs[1].encode(0, &value(300_000)).unwrap();
    assert!(bytes.len() < 400);
    // No more than 64 for each packed byte and 16 MiB.
    let bytes = codecs[1].encode(0, &value(32 << 20)).unwrap();
    assert_eq!(code(codecs[1].decode(0, &bytes)), "too-large");
}

#[test]
fn landing_pads_are_charged_once() {
    // The root is in segment 0, a list of far pointers to one pad in segment 1.
    let count = 40_000u32;
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let table = [1u32, count + 3, 4, 0].map(u32::to_le_bytes).concat();
    let root = words(&[1 << 48, 1 | u64::from(count << 3 | 7) << 32, u64::from(count << 2) | 1 << 48]);
    let far = words(&[2 | 4 | 1 << 32]).repeat(count as usize);
    // The pad says where the object is, and that it has two words; charged twice it would be too large.
    let pad = words(&[2 | 2 << 3 | 1 << 32, 2 << 32, 7, 8]);
    let bytes = [table, root, far, pad].concat();
    let codec = capnp("struct T { p @0 :AnyPointer; } struct S { l @0 :List(T); }").remove(0);
    assert_eq!(code(codec.decode(codec.message_named("S").unwrap(), &bytes)), "ok");
}

#[test]
fn without_surcharges_only_bytes_are_charged() {
    let mut codecs = compiled(&aldis_fbe::FBE, "package p\nstruct T { byte[] a; string[] b; string? c; }\n");
    let value = |count: usize| {
        let texts = vec![Value::Bytes(b"x".as_slice().into()); count];
        let bytes = Value::Packed(vec![7; count].into());
        Value::Record(Box::new([bytes, Value::List(texts.into()), Value::Null]))
    };
    for codec in &mut codecs {
        let bytes = codec.encode(0, &value(1000)).unwrap();
        let base = bytes.len() as u64;
        codec.limits = Limits { budget_factor: 0, budget_base: base, surcharge: false, ..Limits::default() };
        assert_eq!(code(codec.decode(0, &bytes)), "ok", "{}", codec.plan().form.name);
        codec.limits.surcharge = true;
        assert_eq!(code(codec.decode(0, &bytes)), "too-large", "{}", codec.plan().form.name);
    }
}

/// An element without bytes is paid for whatever the limits are: else a few bytes would ask for as much memory as there is.
#[test]
fn without_surcharges_what_lacks_bytes_is_charged() {
    let mut codec = group(100);
    codec.limits = Limits::REFERENCE;
    let message = |count: u16| [0, 1, 1, 0, 0, count].map(u16::to_le_bytes).concat();
    assert_eq!(code(codec.decode(0, &message(40_000))), "ok");
    codec.limits.budget_base = 408 * 1000 + 12;
    assert_eq!(code(codec.decode(0, &message(1000))), "ok");
    assert_eq!(code(codec.decode(0, &message(1001))), "too-large");
    // A list of structs without words, in one word.
    let fields: String = (0..60).map(|id| format!("f{id} @{id} :Text; ")).collect();
    let mut codec = capnp(&format!("struct W {{ {fields} }} struct L {{ l @0 :List(W); }}")).remove(0);
    codec.limits = Limits::REFERENCE;
    let words = |count: u64| [3 << 32, 1 << 48, 1 | 7 << 32, count << 2].map(u64::to_le_bytes).concat();
    let message = codec.message_named("L").unwrap();
    assert_eq!(code(codec.decode(message, &words(100_000))), "ok");
    // Each costs 8, and 4 or more for each field.
    assert_eq!(code(codec.decode(message, &words((64 << 20) / 248))), "too-large");
}

/// Encoders refuse messages that no decoder reads.
#[test]
fn elements_without_bytes_beyond_the_budget_are_not_written() {
    let records = |count: usize| Value::List(vec![Value::Record(Box::new([])); count].into());
    let one = |list: Value| Value::Record(Box::new([list]));
    let check = |codec: &Codec, message: usize, value: &dyn Fn(usize) -> Value| {
        let name = &codec.plan().form.name;
        let few = codec.encode(message, &value(32_000)).unwrap();
        assert_eq!(code(codec.decode(message, &few)), "ok", "{name}");
        let fault = codec.encode(message, &value(34_000)).unwrap_err();
        assert_eq!(fault.code.as_str(), "too-large", "{name}");
    };
    let fbe = compiled(&aldis_fbe::FBE, "package p\nstruct Empty { }\nstruct Many { Empty[] all; }\n");
    check(&fbe[1], fbe[1].message_named("p.Many").unwrap(), &|count| one(records(count)));
    check(&group(0), 0, &|count| one(records(count)));
    for codec in capnp("struct V { l @0 :List(Void); }") {
        check(&codec, 0, &|count| one(Value::List(vec![Value::Null; count].into())));
    }
    let codecs = capnp("struct E {} struct L { l @0 :List(E); }");
    for codec in codecs {
        check(&codec, codec.message_named("L").unwrap(), &|count| one(records(count)));
    }
    // Canonical bytes leave out what the other forms write.
    let nulls = |count: usize| {
        let row = Value::Record(vec![Value::Null; 8].into());
        one(Value::List(vec![row; count].into()))
    };
    let fields: String = (0..8).map(|id| format!("f{id} @{id} :Text; ")).collect();
    for codec in capnp(&format!("struct W {{ {fields} }} struct L {{ l @0 :List(W); }}")) {
        let message = codec.message_named("L").unwrap();
        let written = codec.encode(message, &nulls(34_000));
        match codec.plan().form.name.as_str() {
            "capnp-canonical" => assert_eq!(written.unwrap_err().code.as_str(), "too-large"),
            name => assert_eq!(code(codec.decode(message, &written.unwrap())), "ok", "{name}"),
        }
    }
}

/// No byte that an encoder writes costs more than 8: messages are read without the base of the budget, unless the encoder
/// says that elements without bytes need it.
fn check_cost(codecs: Vec<Codec>, seed: u64) {
    for mut codec in codecs {
        for message in 0..codec.plan().messages.len() {
            let value = codec.random(message, seed);
            codec.limits.budget_base = 0;
            match codec.encode(message, &value) {
                Ok(bytes) => assert_eq!(code(codec.decode(message, &bytes)), "ok", "{}", codec.plan().form.name),
                Err(fault) => assert_eq!(fault.code.as_str(), "too-large"),
            }
            codec.limits = Limits::default();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_encoders_write_costs_no_more_than_eight_a_byte(text in aldis_schemagen::fbe::schema(), seed: u64) {
        check_cost(compiled(&aldis_fbe::FBE, &text), seed);
    }

    #[test]
    fn what_sbe_encoders_write_costs_no_more_than_eight_a_byte(text in aldis_schemagen::sbe::schema(), seed: u64) {
        check_cost(compiled(&aldis_sbe::SBE, &text), seed);
    }
}

#[test]
fn what_encoders_of_segments_write_costs_no_more_than_eight_a_byte() {
    for schema in ["edge", "evolve", "layout", "small"] {
        let path = vectors("capnp").join("schema").join(format!("{schema}.capnp"));
        (0..40).for_each(|seed| check_cost(codecs(&aldis_capnp::CAPNP, &path), seed));
    }
}
