//! Problems as one types, in all files that they are in.

use crate::client::Client;
use crate::folder;
use serde_json::{json, Value};
use std::fs;

const BASE: &str = "package base\n\nstruct Amount\n{\n    int64 units;\n}\n";
const SHOP: &str = "package shop\n\nimport base\n\nstruct Order(1)\n{\n    base.Amount price;\n}\n";
const XML: &str = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<messageSchema package=\"p\" id=\"1\">\n  \
    <types>\n    <composite name=\"messageHeader\"><type name=\"blockLength\" primitiveType=\"uint16\"/>\
    <type name=\"templateId\" primitiveType=\"uint16\"/><type name=\"schemaId\" primitiveType=\"uint16\"/>\
    <type name=\"version\" primitiveType=\"uint16\"/></composite>\n  </types>\n  \
    <message name=\"M\" id=\"1\"><field name=\"a\" id=\"1\" type=\"uint32\"/></message>\n</messageSchema>\n";
const CAPNP: &str = "@0xbf5147cbbecf40c1;\nstruct Order {\n  price @0 :Int64;\n}\n";

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().unwrap()).collect()
}

#[test]
fn mistakes_are_told_as_they_are_typed_in_each_format() {
    let folder = folder("typed");
    let cases = [
        (
            "shop.fbe",
            "struct Order(1)\n{\n    intt32 a;\n}\n",
            "package shop\n\n",
            "fbe/E0027",
            (4, 4),
            (4, 10),
            "int32",
        ),
        ("shop.capnp", &CAPNP.replace("Int64", "Int46"), "", "capnp/E0031", (2, 12), (2, 17), "Int64"),
        ("shop.xml", &XML.replace("type=\"uint32\"", "type=\"uint33\""), "", "sbe/E0016", (5, 56), (5, 62), "uint32"),
    ];
    for (name, wrong, head, code, start, end, mend) in cases {
        let mut client = Client::start(&folder);
        let path = folder.join(name);
        let wrong = format!("{head}{wrong}");
        client.open(&path, &wrong);
        let told = client.diagnostics(&path);
        assert_eq!(codes(&told), [code], "{told:?}");
        let place = |(line, column)| json!({ "line": line, "character": column });
        assert_eq!(told[0]["range"], json!({ "start": place(start), "end": place(end) }), "{name}");
        assert_eq!(told[0]["severity"], 1);
        client.change(&path, Some(told[0]["range"].clone()), mend);
        let told = client.diagnostics(&path);
        assert!(told.iter().all(|diagnostic| diagnostic["severity"] == 3), "{name}: {told:?}");
        client.stop();
    }
}

#[test]
fn an_import_that_is_open_is_read_from_its_buffer() {
    let folder = folder("imports");
    let (base, shop) = (folder.join("base.fbe"), folder.join("shop.fbe"));
    fs::write(&base, BASE).unwrap();
    let mut client = Client::start(&folder);
    client.open(&shop, SHOP);
    assert_eq!(client.diagnostics(&shop), [json!(null); 0]);
    client.open(&base, BASE);
    assert_eq!(client.diagnostics(&base), [json!(null); 0]);
    // The disk has the right text all the while.
    client.change(&base, None, &BASE.replace("Amount", "Sum"));
    assert_eq!(codes(&client.diagnostics(&shop)), ["fbe/E0027"]);
    client.change(&base, None, &BASE.replace("int64", "int46"));
    assert_eq!(codes(&client.diagnostics(&base)), ["fbe/E0027"]);
    assert_eq!(client.diagnostics(&shop), [json!(null); 0]);
    client.stop();
}

#[test]
fn problems_of_an_import_are_told_at_the_import_even_where_it_is_not_open() {
    let folder = folder("closed-import");
    let (base, shop) = (folder.join("base.fbe"), folder.join("shop.fbe"));
    fs::write(&base, BASE.replace("int64", "int46")).unwrap();
    let mut client = Client::start(&folder);
    client.open(&shop, SHOP);
    assert_eq!(codes(&client.diagnostics(&base)), ["fbe/E0027"]);
    fs::write(&base, BASE).unwrap();
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert_eq!(client.diagnostics(&base), [json!(null); 0]);
    client.stop();
}

#[test]
fn columns_are_units_of_utf_16_and_a_declared_encoding_is_that_of_the_file() {
    let folder = folder("units");
    let (path, shop) = (folder.join("a.xml"), folder.join("shop.fbe"));
    let mut client = Client::start(&folder);
    client.open(&path, &XML.replace("  <message", "<!-- é😀 --><message").replace("uint32", "uint33"));
    let told = client.diagnostics(&path);
    assert_eq!(told[0]["range"]["start"], json!({ "line": 5, "character": 56 + 10 }), "{told:?}");
    client.open(&shop, "package shop\n\nstruct A(1)\n{\n    /* 😀é */ intt32 a;\n}\n");
    let told = client.diagnostics(&shop);
    assert_eq!(told[0]["range"]["start"], json!({ "line": 4, "character": 14 }), "{told:?}");
    client.stop();
}

#[test]
fn parts_of_schemas_and_other_xml_are_left_alone() {
    let folder = folder("parts");
    let path = folder.join("pom.xml");
    let mut client = Client::start(&folder);
    client.open(&path, "<project><x/></project>");
    let schema = folder.join("a.xml");
    client.open(&schema, XML);
    client.diagnostics(&schema);
    assert!(!client.has_told_of(&path));
    client.stop();
}

