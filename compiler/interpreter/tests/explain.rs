//! Explanations: what is shown of headers that hold more than is read, and of messages that are cut.

mod common;

use aldis_interpreter::{explain, to_hex, Codec, Entry, EntryKind, Value};
use aldis_plan::Format;
use common::{codecs, json, vectors};
use std::path::Path;

fn ignored() -> Codec {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas/sbe");
    codecs(&aldis_sbe::SBE, &folder.join("header-ignored.xml")).remove(0)
}

/// `4+2 name value`: the place of each entry of that kind.
fn shown(entries: &[Entry], kind: EntryKind) -> Vec<String> {
    let of_kind = entries.iter().filter(|entry| entry.kind == kind);
    of_kind.map(|e| format!("{}+{} {} {}", e.range.start, e.range.len(), e.label, e.value)).collect()
}

/// Header, block, dimension and two entries; all that is not read holds something.
#[rustfmt::skip]
const LOG: [u8; 37] = [
    0, 3, 0x80, 0, 0, 7, 4, b'D', 0, 1, 9, 1, 2, 0xEE, 0, 0, 1, 0, b'm', 0xEE, 0x3F, 0, 0, 0,
    1, 0, 1, 3, 1, b'a', 0, 2, 0xEE, 0xFF, 0xFF, 5, 6,
];

