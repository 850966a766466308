//! Schemas whose names are given.

use super::is_possible;
use super::sources::Words;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Fields in a record. Erlang's functions take no more arguments than 255, and fast ones take fewer.
const FIELDS: usize = 24;

/// The words that can be names of types beside each other, which differ in more than case and underscores.
pub fn types(words: &[String], possible: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let plain = |word: &str| word.replace('_', "").to_lowercase();
    words.iter().map(String::as_str).filter(|word| possible(word) && seen.insert(plain(word))).collect()
}

/// A type for each telling word, with a field of that name in each shape by turns; fields of the types, called as they
/// are; fields and values called like every word.
pub fn fbe(words: &Words) -> String {
    let mut out = String::from("package Depth\nstruct inner { [key] string Path; }\n");
    let possible = |word: &str| {
        is_possible(
            &aldis_fbe::FBE,
            words.languages,
            &format!("package words struct {word} {{ int32?[2] {word}; }} struct x1 {{ {word}? x2; }}"),
        )
    };
    let telling = types(&words.telling, possible);
    let shapes =
        ["int32?[2] ", "int32<int32> ", "inner? ", "string[] ", "inner<string> ", "decimal ", "inner[2] ", "bytes? "];
    for (index, word) in telling.iter().enumerate() {
        let _ = match index % 4 {
            1 => writeln!(out, "enum {word} {{ {word}; x1; }}"),
            3 => writeln!(out, "flags {word} : byte {{ {word} = 0x01; x1 = 0x02; }}"),
            _ => writeln!(out, "struct {word} {{ {}{word}; }}", shapes[index / 2 % shapes.len()]),
        };
    }
    for (number, chunk) in telling.chunks(FIELDS).enumerate() {
        let shapes = ["", "?", "[]", "?[2]"];
        let fields =
            chunk.iter().enumerate().map(|(index, word)| format!("{word}{} {word};", shapes[(index + number) % 4]));
        let _ = writeln!(out, "struct h{number} {{ {} }}", fields.collect::<Vec<_>>().join(" "));
    }
    let shapes =
        ["int32", "string", "double?", "int32<string>", "int64?[2]", "inner", "bytes", "string[]", "timestamp?"];
    for (number, chunk) in words.all.chunks(FIELDS).enumerate() {
        let fields = chunk
            .iter()
            .enumerate()
            .map(|(index, word)| format!("{} {word};", shapes[(index + number) % shapes.len()]));
        let text = format!("struct g{number} {{ {} }}\n", fields.collect::<Vec<_>>().join(" "));
        out.push_str(&text);
    }
    for (number, chunk) in words.all.chunks(200).enumerate() {
        let _ = writeln!(out, "enum e{number} {{ {}; }} struct ve{number} {{ e{number} x; }}", chunk.join("; "));
    }
    out
}

/// The beginning of an SBE schema, up to types of its own.
pub const HEAD: &str = r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="EACH" id="1" version="1" byteOrder="bigEndian"><types>
<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/><type name="numInGroup" primitiveType="uint16"/></composite>
<composite name="varData"><type name="length" primitiveType="uint16"/><type name="varData" primitiveType="uint8" length="0"/></composite>
<type name="Row" primitiveType="int16" length="3"/><type name="Name" primitiveType="char" length="4"/>
<type name="May" primitiveType="int32" presence="optional"/>
"#;

