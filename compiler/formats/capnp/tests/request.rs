//! Golden code generator requests, of capnp 0.9.2 and 1.4.0, against what the reference says is in them.

mod support;

use aldis_capnp::model::{FieldKind, Model, NodeKind, StructValue, Value};
use aldis_capnp::request::read;
use std::fs;
use support::{conformance, text, tree};

fn golden(file: &str) -> Vec<u8> {
    fs::read(conformance("vectors/capnp/cgr").join(file)).unwrap()
}

fn model(file: &str) -> Model {
    read(&golden(file)).unwrap_or_else(|fault| panic!("{file}: {fault}"))
}

#[test]
fn every_node_is_what_the_reference_prints() {
    for (name, versions) in [("edge", 2), ("evolve", 2), ("layout", 2), ("names", 1), ("small", 1)] {
        let text = text::parse(&String::from_utf8(golden(&format!("{name}.txt"))).unwrap());
        let expected = tree::of_request(&text);
        assert!(expected.len() > 7);
        for file in [format!("{name}.092.cgr"), format!("{name}.cgr")].into_iter().take(versions) {
            let model = model(&file);
            let found = tree::of_model(&model);
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{file}");
            for (id, node) in &expected {
                assert_eq!(&found[id], node, "{file}: {}", model.nodes[id].display_name);
            }
            let requested: Vec<&str> = model.requested.iter().map(|id| &*model.nodes[id].display_name).collect();
            assert_eq!(requested, [format!("{name}.capnp")]);
        }
    }
}

/// A field's default, by the names of struct and field.
fn default<'m>(model: &'m Model, node: &str, field: &str) -> &'m Value {
    let node = model.nodes.values().find(|candidate| candidate.display_name.ends_with(&format!(":{node}"))).unwrap();
    let NodeKind::Struct(shape) = &node.kind else { panic!("{} is no struct", node.display_name) };
    let field = shape.fields.iter().find(|candidate| candidate.name == field).unwrap();
    let FieldKind::Slot { default, .. } = &field.kind else { panic!("{} is a group", field.name) };
    default
}

/// A struct's value by fields' indices.
fn structure<const N: usize>(fields: [(usize, Value); N]) -> Value {
    Value::Struct(StructValue { fields: fields.into() })
}

#[test]
fn defaults_that_are_pointers_are_values() {
    let model = model("edge.cgr");
    let int = Value::Int;
    assert_eq!(*default(&model, "WithDef", "s"), structure([(0, int(-1)), (7, int(12))]));
    assert_eq!(*default(&model, "WithDef", "l"), Value::List(vec![int(1), int(2), int(3)]));
    let rec = |n, rest: Vec<(usize, Value)>| {
        let fields = [vec![(0, int(n))], rest].concat();
        Value::Struct(StructValue { fields })
    };
    let first = rec(1, vec![(1, rec(2, vec![]))]);
    let second = rec(3, vec![(2, Value::List(vec![rec(4, vec![])]))]);
    assert_eq!(*default(&model, "WithDef", "ls"), Value::List(vec![first, second]));
    assert_eq!(*default(&model, "WithDef", "t"), Value::Text("hello".into()));
    assert_eq!(*default(&model, "Texts", "d"), Value::Data(vec![0, 255, 16]));
    assert_eq!(*default(&model, "Texts", "a"), Value::Null);
    assert_eq!(*default(&model, "FloatsXor", "finf"), Value::Float32(f32::INFINITY.to_bits()));
    assert_eq!(*default(&model, "IntsXor", "u64"), int(u64::MAX.into()));
    assert_eq!(*default(&model, "IntsXor", "i64"), int(i64::MIN.into()));
    assert_eq!(*default(&model, "IntsXor", "e"), Value::Enum(2));
}

fn constant<'m>(model: &'m Model, name: &str) -> &'m Value {
    let node = model.nodes.values().find(|node| node.display_name.ends_with(&format!(":{name}"))).unwrap();
    let NodeKind::Const { value, .. } = &node.kind else { panic!("{name} is no constant") };
    value
}

