#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| aldis_fuzz::schema(&aldis_fbe::FBE, data));
