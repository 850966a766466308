//! How many messages a second the flat program reads, by turns with the plain evaluator and the interpreter: rows of
//! `name TAB messages TAB nanoseconds` for `bench/rates.py`, behind one with the size of all messages.

use aldis_interpreter::Codec;
use aldis_plan::{ByteOrder, Limits, Scalar};
use aldis_routine::eval::{self, Counter, Flat, Target, Values};
use aldis_routine::{lower, ListType, Value};
use aldis_schema::{Encoding, TypeId};
use std::io::Write as _;
use std::time::Instant;

/// Counts values, as [`Counter`] does, and adds up the bits of all numbers, so that each is loaded.
#[derive(Default)]
struct Sum {
    values: u64,
    bits: u64,
}

impl Target for Sum {
    type Value = ();

    fn null(&mut self) {
        self.values += 1;
    }

    fn scalar(&mut self, _scalar: &Scalar, bits: u64) {
        self.values += 1;
        self.bits = self.bits.wrapping_add(bits);
    }

    fn wide(&mut self, _scalar: &Scalar, _bytes: [u8; 16]) {
        self.values += 1;
    }

    fn bytes(&mut self, bytes: &[u8], _text: Option<Encoding>) {
        self.values += 1;
        self.bits = self.bits.wrapping_add(bytes.len() as u64);
    }

    fn literal(&mut self, _value: &Value) {
        self.values += 1;
    }

    fn row(&mut self, _scalar: &Scalar, bytes: &[u8], _order: ByteOrder) {
        self.values += 1;
        self.bits = self.bits.wrapping_add(bytes.iter().map(|byte| u64::from(*byte)).sum());
    }

    fn record(&mut self, _record: TypeId, _fields: Vec<()>) {
        self.values += 1;
    }

    fn choice(&mut self, _union: TypeId, _tag: u64, _arm: ()) {
        self.values += 1;
    }

    fn opaque(&mut self, _message: &[u8]) {
        self.values += 1;
    }

    fn list(&mut self, _list: &ListType, _elements: Vec<()>) {
        self.values += 1;
    }
}

/// Different messages, again and again.
const MESSAGES: u64 = 1000;
const TIMES: u64 = 20;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let schema = args.next().unwrap_or_else(|| "conformance/schemas/sbe/market-data.xml".to_owned());
    let rounds = args.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(51);
    let files = aldis_testkit::Disk;
    let plan = aldis_testkit::compile(&aldis_sbe::SBE, &schema, &files).remove(0);
    let (module, limits) = (lower(&plan), Limits::default());
    let mut flat = Flat::new(&module).expect("SBE is no form of segments");
    let codec = Codec::new(plan);
    let kinds = codec.plan().messages.len() as u64;
    let messages: Vec<(usize, Vec<u8>)> = (0..MESSAGES)
        .map(|seed| {
            let message = (seed % kinds) as usize;
            (message, codec.encode(message, &codec.random(message, seed)).expect("random values are in bounds"))
        })
        .collect();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", messages.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>() * TIMES)?;
    let mut seen = 0;
    for _ in 0..rounds {
        let mut rate = |name: &str, times: u64, read: &mut dyn FnMut(usize, &[u8]) -> u64| {
            let begin = Instant::now();
            for (message, bytes) in (0..times).flat_map(|_| &messages) {
                seen += read(*message, bytes);
            }
            let taken = begin.elapsed().as_nanos() * u128::from(TIMES / times);
            writeln!(out, "{name}\t{}\t{taken}", MESSAGES * TIMES)
        };
        let mut counter = Counter::default();
        rate("flat, counted", TIMES, &mut |message, bytes| {
            flat.read(message, bytes, &limits, &mut counter).map_or(0, |found| found.size)
        })?;
        let mut sum = Sum::default();
        rate("flat, added up", TIMES, &mut |message, bytes| {
            flat.read(message, bytes, &limits, &mut sum).map_or(0, |found| found.size) + (sum.bits ^ sum.values) % 2
        })?;
        rate("flat, values", TIMES / 4, &mut |message, bytes| {
            flat.read(message, bytes, &limits, &mut Values::new(&module)).map_or(0, |found| found.size)
        })?;
        rate("plain evaluator, counted", TIMES / 10, &mut |message, bytes| {
            eval::read(&module, message, bytes, &limits, &mut counter).map_or(0, |found| found.size)
        })?;
        rate("interpreter, values", TIMES / 4, &mut |message, bytes| {
            codec.decode(message, bytes).map_or(0, |found| found.1 as u64)
        })?;
    }
    // The result is used, so that the compiler leaves nothing out.
    assert!(seen > 0, "nothing was read");
    Ok(())
}
