#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| aldis_fuzz::decode(aldis_fuzz::capnp_packed(), data));
