//! Helpers that the fuzz targets share: schemas, and checks that must hold for all bytes.

use aldis_diagnostics::{render, Files, Style};
use aldis_interpreter::{explain, Code, Codec, Entry, Explainer, MessageEnd};
use aldis_plan::{Container, Format};
use std::io;
use std::path::Path;
use std::sync::OnceLock;

pub mod columns;

/// One schema text under any name; nothing can be imported.
struct Text<'a>(&'a [u8]);

impl Files for Text<'_> {
    fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.to_vec())
    }

    fn resolve(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }
}

struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let path = Path::new(from).parent()?.join(name);
        path.is_file().then(|| path.to_string_lossy().into_owned())
    }
}

/// Compiles any text; diagnostics must render (the first two: rendering takes longer than compiling), and a schema
/// without errors must make working codecs.
pub fn schema(format: &dyn Format, text: &[u8]) {
    let compilation = format.compile("fuzz", &Text(text));
    for diagnostic in compilation.diagnostics.iter().take(2) {
        let _ = render(diagnostic, &compilation.sources, Style::Plain);
    }
    for plan in compilation.plans {
        let codec = Codec::new(plan);
        for message in 0..codec.plan().messages.len().min(8) {
            let value = codec.random(message, 1);
            if let Ok(bytes) = codec.encode(message, &value) {
                codec.decode(message, &bytes).expect("what was encoded decodes");
            }
        }
    }
}

/// One schema text that can import and embed itself; the standard imports are built in.
struct Itself<'a>(&'a [u8]);

impl Files for Itself<'_> {
    fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.to_vec())
    }

    fn resolve(&self, _from: &str, name: &str) -> Option<String> {
        (name == "self").then(|| name.to_owned())
    }
}

/// Reads any text as a Cap'n Proto schema: a model or problems, and the problems render.
pub fn capnp_schema(text: &[u8]) {
    let reading = aldis_capnp::text::read("self", &Itself(text));
    assert_eq!(reading.model.is_some(), reading.diagnostics.is_empty());
    for diagnostic in reading.diagnostics.iter().take(2) {
        let _ = render(diagnostic, &reading.sources, Style::Plain);
    }
}

fn codecs(format: &dyn Format, schemas: &[&str]) -> Vec<Codec> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/vectors");
    let plans = schemas.iter().flat_map(|schema| format.compile(&folder.join(schema).to_string_lossy(), &Disk).plans);
    let codecs = plans.map(|plan| {
        let mut codec = Codec::new(plan);
        // A small budget, so that time goes into many inputs rather than into long ones.
        codec.limits.budget_base = 4096;
        codec
    });
    codecs.collect()
}

const FBE: [&str; 2] = ["fbe/proto.fbe", "fbe/extra.fbe"];
const SBE: [&str; 5] = ["sbe/be-all.xml", "sbe/le-all.xml", "sbe/dims.xml", "sbe/evo-v3.xml", "sbe/evo-v1.xml"];

/// Every FBE form of the vectors' schemas.
pub fn fbe() -> &'static [Codec] {
    static CODECS: OnceLock<Vec<Codec>> = OnceLock::new();
    CODECS.get_or_init(|| codecs(&aldis_fbe::FBE, &FBE))
}

/// The SBE vectors' schemas.
pub fn sbe() -> &'static [Codec] {
    static CODECS: OnceLock<Vec<Codec>> = OnceLock::new();
    CODECS.get_or_init(|| codecs(&aldis_sbe::SBE, &SBE))
}

const CAPNP: [&str; 4] = ["edge", "evolve", "layout", "shaped"];

fn capnp_forms(wanted: impl Fn(&str) -> bool) -> Vec<Codec> {
    let schemas = CAPNP.map(|name| format!("capnp/schema/{name}.capnp"));
    let mut codecs = codecs(&aldis_capnp::CAPNP, &schemas.each_ref().map(String::as_str));
    codecs.retain(|codec| wanted(&codec.plan().form.name));
    codecs
}

/// The Cap'n Proto vectors' schemas: by turns with a segment table and flat.
pub fn capnp() -> &'static [Codec] {
    static CODECS: OnceLock<Vec<Codec>> = OnceLock::new();
    CODECS.get_or_init(|| capnp_forms(|form| form != "capnp-packed"))
}

/// The same, packed.
pub fn capnp_packed() -> &'static [Codec] {
    static CODECS: OnceLock<Vec<Codec>> = OnceLock::new();
    CODECS.get_or_init(|| capnp_forms(|form| form == "capnp-packed"))
}

/// All of these, which refuse text that is not in its encoding.
fn strict() -> Vec<Codec> {
    let mut all = codecs(&aldis_fbe::FBE, &FBE);
    all.extend(codecs(&aldis_sbe::SBE, &SBE));
    all.extend(capnp_forms(|_| true));
    all.iter_mut().for_each(|codec| codec.strict_text = true);
    all
}

