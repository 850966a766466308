//! Packets as they come: damaged ones in numbers, streams in segments, ports that nobody named, names of all kinds.

mod common;

use aldis_interpreter::Codec;
use aldis_plan::Plan;
use aldis_testkit::{plans, plans_in, Text};
use common::{capture, damage, dissector, has_tshark, ports, scattered, stream, tshark};
use std::time::{Duration, Instant};

/// Random messages of a form, as many as asked for.
fn messages(plan: &Plan, count: usize) -> Vec<Vec<u8>> {
    let codec = Codec::new(plan.clone());
    // Messages that do not say what they are are of the first type.
    let known = if plan.dispatch.is_some() { plan.messages.len() } else { 1 };
    let named: Vec<usize> = (0..known).filter(|m| codec.header_message() != Some(*m)).collect();
    let encoded = (0..).map(|seed: u64| {
        let message = named[seed as usize % named.len()];
        codec.encode(message, &codec.random(message, seed)).unwrap_or_default()
    });
    encoded.filter(|bytes| !bytes.is_empty() && bytes.len() < 2000).take(count).collect()
}

fn arguments(given: &[&str]) -> Vec<String> {
    given.iter().map(|argument| (*argument).to_owned()).collect()
}

/// `ALDIS_PACKETS` says how many of each schema there are.
#[test]
fn damaged_packets_raise_no_error_and_end() {
    if !has_tshark() {
        return;
    }
    let count = std::env::var("ALDIS_PACKETS").map_or(600, |count| count.parse().expect("a number of packets"));
    for schema in ["vectors/sbe/be-all.xml", "vectors/fbe/extra.fbe", "schemas/addressbook.capnp"] {
        let plans = plans(&format!("conformance/{schema}"));
        let lua = dissector(&format!("damaged_{schema}"), "tested", &plans, &[]);
        let mut datagrams = Vec::new();
        for (port, plan) in (40_000..).zip(&plans) {
            let whole = messages(plan, 100);
            let damaged = (0..count / plans.len()).map(|i| (port, damage(&whole[i % whole.len()], i as u64 * 7919)));
            datagrams.extend(damaged);
        }
        let mut all = ports("tested", 40_000, &plans);
        // Items are made for the filter's sake; an error of Lua would be one of them.
        all.extend(arguments(&["-Y", "_ws.lua.error", "-T", "fields", "-e", "frame.number", "-e", "_ws.lua.error"]));
        assert_eq!(tshark(std::slice::from_ref(&lua), &capture(&datagrams), &all), "", "{schema}");
    }
}

#[test]
fn cut_blocks_of_other_versions_raise_no_error_and_damage_ends_with_its_packet() {
    if !has_tshark() {
        return;
    }
    let plans = plans("conformance/schemas/market.xml");
    let lua = dissector("versions", "tested", &plans, &[]);
    let mut datagrams = Vec::new();
    for (length, version) in [(0_u16, 0_u16), (200, 0), (200, 1), (200, 2), (200, 9), (20, 0), (20, 9), (u16::MAX, 0)] {
        for template in 1..=4_u16 {
            for size in [0, 3, 20, 52, 60, 100] {
                let head = [length, template, 71, version].map(u16::to_le_bytes).concat();
                datagrams.push((40_000, [head, vec![1; size]].concat()));
            }
        }
    }
    let mut errors = ports("tested", 40_000, &plans);
    errors.extend(arguments(&["-Y", "_ws.lua.error", "-T", "fields", "-e", "frame.number", "-e", "_ws.lua.error"]));
    assert_eq!(tshark(std::slice::from_ref(&lua), &capture(&datagrams), &errors), "");
    let good = messages(&plans[0], 1).remove(0);
    let three = [good.clone(), good[..good.len() - 1].to_vec(), good].map(|bytes| (40_000, bytes));
    let mut columns = ports("tested", 40_000, &plans);
    columns.extend(arguments(&["-T", "fields", "-e", "_ws.col.Info"]));
    let told = tshark(&[lua], &capture(&three), &columns);
    let damaged: Vec<bool> = told.lines().map(|line| line.contains("[damaged]")).collect();
    assert_eq!(damaged, [false, true, false], "{told}");
}

