//! Fields that are called like the variables of generated functions.

mod common;

use aldis_erlang::ERLANG;
use aldis_testkit::generated;
use common::{build, plans_in, Text, LARGE};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The suffixes that generated functions put behind a field's variable.
const SUFFIXES: [&str; 24] = [
    "At", "Bytes", "Cell", "Cells", "End", "Followed", "Has", "Item", "ItemAt", "ItemItem", "ItemKey", "ItemOf", "Raw",
    "Key", "Low", "High", "Io", "Tag", "Area0", "Pointer0", "Size", "Count", "Table", "Room",
];

/// The generator's own variables in the modules of large schemas, each spelled as a field that would get it: those that a module has
/// from its schema's fields are not counted for that module. Generated functions have none of their own with an underscore
/// within.
fn variables() -> Vec<String> {
    let mut found = BTreeSet::new();
    for schema in LARGE {
        let files = generated(&ERLANG, schema, None);
        let text = |ending| {
            let of = files.iter().filter(|(path, _)| path.ends_with(ending));
            of.map(|(_, text)| text.as_str()).collect::<String>()
        };
        let fields: Vec<String> = text(".hrl").lines().filter_map(field).collect();
        let mut own = BTreeSet::new();
        collect(&text(".erl"), &mut own);
        found.extend(own.into_iter().filter(|name| !fields.iter().any(|field| is_of(name, field))));
    }
    assert!(["bin", "foundAt", "budget", "key", "typeId", "of"].iter().all(|name| found.contains(*name)));
    // A word that is both a variable and a suffix is tried with the suffixes.
    let derived = |name: &String| {
        SUFFIXES.iter().any(|suffix| name.strip_suffix(suffix).is_some_and(|variable| found.contains(variable)))
    };
    found.iter().filter(|name| !derived(name)).cloned().collect()
}

/// The field that a line of a record's definition is of, `name :: Type` or `name = Default :: Type`; its first letter small.
fn field(line: &str) -> Option<String> {
    let name = line.strip_prefix("    ")?.split([' ', '=']).next()?.trim_matches('\'');
    let first = name.chars().next().filter(|c| c.is_ascii_alphabetic())?;
    line.contains(" :: ").then(|| first.to_ascii_lowercase().to_string() + &name[1..])
}

/// Whether a variable is a field's: its name, and what is put behind it.
fn is_of(variable: &str, field: &str) -> bool {
    variable.strip_prefix(field).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
}

fn collect(source: &str, found: &mut BTreeSet<String>) {
    let code: String = source.lines().filter(|line| !line.starts_with('%')).collect::<Vec<_>>().join("\n");
    for (index, word) in code.split(['\'', '"']).enumerate() {
        let outside = index % 2 == 0;
        for name in word.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|_| outside) {
            let name = name.trim_start_matches('_');
            // The first two of a row of variables stand for all.
            let number = &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
            let told = ["", "1", "2"].contains(&number);
            if told && name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('_') {
                found.insert(name[..1].to_lowercase() + &name[1..]);
            }
        }
    }
}

fn compiles(file: &str, schema: String) {
    build(file, &plans_in(file, &Text(Box::leak(schema.into_boxed_str()))));
}

#[test]
fn fbe_fields_called_like_variables() {
    let types = ["int32", "int32[]", "int32<string>", "string?", "decimal", "double", "inner?<bytes>", "inner"];
    let mut schema = String::from("package locals\nstruct inner { int32 size; string text; }\n");
    for (round, names) in variables().chunks(16).enumerate() {
        for half in 0..2 {
            let _ = write!(schema, "struct S{round}x{half} {{");
            for (index, name) in names.iter().enumerate() {
                let _ = write!(schema, " {} {name};", types[(index + round + half * 3) % types.len()]);
            }
            schema.push_str(" string<int32> m0; int32[] l0; decimal d0; }\n");
        }
    }
    for (index, ty) in types.iter().enumerate() {
        let _ = write!(schema, "struct X{index} {{ {ty} x;");
        SUFFIXES.iter().for_each(|suffix| {
            let _ = write!(schema, " int32 x{suffix};");
        });
        schema.push_str(" }\n");
    }
    compiles("locals.fbe", schema);
}

