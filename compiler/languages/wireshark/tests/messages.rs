//! `tshark` shows of messages what the interpreter decodes, in every format and form; of damaged ones too, with the
//! fault at its place.

mod common;

use aldis_interpreter::{Code, Codec};
use aldis_plan::Plan;
use aldis_testkit::{plans, root};
use common::{damage, dissector, has_tshark, ports, shown, values, Item};
use std::fs;

/// Message and bytes of a datagram, and the form by its place in the schema's plans.
struct Sent {
    form: usize,
    message: Option<usize>,
    bytes: Vec<u8>,
    what: String,
}

/// Compares what is shown of datagrams with what their bytes mean. Where messages do not say what they are, each has a
/// dissector of its own.
fn compare(schema: &str, plans: &[Plan], sent: &[Sent]) {
    let codecs: Vec<Codec> = plans.iter().cloned().map(Codec::new).collect();
    let named: Vec<Option<usize>> =
        if plans[0].dispatch.is_none() { (0..plans[0].messages.len()).map(Some).collect() } else { vec![None] };
    let (mut scripts, mut arguments) = (Vec::new(), Vec::new());
    for message in &named {
        let name = format!("tested{}", message.unwrap_or_default());
        let full = message.map(|message| codecs[0].message_name(message));
        let options: Vec<(&str, &str)> = full.iter().map(|full| ("message", full.as_str())).collect();
        scripts.push(dissector(&format!("{schema}_{name}"), &name, plans, &options));
        arguments.extend(ports(&name, port(0, *message), plans));
    }
    let datagrams: Vec<(u16, Vec<u8>)> = sent.iter().map(|s| (port(s.form, s.message), s.bytes.clone())).collect();
    let packets = shown(&scripts, "tested", &datagrams, &arguments);
    assert_eq!(packets.len(), sent.len());
    let differing = sent.iter().zip(&packets).filter_map(|(sent, items)| {
        let codec = &codecs[sent.form];
        let error = agree(codec, sent, items.first()).err()?;
        Some(format!("{schema} {} {}: {error}", codec.plan().form.name, sent.what))
    });
    let differing: Vec<String> = differing.collect();
    let some = &differing[..differing.len().min(12)];
    assert!(differing.is_empty(), "{} of {} differ\n{}", differing.len(), sent.len(), some.join("\n"));
}

/// The port of a form's messages.
fn port(form: usize, message: Option<usize>) -> u16 {
    40_000 + 8 * message.unwrap_or_default() as u16 + form as u16
}

fn agree(codec: &Codec, sent: &Sent, item: Option<&Item>) -> Result<(), String> {
    let Some(item) = item else { return Err("nothing is shown".into()) };
    let found = match sent.message {
        Some(message) => Ok(message),
        None => codec.find(&sent.bytes),
    };
    let decoded = found.and_then(|message| codec.decode(message, &sent.bytes).map(|(value, _)| (message, value)));
    let fault = item.fault().map(|item| item.text.as_str());
    match (decoded, fault) {
        (Ok((message, value)), None) => values::message(codec, codec.plan().messages[message].record, &value, item),
        // The dissector bounds items, and does not charge for what takes memory alone.
        (Err(fault), _) if fault.code == Code::TooLarge => Ok(()),
        (_, Some(text)) if text.starts_with("too-large") => Ok(()),
        (Err(fault), Some(text)) => {
            let place = fault.offset.map(|offset| format!("{} at byte {offset}:", fault.code));
            let begin = place.unwrap_or_else(|| fault.code.to_string());
            if text.starts_with(&begin) {
                Ok(())
            } else {
                Err(format!("{begin} {} is shown as {text}", fault.text))
            }
        }
        (Ok(_), Some(text)) => Err(format!("a good message is shown as {text}")),
        (Err(fault), None) => Err(format!("{} is not shown", fault.code)),
    }
}

