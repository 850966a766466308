//! FBE schemas.

use proptest::prelude::*;
use std::fmt::Write as _;

/// How a type is wrapped. Keys of maps and elements of sets must not be optional.
#[derive(Clone, Copy, Debug)]
enum Wrap {
    Plain,
    Optional,
    Array(u8),
    OptionalArray(u8),
    Vector,
    OptionalVector,
    List,
    Set,
    Map(usize),
    OptionalMap(usize),
    Hash(usize),
}

#[derive(Clone, Debug)]
struct FieldShape {
    /// Picks a type among those known where the field stands.
    kind: usize,
    wrap: Wrap,
}

const SCALARS: [&str; 19] = [
    "bool",
    "byte",
    "char",
    "wchar",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float",
    "double",
    "decimal",
    "timestamp",
    "uuid",
    "string",
    "bytes",
];
const ENUM_BASES: [&str; 7] = ["byte", "int8", "uint16", "int32", "uint32", "int64", "uint64"];
const FLAG_BASES: [&str; 4] = ["byte", "uint16", "uint32", "uint64"];

fn wrap() -> impl Strategy<Value = Wrap> {
    prop_oneof![
        4 => Just(Wrap::Plain),
        2 => Just(Wrap::Optional),
        1 => (0..4u8).prop_map(|n| Wrap::Array(n + 1)),
        1 => (0..3u8).prop_map(|n| Wrap::OptionalArray(n + 1)),
        2 => Just(Wrap::Vector),
        1 => Just(Wrap::OptionalVector),
        1 => Just(Wrap::List),
        1 => Just(Wrap::Set),
        1 => any::<usize>().prop_map(Wrap::Map),
        1 => any::<usize>().prop_map(Wrap::OptionalMap),
        1 => any::<usize>().prop_map(Wrap::Hash),
    ]
}

fn field() -> impl Strategy<Value = FieldShape> {
    (any::<usize>(), wrap()).prop_map(|(kind, wrap)| FieldShape { kind, wrap })
}

/// The text of a random FBE schema in package `rnd`: enums, flags, then structs that use what stands above them.
pub fn schema() -> impl Strategy<Value = String> {
    let structs = prop::collection::vec(
        (prop::collection::vec(field(), 0..7), any::<bool>(), any::<bool>(), prop::option::of(any::<usize>())),
        1..6,
    );
    (prop::collection::vec(0..ENUM_BASES.len(), 0..3), prop::collection::vec(0..FLAG_BASES.len(), 0..3), structs)
        .prop_map(|(enums, flags, structs)| print(&enums, &flags, &structs))
}

type StructShape = (Vec<FieldShape>, bool, bool, Option<usize>);

fn print(enums: &[usize], flags: &[usize], structs: &[StructShape]) -> String {
    let mut out = String::from("package rnd\n");
    let mut known: Vec<String> = SCALARS.iter().map(|&name| name.to_owned()).collect();
    for (index, &base) in enums.iter().enumerate() {
        let base = ENUM_BASES[base];
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(out, "enum E{index} : {base} {{ a; b = 5; c; alias = b; }}");
        known.push(format!("E{index}"));
    }
    for (index, &base) in flags.iter().enumerate() {
        let base = FLAG_BASES[base];
        let _ = writeln!(out, "flags F{index} : {base} {{ none = 0x0; a = 0x1; b = 0x4; high = 0x80; both = a | b; }}");
        known.push(format!("F{index}"));
    }
    for (index, (fields, message, keyed, base)) in structs.iter().enumerate() {
        let keyword = if *message { "message" } else { "struct" };
        let base = base.filter(|_| index > 0).map(|b| format!(" : S{}", b % index)).unwrap_or_default();
        let _ = writeln!(out, "{keyword} S{index}{base}\n{{");
        for (number, shape) in fields.iter().enumerate() {
            let key = if *keyed && number == 0 { "[key] " } else { "" };
            let _ = writeln!(out, "    {key}{} s{index}f{number};", type_text(shape, &known));
        }
        let _ = writeln!(out, "}}");
        known.push(format!("S{index}"));
    }
    out
}

fn type_text(shape: &FieldShape, known: &[String]) -> String {
    let name = &known[shape.kind % known.len()];
    let key = |k: usize| &known[k % known.len()];
    match shape.wrap {
        Wrap::Plain => name.clone(),
        Wrap::Optional => format!("{name}?"),
        Wrap::Array(n) => format!("{name}[{n}]"),
        Wrap::OptionalArray(n) => format!("{name}?[{n}]"),
        Wrap::Vector => format!("{name}[]"),
        Wrap::OptionalVector => format!("{name}?[]"),
        Wrap::List => format!("{name}()"),
        Wrap::Set => format!("{name}!"),
        Wrap::Map(k) => format!("{name}<{}>", key(k)),
        Wrap::OptionalMap(k) => format!("{name}?<{}>", key(k)),
        Wrap::Hash(k) => format!("{name}{{{}}}", key(k)),
    }
}
