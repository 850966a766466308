//! Names that generated code uses itself, and macros, in every place of a schema where a name may stand.

mod common;

use aldis_testkit::{fresh, root, stem, try_plans_in, Text};
use common::{compile, generate, request, write};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Macros of each kind: that stand for numbers, take arguments, are words that other systems' headers define.
const MACROS: &[&str] = &[
    "BIG_ENDIAN",
    "BYTE_ORDER",
    "DEBUG",
    "EAGAIN",
    "EOF",
    "ERROR",
    "MAX",
    "NAN",
    "RAND_MAX",
    "assert",
    "errno",
    "far",
    "linux",
    "major",
    "max",
    "min",
    "near",
    "offsetof",
    "small",
    "stdin",
    "unix",
];

/// Names of parameters, variables, members, functions and nested types of generated code.
const OWN: &[&str] = &[
    "P",
    "T",
    "Visitor",
    "Whole",
    "a",
    "at",
    "at_",
    "b",
    "base",
    "count",
    "decode_final",
    "draft_",
    "encode_packed",
    "extent",
    "fill",
    "flags",
    "has",
    "head",
    "in",
    "in_place",
    "item2",
    "kind",
    "message_id",
    "missing_fields",
    "out",
    "place",
    "place_",
    "reader_type",
    "registry",
    "set",
    "size",
    "value",
    "verify_final",
    "view",
    "view_of",
    "visit",
    "whole",
    "wire_sbe",
    "writer",
];

fn names() -> Vec<String> {
    MACROS.iter().chain(OWN).map(|name| (*name).to_owned()).collect()
}

/// Compiles all headers of a schema as strictly as they promise.
fn check(path: &str, schema: String, test: &str) {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), &format!("taken_{test}"));
    let includes = write_headers(&folder, path, schema, true);
    let program = folder.join("check.cpp");
    fs::write(&program, format!("{includes}int main() {{}}\n")).expect("the program can be written");
    compile(&program, &folder, &["-O0", "-fsyntax-only"]);
}

/// Writes the headers of a schema; gives what includes them.
fn write_headers(folder: &Path, path: &str, schema: String, all: bool) -> String {
    let plans = try_plans_in(path, &text(schema.clone())).unwrap_or_else(|| panic!("not a schema: {schema}"));
    let generated = generate(&aldis_emit::Request { stem: stem(path), ..request(&plans) });
    let mut includes = String::new();
    for (index, file) in generated.files.iter().enumerate() {
        write(&folder.join(&file.path), &file.text);
        // The first one has the types and codecs.
        if all || index == 0 {
            let _ = writeln!(includes, "#include \"{}\"", folder.join(&file.path).display());
        }
    }
    assert!(!includes.is_empty(), "{:?}", generated.diagnostics);
    includes
}

fn text(schema: String) -> Text {
    Text(Box::leak(schema.into_boxed_str()))
}

/// The names with which a schema that `of` makes is one of its format.
fn taken_by(path: &str, of: impl Fn(&str) -> String) -> Vec<String> {
    let known: Vec<String> = names().into_iter().filter(|name| try_plans_in(path, &text(of(name))).is_some()).collect();
    assert!(known.len() > 5, "{known:?}");
    known
}

fn lines<N: AsRef<str>>(names: &[N], of: impl Fn(usize, &str) -> String) -> String {
    names.iter().enumerate().map(|(index, name)| of(index, name.as_ref()) + "\n").collect()
}

// ---- FBE ----------------------------------------------------------------------------------------------------------

/// A struct with fields of a type in every place.
fn fbe_uses(names: &[String], key: bool) -> String {
    lines(names, |index, name| {
        let keyed = if key { format!(" int32<{name}> e; {name}! f;") } else { format!(" int32<{name}> e;") };
        format!("struct Use{index} {{ {name} a; {name}? b; {name}[] c;{keyed} }}")
    })
}

#[test]
fn fbe_structs_have_any_name() {
    let one = |name: &str| format!("struct {name} {{ [key] int32 {name}; string[] other; int32? third; }}");
    let names = taken_by("a.fbe", |name| format!("package a\n{}\n", one(name)));
    let schema = format!("package a\n{}{}", lines(&names, |_, name| one(name)), fbe_uses(&names, true));
    check("a.fbe", schema, "fbe_structs");
}

#[test]
fn fbe_enums_have_any_name() {
    let one = |name: &str| format!("enum {name} : byte {{ {name}; other = 7; }}");
    let names = taken_by("a.fbe", |name| format!("package a\n{}\n", one(name)));
    let defaults =
        lines(&names, |index, name| format!("struct Def{index} {{ {name} {name} = {name}.other; string s; }}"));
    let schema = format!("package a\n{}{}{defaults}", lines(&names, |_, name| one(name)), fbe_uses(&names, false));
    check("a.fbe", schema, "fbe_enums");
}

