//! The meaning of the language, one rule a test, told without the reference's compiler.

mod support;

use aldis_capnp::model::{FieldKind, Model, Node, NodeKind, Struct, StructValue, Type, Union, Value};
use aldis_diagnostics::Files;
use std::io;
use std::path::Path;
use support::{codes_of, read, rendered};

fn model(text: &str) -> Model {
    let reading = read(text);
    assert_eq!(rendered(&reading), "");
    reading.model.unwrap()
}

fn node<'m>(model: &'m Model, name: &str) -> &'m Node {
    let wanted = format!("test.capnp:{name}");
    model.nodes.values().find(|node| node.display_name == wanted).unwrap()
}

fn structure<'m>(model: &'m Model, name: &str) -> &'m Struct {
    match &node(model, name).kind {
        NodeKind::Struct(structure) => structure,
        other => panic!("{name} is {other:?}"),
    }
}

fn constant(text: &str, name: &str) -> Value {
    match &node(&model(text), name).kind {
        NodeKind::Const { value, .. } => value.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

/// Names and offsets of the fields that are slots.
fn offsets(structure: &Struct) -> Vec<(&str, u32)> {
    let slots = structure.fields.iter().filter_map(|field| match field.kind {
        FieldKind::Slot { offset, .. } => Some((field.name.as_str(), offset)),
        FieldKind::Group(_) => None,
    });
    slots.collect()
}

#[test]
fn keywords_are_names_where_names_stand() {
    let model = model(
        "struct A { struct @0 :Text; union @1 :Int8; group @2 :Int8; import @3 :Int8; using @4 :Int8; embed @5 :Int8 = 5; }
         interface I { interface @0 (stream :Text) -> (const :Int8); enum @1 () -> stream; }
         enum E { enum @0; using @1; }",
    );
    let names: Vec<&str> = structure(&model, "A").fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["struct", "union", "group", "import", "using", "embed"]);
}

#[test]
fn comments_document_what_they_follow() {
    let model = model(
        "struct A { # one
           # two

           # lost
           a @0 :Int8;
           # of a
           # too
           b @1 :Int8; # of b
         }
         struct B {
           # of B
         }
         # lost: B has its words
         struct C {}
         # of C
         enum E { x @0; # of x
         }
         interface I { m @0 (); # of m
         }",
    );
    assert_eq!(node(&model, "A").doc, "one\ntwo");
    let fields: Vec<&str> = structure(&model, "A").fields.iter().map(|field| field.doc.as_str()).collect();
    assert_eq!(fields, ["of a\ntoo", "of b"]);
    assert_eq!((node(&model, "B").doc.as_str(), node(&model, "C").doc.as_str()), ("of B", "of C"));
    let NodeKind::Enum(enumerants) = &node(&model, "E").kind else { panic!() };
    let NodeKind::Interface(interface) = &node(&model, "I").kind else { panic!() };
    assert_eq!((enumerants[0].doc.as_str(), interface.methods[0].doc.as_str()), ("of x", "of m"));
}

#[test]
fn a_file_is_documented_behind_its_id() {
    let model = model("# of the file\n# too\n\nstruct A {}");
    assert_eq!(model.nodes[&model.requested[0]].doc, "of the file\ntoo");
}

#[test]
fn fields_fill_the_holes_that_alignment_leaves() {
    let model = model("struct A { a @0 :Bool; b @1 :UInt32; c @2 :UInt8; d @3 :Text; e @4 :Bool; f @5 :UInt64; }");
    let a = structure(&model, "A");
    assert_eq!(offsets(a), [("a", 0), ("b", 1), ("c", 1), ("d", 0), ("e", 1), ("f", 1)]);
    assert_eq!((a.data_words, a.pointers), (2, 1));
}

