//! Questions of editors about names, in each format.

use crate::client::{uri, Client};
use crate::folder;
use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// A schema in two files: the names that are asked about are marked by `‹` in front.
struct Case {
    name: &'static str,
    other: (&'static str, &'static str),
    text: &'static str,
}

const CASES: [Case; 3] = [
    Case {
        name: "shop.fbe",
        other: ("base.fbe", "package base\n\n// An amount of money.\nstruct Amount\n{\n    int64 units;\n}\n\nenum Side : byte\n{\n    buy;\n    sell;\n}\n"),
        text: "package shop\n\nimport base\n\n// An order of a client.\nmessage Order(1)\n{\n    // Its number.\n    int64 id;\n    \
               base.Amount price;\n    base.Side side = base.Side.sell;\n}\n\nstruct Line(2)\n{\n    Order order;\n}\n",
    },
    Case {
        name: "shop.capnp",
        other: ("base.capnp", "@0xbf5147cbbecf40c1;\nstruct Amount {\n  # An amount of money.\n  units @0 :Int64;\n}\nenum Side {\n  buy @0;\n  sell @1;\n}\n"),
        text: "@0xbf5147cbbecf40c2;\nusing Base = import \"base.capnp\";\n\nstruct Order {\n  # An order of a client.\n  \
               id @0 :Int64;\n  # Its number.\n  price @1 :Base.Amount;\n  side @2 :Base.Side = sell;\n}\n\nstruct Line {\n  order @0 :Order;\n}\n",
    },
    Case {
        name: "shop.xml",
        other: ("base.xml", "<types>\n  <composite name=\"Amount\" description=\"An amount of money.\">\n    <type name=\"units\" primitiveType=\"int64\"/>\n  </composite>\n  \
                <enum name=\"Side\" encodingType=\"uint8\">\n    <validValue name=\"buy\">0</validValue>\n    <validValue name=\"sell\">1</validValue>\n  </enum>\n</types>\n"),
        text: "<messageSchema package=\"shop\" id=\"1\">\n  <include href=\"base.xml\"/>\n  <types>\n    <composite name=\"messageHeader\">\n      \
               <type name=\"blockLength\" primitiveType=\"uint16\"/>\n      <type name=\"templateId\" primitiveType=\"uint16\"/>\n      \
               <type name=\"schemaId\" primitiveType=\"uint16\"/>\n      <type name=\"version\" primitiveType=\"uint16\"/>\n    </composite>\n  </types>\n  \
               <message name=\"Order\" id=\"1\" description=\"An order of a client.\">\n    <field name=\"id\" id=\"1\" type=\"int64\" description=\"Its number.\"/>\n    \
               <field name=\"price\" id=\"2\" type=\"Amount\"/>\n    <field name=\"side\" id=\"3\" type=\"Side\" presence=\"constant\" valueRef=\"Side.sell\"/>\n  </message>\n</messageSchema>\n",
    },
];

/// An editor with both files on disk and the first one open.
fn open(test: &str, case: &Case) -> (Client, PathBuf, PathBuf) {
    let folder = folder(&format!("{test}-{}", case.name));
    let (path, other) = (folder.join(case.name), folder.join(case.other.0));
    fs::write(&path, case.text).unwrap();
    fs::write(&other, case.other.1).unwrap();
    let mut client = Client::start(&folder);
    client.open(&path, case.text);
    let told = client.diagnostics(&path);
    assert!(told.iter().all(|diagnostic| diagnostic["severity"] == 3), "{}: {told:?}", case.name);
    (client, path, other)
}

/// The place at which `word` stands for the `nth` time, from 0.
fn place(text: &str, word: &str, nth: usize) -> (u32, u32) {
    let at = text.match_indices(word).nth(nth).unwrap_or_else(|| panic!("{word} is not there")).0;
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    (line as u32, text[start..at].encode_utf16().count() as u32)
}

fn range(text: &str, word: &str, nth: usize) -> Value {
    let (line, column) = place(text, word, nth);
    let at = |column| json!({ "line": line, "character": column });
    json!({ "start": at(column), "end": at(column + word.encode_utf16().count() as u32) })
}

/// The document after the edits of a rename or an action.
fn edited(text: &str, path: &Path, edit: &Value) -> String {
    let source = aldis_diagnostics::Source::new("", text);
    let offset = |place: &Value| {
        source.offset_of_units(place["line"].as_u64().unwrap() as usize, place["character"].as_u64().unwrap() as usize)
    };
    let Some(edits) = edit["changes"][uri(path)].as_array() else { return text.to_owned() };
    let mut edits: Vec<_> =
        edits.iter().map(|edit| (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), edit)).collect();
    edits.sort_by_key(|(start, ..)| *start);
    let mut text = text.to_owned();
    for (start, end, edit) in edits.into_iter().rev() {
        text.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    text
}

