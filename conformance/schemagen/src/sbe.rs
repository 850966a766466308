//! SBE schemas.

use proptest::prelude::*;
use std::fmt::Write as _;

const PRIMITIVES: [&str; 11] =
    ["char", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float", "double"];
const ENUM_BASES: [&str; 6] = ["char", "uint8", "int8", "uint16", "int16", "int32"];
const SET_BASES: [&str; 4] = ["uint8", "uint16", "uint32", "uint64"];
const HEADERS: [&str; 3] = [
    "<type name=\"blockLength\" primitiveType=\"uint16\"/><type name=\"templateId\" primitiveType=\"uint16\"/>\
     <type name=\"schemaId\" primitiveType=\"uint16\"/><type name=\"version\" primitiveType=\"uint16\"/>",
    "<type name=\"templateId\" primitiveType=\"uint32\"/><type name=\"version\" primitiveType=\"uint8\"/>\
     <type name=\"schemaId\" primitiveType=\"uint16\"/><type name=\"spare\" primitiveType=\"uint64\"/>\
     <type name=\"blockLength\" primitiveType=\"uint32\"/>",
    "<type name=\"frame\" primitiveType=\"uint32\"/><type name=\"blockLength\" primitiveType=\"uint16\"/>\
     <type name=\"templateId\" primitiveType=\"uint8\"/><type name=\"schemaId\" primitiveType=\"uint16\" offset=\"9\"/>\
     <type name=\"version\" primitiveType=\"uint16\"/>",
];

#[derive(Clone, Debug)]
struct FieldShape {
    kind: usize,
    optional: bool,
    /// Padding before the field.
    gap: u8,
}

#[derive(Clone, Debug)]
struct LevelShape {
    fields: Vec<FieldShape>,
    groups: Vec<(usize, LevelShape)>,
    data: Vec<usize>,
    padding: u8,
}

fn field() -> impl Strategy<Value = FieldShape> {
    (any::<usize>(), any::<bool>(), prop_oneof![4 => Just(0u8), 1 => 0..5u8])
        .prop_map(|(kind, optional, gap)| FieldShape { kind, optional, gap })
}

fn level() -> impl Strategy<Value = LevelShape> {
    let parts = || {
        (
            prop::collection::vec(field(), 0..7),
            prop::collection::vec(0..4usize, 0..3),
            prop_oneof![3 => Just(0u8), 1 => 0..9u8],
        )
    };
    let leaf = parts().prop_map(|(fields, data, padding)| LevelShape { fields, groups: vec![], data, padding });
    leaf.prop_recursive(2, 8, 3, move |inner| {
        (parts(), prop::collection::vec((0..4usize, inner), 0..3))
            .prop_map(|((fields, data, padding), groups)| LevelShape { fields, groups, data, padding })
    })
}

/// The text of a random SBE schema in package `rnd`.
pub fn schema() -> impl Strategy<Value = String> {
    let types = (
        prop::collection::vec(0..ENUM_BASES.len(), 0..3),
        prop::collection::vec(0..SET_BASES.len(), 0..3),
        prop::collection::vec((0..PRIMITIVES.len(), 0..4u8, any::<bool>()), 0..5),
        prop::collection::vec(prop::collection::vec(field(), 1..4), 0..3),
    );
    (types, 0..HEADERS.len(), any::<bool>(), prop::collection::vec(level(), 1..4)).prop_map(
        |((enums, sets, plain, composites), header, big, messages)| {
            let mut printer = Printer { out: String::new(), known: vec![], next_id: 0 };
            printer.schema(HEADERS[header], big, |printer| {
                printer.types(&enums, &sets, &plain);
                printer.composites(&composites);
            });
            for (index, message) in messages.iter().enumerate() {
                let _ = writeln!(printer.out, "  <sbe:message name=\"M{index}\" id=\"{}\">", index + 1);
                printer.level(message, 4, &format!("m{index}"));
                printer.out.push_str("  </sbe:message>\n");
            }
            printer.out.push_str("</sbe:messageSchema>\n");
            printer.out
        },
    )
}

struct Printer {
    out: String,
    /// Names of types with their size and whether they may be optional.
    known: Vec<(String, u32, bool)>,
    next_id: u32,
}

impl Printer {
    fn schema(&mut self, header: &str, big: bool, types: impl FnOnce(&mut Self)) {
        let order = if big { "bigEndian" } else { "littleEndian" };
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            self.out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sbe:messageSchema xmlns:sbe=\"http://fixprotocol.io/2016/sbe\" \
             package=\"rnd\" id=\"77\" version=\"0\" byteOrder=\"{order}\">\n  <types>\n    \
             <composite name=\"messageHeader\">{header}</composite>\n"
        );
        for (index, (length, count, gap)) in [
            ("uint16", "uint16", ""),
            ("uint16", "uint8", " offset=\"7\""),
            ("uint8", "uint16", ""),
            ("uint16", "uint8", ""),
        ]
        .iter()
        .enumerate()
        {
            let _ = writeln!(
                self.out,
                "    <composite name=\"dim{index}\"><type name=\"blockLength\" primitiveType=\"{length}\"/>\
                 <type name=\"numInGroup\" primitiveType=\"{count}\"{gap}/></composite>"
            );
        }
        for (index, (length, varying)) in [
            ("uint8", "uint8\" length=\"0"),
            ("uint16", "uint8\" length=\"0\" characterEncoding=\"UTF-8"),
            ("uint32\" maxValue=\"1000000", "uint8\" length=\"0"),
            ("uint8", "char\" length=\"0\" characterEncoding=\"ISO_8859_1"),
        ]
        .iter()
        .enumerate()
        {
            let _ = writeln!(
                self.out,
                "    <composite name=\"data{index}\"><type name=\"length\" primitiveType=\"{length}\"/>\
                 <type name=\"varData\" primitiveType=\"{varying}\"/></composite>"
            );
        }
        self.known = PRIMITIVES.iter().map(|&name| (name.to_owned(), size_of(name), true)).collect();
        types(self);
        self.out.push_str("  </types>\n");
    }

    fn types(&mut self, enums: &[usize], sets: &[usize], plain: &[(usize, u8, bool)]) {
        for (index, &base) in enums.iter().enumerate() {
            let base = ENUM_BASES[base];
            let (a, b) = if base == "char" { ("A", "B") } else { ("1", "7") };
            let _ = writeln!(
                self.out,
                "    <enum name=\"E{index}\" encodingType=\"{base}\"><validValue name=\"One\">{a}</validValue>\
                 <validValue name=\"Seven\">{b}</validValue></enum>"
            );
            self.known.push((format!("E{index}"), size_of(base), true));
        }
        for (index, &base) in sets.iter().enumerate() {
            let base = SET_BASES[base];
            let high = size_of(base) * 8 - 1;
            let _ = writeln!(
                self.out,
                "    <set name=\"S{index}\" encodingType=\"{base}\"><choice name=\"low\">0</choice>\
                 <choice name=\"mid\">3</choice><choice name=\"high\">{high}</choice></set>"
            );
            self.known.push((format!("S{index}"), size_of(base), false));
        }
        for (index, &(base, length, optional)) in plain.iter().enumerate() {
            let base = PRIMITIVES[base];
            let length_text = if length == 0 { String::new() } else { format!(" length=\"{}\"", length + 1) };
            let presence = if optional { " presence=\"optional\"" } else { "" };
            let _ = writeln!(self.out, "    <type name=\"T{index}\" primitiveType=\"{base}\"{length_text}{presence}/>");
            let count = if length == 0 { 1 } else { u32::from(length) + 1 };
            self.known.push((format!("T{index}"), size_of(base) * count, false));
        }
    }

    fn composites(&mut self, composites: &[Vec<FieldShape>]) {
        for (index, members) in composites.iter().enumerate() {
            let mut size = 0;
            let _ = writeln!(self.out, "    <composite name=\"C{index}\">");
            let known = self.known.clone();
            for (number, member) in members.iter().enumerate() {
                let (name, bytes, _) = &known[member.kind % known.len()];
                let offset = size + u32::from(member.gap);
                let at = if member.gap == 0 { String::new() } else { format!(" offset=\"{offset}\"") };
                let tag = if PRIMITIVES.contains(&name.as_str()) {
                    format!("<type name=\"c{number}\" primitiveType=\"{name}\"{at}/>")
                } else {
                    format!("<ref name=\"c{number}\" type=\"{name}\"{at}/>")
                };
                let _ = writeln!(self.out, "      {tag}");
                size = offset + bytes;
            }
            self.out.push_str("    </composite>\n");
            self.known.push((format!("C{index}"), size, false));
        }
    }

    fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    fn level(&mut self, level: &LevelShape, indent: usize, prefix: &str) {
        let pad = " ".repeat(indent);
        let mut size = 0;
        for (index, field) in level.fields.iter().enumerate() {
            let id = self.id();
            let (name, bytes, may_be_optional) = &self.known[field.kind % self.known.len()];
            let offset = size + u32::from(field.gap);
            let at = if field.gap == 0 { String::new() } else { format!(" offset=\"{offset}\"") };
            let presence = if field.optional && *may_be_optional { " presence=\"optional\"" } else { "" };
            let _ =
                writeln!(self.out, "{pad}<field name=\"{prefix}f{index}\" id=\"{id}\" type=\"{name}\"{at}{presence}/>");
            size = offset + bytes;
        }
        for (index, (dimension, inner)) in level.groups.iter().enumerate() {
            let id = self.id();
            let own: u32 =
                inner.fields.iter().map(|f| self.known[f.kind % self.known.len()].1 + u32::from(f.gap)).sum();
            let length = own + u32::from(inner.padding);
            // A dimension whose blockLength is a uint8 takes only what fits.
            let dimension = if *dimension == 2 && length > 254 { 0 } else { *dimension };
            let _ = writeln!(
                self.out,
                "{pad}<group name=\"{prefix}g{index}\" id=\"{id}\" dimensionType=\"dim{dimension}\" blockLength=\"{length}\">"
            );
            self.level(inner, indent + 2, &format!("{prefix}g{index}"));
            let _ = writeln!(self.out, "{pad}</group>");
        }
        for (index, kind) in level.data.iter().enumerate() {
            let id = self.id();
            let _ = writeln!(self.out, "{pad}<data name=\"{prefix}d{index}\" id=\"{id}\" type=\"data{kind}\"/>");
        }
    }
}

fn size_of(primitive: &str) -> u32 {
    match primitive {
        "char" | "int8" | "uint8" => 1,
        "int16" | "uint16" => 2,
        "int32" | "uint32" | "float" => 4,
        _ => 8,
    }
}
