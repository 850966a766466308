//! The golden vectors that FBE's own code wrote.

mod common;

use aldis_interpreter::{Codec, Testee};
use common::{check_round_trips, codecs, hex, json, vectors};
use serde_json::Value as Json;
use std::fs;

/// Rows of the index: vector name, struct, schema.
fn index() -> Vec<(String, String, String)> {
    let text = fs::read_to_string(vectors("fbe").join("INDEX.md")).unwrap();
    let rows = text.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| name") && !l.starts_with("| ---"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        (cells[1].to_owned(), cells[2].to_owned(), cells[3].to_owned())
    })
    .collect()
}

fn forms(schema: &str) -> Vec<Codec> {
    codecs(&aldis_fbe::FBE, &vectors("fbe").join(schema))
}

/// Equal as far as the reference's JSON goes: it widens floats, and its decimals have six digits after the point.
fn agrees(ours: &Json, golden: &Json) -> bool {
    match (ours, golden) {
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            a == b || a as f32 == b as f32
        }
        (Json::String(a), Json::String(b)) if a != b => match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => (a - b).abs() <= 1e-6 * a.abs().max(1.0),
            _ => false,
        },
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((ka, a), (kb, b))| ka == kb && agrees(a, b))
        }
        (a, b) => a == b,
    }
}

#[test]
fn every_vector_goes_every_way() {
    let rows = index();
    assert!(rows.len() > 50, "the index has {} rows", rows.len());
    for (name, record, schema) in rows {
        let forms = forms(&schema);
        let standard = fs::read(vectors("fbe").join(format!("{name}.std.bin"))).unwrap();
        let r#final = fs::read(vectors("fbe").join(format!("{name}.final.bin"))).unwrap();
        let message = forms[0].message_named(&record).unwrap_or_else(|| panic!("no {record}"));
        if name == "proto_order_nonfinite" {
            let fault = forms[0].to_json(message, &standard, &mut Vec::new()).unwrap_err();
            assert_eq!((fault.code.as_str(), &*fault.path), ("bad-value", "price"));
            let (value, _) = forms[0].decode(message, &standard).unwrap();
            assert_eq!(hex(&forms[0].encode(message, &value).unwrap()), hex(&standard));
            assert_eq!(hex(&forms[1].encode(message, &value).unwrap()), hex(&r#final));
            continue;
        }
        let text = check_round_trips(&name, &forms[0], message, &standard);
        assert_eq!(check_round_trips(&name, &forms[1], message, &r#final), text, "{name}: both forms say the same");
        if let Ok(golden) = fs::read_to_string(vectors("fbe").join(format!("{name}.json"))) {
            let (ours, golden): (Json, Json) =
                (serde_json::from_str(&text).unwrap(), serde_json::from_str(&golden).unwrap());
            assert!(agrees(&ours, &golden), "{name}:\n{ours}\n{golden}");
        }
        assert_eq!(forms[0].find(&standard).map(|m| forms[0].message_name(m).contains('.')), Ok(true), "{name}");
    }
}

#[test]
fn exact_decimals_are_text_for_text() {
    let forms = forms("extra.fbe");
    let message = forms[0].message_named("extra.Vectors").unwrap();
    let bytes = fs::read(vectors("fbe").join("extra_vectors_decimals_java.std.bin")).unwrap();
    let golden = fs::read_to_string(vectors("fbe").join("extra_vectors_decimals_java.json")).unwrap();
    assert_eq!(json(&forms[0], message, &bytes), golden.trim());
}

#[test]
fn streams_are_whole_messages_one_after_another() {
    for (file, schema, form, names) in [
        ("stream_proto", "proto.fbe", 0, &["proto.OrderMessage", "proto.BalanceMessage", "proto.AccountMessage"][..]),
        ("stream_proto_final", "proto.fbe", 1, &["proto.OrderMessage", "proto.BalanceMessage", "proto.AccountMessage"]),
        ("stream_extra_requests", "extra.fbe", 0, &["extra.Req", "extra.RespOk", "extra.Notice", "extra.RespErr"]),
    ] {
        let codec = &forms(schema)[form];
        let bytes = fs::read(vectors("fbe").join(format!("{file}.stream.bin"))).unwrap();
        let mut rest = &bytes[..];
        let mut found = Vec::new();
        while !rest.is_empty() {
            let message = codec.find(rest).unwrap();
            let (_, size) = codec.decode(message, rest).unwrap();
            check_round_trips(file, codec, message, &rest[..size]);
            found.push(codec.message_name(message));
            rest = &rest[size..];
        }
        assert_eq!(found, names);
    }
}

#[test]
fn forms_convert_into_each_other() {
    let testee = Testee::new(forms("proto.fbe"));
    let standard = fs::read(vectors("fbe").join("proto_account_readme.std.bin")).unwrap();
    let r#final = fs::read(vectors("fbe").join("proto_account_readme.final.bin")).unwrap();
    let ask = |line: String| testee.answer(line.as_bytes());
    assert_eq!(
        ask(format!("1\tconvert\tproto.Account\tfbe\tfbe-final\t{}", hex(&standard))),
        format!("1\tok\t{}", hex(&r#final))
    );
    assert_eq!(
        ask(format!("2\tview\tproto.Account\tfbe-final\tfbe\t{}", hex(&r#final))),
        format!("2\tok\t{}", hex(&standard))
    );
    assert!(ask("3\tconvert\tproto.Account\tsbe\tjson\t00".to_owned()).starts_with("3\tunsupported\t"));
    assert!(ask("4\tconvert\tproto.None\tfbe\tjson\t00".to_owned()).starts_with("4\terror\tunknown-message\t-\t"));
    assert!(ask("nonsense".to_owned()).starts_with("-\terror\tbad-request\t-\t"));
    let list = String::from_utf8(
        aldis_interpreter::from_hex(ask("5\tlist".to_owned()).strip_prefix("5\tok\t").unwrap()).unwrap(),
    );
    assert!(list.unwrap().contains("proto.Account 3\n"));
}
