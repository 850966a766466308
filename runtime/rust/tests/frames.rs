//! The golden frames of `conformance/vectors/transport`, and random bytes.

use aldis_transport::{
    feature, Ack, Batch, Code, Durability, Entries, Frame, Hello, Inbox, SchemaId, Welcome, Window, LENGTH,
};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/vectors/transport")
}

/// Hexadecimal bytes; what follows `#` in a line is said to people.
fn hex(path: &Path) -> Vec<u8> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    lines.flat_map(str::split_whitespace).map(|word| u8::from_str_radix(word, 16).unwrap()).collect()
}

/// The file must decode to `frame`, and `frame` encode to the file.
fn golden(name: &str, frame: Frame<'_>) {
    let bytes = hex(&folder().join(format!("{name}.hex")));
    let schema = matches!(frame, Frame::Batch(Batch { schema: Some(_), .. }));
    assert_eq!(Frame::decode(bytes[LENGTH], &bytes[LENGTH + 1..], schema), Ok(frame), "{name}");
    let mut encoded = Vec::new();
    frame.encode(&mut encoded);
    assert_eq!(encoded, bytes, "{name}");
}

const ENTRIES: &[u8] = b"\x03\0\0\0abc\0\0\0\0\x05\0\0\0hello";

#[test]
fn every_kind_is_as_the_golden_files_have_it() {
    let credit = Window { messages: 100_000, bytes: 8_388_608 };
    golden(
        "hello",
        Frame::Hello(Hello {
            version: 1,
            features: feature::NO_CHECKSUM | feature::SCHEMA | feature::PUSH,
            producer: std::array::from_fn(|i| 0xa0 + i as u8),
            epoch: 7,
            auth_method: b"token",
            auth_data: b"s3cret",
            durability: Durability::Durable,
            window: Window { messages: 4000, bytes: 1 << 20 },
        }),
    );
    golden(
        "welcome",
        Frame::Welcome(Welcome {
            version: 1,
            features: feature::SCHEMA | feature::PUSH,
            session: 0x1122_3344_5566_7788,
            last: 41,
            credit,
            max_frame: 1 << 20,
            durability: Durability::Durable,
        }),
    );
    golden("ack", Frame::Ack(Ack { received: 44, handled: 43, durable: 40, duplicates: 2, credit }));
    golden("nack", Frame::Nack { expected: 42, code: Code::Gap, text: "42 is missing" });
    golden("request", Frame::Request { correlation: 9, deadline: 250, bytes: b"ping?" });
    golden("request-empty", Frame::Request { correlation: 10, deadline: 0, bytes: b"" });
    golden("reply", Frame::Reply { correlation: 9, code: Code::Normal, bytes: b"pong!" });
    golden("reply-refused", Frame::Reply { correlation: 10, code: Code::Refused, bytes: "nö".as_bytes() });
    let entries = b"\x02\0\0\0p1\x02\0\0\0p2";
    golden("push", Frame::Push { subscription: 3, first: 1000, count: 2, entries });
    golden("ping", Frame::Ping(0xfedc_ba98_7654_3210));
    golden("pong", Frame::Pong(0xfedc_ba98_7654_3210));
    golden("drain", Frame::Drain { milliseconds: 5000 });
    golden("close", Frame::Close { code: Code::Idle, text: "nothing came for 30 s" });
    golden("close-bare", Frame::Close { code: Code::Normal, text: "" });
    golden("subscribe", Frame::Subscribe { subscription: 3, from: 1, credit: 500, topic: "log" });
    golden("unsubscribe", Frame::Unsubscribe { subscription: 3, code: Code::Refused, text: "no topic logs" });
    golden("credit", Frame::Credit { subscription: 3, consumed: 1001, credit: 500 });
    golden("unknown-skipped", Frame::Unknown { kind: 0xf0, body: b"later" });
}

