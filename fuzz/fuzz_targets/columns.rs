#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| aldis_fuzz::columns::columns(data));
