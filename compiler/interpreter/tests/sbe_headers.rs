//! Header values: read beside any message, put into any message, and kept.

mod common;

use aldis_interpreter::{Code, Codec, Testee};
use aldis_sbe::SBE;
use common::{codecs, hex, json, value_json};
use proptest::prelude::{any, proptest};
use proptest::test_runner::Config;

fn codec(name: &str) -> Codec {
    codecs(&SBE, &aldis_testkit::root().join("conformance/schemas/sbe").join(name)).remove(0)
}

const SCHEMAS: [&str; 4] = ["header-venue.xml", "header-session.xml", "header-ignored.xml", "header-frame-length.xml"];

proptest! {
    #![proptest_config(Config { cases: 300, failure_persistence: None, ..Config::default() })]

    #[test]
    fn values_with_headers_come_back(schema in 0..SCHEMAS.len(), of in any::<usize>(), seed in any::<u64>()) {
        let codec = codec(SCHEMAS[schema]);
        let header = codec.header_message().unwrap();
        let message = of % (codec.plan().messages.len() - 1);
        let (value, beside) = (codec.random(message, seed), codec.random_header(seed).unwrap());
        let bytes = codec.encode_with(message, &value, Some(&beside)).unwrap();
        // The message is what it is without the header value, and the value is what was given.
        assert_eq!(json(&codec, message, &bytes), value_json(&codec, message, &value));
        assert_eq!(json(&codec, header, &bytes), value_json(&codec, header, &beside));
        assert_eq!(codec.find(&bytes), Ok(message));
        let plain = codec.encode(message, &value).unwrap();
        let mut put = plain.clone();
        codec.put_header(&mut put, &beside).unwrap();
        assert_eq!(hex(&put), hex(&bytes));
        // A value is put over another: nothing of that stays.
        codec.put_header(&mut put, &codec.random_header(seed ^ 1).unwrap()).unwrap();
        codec.put_header(&mut put, &beside).unwrap();
        assert_eq!(hex(&put), hex(&bytes));
        // From bytes to bytes it is kept.
        let (name, sent) = (codec.message_name(message), hex(&bytes));
        let testee = Testee::new(vec![codec]);
        assert_eq!(testee.answer(format!("1\tconvert\t{name}\tsbe\tsbe\t{sent}").as_bytes()), format!("1\tok\t{sent}"));
    }
}

#[test]
fn lengths_of_frames_are_computed_and_bounded() {
    let codec = codec("header-venue.xml");
    let order = codec.message_named("lamp.venue.NewOrder").unwrap();
    let of = |memo: usize| {
        let text = format!(
            "{{\"order\":1,\"side\":\"Buy\",\"price\":{{\"mantissa\":1,\"venue\":2}},\"memo\":\"{}\"}}",
            "m".repeat(memo)
        );
        codec.encode(order, &codec.from_json(order, text.as_bytes()).unwrap())
    };
    let bytes = of(10).unwrap();
    assert_eq!(usize::from(u16::from_be_bytes([bytes[0], bytes[1]])), bytes.len());
    let room = 65_535 - (bytes.len() - 10);
    assert_eq!(of(room).map(|bytes| bytes[..2].to_vec()), Ok(vec![0xFF, 0xFF]));
    if room < 65_534 {
        assert_eq!(of(room + 1).unwrap_err().code, Code::OutOfRange);
    }
}

#[test]
fn what_is_no_message_takes_no_header() {
    let codec = codec("header-session.xml");
    let beside = codec.random_header(7).unwrap();
    let mut short = [0; 31];
    assert_eq!(codec.put_header(&mut short, &beside).unwrap_err().code, Code::Truncated);
    assert_eq!(short, [0; 31]);
}
