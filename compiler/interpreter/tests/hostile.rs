//! Bytes made to harm: each attack that broke a reference implementation, and a few of our own. Every one must end in
//! the fault that the protocol names for it, soon, and within the memory bound of 64 × input + 16 MiB.

mod common;

use aldis_interpreter::{to_hex, Codec, Testee};
use aldis_plan::Format;
use cap::Cap;
use common::{codecs, vectors};
use std::alloc::System;
use std::fs;
use std::sync::{Mutex, MutexGuard};

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// One test at a time, so that the memory that is limited is its own.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

struct Text(&'static str);

impl aldis_diagnostics::Files for Text {
    fn read(&self, _path: &str) -> std::io::Result<Vec<u8>> {
        Ok(self.0.as_bytes().to_vec())
    }

    fn resolve(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }
}

fn fbe(text: &'static str) -> Vec<Codec> {
    let compilation = aldis_fbe::FBE.compile("attack", &Text(text));
    assert!(!compilation.plans.is_empty(), "{:?}", compilation.diagnostics);
    compilation.plans.into_iter().map(Codec::new).collect()
}

fn proto() -> Vec<Codec> {
    codecs(&aldis_fbe::FBE, &vectors("fbe").join("proto.fbe"))
}

fn sbe(schema: &str) -> Codec {
    codecs(&aldis_sbe::SBE, &vectors("sbe").join(schema)).remove(0)
}

/// Converts to JSON and to bytes; both must give `code` (or `ok`) while the allocator refuses, and so aborts, whatever
/// goes beyond the bound.
#[track_caller]
fn attack(codecs: Vec<Codec>, form: usize, message: &str, bytes: &[u8], code: &str) {
    let name = codecs[form].plan().form.name.clone();
    let testee = Testee::new(codecs);
    for to in ["json", &name] {
        let request = format!("1\tconvert\t{message}\t{name}\t{to}\t{}", to_hex(bytes));
        MEMORY.set_limit(MEMORY.allocated() + 64 * bytes.len() + (16 << 20)).unwrap();
        let answer = testee.answer(request.as_bytes());
        MEMORY.set_limit(usize::MAX).unwrap();
        let verdict = answer.split('\t').nth(if answer.starts_with("1\tok") { 1 } else { 2 });
        assert_eq!(verdict, Some(code), "{}", &answer[..answer.len().min(300)]);
    }
}

fn account() -> Vec<u8> {
    fs::read(vectors("fbe").join("proto_account_readme.std.bin")).unwrap()
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// A standard FBE message of a struct of type 2 whose one field is a vector of links; what they lead to is in `rest`,
/// right after them, at these offsets.
fn linked(offsets: impl ExactSizeIterator<Item = u32>, rest: &[u8]) -> Vec<u8> {
    let count = offsets.len() as u32;
    let mut words = vec![0, 8, 12, 2, 12, count];
    words.extend(offsets.map(|offset| 16 + 4 * count + offset));
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.extend(rest);
    let length = bytes.len() as u32;
    put(&mut bytes, 0, length);
    bytes
}

#[test]
fn a_root_offset_far_away_is_a_bad_pointer() {
    let _alone = alone();
    let mut bytes = account()[..16].to_vec();
    put(&mut bytes, 0, 16);
    put(&mut bytes, 4, 0x7F00_0000);
    attack(proto(), 0, "proto.Account", &bytes, "bad-pointer");
}

#[test]
fn every_cut_is_an_error() {
    let _alone = alone();
    for (form, file) in [(0, "proto_account_readme.std.bin"), (1, "proto_account_readme.final.bin")] {
        let codec = &proto()[form];
        let bytes = fs::read(vectors("fbe").join(file)).unwrap();
        let message = codec.message_named("proto.Account").unwrap();
        for length in 0..bytes.len() {
            let fault = codec.decode(message, &bytes[..length]).unwrap_err();
            assert!(["truncated", "bad-count"].contains(&fault.code.as_str()), "{length}: {fault}");
        }
    }
    let codec = sbe("be-all.xml");
    let bytes = fs::read(vectors("sbe").join("be-all.SetsEnums.rnd.bin")).unwrap();
    let message = codec.find(&bytes).unwrap();
    for length in 0..bytes.len() {
        let fault = codec.decode(message, &bytes[..length]).unwrap_err();
        assert!(["truncated", "bad-count"].contains(&fault.code.as_str()), "{length}: {fault}");
    }
}

#[test]
fn a_count_beyond_the_bytes_is_refused_before_memory_is_taken() {
    let _alone = alone();
    for count in [4, 100_000_000, u32::MAX] {
        let mut bytes = account();
        let table = 8 + 0x60;
        assert_eq!(bytes[table..table + 4], [3, 0, 0, 0], "the orders' count is where the layout puts it");
        put(&mut bytes, table, count.saturating_mul(37));
        attack(proto(), 0, "proto.Account", &bytes, "bad-count");
    }
    let mut text = account();
    put(&mut text, 8 + 30, u32::MAX);
    attack(proto(), 0, "proto.Account", &text, "bad-count");
}

#[test]
fn aliased_offsets_run_out_of_budget() {
    let _alone = alone();
    // One order with a long symbol, and a table of a quarter million offsets that all lead to it.
    let count = 100_000;
    let symbol = 100_000;
    let mut bytes = fs::read(vectors("fbe").join("proto_account_noasset_noorders.std.bin")).unwrap();
    let table = bytes.len() - 4;
    let order = table + 4 + 4 * count;
    bytes.resize(order + 30 + 4 + symbol, b'x');
    let length = bytes.len() as u32;
    put(&mut bytes, 0, length);
    put(&mut bytes, table, count as u32);
    for index in 0..count {
        put(&mut bytes, table + 4 + 4 * index, (order - 8) as u32);
    }
    bytes[order..order + 34].fill(0);
    put(&mut bytes, order, 34);
    put(&mut bytes, order + 4, 1);
    put(&mut bytes, order + 12, 30);
    put(&mut bytes, order + 30, symbol as u32);
    attack(proto(), 0, "proto.Account", &bytes, "too-large");
}

#[test]
fn a_final_size_of_seven_is_a_bad_value() {
    let _alone = alone();
    let mut bytes = fs::read(vectors("fbe").join("proto_order.final.bin")).unwrap();
    put(&mut bytes, 0, 7);
    attack(proto(), 1, "proto.Order", &bytes, "bad-value");
    attack(proto(), 1, "proto.Order", &bytes[..8], "truncated");
}

#[test]
fn another_type_is_an_unknown_message_at_the_root_and_a_bad_value_further_in() {
    let _alone = alone();
    let mut bytes = account();
    put(&mut bytes, 12, 99);
    attack(proto(), 0, "proto.Account", &bytes, "unknown-message");
    let mut bytes = account();
    let wallet = 8 + 0x2A - 4;
    let at = (wallet..bytes.len() - 8).find(|&at| bytes[at..at + 8] == [20, 0, 0, 0, 2, 0, 0, 0]).unwrap();
    put(&mut bytes, at + 4, 99);
    attack(proto(), 0, "proto.Account", &bytes, "bad-value");
}

#[test]
fn endless_recursion_is_too_deep() {
    let _alone = alone();
    const CHAIN: &str = "package p\nstruct Node { Node? next; }\n";
    // A node whose `next` leads, by a slot after it, back to the node itself: base + offset wraps nowhere, so the
    // chain is laid out: each node's slot, then the next node.
    let levels = 70;
    let mut bytes = vec![0; 8];
    put(&mut bytes, 4, 8);
    for level in 0..levels {
        let last = level + 1 == levels;
        let mut node = vec![0; 13];
        put(&mut node, 0, 13);
        put(&mut node, 4, 1);
        if !last {
            node[8] = 1;
            put(&mut node, 9, 13);
            node.extend_from_slice(&4u32.to_le_bytes());
        }
        bytes.extend(node);
    }
    let length = bytes.len() as u32;
    put(&mut bytes, 0, length);
    attack(fbe(CHAIN), 0, "p.Node", &bytes, "too-deep");
    let nested: Vec<u8> = [75u32.to_le_bytes(), 1u32.to_le_bytes()].concat().into_iter().chain(vec![1; 67]).collect();
    attack(fbe(CHAIN), 1, "p.Node", &nested, "too-deep");
}

#[test]
fn elements_without_bytes_are_charged() {
    let _alone = alone();
    const EMPTY: &str = "package p\nstruct Empty { }\nstruct Many { Empty[] all; }\n";
    let mut bytes = vec![12, 0, 0, 0, 2, 0, 0, 0];
    bytes.extend(u32::MAX.to_le_bytes());
    attack(fbe(EMPTY), 1, "p.Many", &bytes, "too-large");
}

#[test]
fn short_blocks_of_many_fields_take_no_more_memory_than_their_bytes() {
    let _alone = alone();
    // 26 fields, none of which is on the wire, a hundred thousand times.
    const WIDE: &str = "package p\nstruct W { string a; string b; string c; string d; string e; string f; string g; \
                        string h; string i; string j; int64 k; int64 l; int64 m; int64 n; }\nstruct Many { W[] all; }\n";
    let count = 50_000;
    let blocks = [8, 0, 0, 0, 1, 0, 0, 0].repeat(count as usize);
    let bytes = linked((0..count).map(|index| 8 * index), &blocks);
    attack(fbe(WIDE), 0, "p.Many", &bytes, "ok");
}

#[test]
fn missing_arrays_are_charged_as_if_they_were_there() {
    let _alone = alone();
    const ARRAYS: &str = "package p\nstruct A { byte[200000] a; }\nstruct Many { A[] all; }\n";
    let bytes = linked((0..1000).map(|_| 0), &[8, 0, 0, 0, 1, 0, 0, 0]);
    attack(fbe(ARRAYS), 0, "p.Many", &bytes, "too-large");
}

#[test]
fn aliased_byte_vectors_stay_within_memory() {
    let _alone = alone();
    const BYTES: &str = "package p\nstruct V { byte[] v; }\nstruct Many { V[] all; }\n";
    // Each byte counts as eight: what is read once always passes, what is read twice exceeds the budget.
    let mut record: Vec<u8> = [12, 1, 12, 300_000].into_iter().flat_map(u32::to_le_bytes).collect();
    record.resize(record.len() + 300_000, 200);
    let vector = |count| linked((0..count).map(|_| 0), &record);
    attack(fbe(BYTES), 0, "p.Many", &vector(1), "ok");
    attack(fbe(BYTES), 0, "p.Many", &vector(2), "too-large");
}

#[test]
fn aliased_byte_arrays_stay_within_memory() {
    let _alone = alone();
    const ARRAYS: &str = "package p\nstruct A { byte[200000] a; }\nstruct Many { A[] all; }\n";
    let mut record: Vec<u8> = [200_008, 1].into_iter().flat_map(u32::to_le_bytes).collect();
    record.resize(record.len() + 200_000, 200);
    let array = |count| linked((0..count).map(|_| 0), &record);
    attack(fbe(ARRAYS), 0, "p.Many", &array(1), "ok");
    attack(fbe(ARRAYS), 0, "p.Many", &array(2), "too-large");
}

#[test]
fn aliased_texts_are_charged_for_their_links() {
    let _alone = alone();
    const TEXTS: &str = "package p\nstruct T { string[] a; string[] b; string[] c; }\n";
    let count = 200_000u32;
    for (second, expected) in [(0, "ok"), (20, "too-large")] {
        let head = [0, 8, 20, 1, 20, second, 0, count];
        let mut bytes: Vec<u8> = head.iter().flat_map(|number: &u32| number.to_le_bytes()).collect();
        for _ in 0..count {
            bytes.extend((24 + 4 * count).to_le_bytes());
        }
        bytes.extend([1, 0, 0, 0, b'x']);
        let length = bytes.len() as u32;
        put(&mut bytes, 0, length);
        attack(fbe(TEXTS), 0, "p.T", &bytes, expected);
    }
}

#[test]
fn an_sbe_block_of_no_bytes_reads_as_nulls() {
    let _alone = alone();
    let codec = sbe("le-all.xml");
    let bytes = [0, 0, 1, 0, 0x86, 3, 3, 0];
    let message = codec.message_named("h2le.Prims").unwrap();
    let mut json = Vec::new();
    assert_eq!(codec.to_json(message, &bytes, &mut json).unwrap(), 8);
    assert!(json.starts_with(b"{\"fc\":null,\"fi8\":null,"), "{}", String::from_utf8_lossy(&json));
}

#[test]
fn sbe_groups_of_empty_entries_run_out_of_budget() {
    let _alone = alone();
    let codec = || vec![sbe("evo-v1.xml")];
    // Grp: block of one byte, then a group that claims 65,535 entries of no bytes.
    let bytes = [1, 0, 2, 0, 0x88, 3, 1, 0, 7, 0, 0, 0xFF, 0xFF];
    attack(codec(), 0, "h2evo.Grp", &bytes, "too-large");
    let bytes = [1, 0, 2, 0, 0x88, 3, 1, 0, 7, 2, 0, 0xFF, 0xFF, 1, 2];
    attack(codec(), 0, "h2evo.Grp", &bytes, "bad-count");
}

#[test]
fn sbe_data_longer_than_the_message_is_a_bad_count() {
    let _alone = alone();
    let codec = sbe("be-all.xml");
    let mut bytes = fs::read(vectors("sbe").join("be-all.SetsEnums.min.bin")).unwrap();
    let at = bytes.len() - 4;
    bytes[at..].copy_from_slice(&0x7FFF_FFFFu32.to_be_bytes());
    attack(vec![codec], 0, "h2be.SetsEnums", &bytes, "bad-count");
}

#[test]
fn sbe_of_another_schema_or_template_is_an_unknown_message() {
    let _alone = alone();
    let mut bytes = fs::read(vectors("sbe").join("le-all.Prims.rnd.bin")).unwrap();
    bytes[2] = 77;
    attack(vec![sbe("le-all.xml")], 0, "h2le.Prims", &bytes, "unknown-message");
    bytes[2] = 1;
    bytes[4] ^= 1;
    attack(vec![sbe("le-all.xml")], 0, "h2le.Prims", &bytes, "unknown-message");
}

/// The reference's malicious messages, with the limits that every form has.
#[test]
fn cap_n_proto_messages_made_to_harm_are_refused() {
    let _alone = alone();
    let folder = vectors("capnp");
    for (name, schema, record, code) in [
        ("amplify-void-list", "edge", "Lists", "too-large"),
        ("amplify-empty-structs", "edge", "HasEmpty", "too-large"),
        ("amplify-dag", "edge", "Rec", "too-deep"),
        ("amplify-dag-10", "edge", "Rec", "ok"),
        ("amplify-dag-23", "edge", "Rec", "too-large"),
        ("cycle", "edge", "Rec", "too-deep"),
        ("depth-64", "edge", "Rec", "ok"),
        ("depth-65", "edge", "Rec", "too-deep"),
        ("text-huge", "edge", "Texts", "bad-count"),
        ("struct-oob-neg", "edge", "Rec", "bad-pointer"),
        ("far-unknown-segment", "edge", "Rec", "bad-pointer"),
        ("far-to-far", "edge", "Rec", "bad-value"),
        ("composite-overrun", "edge", "Rec", "bad-count"),
        ("cap-other-bits", "edge", "Rec", "bad-value"),
        ("text-not-nul", "edge", "Texts", "bad-value"),
        ("u8-list-as-u16", "evolve", "ListsOld", "bad-value"),
    ] {
        let bytes = fs::read(folder.join("malicious").join(format!("{name}.bin"))).unwrap();
        let codecs = codecs(&aldis_capnp::CAPNP, &folder.join("schema").join(format!("{schema}.capnp")));
        attack(codecs, 0, record, &bytes, code);
    }
}

#[test]
fn packed_zeros_do_not_unpack_without_end() {
    let _alone = alone();
    let codecs = || codecs(&aldis_capnp::CAPNP, &vectors("capnp").join("schema/edge.capnp"));
    // A table of one segment of 2^24 words, then runs of 256 words of zeros, of two bytes each.
    let mut bytes = vec![0x80, 1];
    bytes.extend([0, 255].repeat(65_536));
    attack(codecs(), 1, "Rec", &bytes, "too-large");
    // The elements that are counted are not there.
    attack(codecs(), 1, "Rec", &[0x10, 4, 0, 1], "truncated");
    // A run that goes from the table into the segment.
    attack(codecs(), 1, "Rec", &[0x10, 1, 0, 4], "bad-value");
}

#[test]
fn a_list_of_wrong_decimals_is_refused_where_nothing_is_kept() {
    for codec in fbe("package p\nstruct M(1) { decimal[] d; }\n") {
        let mut bytes = codec.encode(0, &codec.from_json(0, br#"{"d":["1.5","2.5"]}"#).unwrap()).unwrap();
        let end = codec.verify(0, &bytes).unwrap();
        // The second number's spare bytes, which are zero.
        bytes[end - 4] = 1;
        let (kept, fault) = (codec.decode(0, &bytes).unwrap_err(), codec.verify(0, &bytes).unwrap_err());
        assert_eq!((kept.code.as_str(), kept.to_string()), ("bad-value", fault.to_string()));
    }
}
