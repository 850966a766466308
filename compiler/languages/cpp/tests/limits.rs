//! Limits that users set: whatever they are, verdicts are those of the interpreter.

mod common;

use aldis_interpreter::Codec;
use aldis_plan::Limits;
use common::{compile, headers, plans, root, stem};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::{fs, thread};

/// Messages of a schema, each asked about with each of these.
const SEEDS: u64 = 12;

/// Numbers of all sizes, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn limits(&mut self, input: u64) -> Limits {
        let base = match self.below(3) {
            0 => 0,
            1 => self.below(10 * input + 1),
            _ => {
                let scale = self.below(12);
                self.below(64 << scale)
            }
        };
        let depth = if self.below(2) == 0 { 64 } else { self.below(4) as u32 };
        Limits {
            depth,
            budget_factor: self.below(10),
            budget_base: base,
            surcharge: self.below(3) > 0,
            ..Limits::default()
        }
    }

    /// The bytes as they are, or with one of them changed.
    fn damaged(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        if self.below(3) == 0 && !bytes.is_empty() {
            let at = self.below(bytes.len() as u64) as usize;
            bytes[at] = self.below(256) as u8;
        }
        bytes
    }
}

/// The answer that `limits_check.hpp` is to give.
fn expected(codec: &mut Codec, message: usize, bytes: &[u8], limits: Limits, verifies: bool) -> String {
    codec.limits = limits;
    let decoded = codec.decode(message, bytes).map_or_else(|fault| fault.code.as_str(), |_| "ok");
    codec.limits = Limits::default();
    let value = codec.decode(message, bytes);
    codec.limits = limits;
    let encoded = match value {
        Ok((value, _)) => codec.encode(message, &value).map_or_else(|fault| fault.code.as_str(), |_| "ok"),
        Err(_) => "none",
    };
    format!("{decoded} {} {encoded}", if verifies { decoded } else { "-" })
}

/// The program that answers for a message type of a schema, in all forms.
fn program(schema: &str, ty: &str) -> String {
    let (stem, mut forms) = (stem(schema), String::new());
    for plan in plans(schema) {
        let form = &plan.form.name;
        let suffix = form.rsplit_once('-').map_or(String::new(), |(_, suffix)| format!("_{suffix}"));
        let verify = match suffix.as_str() {
            "_packed" => "\"-\"".to_owned(),
            _ => format!("limits_check::verdict({stem}::verify{suffix}<{ty}>(in, most))"),
        };
        let _ = write!(
            forms,
            "{{\"{form}\", limits_check::answering<{ty}>(
    [](auto in, {ty}& value, const auto& most) {{ return {stem}::decode{suffix}(in, value, most); }},
    []([[maybe_unused]] auto in, [[maybe_unused]] const auto& most) {{ return std::string({verify}); }},
    [](const {ty}& value, aldis::buffer& out, const auto& most) {{ return {stem}::encode{suffix}(value, out, most); }})}},\n"
        );
    }
    format!(
        "#include \"{stem}.hpp\"\n#include \"{stem}_view.hpp\"\n#include \"limits_check.hpp\"\n
int main() {{\n    return limits_check::answer_all({{\n{forms}}});\n}}\n"
    )
}

fn verdicts_are_equal(schema: &str, ty: &str, message: &str) {
    let folder = headers(schema, &format!("limits_{}", schema.replace(['/', '.'], "_")));
    let source = folder.join("limits.cpp");
    fs::write(&source, program(schema, ty)).expect("the program can be written");
    let support = root().join("compiler/languages/cpp/tests/cpp");
    let check = compile(&source, &folder, &["-O0", "-I", &support.to_string_lossy()]);
    let (mut questions, mut answers, mut random) = (String::new(), Vec::new(), Random(7));
    for plan in plans(schema) {
        let form = plan.form.name.clone();
        let mut codec = Codec::new(plan);
        let index = codec.message_named(message).expect("there is such a message");
        for seed in 0..SEEDS * 20 {
            codec.limits = Limits::default();
            let value = codec.random(index, seed % SEEDS);
            let bytes = random.damaged(codec.encode(index, &value).expect("it can be written"));
            let limits = random.limits(bytes.len() as u64);
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let Limits { depth, budget_factor, budget_base, surcharge, .. } = limits;
            let _ = writeln!(questions, "{form} {depth} {budget_factor} {budget_base} {} {hex}", u8::from(surcharge));
            let verifies = !form.ends_with("-packed");
            answers.push((expected(&mut codec, index, &bytes, limits, verifies), limits, form.clone(), hex));
        }
    }
    let mut running =
        Command::new(check).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the check starts");
    let mut input = running.stdin.take().expect("it has an input");
    let writer = thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = running.wait_with_output().expect("the check ends");
    writer.join().expect("the writer ends").expect("the questions can be asked");
    assert!(output.status.success());
    let given = String::from_utf8_lossy(&output.stdout);
    assert_eq!(given.lines().count(), answers.len());
    for (given, (wanted, limits, form, hex)) in given.lines().zip(&answers) {
        assert_eq!(given, wanted, "{schema} {form} {limits:?} {hex}");
    }
    let refused = |code: &str| answers.iter().filter(|(answer, ..)| answer.starts_with(code)).count();
    assert!(refused("ok") > 30 && refused("too-large") > 10 && refused("too-deep") > 10, "the limits say little");
}

#[test]
fn of_fbe() {
    verdicts_are_equal("conformance/vectors/fbe/proto.fbe", "proto::Account", "proto.Account");
}

#[test]
fn of_fbe_that_recurses_and_has_elements_without_bytes() {
    verdicts_are_equal("conformance/schemas/fbe/empties.fbe", "empties::Many", "empties.Many");
}

#[test]
fn of_sbe() {
    verdicts_are_equal("conformance/schemas/market.xml", "market::Account", "market.Account");
}

#[test]
fn of_sbe_with_elements_without_bytes() {
    verdicts_are_equal("conformance/schemas/sbe/empties.xml", "empties::Many", "empties.Many");
}

#[test]
fn of_segments() {
    verdicts_are_equal("conformance/schemas/capnp/empties.capnp", "empties::Many", "Many");
}
