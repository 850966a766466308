//! Limits that users set: whatever they are, verdicts are those of the interpreter.

mod common;

use aldis_interpreter::Codec;
use aldis_plan::{Limits, Plan};
use common::{answers, build, plans, stem};
use std::fmt::Write as _;
use std::fs;

const SEEDS: u64 = 12;

/// Numbers of all sizes, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// The bytes as they are, or with one of them changed.
    fn damaged(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        if self.below(3) == 0 && !bytes.is_empty() {
            let at = self.below(bytes.len() as u64) as usize;
            bytes[at] = self.below(256) as u8;
        }
        bytes
    }

    /// Limits, and the options that ask for them.
    fn limits(&mut self, input: u64) -> (Limits, String) {
        let depth = if self.below(2) == 0 { 64 } else { 1 + self.below(4) as u32 };
        let bytes = self.below(8 * input + 1);
        let (limits, option) = match self.below(6) {
            0 => (Limits::default(), "default".to_owned()),
            1 => (Limits::REFERENCE, "reference".to_owned()),
            _ => (Limits { budget_factor: 0, budget_base: bytes, ..Limits::default() }, bytes.to_string()),
        };
        (Limits { depth, ..limits }, format!("#{{limits => {option}, depth => {depth}}}"))
    }
}

/// Terms for `limits_check`: the function that reads, its arguments, and the verdict that it is to find.
fn questions(plan: Plan, message: &str, random: &mut Random, refused: &mut usize) -> String {
    let suffix = if plan.form.suffix.is_empty() { String::new() } else { format!("_{}", plan.form.suffix) };
    let name = message.rsplit('.').next().unwrap_or_default();
    let mut codec = Codec::new(plan);
    let index = codec.message_named(message).expect("there is such a message");
    let mut text = String::new();
    for seed in 0..SEEDS * 20 {
        codec.limits = Limits::default();
        let value = codec.random(index, seed % SEEDS);
        let bytes = random.damaged(codec.encode(index, &value).expect("it can be written"));
        let (limits, options) = random.limits(bytes.len() as u64);
        codec.limits = limits;
        let verdict =
            codec.decode(index, &bytes).map_or_else(|fault| fault.code.as_str().replace('-', "_"), |_| "ok".to_owned());
        *refused += usize::from(verdict.starts_with("too_"));
        let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
        let _ = writeln!(text, "{{'decode_{name}{suffix}', {options}, <<{}>>, {verdict}}}.", bytes.join(","));
    }
    text
}

fn verdicts_are_equal(schema: &str, message: &str) {
    let testee = build(schema, &plans(schema));
    let (mut random, mut refused) = (Random(11), 0);
    let asked: String =
        plans(schema).into_iter().map(|plan| questions(plan, message, &mut random, &mut refused)).collect();
    let module = message.rsplit_once('.').map_or_else(|| stem(schema), |(package, _)| package.to_owned());
    fs::write(testee.join("questions"), format!("{module}.\n{asked}")).expect("questions can be written");
    assert!(refused > 20, "the limits say little: {refused}");
    answers(&testee, "limits_check", 100);
}

#[test]
fn of_fbe() {
    verdicts_are_equal("conformance/vectors/fbe/proto.fbe", "proto.Account");
}

#[test]
fn of_fbe_that_recurses_and_has_elements_without_bytes() {
    verdicts_are_equal("conformance/schemas/fbe/empties.fbe", "empties.Many");
}

#[test]
fn of_sbe() {
    verdicts_are_equal("conformance/schemas/market.xml", "market.Account");
}

#[test]
fn of_sbe_whose_groups_had_no_bytes() {
    verdicts_are_equal("conformance/schemas/sbe/empties.xml", "empties.Many");
}

#[test]
fn of_sbe_without_groups() {
    verdicts_are_equal("conformance/features/sbe_data.xml", "feature.Message");
}

#[test]
fn of_segments() {
    verdicts_are_equal("conformance/schemas/capnp/empties.capnp", "Many");
}