#[test]
fn hostile_sizes_do_not_hang() {
    if !has_tshark() {
        return;
    }
    let schema = "package p\nstruct Empty(1) { }\nstruct Node(2) { Node[] nodes; }\nstruct Many(3) { Empty[] all; }\n";
    let plans = plans_in("hostile.fbe", &Text(schema));
    let lua = dissector("hostile", "tested", &plans, &[]);
    // A list that leads back to its own record, and one of as many empty records as a count can say.
    let codec = Codec::new(plans[0].clone());
    let mut datagrams = Vec::new();
    for message in 0..plans[0].messages.len() {
        for seed in 0..20 {
            let Ok(bytes) = codec.encode(message, &codec.random(message, seed)) else { continue };
            for at in (0..bytes.len().saturating_sub(4)).step_by(4) {
                for value in [8_u32, 12, 16, 20, 0x7fff_ffff, u32::MAX] {
                    let mut hostile = bytes.clone();
                    hostile[at..at + 4].copy_from_slice(&value.to_le_bytes());
                    hostile.extend([1; 1200]);
                    datagrams.push((40_000, hostile));
                }
            }
        }
    }
    datagrams.truncate(400);
    let mut all = ports("tested", 40_000, &plans);
    all.extend(arguments(&["-Y", "_ws.lua.error"]));
    let begin = Instant::now();
    assert_eq!(tshark(std::slice::from_ref(&lua), &capture(&datagrams), &all), "");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

/// Streams that are cut anywhere show every message once.
#[test]
fn streams_are_put_together() {
    if !has_tshark() {
        return;
    }
    let cases = [
        ("conformance/schemas/market.fbe", 0, "fbe", 0),
        ("conformance/schemas/market.fbe", 1, "fbe", 0),
        ("conformance/schemas/addressbook.capnp", 0, "capnp", 0),
        ("conformance/schemas/addressbook.capnp", 1, "capnp", 0),
        ("conformance/schemas/market.xml", 0, "u16be", 2),
        ("conformance/schemas/market.xml", 0, "sofh", 6),
        ("conformance/schemas/market.xml", 0, "none", 0),
    ];
    for (schema, form, framing, head) in cases {
        let plans = plans(schema);
        let plan = &plans[form];
        let all = messages(plan, 12);
        let mut bytes = Vec::new();
        for message in &all {
            match head {
                2 => bytes.extend((message.len() as u16).to_be_bytes()),
                6 => {
                    bytes.extend((message.len() as u32 + 6).to_be_bytes());
                    bytes.extend(b"\xeb\x50");
                }
                _ => {}
            }
            bytes.extend(message);
        }
        let lua = dissector(&format!("stream_{schema}_{form}_{framing}"), "tested", &plans, &[]);
        let proto = ["tested", "_", &plan.form.suffix].concat();
        let proto = proto.trim_end_matches('_');
        let mut given =
            vec!["-o".to_owned(), format!("{proto}.tcp:40000"), "-o".to_owned(), format!("{proto}.framing:{framing}")];
        given.extend(arguments(&["-T", "fields", "-E", "occurrence=a", "-e", proto, "-e", "_ws.expert.message"]));
        for size in [7, 61, 1000] {
            let segments: Vec<Vec<u8>> = bytes.chunks(size).map(<[u8]>::to_vec).collect();
            let text = tshark(std::slice::from_ref(&lua), &stream(40_000, &segments), &given);
            let names = text.matches(&format!("tested ({}), ", plan.form.name)).count();
            assert_eq!(names, all.len(), "{schema} {framing} in segments of {size}: {text}");
            assert!(!text.contains(" at byte "), "{schema} {framing} in segments of {size}: {text}");
        }
    }
}

/// Segments that come in disorder, and some twice, show every message once where Wireshark is told to put them in order.
#[test]
fn segments_in_disorder_are_put_together() {
    if !has_tshark() {
        return;
    }
    let plans = plans("conformance/schemas/market.fbe");
    let all = messages(&plans[0], 40);
    let bytes = all.concat();
    let mut segments: Vec<(u32, &[u8])> = (0..).step_by(61).zip(bytes.chunks(61)).collect();
    for four in segments[1..].chunks_mut(4) {
        four.reverse();
    }
    segments.insert(5, segments[4]);
    let lua = dissector("disorder", "tested", &plans, &[]);
    let given = ["tested.tcp:40000", "tested.framing:fbe", "tcp.reassemble_out_of_order:true"];
    let mut given = arguments(&given.iter().flat_map(|option| ["-o", *option]).collect::<Vec<_>>());
    given.extend(arguments(&["-T", "fields", "-E", "occurrence=a", "-e", "tested", "-e", "_ws.expert.message"]));
    let text = tshark(std::slice::from_ref(&lua), &scattered(40_000, segments.into_iter()), &given);
    assert_eq!(text.matches("tested (fbe), ").count(), all.len(), "{text}");
    assert!(!text.contains(" at byte "), "{text}");
}

/// Messages are recognised on ports that nobody named, and what is none is left alone.
#[test]
fn messages_are_recognised_by_what_they_are() {
    if !has_tshark() {
        return;
    }
    for schema in ["market.xml", "market.fbe", "addressbook.capnp"] {
        let plans = plans(&format!("conformance/schemas/{schema}"));
        let lua = dissector(&format!("guess_{schema}"), "tested", &plans, &[]);
        for plan in plans.iter().filter(|plan| plan.form.name != "capnp-canonical") {
            let good: Vec<Vec<u8>> = messages(plan, 30).into_iter().filter(|bytes| bytes.len() > 24).take(20).collect();
            let mut datagrams: Vec<(u16, Vec<u8>)> = (50_000..).zip(good.clone()).collect();
            let noise = (0..20).map(|i| (51_000 + i, damage(&[i as u8 * 13; 60], u64::from(i) + 1)));
            datagrams.extend(noise);
            let given = arguments(&["-T", "fields", "-e", "frame.number", "-e", "frame.protocols"]);
            let text = tshark(std::slice::from_ref(&lua), &capture(&datagrams), &given);
            let protocol = if plan.form.suffix.is_empty() {
                ":tested".to_owned()
            } else {
                format!(":tested_{}", plan.form.suffix)
            };
            let known = text.lines().filter(|line| line.ends_with(&protocol)).count();
            assert_eq!(known, good.len(), "{schema} {}: {text}", plan.form.name);
        }
    }
}

/// Words of Lua, and names that are one name in display filters.
#[test]
fn names_of_all_kinds_have_filters_of_their_own() {
    const WORDS: [&str; 22] = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
        "not", "or", "repeat", "return", "then", "true", "until", "while",
    ];
    if !has_tshark() {
        return;
    }
    let mut schema = String::from("package p\nenum head { end = 1; nil = 2; }\nstruct fault(1) {\n");
    for word in WORDS.iter().filter(|word| !["false", "true"].contains(word)) {
        schema += &format!("    int32 {word};\n");
    }
    schema += "    int32 maxOrder;\n    int32 max_order;\n    int32 MaxOrder;\n    head kind;\n}\n";
    let plans = plans_in("p.fbe", &Text(schema.leak()));
    let lua = dissector("names", "p", &plans, &[]);
    let bytes = messages(&plans[0], 1).remove(0);
    let mut given = ports("p_", 40_000, &plans);
    let wanted = ["p_.fault_2.max_order", "p_.fault_2.max_order_2", "p_.fault_2.max_order_3", "p_.fault_2.end"];
    given.extend(arguments(&["-T", "fields"]));
    given.extend(wanted.iter().flat_map(|name| ["-e".to_owned(), (*name).to_owned()]));
    let text = tshark(&[lua], &capture(&[(40_000, bytes)]), &given);
    let found: Vec<&str> = text.trim_end_matches('\n').split('\t').collect();
    assert!(found.len() == wanted.len() && found.iter().all(|value| !value.is_empty()), "{text}");
}
