//! The meaning of the schema language, where the sample schemas do not use it.

mod support;

use aldis_fbe::{codes, FBE};
use aldis_plan::{Format, Plan};
use aldis_schema::{Decimal, Field, Generated, IntType, Literal, Record, Role, Schema, Type, TypeKind};
use support::{codes, compile, rendered, Memory};

/// The standard form's plan of a schema without a word said about it.
fn plan(text: &str) -> Plan {
    let mut compilation = compile(text);
    assert!(compilation.diagnostics.is_empty(), "{}", rendered(&compilation));
    compilation.plans.remove(0)
}

fn schema(body: &str) -> Schema {
    plan(&format!("package test\n{body}")).schema
}

fn record<'a>(schema: &'a Schema, name: &str) -> &'a Record {
    let found = schema.types.iter().find(|t| t.name.full() == name).map(|t| &t.kind);
    match found {
        Some(TypeKind::Record(record)) => record,
        other => panic!("{name}: {other:?}"),
    }
}

fn field<'a>(schema: &'a Schema, of: &str, name: &str) -> &'a Field {
    let record = record(schema, of);
    &record.fields[record.field_index(name).unwrap()]
}

fn numbers(text: &str) -> Vec<(String, u64)> {
    let compilation = compile(text);
    assert!(!compilation.plans.is_empty(), "{}", rendered(&compilation));
    let schema = &compilation.plans[0].schema;
    let named = |m: &aldis_schema::MessageDef| (schema.type_def(m.record).name.local(), m.id.unwrap());
    schema.messages.iter().map(named).collect()
}

fn pairs(list: &[(&str, u64)]) -> Vec<(String, u64)> {
    list.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect()
}

#[test]
fn struct_numbers_follow_the_counter() {
    let text = "package t offset 100
        struct A {} struct B(+10) {} struct C {} struct D(5) {} struct E {} struct F(base) : B {} struct G(base) : F {}
        message H {}";
    let expected = [("A", 101), ("B", 110), ("C", 111), ("D", 5), ("E", 112), ("F", 110), ("G", 110), ("H", 113)];
    assert_eq!(numbers(text), pairs(&expected));
}

#[test]
fn a_message_may_share_a_structs_number_and_wins() {
    let schema = plan("package t struct A(1) {} message B {}").schema;
    assert_eq!(schema.messages.iter().map(|m| m.id).collect::<Vec<_>>(), [Some(1), Some(1)]);
    assert_eq!(schema.meanings(), [(1, Some(1))]);
}

#[test]
fn a_number_means_what_receivers_look_for_first() {
    let meanings = |root: &str, first: &str, second: &str| {
        let files = [("a.fbe", root), ("b.fbe", first), ("c.fbe", second), ("d.fbe", "package d message D(4) {}")];
        let compilation = FBE.compile("a.fbe", &Memory::of(&files));
        assert!(!compilation.plans.is_empty(), "{}", rendered(&compilation));
        let schema = &compilation.plans[0].schema;
        let name = |index: usize| schema.type_def(schema.messages[index].record).name.full();
        schema.meanings().into_iter().map(|(_, index)| index.map(name)).collect::<Vec<_>>()
    };
    let some = |names: &[&str]| names.iter().map(|name| Some((*name).to_owned())).collect::<Vec<_>>();
    // Imported messages before structs of the package itself, and in the order of the imports.
    let (first, second) = ("package b message M(1) {} struct S(2) {}", "package c message M(1) {} message N(2) {}");
    assert_eq!(meanings("package a import b import c struct A(1) {}", first, second), some(&["b.M", "c.N"]));
    assert_eq!(meanings("package a import c import b struct A(1) {}", first, second), some(&["c.M", "c.N"]));
    assert_eq!(meanings("package a import b import c message A(1) {}", first, second), some(&["a.A", "c.N"]));
    // The imports of an import come before the next import.
    let first = "package b import d struct S(1) {}";
    let second = "package c message M(4) {}";
    assert_eq!(meanings("package a import b import c struct A(4) {}", first, second), some(&["b.S", "d.D"]));
    // The root file's plain structs come first; two of equal standing mean nothing.
    let (first, second) = ("package b struct S(1) {} struct T(2) {}", "package c struct S(1) {} struct T(2) {}");
    let root = "package a import b import c struct A(1) {}";
    assert_eq!(meanings(root, first, second), [Some("a.A".to_owned()), None]);
}

#[test]
fn enums_and_flags_may_have_no_values() {
    let schema = plan("package t enum E {} flags F : uint64 {} struct S { E e; F? f; E[] list; }").schema;
    assert_eq!(record(&schema, "t.S").fields.len(), 3);
}

