//! Questions as the page asks them.

use aldis_playground::answer;
use serde_json::{json, Value};

const MARKET: &str =
    "package market\nenum Side : byte { buy; sell; }\nstruct Trade(7) { uint32 id; Side side; string venue; }\n";

fn asked(question: Value) -> Value {
    serde_json::from_str(&answer(&question.to_string())).expect("an answer is JSON")
}

fn market() -> Value {
    json!({ "name": "market.fbe", "text": MARKET })
}

#[test]
fn a_schema_has_forms_messages_and_layouts() {
    let said = asked(json!({ "ask": "schema", "schema": market() }));
    assert_eq!(said["diagnostics"], json!([]));
    assert_eq!(said["forms"][0]["name"], "fbe");
    assert_eq!(said["forms"][0]["messages"], json!([{ "name": "market.Trade", "id": 7 }]));
    let layouts = said["forms"][0]["layouts"].as_array().unwrap();
    let record = layouts.iter().find(|layout| layout["title"] == "market.Trade").unwrap();
    assert_eq!(record["line"], 3);
    let names = record["lines"].as_array().unwrap().iter().map(|line| line[2].as_str().unwrap());
    assert!(names.collect::<Vec<_>>().contains(&"venue"), "{record}");
}

#[test]
fn mistakes_are_diagnostics_and_other_questions_say_that_there_are_some() {
    let broken = json!({ "name": "market.fbe", "text": MARKET.replace("uint32", "uint33") });
    let said = asked(json!({ "ask": "schema", "schema": broken }));
    assert_eq!((&said["diagnostics"][0]["line"], &said["forms"]), (&json!(3), &json!([])));
    let said = asked(json!({ "ask": "random", "schema": broken, "form": "fbe", "message": "market.Trade", "seed": 1 }));
    assert_eq!(said["error"], "market.fbe has errors");
}

#[test]
fn json_becomes_bytes_and_bytes_become_rows_and_the_same_json() {
    let text = r#"{"id":5,"side":1,"venue":"XPAR"}"#;
    let said =
        asked(json!({ "ask": "encode", "schema": market(), "form": "fbe", "message": "market.Trade", "json": text }));
    let bytes = said["bytes"].as_str().unwrap().to_owned();
    let said = asked(json!({ "ask": "explain", "schema": market(), "form": "fbe", "bytes": bytes }));
    assert_eq!((&said["message"], &said["json"], &said["fault"]), (&json!("market.Trade"), &json!(text), &Value::Null));
    let rows = said["rows"].as_array().unwrap();
    let side = rows.iter().find(|row| row[5] == "side").unwrap();
    assert_eq!((&side[3], &side[7]), (&json!("field"), &json!(["market.fbe", 3])));
    assert_eq!(side[1].as_u64().unwrap() - side[0].as_u64().unwrap(), 1);
}

#[test]
fn damaged_bytes_have_a_fault_with_its_place() {
    let random = json!({ "ask": "random", "schema": market(), "form": "fbe", "message": "market.Trade", "seed": 3 });
    let bytes = asked(random)["bytes"].as_str().unwrap().to_owned();
    let cut = &bytes[..bytes.len() - 2];
    let said = asked(json!({ "ask": "explain", "schema": market(), "form": "fbe", "bytes": cut }));
    assert_eq!(said["fault"]["code"], "truncated");
    let said = asked(json!({ "ask": "explain", "schema": market(), "form": "fbe", "bytes": "0x" }));
    assert_eq!(said["error"], "the bytes are no pairs of hex digits");
    let long = "00".repeat(1 << 17);
    let said = asked(json!({ "ask": "explain", "schema": market(), "form": "fbe", "bytes": long }));
    assert!(said["error"].as_str().unwrap().contains("64 KiB"), "{said}");
}

#[test]
fn a_change_tells_what_it_breaks_and_proves_it() {
    let new = json!({ "name": "market.fbe", "text": MARKET.replace("uint32 id", "uint64 id") });
    let said = asked(json!({ "ask": "breaking", "schema": new, "old": market(), "form": "fbe" }));
    assert_eq!(said["broken"], "BFS");
    let one = &said["differences"][0];
    assert_eq!((&one["old"]["name"], &one["new"]["line"]), (&json!("market.Trade.id"), &json!(3)));
    assert!(!one["witnesses"][0]["bytes"].as_str().unwrap().is_empty());
}

#[test]
fn imports_are_texts_beside_the_schema() {
    let schema = json!({
        "name": "desk.fbe",
        "text": "package desk\nimport market\nstruct Fill(9) { market.Trade trade; }\n",
        "others": { "market.fbe": MARKET },
    });
    let said = asked(json!({ "ask": "schema", "schema": schema }));
    assert_eq!(said["diagnostics"], json!([]), "{said}");
}

#[test]
fn a_question_that_is_none_is_answered_too() {
    for question in ["", "{}", r#"{"ask":"why"}"#, r#"{"ask":"schema","schema":{"name":"a.proto","text":""}}"#] {
        assert!(serde_json::from_str::<Value>(&answer(question)).unwrap()["error"].is_string(), "{question}");
    }
}

#[cfg(feature = "languages")]
#[test]
fn every_language_gives_code() {
    let said = asked(json!({ "ask": "languages" }));
    for language in said["languages"].as_array().unwrap() {
        let said = asked(json!({ "ask": "code", "schema": market(), "language": language }));
        let files = said["files"].as_array().unwrap();
        assert!(files.iter().any(|file| file["text"].as_str().unwrap().contains("Trade")), "{language}");
    }
}
