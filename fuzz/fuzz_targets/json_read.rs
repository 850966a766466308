#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    aldis_fuzz::json(aldis_fuzz::fbe(), data);
    aldis_fuzz::json(aldis_fuzz::sbe(), data);
});
