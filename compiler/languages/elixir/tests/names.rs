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
    assert!(text.contains("[:undefined | path]"), "{text}");
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
fn a_schema_that_would_replace_one_of_elixirs_modules_is_refused() {
    let plans = plans_in("a.fbe", &Text("package string\nstruct S { int32 a; }\n"));
    let problems = generate(&request(&plans)).diagnostics;
    assert!(format!("{problems:?}").contains("elixir/E0002"), "{problems:?}");
    let named = Request { name: Some("My.Strings".to_owned()), ..request(&plans) };
    let generated = generate(&named);
    assert_eq!(generated.files[0].path, "my_strings.ex");
    assert!(generated.files[0].text.contains("defmodule My.Strings.S do"));
}
