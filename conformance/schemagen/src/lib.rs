//! Random schemas for property tests, as proptest strategies: a failing one shrinks to few and plain fields.
//!
//! Every schema is valid, so a front end that refuses one is wrong.

pub mod capnp;
pub mod fbe;
pub mod sbe;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The schema of a strategy for a seed: the same for the same seed.
pub fn sample<S: Strategy>(strategy: S, seed: u64) -> S::Value {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    strategy.new_tree(&mut runner).expect("the strategies filter nothing").current()
}