#[test]
fn values_of_generic_types_are_decoded_by_what_their_parameters_are_bound_to() {
    let model = model("names.092.cgr");
    let text = |text: &str| Value::Text(text.into());
    // Fields of Box: 0 value, 1 twin, 2 texts, 3 datas, 4 count.
    assert_eq!(*constant(&model, "boxed"), structure([(0, text("outer")), (1, structure([(0, text("inner"))]))]));
    let twin = structure([(0, text("lo")), (4, Value::Int(9))]);
    assert_eq!(*default(&model, "Box", "texts"), structure([(0, text("hi")), (1, twin)]));
    let datas = vec![structure([(0, Value::Data(vec![1, 2]))]), structure([])];
    assert_eq!(*default(&model, "Box", "datas"), Value::List(datas));
    let grid = [vec![], vec![1], vec![2, 3]].map(|row| Value::List(row.into_iter().map(Value::Int).collect()));
    assert_eq!(*constant(&model, "grid"), Value::List(grid.into()));
}

#[test]
fn the_active_member_of_a_union_is_left_out_only_where_it_is_the_zero_one() {
    let model = model("names.092.cgr");
    // Fields of Shop: 4 state, 8 kind; those of state: 0 closed, 1 open, 2 busy.
    let open = structure([(1, Value::Text("now".into()))]);
    assert_eq!(*default(&model, "Shop", "default"), structure([(4, open), (8, Value::Enum(1))]));
    let busy = structure([(2, structure([(0, Value::Int(1))]))]);
    let shops = vec![structure([]), structure([]), structure([(4, busy)])];
    assert_eq!(*default(&model, "Shop", "list"), Value::List(shops));
}

#[test]
fn what_no_type_tells_is_kept_as_a_message() {
    let model = model("names.092.cgr");
    let words = |words: &[u64]| Value::Opaque(words.iter().flat_map(|word| word.to_le_bytes()).collect());
    let list = 2 << 35 | 6 << 32 | 1;
    let text = |offset: u64| 2 << 35 | 2 << 32 | offset << 2 | 1;
    let expected = words(&[list, text(1), text(1), b'a'.into(), b'b'.into()]);
    assert_eq!(*default(&model, "Shop", "any"), expected);
    assert_eq!(*constant(&model, "anything"), expected);
    let bytes = 2 << 35 | 2 << 32 | 1;
    assert_eq!(*constant(&model, "someStruct"), words(&[1 << 48 | 1 << 32, 3, bytes, 0x0201]));
}

#[test]
fn annotations_have_values_by_their_declarations() {
    let model = model("names.092.cgr");
    let node = model.nodes.values().find(|node| node.display_name == "names.capnp:Shop").unwrap();
    let parts = Value::List(vec![Value::Int(6)]);
    let values: Vec<&Value> = node.annotations.iter().map(|annotation| &annotation.value).collect();
    let tags = Value::List(vec![Value::Text("q".into()), Value::Text("r".into())]);
    assert_eq!(values, [&structure([(0, Value::Int(5)), (1, parts)]), &tags]);
}

#[test]
fn documentation_reaches_nodes_and_members() {
    let text = text::parse(&String::from_utf8(golden("names.txt")).unwrap());
    let model = model("names.092.cgr");
    let mut documented = 0;
    for info in text.get("sourceInfo").elements() {
        // A request also documents what it has no nodes of: types of imported files that nothing needs.
        let Some(node) = model.nodes.get(&info.get("id").number()) else { continue };
        let members: Vec<&str> = match &node.kind {
            NodeKind::Struct(shape) => shape.fields.iter().map(|field| &*field.doc).collect(),
            NodeKind::Enum(enumerants) => enumerants.iter().map(|enumerant| &*enumerant.doc).collect(),
            NodeKind::Interface(interface) => interface.methods.iter().map(|method| &*method.doc).collect(),
            _ => Vec::new(),
        };
        let expected = info.find("members").map(|members| members.elements().iter().map(comment).collect());
        assert_eq!(members, expected.unwrap_or_else(Vec::new), "{}", node.display_name);
        assert_eq!(node.doc, comment(info), "{}", node.display_name);
        documented += members.iter().filter(|doc| !doc.is_empty()).count();
    }
    assert_eq!(documented, 3);
}

/// The doc comment of a SourceInfo or one of its members.
fn comment(info: &text::Tree) -> &str {
    let Some(text::Tree::Text(text)) = info.find("docComment") else { return "" };
    std::str::from_utf8(text).unwrap().trim_end_matches('\n')
}