#[test]
fn numbers_count_anew_in_each_file() {
    let files = Memory::of(&[
        ("a.fbe", "package a import b struct A {} struct Child(base) : b.B {}"),
        ("b.fbe", "package b offset 50 struct B {}"),
    ]);
    let compilation = FBE.compile("a.fbe", &files);
    let schema = &compilation.plans[0].schema;
    let ids: Vec<_> = schema.messages.iter().map(|m| (m.id, m.listed)).collect();
    assert_eq!(ids, [(Some(1), true), (Some(51), true), (Some(51), false)]);
}

#[test]
fn header_statements_may_stand_in_any_order() {
    let files = Memory::of(&[
        ("b.fbe", "domain d.e package b"),
        ("a.fbe", "struct A {} import b version 2.10 package a domain d.e"),
    ]);
    let compilation = FBE.compile("a.fbe", &files);
    let schema = &compilation.plans[0].schema;
    assert_eq!((schema.package.as_str(), schema.version.as_deref()), ("a", Some("2.10")));
    assert!(codes(&compilation).iter().all(|code| *code == codes::HEADER_ORDER), "{}", rendered(&compilation));
}

#[test]
fn a_file_that_two_import_is_read_once() {
    let files = Memory::of(&[
        ("a.fbe", "package a import b import c struct A { b.B b; c.C c; d.D d; }"),
        ("b.fbe", "package b import d struct B { d.D d; }"),
        ("c.fbe", "package c import d struct C { d.D d; }"),
        ("d.fbe", "package d struct D {}"),
    ]);
    let compilation = FBE.compile("a.fbe", &files);
    let schema = &compilation.plans[0].schema;
    assert_eq!(schema.types.iter().map(|t| t.name.full()).collect::<Vec<_>>(), ["a.A", "b.B", "d.D", "c.C"]);
    assert_eq!(compilation.sources.iter().count(), 4);
    assert_eq!(codes(&compilation), [codes::INDIRECT_IMPORT]);
}

#[test]
fn types_are_named_by_their_package_and_not_by_their_file() {
    let compile = |reference: &str| {
        let root = format!("package a import file struct A {{ {reference}.B b; }}");
        FBE.compile("a.fbe", &Memory::of(&[("a.fbe", &root), ("file.fbe", "package other struct B {}")]))
    };
    assert_eq!(codes(&compile("other")), [codes::IMPORT_NAME]);
    assert_eq!(codes(&compile("file")), [codes::IMPORT_NAME, codes::UNKNOWN_PACKAGE]);
    assert!(compile("file").plans.is_empty());
}

#[test]
fn an_import_without_a_package_is_reported_once() {
    let files = Memory::of(&[("a.fbe", "package a import b struct A { b.B b; }"), ("b.fbe", "struct B {}")]);
    assert_eq!(codes(&FBE.compile("a.fbe", &files)), [codes::NO_PACKAGE]);
}

#[test]
fn every_type_has_its_meaning() {
    let schema = schema(
        "struct P {} struct A { char c; wchar w; byte b; int32? o; string[3] a; uuid?[] v; bytes() l; P! s; P?<string> m; double{P} h; timestamp t; }",
    );
    let types: Vec<&Type> = record(&schema, "test.A").fields.iter().map(|f| &f.ty).collect();
    let p = Type::Named(schema.messages[0].record);
    let text = || Box::new(Type::Text(aldis_schema::Encoding::Utf8));
    let int = |int| Type::Int(int);
    let expected = [
        int(IntType::unsigned(8)),
        int(IntType::unsigned(32)),
        int(IntType::unsigned(8)),
        int(IntType::signed(32)).optional(),
        Type::Array { element: text(), len: 3 },
        Type::List(Box::new(Type::Uuid.optional())),
        Type::List(Box::new(Type::Bytes)),
        Type::Set(Box::new(p.clone())),
        Type::Map { key: text(), value: Box::new(p.clone().optional()), hashed: false },
        Type::Map { key: Box::new(p), value: Box::new(Type::Float64), hashed: true },
        Type::Timestamp,
    ];
    assert_eq!(types, expected.iter().collect::<Vec<_>>());
    assert_eq!(field(&schema, "test.A", "c").notes["type"], "char");
}

