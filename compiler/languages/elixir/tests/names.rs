//! Names and values that need care in Elixir.

mod common;

use aldis_emit::Request;
use common::{generate, plans_in, request, Text};

fn text_of(path: &str, schema: &'static str) -> String {
    let plans = plans_in(path, &Text(schema));
    let generated = generate(&Request { stem: "schema".to_owned(), ..request(&plans) });
    assert!(generated.diagnostics.is_empty(), "{:?}", generated.diagnostics);
    generated.files.into_iter().map(|file| file.text).collect()
}

#[test]
fn an_enumerant_that_is_called_like_null_is_told_apart() {
    let text = text_of("a.fbe", "package a\nenum E { nil; undefined; }\nstruct S { E? e; }\n");
    assert!(text.contains("@type t :: {:enum, nil} | :undefined | integer()"), "{text}");
    assert!(text.contains("e_to_number({:enum, nil}, _), do: 0"), "{text}");
    assert!(text.contains("e_to_number(:undefined, _), do: 1"), "{text}");
    assert!(text.contains("defstruct e: nil"), "{text}");
}

#[test]
fn null_is_nil_and_fields_called_like_erlangs_null_keep_their_names() {
    let text = text_of("a.fbe", "package a\nstruct S { int32 undefined; int32? nil; }\n");
    assert!(text.contains("defstruct undefined: 0, nil: nil"), "{text}");
    assert!(text.contains("{8, :undefined, :undefined, :int32}"), "{text}");
}

/// The type of a map is one type, however long it is.
#[test]
fn types_that_fill_a_line_stay_whole() {
    let schema = "package a
        struct AStructWhoseNameFillsALineOfCodeSoThatItsTypeStandsOnALineOfItsOwnBehindTheFunctionsHead { [key] int32 a; }
        struct S { string<AStructWhoseNameFillsALineOfCodeSoThatItsTypeStandsOnALineOfItsOwnBehindTheFunctionsHead> m; }\n";
    let text = text_of("a.fbe", schema);
    let module = "A.AStructWhoseNameFillsALineOfCodeSoThatItsTypeStandsOnALineOfItsOwnBehindTheFunctionsHead";
    let spec =
        format!("\n          {{:ok,\n           %{{optional({module}.t()) => String.t()}}}}\n          | {{:error, ");
    assert!(text.contains(&spec), "{text}");
}

#[test]
fn an_unnamed_union_is_the_field_union() {
    let schema = "@0xd5e4f3a2b1c0d9e8;\nstruct S { id @0 :UInt8; union { a @1 :UInt8; b @2 :Text; } }\n";
    let text = text_of("a.capnp", schema);
    assert!(text.contains("defstruct id: 0, union: {:a, 0}"), "{text}");
    assert!(text.contains("def get_union(binary)"), "{text}");
}

#[test]
fn secrets_are_not_inspected() {
    let text = text_of("a.fbe", "package a\nstruct S { string name; [hidden] string password; }\n");
    assert!(text.contains("@derive {Inspect, except: [:password]}"), "{text}");
}

#[test]
fn times_and_uuids_that_are_made_anew_are_no_defaults_of_structs() {
    let text = text_of("a.fbe", "package a\nstruct S { timestamp at = utc; uuid id = uuid4; uuid none; }\n");
    assert!(text.contains("defstruct at: nil, id: nil, none: Aldis.Values.uuid(<<0::128>>)"), "{text}");
    assert!(text.contains("id: Aldis.Values.uuid(:aldis_uuid.v4())"), "{text}");
}

#[test]
fn modules_that_fall_together_are_an_error_that_names_both() {
    let plans = plans_in("a.fbe", &Text("package a\nstruct order { int32 a; }\nstruct Order { int32 a; }\n"));
    let problems = generate(&request(&plans)).diagnostics;
    let shown = format!("{problems:?}");
    assert!(shown.contains("elixir/E0001") && shown.contains("a.order") && shown.contains("a.Order"), "{shown}");
    let renamed = Request { renames: vec![("a.order".to_owned(), "Lower".to_owned())], ..request(&plans) };
    let generated = generate(&renamed);
    assert!(generated.files[0].text.contains("defmodule A.Lower do"), "{:?}", generated.diagnostics);
}

#[test]
fn a_schema_that_would_replace_one_of_elixirs_modules_gets_another_name_and_is_told() {
    let plans = plans_in("a.fbe", &Text("package string\nstruct S { int32 a; }\n"));
    let generated = generate(&request(&plans));
    assert!(generated.files[0].text.contains("defmodule StringCodec.S do"), "{:?}", generated.diagnostics);
    let [said] = generated.diagnostics.as_slice() else { panic!("{:?}", generated.diagnostics) };
    assert!(!said.is_error() && said.code == "elixir/E0002" && said.message.contains("`StringCodec`"), "{said:?}");
    let given = Request { name: Some("String".to_owned()), ..request(&plans) };
    let refused = generate(&given).diagnostics;
    assert!(refused.iter().any(|d| d.is_error() && d.code == "elixir/E0002"), "{refused:?}");
    let named = Request { name: Some("My.Strings".to_owned()), ..request(&plans) };
    let generated = generate(&named);
    assert_eq!(generated.files[0].path, "my_strings.ex");
    assert!(generated.files[0].text.contains("defmodule My.Strings.S do"));
}

#[test]
fn keys_that_mean_something_in_every_struct_get_another_name_and_are_told() {
    let schema = "package a\nstruct S { int32 __struct__; int32 __exception__; int32 __meta__; int32 struct_; }\n";
    let plans = plans_in("a.fbe", &Text(schema));
    let generated = generate(&request(&plans));
    let said: Vec<&str> = generated.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(said, ["elixir/E0004"; 3], "{:?}", generated.diagnostics);
    assert!(generated.diagnostics.iter().all(|d| !d.is_error() && !d.help.is_empty()));
    let text = &generated.files[0].text;
    assert!(text.contains("defstruct struct__2: 0, exception_: 0, meta_: 0, struct_: 0"), "{text}");
    let renamed = Request { renames: vec![("a.S.__struct__".to_owned(), "kind".to_owned())], ..request(&plans) };
    assert_eq!(generate(&renamed).diagnostics.len(), 2);
}

#[test]
fn a_new_struct_holds_enumerants() {
    let text = text_of("a.fbe", "package a\nenum E { one = 1; two; }\nstruct S { E e; E[2] both; E last = E.two; }\n");
    assert!(text.contains("defstruct e: :one, both: [:one, :one], last: :two"), "{text}");
}

#[test]
fn a_name_that_no_field_has_is_refused_with_those_that_there_are() {
    let text = text_of("a.fbe", "package a\nstruct S { int32 a; int32 b; }\n");
    assert!(text.contains("def get(field, _), do: :aldis.no_field(field, [:a, :b])"), "{text}");
}
