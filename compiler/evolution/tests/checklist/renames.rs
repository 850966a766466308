//! One edit, one difference, though it shows in many places; and no other one.

use super::{plans, reports};
use aldis_evolution::{compare, Lock, Report};
use aldis_plan::Format;

fn market(extension: &str) -> String {
    std::fs::read_to_string(aldis_testkit::root().join(format!("conformance/schemas/market.{extension}"))).unwrap()
}

/// The text with each of `edits` made wherever it matches.
fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "there is no {from}");
        text.replace(from, to)
    })
}

fn told(report: &Report) -> Vec<String> {
    report.differences.iter().map(|one| format!("{}: {}", one.sentence(), one.broken.text())).collect()
}

/// The problems reported for edits, by the text of the older version and by its lock, which knows no places.
fn both(format: &dyn Format, text: &str, edits: &[(&str, &str)]) -> Vec<String> {
    let (old, new) = (plans(format, text), plans(format, &edited(text, edits)));
    let first = told(&compare(&old[0], &new[0], true));
    let lock = Lock { tool: "0".into(), digest: "0".into(), accepted: Vec::new(), plans: old };
    let locked = Lock::parse(&lock.text().unwrap()).unwrap();
    let mut by_lock = told(&compare(&locked.plans[0], &new[0], true));
    by_lock.sort();
    let mut sorted = first.clone();
    sorted.sort();
    assert_eq!(by_lock, sorted);
    first
}

#[test]
fn ten_edits_are_ten_differences() {
    let size = "<field name=\"size\" id=\"5\" type=\"";
    let edits = [
        ("<group name=\"bids\"", "<group name=\"buys\""),
        ("message name=\"Quote\"", "message name=\"Offer\""),
        ("\"Side\"", "\"Initiative\""),
        (&format!("{size}uint32"), &format!("{size}int32")),
        ("sinceVersion=\"2\"/>", "sinceVersion=\"2\"/><field name=\"note\" id=\"11\" type=\"uint8\"/>"),
        ("<field name=\"volatility\" id=\"5\" type=\"double\" offset=\"32\"/>", ""),
        ("<validValue name=\"limit\"", "<validValue name=\"limited\""),
        ("<choice name=\"late\"", "<choice name=\"auction\">3</choice><choice name=\"late\""),
        (
            "<field name=\"amount\" id=\"12\"",
            "<field name=\"kind\" id=\"14\" type=\"uint8\"/><field name=\"amount\" id=\"12\"",
        ),
        ("</sbe:messageSchema>", "<sbe:message name=\"Heartbeat\" id=\"9\"/></sbe:messageSchema>"),
    ];
    let told = both(&aldis_sbe::SBE, &market("xml"), &edits);
    let expected = [
        "the field `market.Trade.note` was added: B",
        "the field `market.Account.balances.kind` was added, which moves 2 others: BF",
        "the field `market.OrderBook.volatility` was removed: FJS",
        "the field `market.Trade.size` is i32, 4 bytes at 28 now, not u32, 4 bytes at 28: BFS",
        "the field `market.OrderBook.bids` is called `market.OrderBook.buys` now, and a type is called after it: JS",
        "the message `market.Heartbeat` was added: ",
        "the enumeration `market.Side` is called `market.Initiative` now: S",
        "the record `market.Quote` is called `market.Offer` now: S",
        "the value `market.Conditions.auction` was added: ",
        "the value `market.OrderType.limit` is called `market.OrderType.limited` now: JS",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_name_is_told_once() {
    let told = |extension: &str, edits: &[(&str, &str)]| {
        let format: &dyn Format = match extension {
            "fbe" => &aldis_fbe::FBE,
            "xml" => &aldis_sbe::SBE,
            _ => &aldis_capnp::CAPNP,
        };
        both(format, &market(extension), edits)
    };
    let level = told("fbe", &[("Level", "Rung")]);
    assert_eq!(level, ["the record `market.Level` is called `market.Rung` now: S"]);
    let side =
        told("fbe", &[("enum Side", "enum Way"), ("Side side", "Way side"), ("Side aggressor", "Way aggressor")]);
    assert_eq!(side, ["the enumeration `market.Side` is called `market.Way` now: S"]);
    let package = "the package `market` is called `bazaar` now, and";
    let fbe = told("fbe", &[("package market", "package bazaar")]);
    assert_eq!(fbe, [format!("{package} 10 types are called after it: S")]);
    let xml = told("xml", &[("package=\"market\"", "package=\"bazaar\"")]);
    assert_eq!(xml, [format!("{package} 15 types are called after it: S")]);
    // Records of Cap'n Proto are messages without numbers.
    let level = told("capnp", &[("Level", "Rung")]);
    assert_eq!(level, ["the record `Level` is called `Rung` now: S"]);
    let union = told("capnp", &[("type :union", "kind :union")]);
    assert_eq!(union, ["the field `Order.type` is called `Order.kind` now, and a type is called after it: JS"]);
    let group = told("capnp", &[("type :union", "kind :union"), ("stop :group", "halt :group")]);
    let renamed = ["Order.type` is called `Order.kind", "Order.type.stop` is called `Order.kind.halt"];
    assert_eq!(group, renamed.map(|names| format!("the field `{names}` now: JS")));
}

#[test]
fn another_type_is_no_other_name() {
    let told = |field: &str| {
        let text = |field: &str| {
            let types = "enum A : byte { x = 0; } enum B : byte { x = 0; } struct K(2) { A a; B b; }";
            format!("package p {types} struct M(1) {{ {field} f; A a; }}")
        };
        told(&reports(&aldis_fbe::FBE, &text("A"), &text(field))[0])
    };
    assert_eq!(told("B"), ["the field `p.M.f` is B, 1 byte at 8 now, not A, 1 byte at 8: S"]);
    assert!(told("A").is_empty());
}