/// Composites, enums and sets called like telling words, with members of that name; groups and data, too; fields and
/// values called like every word.
pub fn sbe(words: &Words) -> String {
    let possible = |word: &str| {
        let message =
            format!(r#"<sbe:message name="M" id="1"><field name="{word}" id="1" type="{word}"/></sbe:message>"#);
        is_possible(
            &aldis_sbe::SBE,
            words.languages,
            &format!("{HEAD}{}</types>{message}</sbe:messageSchema>", composite(word)),
        )
    };
    let telling = types(&words.telling, possible);
    let mut out = HEAD.to_owned();
    for (index, word) in telling.iter().enumerate() {
        let text = match index % 3 {
            0 => composite(word),
            1 => format!(r#"<enum name="{word}" encodingType="uint8"><validValue name="{word}">1</validValue></enum>"#),
            _ => format!(r#"<set name="{word}" encodingType="uint16"><choice name="{word}">1</choice></set>"#),
        };
        out.push_str(&text);
        out.push('\n');
    }
    for (number, chunk) in words.all.chunks(200).enumerate() {
        let value = |(index, word): (usize, &String)| format!(r#"<validValue name="{word}">{index}</validValue>"#);
        let values: String = chunk.iter().enumerate().map(value).collect();
        let _ = writeln!(out, r#"<enum name="e{number}" encodingType="uint8">{values}</enum>"#);
    }
    out.push_str("</types>\n");
    for (number, chunk) in telling.chunks(FIELDS / 2).enumerate() {
        let mut text = format!(r#"<sbe:message name="h{number}" id="{}">"#, number + 1);
        for (index, word) in chunk.iter().enumerate() {
            let _ = write!(text, r#"<field name="{word}" id="{index}" type="{word}" sinceVersion="{}"/>"#, index / 8);
        }
        let _ = writeln!(out, "{text}</sbe:message>");
        let mut text = format!(r#"<sbe:message name="i{number}" id="{}">"#, number + 1001);
        for (index, word) in chunk.iter().enumerate() {
            let field = format!(r#"<field name="{word}" id="1{index}" type="{word}"/>"#);
            let _ = write!(text, r#"<group name="{word}" id="{index}">{field}</group>"#);
        }
        let _ = writeln!(out, "{text}</sbe:message>");
        let mut text = format!(r#"<sbe:message name="j{number}" id="{}">"#, number + 2001);
        for (index, word) in chunk.iter().enumerate() {
            let _ = write!(text, r#"<data name="{word}" id="{index}" type="varData"/>"#);
        }
        let _ = writeln!(out, "{text}</sbe:message>");
    }
    let shapes = ["uint8", "float", "Row", "Name", "May", "e0"];
    for (number, chunk) in words.all.chunks(FIELDS).enumerate() {
        let mut text = format!(r#"<sbe:message name="g{number}" id="{}">"#, number + 3001);
        for (index, word) in chunk.iter().enumerate() {
            let ty = shapes[(index + number) % shapes.len()];
            let _ = write!(text, r#"<field name="{word}" id="{index}" type="{ty}"/>"#);
        }
        let _ = writeln!(out, "{text}</sbe:message>");
    }
    out + "</sbe:messageSchema>\n"
}

/// A schema of one message whose package is the word.
pub fn package(word: &str) -> String {
    let message = format!(r#"<sbe:message name="Depth" id="1"><field name="{word}" id="1" type="May"/></sbe:message>"#);
    format!("{}</types>{message}</sbe:messageSchema>", HEAD.replace("EACH", word))
}

fn composite(word: &str) -> String {
    format!(
        r#"<composite name="{word}"><type name="{word}" primitiveType="int8"/><type name="Budget" primitiveType="uint32"/></composite>"#
    )
}

/// The word in the case that Cap'n Proto wants, with a small letter first.
fn camel(word: &str) -> Option<String> {
    let mut out = String::new();
    for part in word.split('_').filter(|part| !part.is_empty()) {
        let (first, rest) = part.split_at(1);
        out += &if out.is_empty() { first.to_lowercase() } else { first.to_uppercase() };
        out.push_str(rest);
    }
    (!out.is_empty()).then_some(out)
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// Structs called like telling words, with a field of that name in each shape by turns; fields, groups and arms called like
/// every word.
pub fn capnp(words: &Words) -> String {
    let own =
        |words: &[String]| words.iter().filter_map(|word| camel(word)).collect::<BTreeSet<_>>().into_iter().collect();
    let (all, telling): (Vec<String>, Vec<String>) = (own(&words.all), own(&words.telling));
    let possible = |word: &str| {
        let name = capital(word);
        is_possible(
            &aldis_capnp::CAPNP,
            words.languages,
            &format!("@0xd4f12b9e6a7c3584;\nstruct {name} {{ {word} @0 :List(List({name})); }}\n"),
        )
    };
    let mut out = String::from("@0xd4f12b9e6a7c3584;\n");
    let telling = types(&telling, possible);
    let shapes =
        ["List(List(UInt32))", "List(Text)", "Text", "Float64", "List(List(Text))", "AnyPointer", "List(Data)", "Bool"];
    for (index, word) in telling.iter().enumerate() {
        let name = capital(word);
        let _ = match index % 4 {
            0 => writeln!(out, "struct {name} {{ {word} @0 :List(List({name})); }}"),
            1 => writeln!(
                out,
                "struct {name} {{ {word} :group {{ {word} @0 :{}; }} }}",
                shapes[index / 4 % shapes.len()]
            ),
            2 => writeln!(out, "enum {name} {{ {word} @0; }}"),
            _ => writeln!(
                out,
                "struct {name} {{ union {{ {word} @0 :{}; x1 @1 :Text; }} }}",
                shapes[index / 4 % shapes.len()]
            ),
        };
    }
    for (number, chunk) in telling.chunks(FIELDS).enumerate() {
        let field = |(index, word): (usize, &&str)| match (index + number) % 3 {
            0 => format!("{word} @{index} :{};", capital(word)),
            1 => format!("{word} @{index} :List({});", capital(word)),
            _ => format!("{word} @{index} :List(List({}));", capital(word)),
        };
        let fields: Vec<String> = chunk.iter().enumerate().map(field).collect();
        let _ = writeln!(out, "struct Xh{number} {{ {} }}", fields.join(" "));
    }
    for (number, chunk) in all.chunks(FIELDS).enumerate() {
        let field =
            |(index, word): (usize, &String)| format!("{word} @{index} :{};", shapes[(index + number) % shapes.len()]);
        let fields: Vec<String> = chunk.iter().enumerate().map(field).collect();
        // Half of them are arms, half of those in a group.
        let (plain, arms) = fields.split_at(fields.len() / 2);
        let (arms, grouped) = arms.split_at(arms.len() / 2);
        let arms = if arms.len() > 1 { format!("union {{ {} }}", arms.join(" ")) } else { arms.join(" ") };
        let _ =
            writeln!(out, "struct Xg{number} {{ {} {arms} x1 :group {{ {} }} }}", plain.join(" "), grouped.join(" "));
    }
    for (number, chunk) in all.chunks(200).enumerate() {
        let values = chunk.iter().enumerate().map(|(index, word)| format!("{word} @{index};"));
        let _ = writeln!(out, "enum Xe{number} {{ {} }}", values.collect::<Vec<_>>().join(" "));
        let _ = writeln!(out, "struct Xv{number} {{ x1 @0 :Xe{number}; }}");
    }
    out
}