#[test]
fn hover_tells_kind_place_size_layout_and_documentation() {
    for case in &CASES {
        let (mut client, path, _) = open("hover", case);
        let mut hover = |word: &str, nth: usize| {
            let answer = client.at("hover", &path, place(case.text, word, nth), json!({}));
            answer["result"]["contents"]["value"].as_str().unwrap_or_else(|| panic!("{word}: {answer}")).to_owned()
        };
        let id = if case.name.ends_with("xml") { "id\" id=\"1\" type" } else { "id" };
        let id = hover(id, 0);
        assert!(id.contains("`Order.id`") && id.contains("i64") && id.contains("Its number."), "{}: {id}", case.name);
        assert!(id.contains("offset 8, size 8") || id.contains("offset 0, size 8"), "{}: {id}", case.name);
        let order = hover("Order", 0);
        assert!(
            order.contains("An order of a client.") && order.contains("offset  size  field"),
            "{}: {order}",
            case.name
        );
        let amount = hover("Amount", 0);
        assert!(amount.contains("`Amount`") && amount.contains("An amount of money."), "{}: {amount}", case.name);
        let sell = hover("sell", 0);
        assert!(sell.contains("`Side.sell` = 1"), "{}: {sell}", case.name);
        client.stop();
    }
}

#[test]
fn hover_goes_by_the_last_right_text_while_there_are_errors() {
    let case = &CASES[0];
    let (mut client, path, _) = open("hover-wrong", case);
    let wrong = format!("{}\nstruct Bad(9)\n{{\n    intt32 a;\n}}\n", case.text);
    client.change(&path, None, &wrong);
    client.diagnostics(&path);
    let answer = client.at("hover", &path, place(case.text, "price", 0), json!({}));
    let text = answer["result"]["contents"]["value"].as_str().unwrap();
    assert!(text.contains("offset"), "{text}");
    client.stop();
}

#[test]
fn definitions_lead_across_imports() {
    for case in &CASES {
        let (mut client, path, other) = open("definition", case);
        for (word, nth) in [("Amount", 0), ("Side", 0), ("sell", 0)] {
            let answer = client.at("definition", &path, place(case.text, word, nth), json!({}));
            let wanted = json!({ "uri": uri(&other), "range": range(case.other.1, word, 0) });
            assert_eq!(answer["result"], wanted, "{} {word}", case.name);
        }
        let nothing = client.at("definition", &path, (0, 0), json!({}));
        assert!(nothing["result"].is_null(), "{nothing}");
        client.stop();
    }
}

#[test]
fn references_are_found_in_files_that_are_not_open() {
    for case in &CASES {
        let (mut client, path, other) = open("references", case);
        let context = json!({ "context": { "includeDeclaration": true } });
        let answer = client.at("references", &path, place(case.text, "Amount", 0), context);
        let mut found = answer["result"].as_array().unwrap().clone();
        found.sort_by_key(|location| location["uri"].as_str().unwrap().to_owned());
        let wanted = [
            json!({ "uri": uri(&other), "range": range(case.other.1, "Amount", 0) }),
            json!({ "uri": uri(&path), "range": range(case.text, "Amount", 0) }),
        ];
        assert_eq!(found, wanted, "{}", case.name);
        client.stop();
    }
}

#[test]
fn renaming_changes_every_place_in_every_file() {
    for case in &CASES {
        let (mut client, path, other) = open("rename", case);
        for name in ["Amount", "Side", "sell"] {
            let at = place(case.text, name, 0);
            let prepared = client.at("prepareRename", &path, at, json!({}));
            assert_eq!(prepared["result"]["placeholder"], name, "{}: {prepared}", case.name);
            let new = if name == "sell" { "offer" } else { "Renamed" };
            let answer = client.at("rename", &path, at, json!({ "newName": new }));
            let edit = &answer["result"];
            assert_eq!(edited(case.text, &path, edit), case.text.replace(name, new), "{}: {answer}", case.name);
            assert_eq!(edited(case.other.1, &other, edit), case.other.1.replace(name, new), "{}: {answer}", case.name);
        }
        client.stop();
    }
}