/// A union's members share space; the second one brings the discriminant; the lowest ordinal has discriminant 0.
#[test]
fn members_of_unions_share_their_space() {
    let model = model("struct A { union { z @1 :UInt8; y @0 :UInt32; x @2 :Text; } w @3 :UInt8; }");
    let a = structure(&model, "A");
    assert_eq!(offsets(a), [("y", 0), ("z", 0), ("x", 0), ("w", 6)]);
    assert_eq!(a.union, Some(Union { members: 3, discriminant: 2 }));
    let discriminants: Vec<_> = a.fields.iter().map(|field| (field.discriminant, field.code_order)).collect();
    assert_eq!(discriminants, [(Some(0), 1), (Some(1), 0), (Some(2), 2), (None, 3)]);
}

#[test]
fn an_old_unions_ordinal_is_where_its_discriminant_is_given() {
    let model = model("struct A { a @0 :UInt16; u @2! :union { b @1 :UInt16; c @3 :UInt16; } }");
    assert_eq!(structure(&model, "A.u").union, Some(Union { members: 2, discriminant: 2 }));
    assert_eq!(structure(&model, "A").fields[1].ordinal, Some(2));
}

/// As the reference has it from 1.0 on: the installed one may be older.
#[test]
fn a_value_that_is_no_tuple_stands_for_its_first_field() {
    let schema = "struct Name { text @0 :Text; length @1 :Int32; }
                  struct Person { name :group { full @0 :Name; } age @1 :Int8; }
                  struct Holder { held @0 :Name; }
                  struct Late { b @1 :Text; a @0 :Int32 = 3; }
                  const a :Name = \"Ada\";
                  const b :Holder = .a;
                  const c :List(Name) = [\"x\", (length = 1), .a];
                  const d :Person = (name = .a);
                  const e :Late = 5;
                  const f :Name = .text;
                  const text :Text = \"k\";";
    let of = |value: Value| Value::Struct(StructValue { fields: vec![(0, value)] });
    let ada = of(Value::Text("Ada".to_owned()));
    assert_eq!(constant(schema, "a"), ada);
    assert_eq!(constant(schema, "b"), of(ada.clone()));
    assert_eq!(constant(schema, "d"), of(of(ada.clone())));
    assert_eq!(constant(schema, "e"), of(Value::Int(5)));
    assert_eq!(constant(schema, "f"), of(Value::Text("k".to_owned())));
    let Value::List(elements) = constant(schema, "c") else { panic!() };
    assert_eq!((elements.len(), &elements[2]), (3, &ada));
    for wrong in [
        "const x :Holder = \"Ada\";",
        "const x :Person = .a;",
        "const x :Name = 5;",
        "const x :None = 5; struct None {}",
    ] {
        assert_eq!(codes_of(&read(&format!("{schema} {wrong}"))), ["capnp/E0055"], "{wrong}");
    }
}

#[test]
fn texts_join_and_lines_keep_all_but_their_backtick() {
    let schema = "const a :Text = \"x\\n\" \"\\x41\\102\";\nconst b :Text = `one \"1\" \\n\n   `two\n;\nconst c :Data = \"\\xff\";";
    assert_eq!(constant(schema, "a"), Value::Text("x\nAB".to_owned()));
    assert_eq!(constant(schema, "b"), Value::Text("one \"1\" \\n\ntwo\n".to_owned()));
    assert_eq!(constant(schema, "c"), Value::Data(vec![0xff]));
}

/// Values leave out the members that an all-zero struct has, but for a union's member that is not the first.
#[test]
fn struct_values_hold_what_differs_from_zero() {
    let schema = "struct A { x @0 :Int8 = 5; union { y @1 :Void; z @2 :Int8; } t @3 :Text; }
                  const a :A = (x = 5, y = void);
                  const b :A = (z = 0, t = \"\", x = 0);";
    assert_eq!(constant(schema, "a"), Value::Struct(StructValue::default()));
    let fields = vec![(0, Value::Int(0)), (2, Value::Int(0)), (3, Value::Text(String::new()))];
    assert_eq!(constant(schema, "b"), Value::Struct(StructValue { fields }));
}

#[test]
fn numbers_convert_between_constants_where_they_fit() {
    let schema = "const a :Int8 = .b; const b :UInt64 = 100; const c :Float32 = .a; const d :Float64 = .c;";
    assert_eq!(constant(schema, "a"), Value::Int(100));
    assert_eq!(constant(schema, "c"), Value::Float32(100f32.to_bits()));
    assert_eq!(constant(schema, "d"), Value::Float64(100f64.to_bits()));
}

#[test]
fn declarations_hide_builtin_types_and_inner_ones_outer_ones() {
    let model = model("struct Text { a @0 :Bool; } struct A { struct B {} b @0 :B; t @1 :Text; } struct B {}");
    let types: Vec<&Type> = structure(&model, "A")
        .fields
        .iter()
        .filter_map(|field| match &field.kind {
            FieldKind::Slot { ty, .. } => Some(ty),
            FieldKind::Group(_) => None,
        })
        .collect();
    let ids: Vec<u64> = types.iter().map(|ty| if let Type::Struct(id, _) = ty { *id } else { 0 }).collect();
    assert_eq!(ids, [node(&model, "A.B").id, node(&model, "Text").id]);
}

#[test]
fn several_mistakes_are_told_in_one_run() {
    let syntax = read("struct A { a @0 :Int8 = ; b @1; }\nenum E { x; }\nconst c = 5;");
    assert_eq!(codes_of(&syntax), ["capnp/E0009", "capnp/E0009", "capnp/E0020", "capnp/E0009"]);
    let meaning = read("struct A { a @0 :Nope; b @2 :Int8 = 500; C @3 :Text; }");
    assert_eq!(codes_of(&meaning), ["capnp/E0031", "capnp/E0023", "capnp/E0056", "capnp/E0018"]);
}

/// Files by path; imports are looked for beside the importing file, then in `inc`.
struct Tree(Vec<(&'static str, &'static str)>);

impl Files for Tree {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(known, _)| *known == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let path = Path::new(from).parent()?.join(name).to_string_lossy().into_owned();
        self.0.iter().any(|(known, _)| *known == path).then_some(path)
    }

    fn resolve_in_directories(&self, _: &str, name: &str) -> Option<String> {
        self.resolve("inc/any", name)
    }
}

/// A rooted import is never beside the file; what is built in yields to the import directories alone.
#[test]
fn rooted_imports_are_in_the_import_directories_built_in_or_installed() {
    const C: &str = "@0xa1c0ffee00000003; struct T {}";
    let root =
        "@0xa1c0ffee00000001; struct A { a @0 :import \"/lib/b.capnp\".T; c @1 :import \"/capnp/rpc.capnp\".T; }";
    let files = Tree(vec![
        ("dir/a.capnp", root),
        ("dir/lib/b.capnp", "@0xa1c0ffee00000002; struct Wrong {}"),
        ("inc/lib/b.capnp", "@0xa1c0ffee00000004; struct T { u @0 :import \"c.capnp\".U; }"),
        ("inc/lib/c.capnp", "@0xa1c0ffee00000005; struct U { s @0 :Text $import \"/capnp/c++.capnp\".name(\"x\"); }"),
        ("/usr/include/capnp/rpc.capnp", C),
        ("/usr/include/capnp/c++.capnp", "@0xa1c0ffee00000006;"),
    ]);
    let reading = aldis_capnp::text::read("dir/a.capnp", &files);
    assert_eq!(rendered(&reading), "");
    let model = reading.model.unwrap();
    let mut names: Vec<&str> = model.nodes.values().map(|node| node.display_name.as_str()).collect();
    names.sort_unstable();
    let wanted = [
        "capnp/c++.capnp",
        "capnp/c++.capnp:name",
        "capnp/c++.capnp:namespace",
        "capnp/rpc.capnp",
        "capnp/rpc.capnp:T",
        "dir/a.capnp",
        "dir/a.capnp:A",
        "lib/b.capnp",
        "lib/b.capnp:T",
        "lib/c.capnp",
        "lib/c.capnp:U",
    ];
    assert_eq!(names, wanted);
}
