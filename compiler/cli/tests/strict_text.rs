//! Codecs made with the option `strict_text` answer as the strict interpreter does: text that is not UTF-8, in every place of
//! every form, alone and beside other damage, and messages in which all is right.

use aldis_interpreter::{to_hex, Codec, Testee};
use aldis_testkit::{fresh, plans, root};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, thread};

/// The vectors of a schema: what their files end with, and the form.
type Vectors = (&'static str, &'static [(&'static str, &'static str)]);

const SCHEMAS: [Vectors; 3] = [
    ("fbe/text.fbe", &[(".std.bin", "fbe"), (".final.bin", "fbe-final")]),
    ("sbe/text.xml", &[(".bin", "sbe")]),
    ("capnp/text.capnp", &[(".bin", "capnp"), (".packed", "capnp-packed"), (".canon", "capnp-canonical")]),
];

/// Generates a testee with the option and builds it.
fn built(lang: &str, schema: &str) -> PathBuf {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), &format!("strict_text_{lang}_{schema}"));
    let gen = ["gen", schema, "--lang", lang, "--testee", "--option", "strict_text", "--out"];
    succeeds(Command::new(env!("CARGO_BIN_EXE_aldis")).args(gen).arg(&folder).current_dir(root()));
    succeeds(Command::new(folder.join("build")).env("ALDIS_STRICT", "1"));
    folder
}

fn succeeds(command: &mut Command) {
    let output = command.output().expect("it starts (make setup)");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

fn asked(folder: &Path, requests: String) -> String {
    let mut child = Command::new(folder.join("run"));
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the testee starts");
    let mut stdin = child.stdin.take().expect("it reads");
    let writer = thread::spawn(move || stdin.write_all(requests.as_bytes()));
    let output = child.wait_with_output().expect("the testee ends");
    writer.join().expect("no panic").expect("the testee reads to the end");
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// All messages to ask about, each with its form: the vectors, each byte of theirs damaged in turn, and good ones.
fn messages(codecs: &[Codec], schema: &Path, endings: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(schema.parent().expect("a folder")).expect("the vectors can be listed") {
        let path = entry.expect("it can be listed").path();
        let name = path.to_string_lossy();
        let Some((_, form)) = endings.iter().find(|(ending, _)| name.ends_with(ending)) else { continue };
        let bytes = fs::read(&path).expect("vectors can be read");
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x80;
            found.push(((*form).to_owned(), damaged));
            found.push(((*form).to_owned(), bytes[..at].to_vec()));
        }
        found.push(((*form).to_owned(), bytes));
    }
    for codec in codecs {
        let message = texts(codec);
        let good = (0..20).map(|seed| codec.encode(message, &codec.random(message, seed)).expect("it can be written"));
        found.extend(good.map(|bytes| (codec.plan().form.name.clone(), bytes)));
    }
    found
}

fn texts(codec: &Codec) -> usize {
    let mut messages = 0..codec.plan().messages.len();
    messages.find(|&message| codec.message_name(message).ends_with("Texts")).expect("the schema has it")
}

/// Answers are equal when their values are, or the codes of their faults, and of `bad-text` the places too. `path` is that of
/// the interpreter.
fn assert_equal(answer: &str, wanted: &str, request: &str) {
    let (got, want): (Vec<&str>, Vec<&str>) = (answer.split('\t').collect(), wanted.split('\t').collect());
    match want[..] {
        [_, "error", "bad-text", offset, text] => {
            let path = text.split(": ").next().unwrap_or_default();
            let [_, "error", "bad-text", at, said] = got[..] else { panic!("{request}\n{answer}\n{wanted}") };
            assert!(said.split(' ').any(|word| word.trim_end_matches(':') == path), "{request}\n{answer}\n{wanted}");
            assert!(offset == "-" || at == offset, "{request}\n{answer}\n{wanted}");
        }
        [_, "error", code, ..] => assert!(got[..3] == ["-", "error", code], "{request}\n{answer}\n{wanted}"),
        _ => assert_eq!(answer, wanted, "{request}"),
    }
}

/// Compares a language's answers to messages of these schemas.
fn agrees(lang: &str, schemas: &[Vectors]) {
    for (schema, endings) in schemas {
        let path = root().join("conformance/vectors/text").join(schema);
        let schema = path.to_string_lossy();
        let folder = built(lang, &schema);
        let codecs = || {
            let codecs = plans(&schema).into_iter().map(Codec::new);
            codecs.map(|mut codec| {
                codec.strict_text = true;
                codec
            })
        };
        let codecs: Vec<Codec> = codecs().collect();
        let name = codecs[0].message_name(texts(&codecs[0])).to_owned();
        let mut requests = String::new();
        for (form, bytes) in messages(&codecs, &path, endings) {
            let hex = to_hex(&bytes);
            for (verb, to) in [("convert", form.as_str()), ("view", &form), ("convert", "json")] {
                writeln!(requests, "-\t{verb}\t{name}\t{form}\t{to}\t{hex}").expect("there is memory");
            }
        }
        let reference = Testee::new(codecs);
        let answers = asked(&folder, requests.clone());
        assert_eq!(answers.lines().count(), requests.lines().count(), "{schema}: every request is answered");
        let (mut refused, mut taken) = (0, 0);
        for (request, answer) in requests.lines().zip(answers.lines()) {
            let wanted = reference.answer(request.as_bytes());
            assert_equal(answer, &wanted, request);
            refused += u32::from(wanted.contains("\tbad-text\t"));
            taken += u32::from(wanted.contains("\tok\t"));
        }
        assert!(refused > 100 && taken >= 60, "{schema}: {refused} refused, {taken} taken");
    }
}

#[test]
fn erlang() {
    agrees("erlang", &SCHEMAS);
}

#[test]
fn elixir() {
    agrees("elixir", &SCHEMAS);
}

#[test]
fn cpp() {
    agrees("cpp", &SCHEMAS);
}

#[test]
fn javascript() {
    agrees("javascript", &SCHEMAS);
}

#[test]
fn java() {
    agrees("java", &SCHEMAS);
}

#[test]
fn python() {
    agrees("python", &SCHEMAS);
}

#[test]
fn csharp() {
    if aldis_testkit::has_dotnet() {
        agrees("csharp", &SCHEMAS);
    }
}