#[test]
fn what_cannot_be_renamed_is_refused_with_words() {
    for case in &CASES {
        let (mut client, path, _) = open("refused", case);
        let mut refused = |word: &str, nth: usize, new: &str| {
            let answer = client.at("rename", &path, place(case.text, word, nth), json!({ "newName": new }));
            answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{word} to {new}: {answer}")).to_owned()
        };
        let taken = refused("Amount", 0, "Side");
        assert!(taken.contains("cannot be its name") || taken.contains("something else"), "{}: {taken}", case.name);
        assert!(refused("Amount", 0, "no name").contains("no digit first"), "{}", case.name);
        let builtin = if case.name.ends_with("capnp") { "Int64" } else { "int64" };
        assert!(refused(builtin, 0, "Other").contains("no declared name"), "{}", case.name);
        match case.name {
            "shop.fbe" => assert!(refused("base", 0, "other").contains("renaming its file")),
            "shop.capnp" => assert!(refused("base.capnp", 0, "other").contains("renaming its file")),
            _ => assert!(refused("messageHeader", 0, "other").contains("cannot be its name")),
        }
        client.stop();
    }
}

#[test]
fn completion_knows_keywords_types_attributes_and_elements() {
    let cases: [(&str, &str, &[&str]); 14] = [
        ("a.fbe", "package a\n\n|", &["struct", "message", "import"]),
        ("a.fbe", "package a\n\nenum E\n{\n    x;\n}\n\nstruct S\n{\n    |\n}\n", &["E", "S", "int32", "string"]),
        ("a.fbe", "package a\n\nstruct S\n{\n    [|] int32 a;\n}\n", &["key", "hidden", "deprecated"]),
        ("a.fbe", "package a\n\nimport base\n\nstruct S\n{\n    base.|\n}\n", &["Amount", "Side"]),
        ("a.capnp", "@0xbf5147cbbecf40c2;\n|", &["struct", "enum", "using"]),
        ("a.capnp", "@0xbf5147cbbecf40c2;\nstruct S {\n  a @0 :|;\n  enum E { x @0; }\n}\n", &["S", "S.E", "Int32", "Text"]),
        ("a.capnp", "@0xbf5147cbbecf40c2;\nusing Base = import \"base.capnp\";\nstruct S {\n  a @0 :Base.|;\n}\n", &["Amount", "Side"]),
        ("a.capnp", "@0xbf5147cbbecf40c2;\nannotation secret @0xbf5147cbbecf40c3 (field) :Void;\nstruct S {\n  a @0 :Int8 $|;\n}\n", &["secret"]),
        ("a.xml", "<messageSchema package=\"p\" id=\"1\">\n  <|", &["types", "message"]),
        ("a.xml", "<messageSchema package=\"p\" id=\"1\">\n  <message name=\"M\" id=\"1\">\n    <|\n  </message>\n</messageSchema>", &["field", "group", "data"]),
        ("a.xml", "<messageSchema package=\"p\" id=\"1\">\n  <message name=\"M\" |", &["id", "blockLength"]),
        ("a.xml", "<messageSchema package=\"p\" id=\"1\">\n  <types><enum name=\"Side\" encodingType=\"uint8\"/></types>\n  <message name=\"M\" id=\"1\"><field name=\"a\" id=\"1\" type=\"|\"/>", &["Side", "uint32"]),
        ("a.xml", "<messageSchema package=\"p\" id=\"1\">\n  <message name=\"M\" id=\"1\"><field presence=\"|\"", &["required", "optional"]),
        ("a.xml", "<messageSchema package=\"p\" id=\"1\">\n  <types><type name=\"T\" primitiveType=\"u|\"/>", &["uint8", "uint64"]),
    ];
    let folder = folder("completion");
    for case in &CASES {
        fs::write(folder.join(case.other.0), case.other.1).unwrap();
    }
    let mut client = Client::start(&folder);
    for (index, (name, text, wanted)) in cases.into_iter().enumerate() {
        let path = folder.join(format!("{index}{name}"));
        client.open(&path, &text.replacen('|', "", 1));
        let answer = client.at("completion", &path, place(text, "|", 0), json!({}));
        let items = answer["result"].as_array().unwrap_or_else(|| panic!("{text}: {answer}"));
        let labels: Vec<&str> = items.iter().map(|item| item["label"].as_str().unwrap()).collect();
        assert!(wanted.iter().all(|word| labels.contains(word)), "{text}: {labels:?}");
        assert!(items.iter().all(|item| item["textEdit"]["newText"] == item["label"]), "{text}");
    }
    client.stop();
}

