#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| aldis_fuzz::capnp_schema(data));