/// The first byte picks packed or not, the second a message, the third in what pieces a stream's bytes come. What a message
/// is said to take is within the bytes, the same in pieces, and what decoding takes.
pub fn framing(data: &[u8]) {
    let [packed, message, piece, bytes @ ..] = data else { return };
    let codecs = if packed % 2 == 1 { capnp_packed() } else { capnp() };
    let codec = &codecs[0];
    let Container::Segments(form) = codec.plan().container else { return };
    let whole = MessageEnd::new(form).find(bytes);
    let mut end = MessageEnd::new(form);
    let pieces = (0..bytes.len()).step_by(usize::from(*piece) + 1).chain([bytes.len()]);
    let found = pieces.map(|length| end.find(&bytes[..length])).find(|found| !matches!(found, Ok(None)));
    let found = found.unwrap_or(Ok(None));
    assert_eq!(found.as_ref().ok(), whole.as_ref().ok());
    let Ok(Some(size)) = whole else { return };
    assert!(size <= bytes.len());
    let message = usize::from(*message) % codec.plan().messages.len();
    if let Ok((_, taken)) = codec.decode(message, &bytes[..size]) {
        assert_eq!(taken, size);
    }
}

/// The first byte picks a codec, the second a message (255: the one that the bytes say); the rest are its bytes.
pub fn decode(codecs: &[Codec], data: &[u8]) {
    let [form, message, bytes @ ..] = data else { return };
    let codec = &codecs[usize::from(*form) % codecs.len()];
    let message = match message {
        255 => codec.find(bytes).unwrap_or(0),
        number => usize::from(*number) % codec.plan().messages.len(),
    };
    let mut json = Vec::new();
    let in_json = codec.to_json(message, bytes, &mut json);
    let explanation = explain(codec, message, bytes);
    let Ok((value, size)) = codec.decode(message, bytes) else {
        assert!(in_json.is_err() && explanation.fault.is_some());
        return;
    };
    assert!(size <= bytes.len() && explanation.fault.is_none());
    let Ok(again) = codec.encode(message, &value) else { return };
    match codec.decode(message, &again) {
        Ok((second, _)) => assert_eq!(codec.encode(message, &second).expect("it encoded before"), again),
        // Elements without bytes are charged, and bytes after the first message gave it a larger budget.
        Err(fault) => assert_eq!(fault.code, Code::TooLarge, "what was encoded decodes: {fault}"),
    }
    if in_json.is_ok() {
        let read = codec.from_json(message, &json);
        // JSON asks for more than bytes do: required fields that an old writer did not know.
        if let Ok(read) = read {
            if codec.plan().json.omit_null {
                // An arm that the schema does not know has no JSON, and none is read as the first. From there on all stays.
                let write = |value| {
                    let mut out = Vec::new();
                    codec.value_to_json(message, value, &mut out).expect("what was read can be written");
                    String::from_utf8_lossy(&out).into_owned()
                };
                let written = write(&read);
                let again = codec.from_json(message, written.as_bytes()).expect("what was written can be read");
                assert_eq!(write(&again), written);
            } else {
                assert_eq!(codec.encode(message, &read).ok(), Some(again));
            }
        }
    }
}

/// The first byte picks a format, the second a codec of it, the third a message, the fourth how many entries are asked for. An
/// explanation says what decoding says, tells as many entries as it says, and a part of them is how all of them begin.
pub fn explanation(data: &[u8]) {
    let [format, form, message, most, bytes @ ..] = data else { return };
    let codecs = [fbe(), sbe(), capnp(), capnp_packed()][usize::from(*format) % 4];
    let codec = &codecs[usize::from(*form) % codecs.len()];
    let message = usize::from(*message) % codec.plan().messages.len();
    let explainer = Explainer::new(codec, message, bytes);
    let decoded = codec.decode(message, bytes).err().map(|fault| fault.code);
    assert_eq!(explainer.fault.as_ref().map(|fault| fault.code), decoded);
    let (mut first, mut count) = (Vec::new(), 0);
    explainer.each(usize::from(*most), &mut |entry| first.push(entry));
    explainer.each(usize::MAX, &mut |entry| {
        assert!(entry.value.len() <= Entry::LONGEST + 64);
        assert!(first.get(count).is_none_or(|other| *other == entry));
        count += 1;
    });
    assert_eq!(count, explainer.count);
    assert_eq!(first.len(), count.min(usize::from(*most)));
}

/// Reads any bytes as a code generator request, and makes plans of what can be read.
pub fn request(data: &[u8]) {
    match aldis_capnp::request::read(data) {
        Err(fault) => assert!(fault.offset <= data.len() && !fault.to_string().is_empty()),
        Ok(model) => {
            let models = aldis_capnp::request::split(&model);
            assert!(models.iter().all(|one| one.nodes.iter().all(|(id, node)| model.nodes.get(id) == Some(node))));
            aldis_capnp::compile_requested_files(data).expect("it was read before");
        }
    }
}

/// The first byte picks a codec, the second a message; the rest is its JSON.
pub fn json(codecs: &[Codec], data: &[u8]) {
    let [form, message, text @ ..] = data else { return };
    let codec = &codecs[usize::from(*form) % codecs.len()];
    let message = usize::from(*message) % codec.plan().messages.len();
    match codec.from_json(message, text) {
        Err(fault) => assert!(fault.offset.is_some_and(|offset| offset <= text.len())),
        Ok(value) => {
            let Ok(bytes) = codec.encode(message, &value) else { return };
            match codec.decode(message, &bytes) {
                Ok((decoded, _)) => assert_eq!(codec.encode(message, &decoded).expect("it encoded before"), bytes),
                Err(fault) => assert_eq!(fault.code, Code::TooLarge, "what was encoded decodes: {fault}"),
            }
        }
    }
}
