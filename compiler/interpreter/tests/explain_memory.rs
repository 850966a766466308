//! Explanations told one entry after another: the same whatever part of them is asked for, in little memory.

mod common;

use aldis_interpreter::{explain, Codec, Explainer};
use cap::Cap;
use common::{codecs, vectors};
use std::alloc::System;
use std::path::Path;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Every codec of some schemas of each format.
fn all() -> Vec<Codec> {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas");
    let mut all = codecs(&aldis_sbe::SBE, &schemas.join("market.xml"));
    all.extend(codecs(&aldis_sbe::SBE, &vectors("sbe").join("be-all.xml")));
    all.extend(codecs(&aldis_fbe::FBE, &vectors("fbe").join("extra.fbe")));
    all.extend(codecs(&aldis_capnp::CAPNP, &schemas.join("market.capnp")));
    all
}

/// Numbers that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Messages, most of them damaged in a few places: counts, sizes and offsets among them.
fn messages(codec: &Codec, numbers: &mut Numbers) -> Vec<(usize, Vec<u8>)> {
    let mut messages = Vec::new();
    for message in 0..codec.plan().messages.len() {
        for seed in 0..6 {
            let Ok(mut bytes) = codec.encode(message, &codec.random(message, seed)) else { continue };
            for _ in 0..numbers.below(4).min(bytes.len()) {
                let at = numbers.below(bytes.len());
                bytes[at] = [0, 0xFF, 0x20, 0x7F, 1][numbers.below(5)];
            }
            messages.push((message, bytes));
        }
    }
    messages
}

/// One test, since the memory that is limited is that of the whole process.
#[test]
fn damaged_messages_are_explained_in_little_memory_and_in_part() {
    let mut numbers = Numbers(7);
    for codec in all() {
        for (message, bytes) in messages(&codec, &mut numbers) {
            MEMORY.set_limit(MEMORY.allocated() + 64 * bytes.len() + (2 << 20)).unwrap();
            let explainer = Explainer::new(&codec, message, &bytes);
            let mut told = 0;
            explainer.each(usize::MAX, &mut |_| told += 1);
            MEMORY.set_limit(usize::MAX).unwrap();
            assert_eq!(told, explainer.count);
            let whole = explain(&codec, message, &bytes);
            assert_eq!(whole.fault, explainer.fault);
            for most in [0, 1, numbers.below(told)] {
                let mut part = Vec::new();
                explainer.each(most, &mut |entry| part.push(entry));
                assert_eq!(part, whole.entries[..most.min(told)]);
            }
            let unread = whole.entries.iter().rev().take_while(|entry| entry.label == "unread").count();
            assert_eq!(unread, explainer.unread);
        }
    }
    empty_entries();
}

/// A group of many entries without bytes, each of which has rows for all of its fields.
fn empty_entries() {
    let codec = &codecs(&aldis_sbe::SBE, &vectors("sbe").join("dims.xml"))[0];
    let message = (0..codec.plan().messages.len()).max_by_key(|&message| widest(codec, message)).unwrap();
    let mut bytes = codec.encode(message, &codec.random(message, 1)).unwrap();
    bytes.truncate(64);
    for at in 0..bytes.len() - 4 {
        for count in [0x00F0, 0x0FFF, 0x2000, 0xFFFF_u16] {
            let mut changed = bytes.clone();
            changed[at..at + 2].fill(0);
            changed[at + 2..at + 4].copy_from_slice(&count.to_le_bytes());
            MEMORY.set_limit(MEMORY.allocated() + 64 * changed.len() + (4 << 20)).unwrap();
            let explainer = Explainer::new(codec, message, &changed);
            explainer.each(usize::MAX, &mut |entry| drop(entry));
            MEMORY.set_limit(usize::MAX).unwrap();
        }
    }
}

fn widest(codec: &Codec, message: usize) -> usize {
    explain(codec, message, &codec.encode(message, &codec.random(message, 1)).unwrap_or_default()).entries.len()
}