#[test]
fn cancelled_and_overtaken_requests_are_answered_with_an_error() {
    let folder = folder("cancelled");
    let path = folder.join("a.fbe");
    let mut client = Client::start(&folder);
    let many: String = (0..4000).map(|i| format!("struct S{i}\n{{\n    int32 a;\n}}\n")).collect();
    client.open(&path, &format!("package a\n\n{many}"));
    let params = json!({ "textDocument": { "uri": crate::client::uri(&path) }, "options": { "tabSize": 4, "insertSpaces": true } });
    let formatting = "textDocument/formatting";
    // Keeps the server busy while the rest arrives.
    client.request(formatting, params.clone());
    let overtaken = client.request(formatting, params.clone());
    let cancelled = client.request(formatting, params.clone());
    client.tell("$/cancelRequest", json!({ "id": cancelled }));
    let version = client.change(&path, None, "package a\n\nstruct S\n{\n  int32 a;\n}\n");
    let last = client.request(formatting, params);
    assert_eq!(version, 2);
    assert_eq!(client.answer(cancelled)["error"]["code"], -32800);
    assert_eq!(client.answer(overtaken)["error"]["code"], -32801);
    assert_eq!(client.answer(last)["result"][0]["newText"], "    int32 a;\n");
    client.stop();
}

#[test]
fn bad_messages_do_not_end_the_server() {
    let folder = folder("bad");
    let mut client = Client::start(&folder);
    assert_eq!(client.ask("no/such", json!({}))["error"]["code"], -32601);
    assert_eq!(client.ask("textDocument/formatting", json!({ "textDocument": 1 }))["error"]["code"], -32602);
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "file:///none", "version": 7 }, "contentChanges": [] }),
    );
    client.tell("textDocument/didOpen", json!(null));
    client.stop();
}

#[test]
fn an_exit_without_a_shutdown_is_an_error() {
    let client = Client::start(&folder("exit"));
    assert_eq!(client.exit(), Some(1));
}

#[test]
fn the_project_says_where_imports_are_and_which_advice_is_wanted() {
    let folder = folder("project");
    fs::create_dir_all(folder.join("common")).unwrap();
    fs::create_dir_all(folder.join("feeds")).unwrap();
    fs::write(folder.join("common/base.fbe"), BASE).unwrap();
    fs::write(folder.join("common/base.capnp"), CAPNP).unwrap();
    let rooted =
        "@0xbf5147cbbecf40c2;\nusing Base = import \"/base.capnp\";\nstruct Shop {\n  order @0 :Base.Order;\n}\n";
    let (shop, rooted_shop) = (folder.join("feeds/shop.fbe"), folder.join("feeds/shop.capnp"));
    let styled = SHOP.replace("price", "end");
    let file = "schemas = \"feeds/*\"\nimports = [\"common\"]\n";
    for (levels, severity) in
        [("", 3), ("[lint]\n\"portability/keyword\" = \"deny\"\n", 1), ("[lint]\nall = \"off\"\n", 0)]
    {
        fs::write(folder.join("aldis.toml"), format!("{file}{levels}")).unwrap();
        let mut client = Client::start(&folder);
        client.open(&shop, &styled);
        let told = client.diagnostics(&shop);
        let found: Vec<u64> = told.iter().filter_map(|diagnostic| diagnostic["severity"].as_u64()).collect();
        assert_eq!(found, Vec::from_iter((severity > 0).then_some(severity)), "{levels}: {told:?}");
        client.open(&rooted_shop, rooted);
        assert_eq!(client.diagnostics(&rooted_shop), [json!(null); 0]);
        client.stop();
    }
    // Without the project's folder there is nothing to import.
    fs::write(folder.join("aldis.toml"), "schemas = \"feeds/*\"\n").unwrap();
    let mut client = Client::start(&folder);
    client.open(&shop, SHOP);
    assert_eq!(codes(&client.diagnostics(&shop)).len(), 1);
    client.stop();
}

#[test]
fn the_project_says_how_schemas_are_read() {
    let folder = folder("reading");
    let (shop, framed) = (folder.join("shop.schema"), folder.join("framed.xml"));
    let header = "<composite name=\"messageHeader\">";
    let framed_xml = XML.replace(header, &format!("{header}<type name=\"size\" primitiveType=\"uint16\"/>"));
    fs::write(&shop, BASE).unwrap();
    let project = |length: &str| {
        let entries =
            ["{ files = \"*.schema\", format = \"fbe\" }", &format!("{{ files = \"*.xml\", {length} }}")].join(", ");
        fs::write(folder.join("aldis.toml"), format!("schemas = [{entries}]\n")).unwrap();
    };
    project("frame-length = \"siez\"");
    let mut client = Client::start(&folder);
    client.open(&shop, &BASE.replace("int64", "int46"));
    assert_eq!(codes(&client.diagnostics(&shop)), ["fbe/E0027"]);
    client.open(&framed, &framed_xml);
    let wrong = client.diagnostics(&framed);
    assert_eq!(codes(&wrong), ["sbe/E0060"], "{wrong:?}");
    project("frame-length = \"size\"");
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    let told = client.diagnostics(&framed);
    assert!(told.iter().all(|diagnostic| diagnostic["severity"] == 3), "{told:?}");
    client.stop();
}