#[test]
fn a_resettable_field_is_optional_and_followed_by_its_bool() {
    let schema = schema("struct A { int32~ limit = 5; string name; }");
    let record = record(&schema, "test.A");
    let fields: Vec<(&str, &Type)> = record.fields.iter().map(|f| (f.name.as_str(), &f.ty)).collect();
    assert_eq!(fields[0], ("limit", &Type::Int(IntType::signed(32)).optional()));
    assert_eq!(fields[1], ("limitReset", &Type::Bool));
    assert_eq!(fields[2].0, "name");
    assert_eq!(record.fields[0].default, Some(Literal::Int(5)));
}

#[test]
fn inherited_fields_come_first_and_keys_point_at_them() {
    let schema =
        schema("struct C : B { [key] int32 c; } struct B : A { int32 b; } struct A { int32 a; [key] int32 id; }");
    let record = record(&schema, "test.C");
    assert_eq!(record.fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["a", "id", "b", "c"]);
    assert_eq!(record.keys, [1, 3]);
}

#[test]
fn attributes_say_what_they_say() {
    let schema = schema(
        "[deprecated] struct Old { [hidden] string secret; [deprecated] int32 gone; }
         [request] [response(Yes)] [reject(No, *Never)] message Ask { uuid [id] = uuid1; }
         message Yes { [id] int64 id; } message No {} message Never {}",
    );
    assert!(schema.types[0].deprecated);
    assert!(field(&schema, "test.Old", "secret").hidden && field(&schema, "test.Old", "gone").deprecated);
    let ask = record(&schema, "test.Ask");
    let request = ask.request.as_ref().unwrap();
    let name = |id: &aldis_schema::TypeId| schema.type_def(*id).name.local();
    assert_eq!(request.response.as_ref().map(name).as_deref(), Some("Yes"));
    assert_eq!(request.rejects.iter().map(name).collect::<Vec<_>>(), ["No", "Never"]);
    assert_eq!((ask.role, ask.keys.as_slice()), (Role::Message, [0].as_slice()));
    let id = &ask.fields[0];
    assert_eq!(
        (id.name.as_str(), id.correlation, &id.default),
        ("id", true, &Some(Literal::Generated(Generated::Uuid1)))
    );
    assert_eq!(record(&schema, "test.Yes").keys, [] as [u32; 0]);
}

#[test]
fn enum_values_count_up_and_alias() {
    let schema = schema(
        "enum E : char { a = 'A'; b; hex = 0x10; again = a; next; } enum N : int8 { low = -128; up; } enum D { x; y; }",
    );
    let values = |index: usize| match &schema.types[index].kind {
        TypeKind::Enum(e) => (e.repr.clone(), e.values.iter().map(|v| v.value).collect::<Vec<_>>()),
        other => panic!("{other:?}"),
    };
    assert_eq!(values(0), (Type::Int(IntType::unsigned(8)), vec![65, 66, 16, 65, 66]));
    assert_eq!(values(1), (Type::Int(IntType::signed(8)), vec![-128, -127]));
    assert_eq!(values(2), (Type::Int(IntType::signed(32)), vec![0, 1]));
}

#[test]
fn flags_combine() {
    let schema =
        schema("flags F : uint64 { none = 0; a = 0x1; top = 0x8000000000000000; both = a | top; more = both | 0x6; }");
    let TypeKind::Flags(flags) = &schema.types[0].kind else { panic!("{:?}", schema.types[0]) };
    let masks: Vec<u64> = flags.values.iter().map(|v| v.mask).collect();
    assert_eq!(masks, [0, 1, 1 << 63, 1 << 63 | 1, 1 << 63 | 7]);
}