/// Random messages of a schema, whole and damaged.
fn random(plans: &[Plan], seeds: u64) -> Vec<Sent> {
    let mut sent = Vec::new();
    for (form, plan) in plans.iter().enumerate() {
        let codec = Codec::new(plan.clone());
        for message in 0..plan.messages.len() {
            if codec.header_message() == Some(message) {
                continue;
            }
            for seed in 0..seeds {
                let value = codec.random(message, seed);
                let Ok(bytes) = codec.encode(message, &value) else { continue };
                if bytes.is_empty() || bytes.len() > 20_000 {
                    continue;
                }
                let named = plan.dispatch.is_none().then_some(message);
                let what = format!("{} {seed}", codec.message_name(message));
                sent.push(Sent { form, message: named, bytes: bytes.clone(), what: what.clone() });
                for turn in 0..3 {
                    let damaged = damage(&bytes, seed * 3 + turn);
                    sent.push(Sent { form, message: named, bytes: damaged, what: format!("{what} damaged {turn}") });
                }
            }
        }
    }
    sent
}

/// The golden messages of a schema whose names begin and end so.
fn vectors(folder: &str, form: usize, begin: &str, end: &str) -> Vec<Sent> {
    let mut paths: Vec<_> = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let named = paths.into_iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        (name.starts_with(begin) && name.ends_with(end)).then(|| (name, fs::read(&path).unwrap()))
    });
    named
        .filter(|(_, bytes)| bytes.len() < 65_000)
        .map(|(what, bytes)| Sent { form, message: None, bytes, what })
        .collect()
}

#[test]
fn messages_of_sbe_are_shown_as_they_are_decoded() {
    if !has_tshark() {
        return;
    }
    for schema in ["be-all", "dims", "evo-v1", "evo-v2", "evo-v3", "le-all"] {
        let plans = plans(&format!("conformance/vectors/sbe/{schema}.xml"));
        // All versions of one schema are read with each.
        let begin = if schema.starts_with("evo") { "evo-" } else { schema };
        let mut sent = vectors("conformance/vectors/sbe", 0, begin, ".bin");
        sent.extend(random(&plans, 4));
        compare(schema, &plans, &sent);
    }
    let market = plans("conformance/schemas/market.xml");
    compare("market.xml", &market, &random(&market, 20));
    // An exchange's feed: group heads of three bytes, nulls of its own, fields of later versions.
    let feed = plans("conformance/schemas/sbe/market-data.xml");
    compare("market-data.xml", &feed, &random(&feed, 40));
}

#[test]
fn messages_of_fbe_are_shown_as_they_are_decoded() {
    if !has_tshark() {
        return;
    }
    for schema in ["proto", "extra"] {
        let plans = plans(&format!("conformance/vectors/fbe/{schema}.fbe"));
        let begin = format!("{schema}_");
        let mut sent = vectors("conformance/vectors/fbe", 0, &begin, ".std.bin");
        sent.extend(vectors("conformance/vectors/fbe", 1, &begin, ".final.bin"));
        sent.extend(random(&plans, 2));
        compare(schema, &plans, &sent);
    }
    let market = plans("conformance/schemas/market.fbe");
    compare("market.fbe", &market, &random(&market, 10));
}

#[test]
fn messages_of_capnp_are_shown_as_they_are_decoded() {
    if !has_tshark() {
        return;
    }
    let schemas = [
        ("conformance/schemas/addressbook.capnp", 20, &[][..]),
        ("conformance/vectors/capnp/schema/edge.capnp", 3, &["malicious", "framing"][..]),
        ("conformance/vectors/capnp/schema/layout.capnp", 3, &["multiseg", "msg"][..]),
    ];
    for (schema, seeds, folders) in schemas {
        let plans = plans(schema);
        let codec = Codec::new(plans[0].clone());
        // Bytes that were made to be expensive are read as the messages that they were made for.
        let is_asked = |folder: &str, message: &usize| {
            let name = codec.message_name(*message);
            folder != "malicious" || ["Rec", "Lists", "Texts", "HasEmpty"].contains(&name.as_str())
        };
        let mut sent = random(&plans, seeds);
        for folder in folders {
            for given in vectors(&format!("conformance/vectors/capnp/{folder}"), 0, "", ".bin") {
                let messages = (0..plans[0].messages.len()).filter(|message| is_asked(folder, message));
                let copy = |message| Sent {
                    message: Some(message),
                    bytes: given.bytes.clone(),
                    what: given.what.clone(),
                    form: given.form,
                };
                sent.extend(messages.map(copy));
            }
        }
        compare(schema, &plans, &sent);
    }
}
