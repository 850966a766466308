//! Frames of aldis/1 from any bytes: what is read is written as it was, and no split of the stream matters.
#![no_main]

use aldis_transport::{Entries, Frame, Inbox, LENGTH};
use libfuzzer_sys::fuzz_target;

/// All frames of `stream`, which comes in pieces of that size, as bytes again.
fn frames(stream: &[u8], piece: usize) -> (Vec<Vec<u8>>, bool) {
    let mut inbox = Inbox::default();
    let mut all = Vec::new();
    let mut left = stream;
    loop {
        loop {
            match inbox.next_frame() {
                Err(_) => return (all, false),
                Ok(None) => break,
                Ok(Some((kind, body))) => match Frame::decode(kind, body, kind == 0x03 && all.len() % 2 == 1) {
                    Err(_) => return (all, false),
                    Ok(frame) => {
                        if let Frame::Batch(batch) = frame {
                            batch.checksum();
                            let entries = Entries::check(batch.entries, batch.count);
                            assert!(entries.is_none_or(|entries| entries.count() == batch.count as usize));
                        }
                        let mut written = Vec::new();
                        frame.encode(&mut written);
                        assert_eq!(written[LENGTH], kind);
                        assert_eq!(&written[LENGTH + 1..], body);
                        all.push(written);
                    }
                },
            }
        }
        if left.is_empty() {
            return (all, true);
        }
        let room = inbox.room();
        let size = piece.min(left.len()).min(room.len());
        room[..size].copy_from_slice(&left[..size]);
        inbox.came(size);
        left = &left[size..];
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((piece, stream)) = input.split_first() else { return };
    assert_eq!(frames(stream, usize::from(*piece) + 1), frames(stream, usize::MAX));
});