#[test]
fn defaults_are_values_of_their_types() {
    let head = "enum E { a; b = 7; } flags F : byte { r = 0x1; w = 0x2; } struct A {";
    let uuid = "00112233-4455-6677-8899-aabbccddeeff";
    let decimal = |text| Literal::Decimal(Decimal::parse(text).unwrap());
    let octets = [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff];
    let cases = [
        ("bool", "true", Literal::Bool(true)),
        ("bool?", "null", Literal::Null),
        ("bool?", "true", Literal::Bool(true)),
        ("int8", "min", Literal::Int(-128)),
        ("uint64", "max", Literal::Int(u64::MAX.into())),
        ("uint16", "0xFFFF", Literal::Int(0xFFFF)),
        ("int64", "-9223372036854775808", Literal::Int(i64::MIN.into())),
        ("char", "'\\n'", Literal::Int(10)),
        ("char", "'ÿ'", Literal::Int(255)),
        ("wchar", "'€'", Literal::Int(0x20AC)),
        ("byte", "+7", Literal::Int(7)),
        ("timestamp", "epoch", Literal::Int(0)),
        ("timestamp", "utc", Literal::Generated(Generated::UtcNow)),
        ("timestamp?", "1543145986060361000", Literal::Int(1_543_145_986_060_361_000)),
        ("float", "0.1", Literal::Float(f64::from(0.1f32))),
        ("double", "-123.456e+123", Literal::Float(-123.456e123)),
        ("double", "3", Literal::Float(3.0)),
        ("double", "0x10", Literal::Float(16.0)),
        ("float", "min", Literal::Float(f32::MIN.into())),
        ("double", "max", Literal::Float(f64::MAX)),
        ("decimal", "-1.10", decimal("-1.10")),
        ("decimal", "+5", decimal("5")),
        ("decimal", "max", decimal("79228162514264337593543950335")),
        ("string", "\"a\\\"\\u20acz\"", Literal::Text("a\"€z".to_owned())),
        ("uuid", "uuid0", Literal::Uuid([0; 16])),
        ("uuid", "uuid4", Literal::Generated(Generated::Uuid4)),
        ("uuid", &format!("\"{uuid}\""), Literal::Uuid(octets)),
        ("E", "E.b", Literal::Int(7)),
        ("test.E?", "test.E.b", Literal::Int(7)),
        ("F", "F.r | F.w", Literal::Int(3)),
    ];
    for (ty, value, expected) in cases {
        let schema = schema(&format!("{head} {ty} x = {value}; }}"));
        assert_eq!(field(&schema, "test.A", "x").default, Some(expected), "{ty} = {value}");
    }
}

#[test]
fn negative_zero_keeps_its_sign() {
    for text in ["-0.0", "-0"] {
        let schema = schema(&format!("struct A {{ double x = {text}; }}"));
        match field(&schema, "test.A", "x").default {
            Some(Literal::Float(x)) => assert!(x == 0.0 && x.is_sign_negative(), "{text}"),
            ref other => panic!("{other:?}"),
        }
    }
}

#[test]
fn comments_document_what_they_stand_at() {
    let schema = plan(
        "// The file.\npackage test\n\n// Not the order's.\n\n/* An order. */\n// Second line.\nstruct Order // on its line\n{\n    // Its number.\n    int32 id; // never 0\n    int32 plain;\n}\n\nenum Side { buy; /* ask */ sell; } // which side\n",
    )
    .schema;
    assert_eq!(schema.doc, "The file.");
    assert_eq!(schema.types[0].doc, "An order.\nSecond line.\non its line");
    let docs: Vec<&str> = record(&schema, "test.Order").fields.iter().map(|f| f.doc.as_str()).collect();
    assert_eq!(docs, ["Its number.\nnever 0", ""]);
    assert_eq!(schema.types[1].doc, "which side");
}

#[test]
fn recursion_through_optionals_and_collections_is_allowed() {
    plan("package t struct Node { Node? next; Node[] children; Node<string> named; Node{int32} numbered; Other?[2] others; } struct Other : Node {}");
}

#[test]
fn keywords_are_names_too() {
    let text = "package struct struct message { int32 struct; string string; bool message; uuid enum; int8 key; int8 base; } enum offset { import; version; }";
    let compilation = compile(text);
    assert_eq!(compilation.plans.len(), 2, "{}", rendered(&compilation));
    assert!(codes(&compilation).iter().all(|code| *code == codes::KEYWORD_NAME), "{}", rendered(&compilation));
    let names: Vec<&str> =
        record(&compilation.plans[0].schema, "struct.message").fields.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["struct", "string", "message", "enum", "key", "base"]);
}

#[test]
fn one_run_shows_many_mistakes() {
    let text =
        "package t\nstruct A { Nope a; int32 b = \"x\"; int32 ; int32 c }\nenum E : float { x; y = z; }\nstruct A {}\n";
    let expected = [
        codes::UNKNOWN_TYPE,
        codes::DEFAULT_TYPE,
        codes::SYNTAX,
        codes::NO_SEMICOLON,
        codes::ENUM_BASE,
        codes::UNKNOWN_VALUE,
        codes::DUPLICATE_TYPE,
    ];
    let compilation = compile(text);
    assert_eq!(codes(&compilation), expected, "{}", rendered(&compilation));
    assert!(compilation.plans.is_empty());
}

#[test]
fn the_hash_tells_texts_apart_and_nothing_else() {
    let hash = |text: &str| plan(text).schema.hash;
    assert_eq!(hash("package t struct A {}"), hash("package t struct A {}"));
    assert_ne!(hash("package t struct A {}"), hash("package t struct B {}"));
}