#[test]
fn fbe_flags_have_any_name() {
    let one = |name: &str| format!("flags {name} : int32 {{ {name} = 1; other = 2; }}");
    let names = taken_by("a.fbe", |name| format!("package a\n{}\n", one(name)));
    let schema = format!("package a\n{}{}", lines(&names, |_, name| one(name)), fbe_uses(&names, false));
    check("a.fbe", schema, "fbe_flags");
}

#[test]
fn fbe_fields_have_any_name() {
    let names = taken_by("a.fbe", |name| format!("package a\nstruct A {{ int32 {name}; }}\n"));
    let kinds =
        ["int32", "string", "In", "In?", "int32[]", "In[]", "bytes", "uuid", "int32<string>", "decimal?", "E", "In!"];
    let mut schema = "package a\nstruct In { [key] int32 x; string y; }\nenum E { one; }\n".to_owned();
    // Each name has each type, in three structs of a third of the types each.
    for (number, kinds) in kinds.chunks(4).enumerate() {
        let fields = lines(&names, |index, name| format!("    {} {name};", kinds[index % kinds.len()]));
        let _ = writeln!(schema, "struct Fields{number} {{\n{fields}}}");
    }
    check("a.fbe", schema, "fbe_fields");
}

#[test]
fn packages_have_any_name() {
    let of = |name: &str| format!("package {name}\nstruct A {{ int32 x; string y; }}\n");
    let mut names = taken_by("a.fbe", of);
    // Functions and types of the C library.
    names.extend(["time", "index", "signal", "stat", "exp", "remove", "y0"].map(str::to_owned));
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "taken_packages");
    let mut includes = String::new();
    for name in names {
        let own = folder.join(format!("of_{name}"));
        fs::create_dir(&own).expect("a folder");
        includes += &write_headers(&own, "a.fbe", of(&name), false);
    }
    let program = folder.join("check.cpp");
    fs::write(&program, format!("{includes}int main() {{}}\n")).expect("the program can be written");
    compile(&program, &folder, &["-O0", "-fsyntax-only"]);
}

// ---- SBE ----------------------------------------------------------------------------------------------------------

fn sbe(types: &str, messages: &str) -> String {
    format!(
        r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="a" id="1" version="0"><types>
<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/><type name="numInGroup" primitiveType="uint16"/></composite>
<composite name="varDataEncoding"><type name="length" primitiveType="uint16"/><type name="varData" primitiveType="uint8" length="0"/></composite>
{types}</types>{messages}</sbe:messageSchema>"#
    )
}

/// A message for each type, which has it in its block, as an optional of a later version and in a group.
fn sbe_uses(names: &[String]) -> String {
    lines(names, |index, name| {
        format!(
            r#"<sbe:message name="Use{index}" id="{}"><field name="a" id="1" type="{name}"/>
<group name="g" id="2"><field name="b" id="3" type="{name}"/></group></sbe:message>"#,
            index + 1
        )
    })
}