#[test]
fn batches_have_the_golden_checksums() {
    let schema = Some(SchemaId { schema: 7, template: 1001 });
    for (name, schema) in [("batch", None), ("batch-schema", schema)] {
        let mut batch = Batch { first: 42, count: 3, crc: 0, schema, entries: ENTRIES };
        batch.crc = batch.checksum();
        golden(name, Frame::Batch(batch));
        let mut head = Vec::new();
        batch.encode_head(&mut head);
        head.extend_from_slice(ENTRIES);
        assert_eq!(head, hex(&folder().join(format!("{name}.hex"))));
    }
    golden("batch-no-checksum", Frame::Batch(Batch { first: 42, count: 3, crc: 0, schema: None, entries: ENTRIES }));
    assert_eq!(Entries::check(ENTRIES, 3).unwrap().count(), 3);
}

#[test]
fn every_golden_file_is_read() {
    let names: Vec<_> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let files = names.iter().filter(|path| path.extension().is_some_and(|extension| extension == "hex"));
    let tests = include_str!("frames.rs");
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(tests.contains(&format!("\"{name}\"")), "{name}.hex has no test");
    }
}

#[test]
fn malformed_frames_are_refused() {
    let mut files = 0;
    for entry in fs::read_dir(folder().join("malformed")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = hex(&path);
        let mut inbox = Inbox::default();
        inbox.room()[..bytes.len()].copy_from_slice(&bytes);
        inbox.came(bytes.len());
        let refused = match inbox.next_frame() {
            Err(error) => Some(error.code),
            Ok(frame) => {
                let (kind, body) = frame.unwrap();
                Frame::decode(kind, body, false).err().map(|error| error.code)
            }
        };
        assert_eq!(refused, Some(Code::Protocol), "{}", path.display());
        files += 1;
    }
    assert!(files >= 11);
}

#[test]
fn texts_are_cut_between_characters() {
    let text = "a".repeat(1023) + "ö";
    let mut out = Vec::new();
    Frame::Close { code: Code::Idle, text: &text }.encode(&mut out);
    let frame = Frame::decode(out[LENGTH], &out[LENGTH + 1..], false).unwrap();
    assert_eq!(frame, Frame::Close { code: Code::Idle, text: &text[..1023] });
}

proptest! {
    /// A frame that was read is written as it was.
    #[test]
    fn random_bodies_round_trip(kind in 0u8..=0x90, body in prop::collection::vec(0u8..5, 0..80), schema: bool) {
        if let Ok(frame) = Frame::decode(kind, &body, schema) {
            let mut out = Vec::new();
            frame.encode(&mut out);
            prop_assert_eq!(&out[LENGTH + 1..], &body);
            prop_assert_eq!(out[LENGTH], kind);
        }
    }

    /// Frames come whole however reads end.
    #[test]
    fn any_split_gives_the_same_frames(sizes in prop::collection::vec(0usize..3000, 1..30), cut in 1usize..4000) {
        let mut stream = Vec::new();
        for (i, size) in sizes.iter().enumerate() {
            Frame::Request { correlation: i as u64, deadline: 0, bytes: &vec![i as u8; *size] }.encode(&mut stream);
        }
        let mut inbox = Inbox::default();
        let mut seen = Vec::new();
        let mut left = &stream[..];
        while !left.is_empty() {
            let room = inbox.room();
            let size = cut.min(left.len()).min(room.len());
            room[..size].copy_from_slice(&left[..size]);
            inbox.came(size);
            left = &left[size..];
            while let Some((kind, body)) = inbox.next_frame().unwrap() {
                match Frame::decode(kind, body, false).unwrap() {
                    Frame::Request { correlation, bytes, .. } => {
                        prop_assert_eq!(correlation, seen.len() as u64);
                        prop_assert!(bytes.iter().all(|byte| *byte == correlation as u8));
                        seen.push(bytes.len());
                    }
                    other => prop_assert!(false, "{:?}", other),
                }
            }
        }
        prop_assert_eq!(seen, sizes);
    }
}