#[test]
fn further_members_of_heads_are_shown_and_have_no_say() {
    let codec = ignored();
    let explanation = explain(&codec, 0, &LOG);
    assert_eq!(explanation.fault, None);
    let wanted = [
        "2+2 [0] null",
        "4+2 [1] 7",
        "7+1 kind \"Day\"",
        "8+2 marks [\"Last\"]",
        "12+1 side \"Starboard\"",
        "14+4 at.seconds 256",
        "18+1 at.part.unit \"m\"",
        "20+4 at.part.fraction 0.5",
    ];
    assert_eq!(shown(&explanation.entries, EntryKind::Header), wanted);
    let wanted = ["27+1 numGroups 3", "29+2 label \"a\"", "33+2 numVarDataFields 65535"];
    assert_eq!(shown(&explanation.entries, EntryKind::Ignored), wanted);
    assert_eq!(shown(&explanation.entries, EntryKind::Absent), ["12+0 medium \"LED\""]);
    assert_eq!(shown(&explanation.entries, EntryKind::Padding), ["13+1 padding ", "19+1 padding ", "32+1 padding "]);
    // A member after an ignored one still has its own name and place in the schema.
    let list = explanation.entries.iter().find(|e| e.label == "flashes").unwrap();
    assert!(list.kind == EntryKind::List && list.path == "flashes" && list.span.is_some());
    assert_eq!(json(&codec, 0, &LOG), r#"{"ship":256,"side":"Port","flashes":[{"length":5},{"length":6}]}"#);
}

#[test]
fn further_members_of_heads_are_written_as_zero() {
    let codec = ignored();
    let (value, size) = codec.decode(0, &LOG).unwrap();
    assert_eq!(size, LOG.len());
    let bytes = to_hex(&codec.encode(0, &value).unwrap());
    assert_eq!(
        bytes,
        "000300000000040000000901".to_owned() + "000000000000000000000000" + "010001" + "0001000002000000" + "0506"
    );
}

#[test]
fn a_cut_block_shows_the_fields_before_the_cut() {
    let codec = ignored();
    let explanation = explain(&codec, 0, &LOG[..26]);
    let fault = explanation.fault.unwrap();
    assert_eq!((fault.code.to_string(), fault.offset, &*fault.path), ("truncated".into(), Some(26), "side"));
    assert_eq!(shown(&explanation.entries, EntryKind::Field), ["24+2 ship 256"]);
    let explanation = explain(&codec, 0, &LOG[..31]);
    let fault = explanation.fault.unwrap();
    assert_eq!((fault.offset, &*fault.path), (Some(31), "flashes.numInGroup"));
    let explanation = explain(&codec, 0, &LOG[..11]);
    let fault = explanation.fault.unwrap();
    assert_eq!((fault.offset, &*fault.path), (Some(11), "version"));
    assert_eq!(
        shown(&explanation.entries, EntryKind::Register),
        ["0+2 blockLength 3", "6+1 templateId 4", "10+1 schemaId 9"]
    );
}

#[test]
fn entries_are_shown_as_far_as_they_are_there() {
    let explanation = explain(&ignored(), 0, &LOG[..36]);
    let fault = explanation.fault.unwrap();
    assert_eq!((fault.code.to_string(), fault.offset, &*fault.path), ("bad-count".into(), Some(27), "flashes"));
    let fields = shown(&explanation.entries, EntryKind::Field);
    assert_eq!(fields, ["24+2 ship 256", "26+1 side \"Port\"", "35+1 length 5"]);
}

#[test]
fn a_cut_composite_shows_the_members_before_the_cut() {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas");
    let codec = codecs(&aldis_sbe::SBE, &schemas.join("sbe/optional-parts.xml")).remove(0);
    let text =
        br#"{"id":7,"price":{"mantissa":1,"side":"Buy","marks":[],"inner":{"count":2,"tag":""}},"plain":{"count":1,"tag":"AB"}}"#;
    let message = codec.message_named("optional.parts.Parts").unwrap();
    let bytes = codec.encode(message, &codec.from_json(message, text).unwrap()).unwrap();
    let explanation = explain(&codec, message, &bytes[..23]);
    let fault = explanation.fault.unwrap();
    assert_eq!((fault.offset, &*fault.path), (Some(22), "price.inner.tag"));
    let labels: Vec<&str> = explanation.entries.iter().map(|e| e.label.as_str()).collect();
    assert!(labels.ends_with(&["inner", "count", "unread"]), "{labels:?}");
}

#[test]
fn a_broken_field_hides_nothing_but_a_wrong_type_does() {
    let codecs = codecs(&aldis_fbe::FBE, &vectors("fbe").join("proto.fbe"));
    let message = codecs[0].message_named("proto.Account").unwrap();
    let whole = std::fs::read(vectors("fbe").join("proto_account_readme.std.bin")).unwrap();
    let labels = |bytes: &[u8]| {
        let explanation = explain(&codecs[0], message, bytes);
        let fields = explanation.entries.into_iter().filter(|entry| entry.kind == EntryKind::Field);
        (explanation.fault.unwrap().to_string(), fields.map(|entry| entry.path).collect::<Vec<_>>())
    };
    // The link to `name` leads nowhere.
    let mut bytes = whole.clone();
    bytes[8 + 12..8 + 16].fill(0xFF);
    let (fault, fields) = labels(&bytes);
    assert!(fault.starts_with("bad-pointer at byte 20 in name"), "{fault}");
    assert!(
        fields.contains(&"wallet.amount".to_owned()) && fields.contains(&"orders[2].price".to_owned()),
        "{fields:?}"
    );
    // The root's type is another's.
    let mut bytes = whole;
    bytes[8 + 4] = 99;
    let (fault, fields) = labels(&bytes);
    assert!(fault.starts_with("unknown-message at byte 12") && fields.is_empty(), "{fault}: {fields:?}");
}

/// Wherever a message is cut off, an explanation says what decoding says, and every byte is in one entry without parts.
#[test]
fn every_cut_is_explained() {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas");
    let sbe = codecs(&aldis_sbe::SBE, &schemas.join("market.xml"));
    let fbe = codecs(&aldis_fbe::FBE, &vectors("fbe").join("proto.fbe"));
    for codec in fbe.iter().chain(&sbe).chain([&ignored()]) {
        for message in 0..codec.plan().messages.len() {
            for seed in 0..3 {
                let value: Value = codec.random(message, seed);
                let Ok(bytes) = codec.encode(message, &value) else { continue };
                for end in 0..bytes.len().min(400) {
                    check_broken(codec, message, &bytes[..end]);
                }
            }
        }
    }
}

/// Explaining, after any change of a byte, agrees with decoding.
#[test]
fn every_change_is_explained() {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas");
    let sbe = codecs(&aldis_sbe::SBE, &schemas.join("market.xml"));
    let fbe = codecs(&aldis_fbe::FBE, &vectors("fbe").join("extra.fbe"));
    let test = codecs(&aldis_fbe::FBE, &vectors("fbe").join("proto.fbe"));
    for codec in fbe.iter().chain(&test).chain(&sbe).chain([&ignored()]) {
        for message in 0..codec.plan().messages.len() {
            let value: Value = codec.random(message, 1);
            let Ok(mut bytes) = codec.encode(message, &value) else { continue };
            for at in 0..bytes.len().min(300) {
                let before = bytes[at];
                for changed in [0, 0xFF, before.wrapping_add(1), before ^ 0x80] {
                    bytes[at] = changed;
                    check_broken(codec, message, &bytes);
                }
                bytes[at] = before;
            }
        }
    }
}

fn check_broken(codec: &Codec, message: usize, bytes: &[u8]) {
    let explanation = explain(codec, message, bytes);
    let decoded = codec.decode(message, bytes).err().map(|fault| fault.code);
    assert_eq!(explanation.fault.map(|fault| fault.code), decoded);
    let mut seen = vec![false; explanation.size];
    let leaves = explanation.entries.iter().filter(|e| !matches!(e.kind, EntryKind::Record | EntryKind::List));
    for entry in leaves {
        seen[entry.range.clone()].fill(true);
    }
    assert!(seen.iter().all(|seen| *seen), "{:?}", explanation.entries);
}

struct Twins;

impl aldis_diagnostics::Files for Twins {
    fn read(&self, _path: &str) -> std::io::Result<Vec<u8>> {
        Ok(b"package p\nstruct Node { Node? left; Node? right; }\n".to_vec())
    }

    fn resolve(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }
}

/// Each record is cut, and leads twice to the next: what is shown of it is charged, or this would take for ever.
#[test]
fn explanations_of_cut_records_that_are_shared_end() {
    let codec = Codec::new(aldis_fbe::FBE.compile("twins.fbe", &Twins).plans.remove(0));
    let levels = 60;
    let mut bytes: Vec<u8> = [8 + 22 * levels, 8].map(u32::to_le_bytes).concat();
    for _ in 0..levels {
        bytes.extend([9000, 1].map(u32::to_le_bytes).concat());
        bytes.extend([1, 18, 0, 0, 0, 1, 18, 0, 0, 0, 4, 0, 0, 0]);
    }
    let explanation = explain(&codec, 0, &bytes);
    assert_eq!(explanation.fault.unwrap().code.to_string(), "truncated");
    let records = explanation.entries.iter().filter(|entry| entry.kind == EntryKind::Record).count();
    assert!((60..20_000).contains(&records), "{records}");
}