fn sbe_types(one: impl Fn(&str) -> String, test: &str) {
    let names = taken_by("a.xml", |name| sbe(&one(name), r#"<sbe:message name="M" id="1"/>"#));
    check("a.xml", sbe(&lines(&names, |_, name| one(name)), &sbe_uses(&names)), test);
}

#[test]
fn sbe_sets_have_any_name() {
    let one = |name: &str| {
        format!(
            r#"<set name="{name}" encodingType="uint8"><choice name="{name}">0</choice><choice name="z">1</choice></set>"#
        )
    };
    sbe_types(one, "sbe_sets");
}

#[test]
fn sbe_enums_have_any_name() {
    let one = |name: &str| {
        format!(
            r#"<enum name="{name}" encodingType="uint8"><validValue name="{name}">0</validValue><validValue name="z">1</validValue></enum>"#
        )
    };
    sbe_types(one, "sbe_enums");
}

#[test]
fn sbe_composites_have_any_name() {
    let one = |name: &str| {
        format!(
            r#"<composite name="{name}"><type name="{name}" primitiveType="int64"/><type name="z" primitiveType="char" length="4"/></composite>"#
        )
    };
    sbe_types(one, "sbe_composites");
}

#[test]
fn sbe_fields_groups_and_data_have_any_name() {
    let field = |name: &str| format!(r#"<field name="{name}" id="1" type="int32"/>"#);
    let names =
        taken_by("a.xml", |name| sbe("", &format!(r#"<sbe:message name="M" id="1">{}</sbe:message>"#, field(name))));
    let id = |line: String, index: usize| line.replace("id=\"1\"", &format!("id=\"{}\"", index + 1));
    let fields = lines(&names, |index, name| id(field(name), index));
    let groups = lines(&names, |index, name| {
        format!(r#"<group name="{name}" id="{}"><field name="{name}" id="9000" type="int8"/></group>"#, index + 1)
    });
    let data =
        lines(&names, |index, name| format!(r#"<data name="{name}" id="{}" type="varDataEncoding"/>"#, index + 1));
    let mut messages = String::new();
    for (index, body) in [fields, groups, data].iter().enumerate() {
        let _ = writeln!(messages, r#"<sbe:message name="M{index}" id="{}">{body}</sbe:message>"#, index + 1);
    }
    check("a.xml", sbe("", &messages), "sbe_fields");
}

#[test]
fn sbe_groups_that_differ_in_an_underscore_are_told_apart() {
    let group = |name: &str, id: u32| {
        format!(
            r#"<group name="{name}" id="{id}"><field name="x" id="{}" type="int8"/><group name="y" id="{}"/></group>"#,
            id + 10,
            id + 20
        )
    };
    let body = [group("size", 1), group("size_", 2), group("size_kind", 3)].concat();
    check("a.xml", sbe("", &format!(r#"<sbe:message name="M" id="1">{body}</sbe:message>"#)), "sbe_underscores");
}

// ---- Cap'n Proto --------------------------------------------------------------------------------------------------

const ID: &str = "@0xbf5147cbbecf40c1;\n";

fn capitals(names: &[String]) -> Vec<String> {
    names.iter().filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase())).cloned().collect()
}

#[test]
fn capnp_structs_and_enums_have_any_name() {
    let names = capitals(&taken_by("a.capnp", |name| format!("{ID}struct {name} {{ x @0 :Int32; }}\n")));
    let structs = lines(&names, |_, name| {
        format!("struct {name} {{ x @0 :Int32; self @1 :List({name}); union {{ a @2 :Text; b @3 :{name}; }} }}")
    });
    check("a.capnp", format!("{ID}{structs}"), "capnp_structs");
    let enums = lines(&names, |index, name| {
        format!("enum {name} {{ a @0; b @1; }}\nstruct Use{index} {{ x @0 :{name} = b; y @1 :List({name}); union {{ c @2 :{name}; d @3 :Void; }} }}")
    });
    check("a.capnp", format!("{ID}{enums}"), "capnp_enums");
}

#[test]
fn capnp_fields_groups_unions_and_enumerants_have_any_name() {
    let names: Vec<String> = taken_by("a.capnp", |name| format!("{ID}struct A {{ {name} @0 :Int32; }}\n"));
    let kinds = ["Int32", "Text", "Data", "In", "List(In)", "List(Int16)", "Bool", "AnyPointer", "E", "Void"];
    let field = |index: usize, name: &str| format!("    {name} @{index} :{};", kinds[index % kinds.len()]);
    let fields = lines(&names, field);
    let arms = lines(&names, field);
    let groups = lines(&names, |index, name| {
        format!("    {name} :group {{ {name} @{index} :{}; }}", kinds[index % kinds.len()])
    });
    let unions = lines(&names, |index, name| {
        format!("    {name} :union {{ {name} @{} :Text; z @{} :Int8; }}", 2 * index, 2 * index + 1)
    });
    let enumerants = lines(&names, |index, name| format!("    {name} @{index};"));
    let schema = format!(
        "{ID}struct In {{ x @0 :Text; }}\nenum E {{ one @0; }}\nenum All {{\n{enumerants}}}\nstruct Fields {{\n{fields}}}\n\
         struct Arms {{ union {{\n{arms}}} }}\nstruct Groups {{\n{groups}}}\nstruct Unions {{\n{unions}}}\n"
    );
    check("a.capnp", schema, "capnp_fields");
}

// ---- what the compilers say ---------------------------------------------------------------------------------------

/// Types beside which others have the names that code makes of them.
#[test]
fn types_may_have_the_names_of_functions_of_others() {
    let mut schema = "package a\n".to_owned();
    let clashes =
        ["read_X", "size_X", "write_X", "verify_X", "read_X_block", "Whole", "reader_type", "X_names", "X_bits"];
    for name in ["X"].iter().chain(&clashes) {
        let _ = writeln!(schema, "struct {name} {{ int32 x; string y; X? z; }}");
    }
    let _ = writeln!(schema, "enum Y {{ a; }}\nflags Z {{ a = 1; }}");
    for name in ["Y_names", "Z_names", "Z_bits"] {
        let _ = writeln!(schema, "struct {name} {{ Y y; Z z; Y[] ys; }}");
    }
    check("a.fbe", schema, "clashes");
}

/// Another machine's headers may define less than the list has, not more: `scripts/cpp-names.sh update` adds what is missing.
#[test]
fn macros_and_globals_of_this_machine_are_listed() {
    let script: PathBuf = root().join("scripts/cpp-names.sh");
    let own = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    for compiler in [own.as_str(), "clang++-14"] {
        for list in ["macros", "globals"] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/{list}.txt"));
            let text = fs::read_to_string(&path).expect("the list");
            let listed: BTreeSet<&str> = text.lines().collect();
            let said = std::process::Command::new(&script).args([list, compiler]).output().expect("the script runs");
            let said = String::from_utf8_lossy(&said.stdout).into_owned();
            let missing: Vec<&str> = said.lines().filter(|name| !listed.contains(name)).collect();
            assert_eq!(
                missing,
                Vec::<&str>::new(),
                "of {compiler}; scripts/cpp-names.sh update {compiler} adds them to {list}"
            );
            assert!(compiler == "clang++-14" || said.lines().count() > 1000, "{compiler} says nothing of {list}");
        }
    }
}
