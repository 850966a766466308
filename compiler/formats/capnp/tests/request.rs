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
    for name in ["edge", "evolve", "layout"] {
        let text = text::parse(&String::from_utf8(golden(&format!("{name}.txt"))).unwrap());
        let expected = tree::of_request(&text);
        assert!(expected.len() > 10);
        for file in [format!("{name}.cgr"), format!("{name}.092.cgr")] {
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

/// The defaults of a struct's fields, by name.
fn default<'m>(model: &'m Model, node: &str, field: &str) -> &'m Value {
    let node = model.nodes.values().find(|candidate| candidate.display_name.ends_with(&format!(":{node}"))).unwrap();
    let NodeKind::Struct(shape) = &node.kind else { panic!("{} is no struct", node.display_name) };
    let field = shape.fields.iter().find(|candidate| candidate.name == field).unwrap();
    let FieldKind::Slot { default, .. } = &field.kind else { panic!("{} is a group", field.name) };
    default
}

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
