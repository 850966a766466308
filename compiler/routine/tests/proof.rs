//! The lowering, proven: what the routines give is what the interpreter gives.

mod common;

use aldis_plan::Format;
use common::damage::{apply, damage, Damage};
use common::{limits, Pair};
use proptest::prelude::*;

/// Random values of all messages, whole and damaged, by routines and by the interpreter.
fn check(format: &dyn Format, schema: &str, seed: u64, damages: &[Vec<Damage>]) {
    for mut pair in Pair::of(format, schema) {
        for message in 0..pair.codec.plan().messages.len() {
            let value = pair.codec.random(message, seed);
            let bytes = pair.codec.encode(message, &value).unwrap();
            pair.agrees(message, &bytes, &limits());
            for damage in damages {
                let mut bytes = bytes.clone();
                damage.iter().for_each(|one| apply(&mut bytes, pair.codec.plan(), message, one));
                pair.agrees(message, &bytes, &limits());
            }
        }
    }
}

proptest! {
    #![proptest_config(common::cases(60))]

    #[test]
    fn sbe_is_read_as_the_interpreter_reads_it(
        schema in aldis_schemagen::sbe::schema(),
        seed: u64,
        damages in prop::collection::vec(damage(), 8),
    ) {
        check(&aldis_sbe::SBE, &schema, seed, &damages);
    }

    #[test]
    fn fbe_is_read_as_the_interpreter_reads_it(
        schema in aldis_schemagen::fbe::schema(),
        seed: u64,
        damages in prop::collection::vec(damage(), 8),
    ) {
        check(&aldis_fbe::FBE, &schema, seed, &damages);
    }
}

proptest! {
    // Messages of segments hold more, and take longer.
    #![proptest_config(ProptestConfig { cases: common::cases(60).cases / 5, ..common::cases(60) })]

    #[test]
    fn capnp_is_read_as_the_interpreter_reads_it(
        schema in aldis_schemagen::capnp::schema(),
        seed: u64,
        damages in prop::collection::vec(damage(), 3),
    ) {
        check(&aldis_capnp::CAPNP, &schema, seed, &damages);
    }
}