#[test]
fn sbe_fields_called_like_variables() {
    let mut schema = String::from(
        r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="locals2" id="1" version="1"><types>
<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/><type name="numInGroup" primitiveType="uint16"/></composite>
<composite name="varData"><type name="length" primitiveType="uint16"/><type name="varData" primitiveType="uint8" length="0"/></composite>
<composite name="Pair"><type name="item" primitiveType="int8"/><type name="path" primitiveType="uint32"/></composite>
<type name="Row" primitiveType="int16" length="3"/><type name="Name" primitiveType="char" length="4"/>
<type name="May" primitiveType="int32" presence="optional"/></types>
"#,
    );
    let types = ["uint8", "float", "Pair", "Row", "Name", "May"];
    for (round, names) in variables().chunks(16).enumerate() {
        let _ = write!(schema, r#"<sbe:message name="S{round}" id="{}">"#, round + 1);
        for (index, name) in names.iter().enumerate() {
            let (ty, since) = (types[(index + round) % types.len()], index / 8);
            let _ = write!(schema, r#"<field name="{name}" id="{index}" type="{ty}" sinceVersion="{since}"/>"#);
        }
        schema.push_str(r#"<group name="g0" id="90"><field name="x" id="91" type="int8"/></group></sbe:message>"#);
        let _ = write!(schema, r#"<sbe:message name="G{round}" id="{}">"#, round + 1001);
        for (index, name) in names.iter().enumerate() {
            let group = format!(
                r#"<group name="{name}" id="{index}"><field name="{name}" id="1{index}" type="Pair"/></group>"#
            );
            schema.push_str(&group);
        }
        schema.push_str(r#"<data name="text0" id="90" type="varData"/></sbe:message>"#);
    }
    schema.push_str(r#"<sbe:message name="X" id="5000">"#);
    for (index, suffix) in SUFFIXES.iter().enumerate() {
        let _ = write!(schema, r#"<field name="x{suffix}" id="1{index}" type="int8"/>"#);
    }
    schema.push_str(
        r#"<group name="x" id="1"><field name="x" id="2" type="Row"/></group></sbe:message></sbe:messageSchema>"#,
    );
    compiles("locals2.xml", schema);
}

#[test]
fn capnp_fields_called_like_variables() {
    let types =
        ["UInt32", "Text", "List(Text)", "Float64", "Bool", "Inner", "List(Inner)", "List(UInt8)", "AnyPointer"];
    let mut schema = String::from("@0xd4f12b9e6a7c3584;\nstruct Inner { size @0 :Int8; }\n");
    for (round, names) in variables().chunks(16).enumerate() {
        // Half of them are arms, half of those behind a group.
        let mut ordinal = 0;
        let mut field = |name: &str| {
            ordinal += 1;
            format!("{name} @{} :{};\n", ordinal - 1, types[(ordinal + round) % types.len()])
        };
        let (plain, arms) = names.split_at(names.len() / 2);
        let (arms, grouped) = arms.split_at(arms.len() / 2);
        let plain: String = plain.iter().map(|name| field(name)).collect();
        let arms: String = arms.iter().map(|name| field(name)).collect();
        let grouped: String = grouped.iter().map(|name| field(name)).collect();
        let last = format!("group0 :group {{ {grouped}{}{} }}", field("group1"), field("group2"));
        let _ = writeln!(schema, "struct S{round} {{ {plain} union {{ {arms} {last} {} }} }}", field("u0"));
    }
    for (index, ty) in types.iter().enumerate() {
        let _ = write!(schema, "struct X{index} {{ x @0 :{ty};");
        SUFFIXES.iter().enumerate().for_each(|(ordinal, suffix)| {
            let _ = write!(schema, " x{suffix} @{} :Int32;", ordinal + 1);
        });
        schema.push_str(" u :union { x @25 :Text; xTag @26 :Bool; xArea0 @27 :UInt8; } }\n");
    }
    compiles("locals3.capnp", schema);
}
