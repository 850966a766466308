//! Captured packets of any bytes: files of pcap and pcapng, packed and not, headers, and streams of TCP.
#![no_main]

use aldis_captures::{Capture, Event, Filter};
use libfuzzer_sys::fuzz_target;
use std::convert::Infallible;
use std::ops::ControlFlow;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut capture) = Capture::new(bytes, Filter::default()) else { return };
    let _ = capture.each(|event| -> ControlFlow<Infallible> {
        if let Event::Bytes { bytes, .. } = event {
            assert!(!bytes.is_empty(), "a stream tells of nothing");
        }
        ControlFlow::Continue(())
    });
});
