//! Bad schemas give diagnostics: never a panic, never a plan beside an error, never more time or memory than their size
//! deserves.

mod common;

use aldis_diagnostics::any_error;
use aldis_plan::Format;
use aldis_sbe::SBE;
use common::{compile_text, conformance, rendered, Memory};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const HEAD: &str = r#"<messageSchema package="hostile" id="1" version="9"><types><composite name="messageHeader">
<type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/>
<type name="numInGroup" primitiveType="uint16"/></composite>"#;

/// xorshift64*: the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for folder in ["schemas/sbe", "vectors/sbe"] {
        for entry in std::fs::read_dir(conformance(folder)).expect("the folder is there") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_some_and(|e| e == "xml") {
                seeds.push(std::fs::read(path).expect("a readable schema"));
            }
        }
    }
    seeds.sort();
    seeds
}

/// Texts that a mutation may put in the place of a value or a few bytes.
const PIECES: [&str; 24] = [
    "",
    "0",
    "1",
    "-1",
    "255",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999",
    "NaN",
    "char",
    "uint64",
    "int8",
    "float",
    "constant",
    "optional",
    "messageHeader",
    "groupSizeEncoding",
    "varData",
    "length",
    "é",
    "<",
    "\">",
];

fn mutate(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(2) {
        let at = random.below(bytes.len());
        match random.below(12) {
            0 => bytes[at] = random.below(256) as u8,
            1 => {
                let end = (at + 1 + random.below(60)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => {
                let end = (at + 1 + random.below(200)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            _ => replace_value(&mut bytes, at, random),
        }
        if bytes.is_empty() {
            bytes.push(b'<');
        }
    }
    bytes
}

/// Puts another value between the next two quotes: most mutants stay well-formed and reach the later steps.
fn replace_value(bytes: &mut Vec<u8>, from: usize, random: &mut Random) {
    let quote = |bytes: &[u8], from: usize| bytes[from..].iter().position(|&b| b == b'"').map(|n| from + n);
    let Some(open) = quote(bytes, from) else { return };
    let Some(close) = quote(bytes, open + 1) else { return };
    bytes.splice(open + 1..close, PIECES[random.below(PIECES.len())].bytes());
}

#[test]
fn mutants_never_panic() {
    let seeds = seeds();
    assert!(seeds.len() >= 15, "{} seeds", seeds.len());
    let mut random = Random(0x5BE);
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..6000 {
        let mutant = mutate(&seeds[round % seeds.len()], &mut random);
        let mut files = Memory::default();
        files.0.insert("schema.xml".to_string(), mutant);
        let compilation = SBE.compile("schema.xml", &files);
        assert_eq!(any_error(&compilation.diagnostics), compilation.plans.is_empty(), "round {round}");
        let shown = rendered(&compilation.diagnostics, &compilation.sources);
        if compilation.plans.is_empty() {
            assert!(!shown.is_empty(), "round {round}");
            refused += 1;
        } else {
            accepted += 1;
        }
    }
    assert!(refused > 1000 && accepted > 500, "{refused} refused, {accepted} accepted: the mutations miss the point");
}

#[test]
fn noise_never_panics() {
    let mut random = Random(0xA1D15);
    for _ in 0..500 {
        let mut files = Memory::default();
        let noise = (0..random.below(400)).map(|_| random.below(256) as u8).collect();
        files.0.insert("schema.xml".to_string(), noise);
        let compilation = SBE.compile("schema.xml", &files);
        assert!(any_error(&compilation.diagnostics));
    }
}

/// Compiles in reasonable time, with the errors expected.
fn refused(text: &str, code: &str) {
    let started = Instant::now();
    let compilation = compile_text(text);
    let took = started.elapsed();
    assert!(took < Duration::from_secs(60), "{code} took {took:?}");
    assert!(compilation.plans.is_empty());
    assert!(compilation.diagnostics.iter().any(|d| d.code == code), "no {code}");
}

#[test]
fn elements_nested_without_end() {
    refused(&"<a>".repeat(200_000), "sbe/E0002");
    refused(&format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000)), "sbe/E0019");
}

#[test]
fn composites_that_multiply() {
    let mut text = HEAD.to_string();
    text.push_str(r#"<composite name="c0"><type name="a" primitiveType="int8"/></composite>"#);
    for level in 1..20 {
        let _ = write!(text, r#"<composite name="c{level}">"#);
        for member in 0..10 {
            let _ = write!(text, r#"<ref name="m{member}" type="c{}"/>"#, level - 1);
        }
        text.push_str("</composite>");
    }
    text.push_str(r#"</types><message name="M" id="1"><field name="f" id="1" type="c19"/></message></messageSchema>"#);
    refused(&text, "sbe/E0020");
}

#[test]
fn composites_used_without_end() {
    let mut text = HEAD.to_string();
    text.push_str(r#"<composite name="wide">"#);
    for member in 0..4096 {
        let _ = write!(text, r#"<type name="m{member}" primitiveType="int8" presence="constant">1</type>"#);
    }
    text.push_str("</composite></types><message name=\"M\" id=\"1\">");
    for field in 0..4000 {
        let _ = write!(text, r#"<field name="f{field}" id="{field}" type="wide"/>"#);
    }
    text.push_str("</message></messageSchema>");
    refused(&text, "sbe/E0020");
}

/// Composites that each refer to the next lower one, in the order of `levels`.
fn chain(levels: impl Iterator<Item = usize>) -> String {
    let mut text = HEAD.to_string();
    for level in levels {
        let _ = match level {
            0 => write!(text, r#"<composite name="c0"><type name="a" primitiveType="int8"/></composite>"#),
            _ => write!(text, r#"<composite name="c{level}"><ref name="next" type="c{}"/></composite>"#, level - 1),
        };
    }
    text
}

/// A schema whose one message has one field of that type.
fn with_field(types: &str, ty: &str) -> String {
    format!(r#"{types}</types><message name="M" id="1"><field name="f" id="1" type="{ty}"/></message></messageSchema>"#)
}

#[test]
fn chains_of_references() {
    refused(&with_field(&chain((0..20_000).rev()), "c19999"), "sbe/E0019");
    refused(&with_field(&chain(0..20_000), "c19999"), "sbe/E0019");
}

#[test]
fn composites_nest_as_deep_in_either_order() {
    for (height, accepted) in [(31, true), (32, false)] {
        let orders: [String; 2] = [chain(0..=height), chain((0..=height).rev())];
        for text in orders {
            let compilation = compile_text(&with_field(&text, &format!("c{height}")));
            let codes: Vec<&str> = compilation.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(codes, if accepted { vec![] } else { vec!["sbe/E0019"] }, "{height}");
            assert_eq!(!compilation.plans.is_empty(), accepted, "{height}");
        }
    }
}

#[test]
fn composites_in_place_around_a_reference() {
    let open: String = (0..20).map(|level| format!(r#"<composite name="i{level}">"#)).collect();
    let inner = format!(r#"{open}<ref name="c" type="c20"/>{}"#, "</composite>".repeat(20));
    refused(&with_field(&format!("{}{inner}", chain(0..=20)), "i0"), "sbe/E0019");
    refused(&with_field(&format!("{}{}", HEAD.to_owned() + &inner, &chain(0..=20)[HEAD.len()..]), "i0"), "sbe/E0019");
}

#[test]
fn constants_and_enums_that_lead_to_each_other() {
    let mut text = HEAD.to_string();
    for level in 0..20_000 {
        let _ = write!(
            text,
            r#"<type name="t{level}" primitiveType="int8" presence="constant" valueRef="e{level}.a"/>
            <enum name="e{level}" encodingType="t{}"><validValue name="a">1</validValue></enum>"#,
            level + 1
        );
    }
    text.push_str(r#"<type name="t20000" primitiveType="int8"/>"#);
    refused(&with_field(&text, "t0"), "sbe/E0019");
}

#[test]
fn thousands_of_mistakes() {
    let mut text = HEAD.to_string();
    for index in 0..3000 {
        let _ = write!(text, r#"<composite name="known{index}"><ref name="a" type="unknown{index}"/></composite>"#);
    }
    text.push_str("</types></messageSchema>");
    refused(&text, "sbe/E0016");
}

#[test]
fn an_enum_of_a_hundred_thousand() {
    let mut text = HEAD.to_string();
    text.push_str(r#"<enum name="E" encodingType="int32">"#);
    for index in 0..100_000 {
        let _ = write!(text, r#"<validValue name="v{index}">{index}</validValue>"#);
    }
    text.push_str("</enum></types></messageSchema>");
    let started = Instant::now();
    let compilation = compile_text(&text);
    assert_eq!(rendered(&compilation.diagnostics, &compilation.sources), "");
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn includes_that_multiply() {
    let xi = r#"xmlns:xi="http://www.w3.org/2001/XInclude""#;
    let mut files = Memory::default();
    for level in 0..14 {
        let include = format!(r#"<xi:include href="t{}.xml"/>"#, level + 1);
        let text = format!("<types {xi}>{}</types>", include.repeat(20));
        files.0.insert(format!("t{level}.xml"), text.into_bytes());
    }
    files.0.insert("t14.xml".to_string(), b"<types/>".to_vec());
    let root = format!(
        "{}</types><xi:include href=\"t0.xml\"/></messageSchema>",
        HEAD.replacen("<messageSchema", &format!("<messageSchema {xi}"), 1)
    );
    files.0.insert("schema.xml".to_string(), root.into_bytes());
    let started = Instant::now();
    let compilation = SBE.compile("schema.xml", &files);
    assert!(started.elapsed() < Duration::from_secs(60));
    assert!(compilation.diagnostics.iter().any(|d| d.code == "sbe/E0007"));
    assert!(compilation.diagnostics.len() < 10_000, "{} diagnostics", compilation.diagnostics.len());
}