#[test]
fn comments_and_given_attributes_are_not_completed() {
    let folder = folder("no-completion");
    let mut client = Client::start(&folder);
    for (name, text) in [("a.fbe", "package a\n// |"), ("a.capnp", "@0xbf5147cbbecf40c2;\n# |"), ("a.xml", "<!-- |")] {
        let path = folder.join(name);
        client.open(&path, &text.replace('|', ""));
        let answer = client.at("completion", &path, place(text, "|", 0), json!({}));
        assert_eq!(answer["result"], json!([]), "{text}");
    }
    let (path, text) = (folder.join("b.xml"), "<messageSchema package=\"p\" |");
    client.open(&path, &text.replace('|', ""));
    let answer = client.at("completion", &path, place(text, "|", 0), json!({}));
    let items = answer["result"].as_array().unwrap();
    assert!(items.iter().all(|item| item["label"] != "package"), "{items:?}");
    client.stop();
}

#[test]
fn symbols_are_the_outline_of_the_file_itself() {
    for case in &CASES {
        let (mut client, path, _) = open("symbols", case);
        let answer = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri(&path) } }));
        let symbols = answer["result"].as_array().unwrap();
        let order = symbols.iter().find(|symbol| symbol["name"] == "Order").unwrap();
        let fields: Vec<&Value> = order["children"].as_array().unwrap().iter().map(|field| &field["name"]).collect();
        assert_eq!(fields, ["id", "price", "side"], "{}", case.name);
        assert_eq!(order["selectionRange"], range(case.text, "Order", 0), "{}", case.name);
        assert!(order["range"]["end"]["line"].as_u64() > order["range"]["start"]["line"].as_u64(), "{order}");
        assert!(symbols.iter().all(|symbol| symbol["name"] != "Amount"), "{symbols:?}");
        client.stop();
    }
}

#[test]
fn white_space_is_made_regular_and_xml_is_left_as_it_is() {
    for case in &CASES {
        let (mut client, path, _) = open("formatting", case);
        let ugly = case.text.replace("    ", "  \t").replace("  id", "id");
        client.change(&path, None, &ugly);
        let params =
            json!({ "textDocument": { "uri": uri(&path) }, "options": { "tabSize": 4, "insertSpaces": true } });
        let answer = client.ask("textDocument/formatting", params);
        if case.name.ends_with("xml") {
            assert!(answer["result"].is_null(), "{answer}");
        } else {
            let edit = json!({ "changes": { uri(&path): answer["result"] } });
            assert_eq!(edited(&ugly, &path, &edit), case.text, "{}", case.name);
        }
        client.stop();
    }
}

#[test]
fn mends_are_offered_where_a_problem_has_one() {
    for (case, right, wrong) in
        [(&CASES[0], "int64", "int46"), (&CASES[1], "Int64", "Int46"), (&CASES[2], "\"int64\"", "\"int46\"")]
    {
        let (mut client, path, _) = open("actions", case);
        let text = case.text.replacen(right, wrong, 1);
        client.change(&path, None, &text);
        let told = client.diagnostics(&path);
        let params = json!({ "textDocument": { "uri": uri(&path) }, "range": told[0]["range"], "context": { "diagnostics": told } });
        let answer = client.ask("textDocument/codeAction", params);
        let action = &answer["result"][0];
        assert_eq!(
            (&action["kind"], &action["isPreferred"]),
            (&json!("quickfix"), &json!(true)),
            "{}: {answer}",
            case.name
        );
        assert_eq!(action["diagnostics"][0]["code"], told[0]["code"]);
        let mended = edited(&text, &path, &action["edit"]);
        client.change(&path, None, &mended);
        let told = client.diagnostics(&path);
        assert!(told.iter().all(|diagnostic| diagnostic["severity"] == 3), "{}: {mended} {told:?}", case.name);
        client.stop();
    }
}

#[test]
fn lints_mend_of_a_name_renames_it_everywhere() {
    let folder = folder("lint-action");
    let path = folder.join("names.fbe");
    let fields: String = (0..24).map(|i| format!("    int32 good_name{i};\n")).collect();
    let text = format!("package names\n\nenum BadSide : byte\n{{\n    some_value;\n}}\n\nstruct One\n{{\n{fields}    BadSide badName;\n}}\n");
    let mut client = Client::start(&folder);
    client.open(&path, &text);
    let told = client.diagnostics(&path);
    let style =
        told.iter().find(|diagnostic| diagnostic["code"] == "names/style").unwrap_or_else(|| panic!("{told:?}"));
    let params =
        json!({ "textDocument": { "uri": uri(&path) }, "range": style["range"], "context": { "diagnostics": [] } });
    let answer = client.ask("textDocument/codeAction", params);
    let action = &answer["result"][0];
    assert_eq!(action["title"], "rename to `bad_name` everywhere", "{answer}");
    assert!(edited(&text, &path, &action["edit"]).contains("BadSide bad_name;"));
    client.stop();
}
