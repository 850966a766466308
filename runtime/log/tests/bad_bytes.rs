//! Files with any byte changed or any end missing are told about; nothing panics, hangs or invents messages.

use aldis_log::{Folder, Read};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const NEWEST: &str = "00000000000000000013.log";

/// How many messages are read of the first version's vectors once their newest file has other bytes.
fn messages(folder: &Path, bytes: &[u8]) -> usize {
    fs::write(folder.join(NEWEST), bytes).unwrap();
    let mut messages = 0;
    let read = Folder::open(folder).unwrap().read(0, &mut |read| {
        if let Read::Record(record) = read {
            messages += record.messages().count();
        }
        ControlFlow::Continue(())
    });
    assert!(read.unwrap().messages >= messages as u64);
    messages
}

#[test]
fn changed_bytes_never_panic_or_add_messages() {
    let vectors = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/vectors/log-1"));
    let folder = std::env::temp_dir().join(format!("aldis-test-log-bytes-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::copy(vectors.join("00000000000000000001.log"), folder.join("00000000000000000001.log")).unwrap();
    let whole = fs::read(vectors.join(NEWEST)).unwrap();
    assert_eq!(messages(&folder, &whole), 23);
    for at in 0..whole.len() {
        for bits in [1, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= bits;
            // Announcements of epochs hold no messages.
            assert!(messages(&folder, &bytes) <= 23, "byte {at}");
        }
        assert!(messages(&folder, &whole[..at]) < 23, "cut at {at}");
    }
    let seen = whole.len() - 1;
    assert_eq!(messages(&folder, &whole[..seen]), 22);
    fs::remove_dir_all(&folder).unwrap();
}

/// Every 80 bytes behind the damage look like the begin of a record that is as long as the file, and only the last one is whole.
#[test]
fn records_are_found_behind_crafted_ones_in_time() {
    let vectors = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/vectors/log-1"));
    let folder = std::env::temp_dir().join(format!("aldis-test-log-crafted-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::copy(vectors.join("00000000000000000001.log"), folder.join("00000000000000000001.log")).unwrap();
    let whole = fs::read(vectors.join(NEWEST)).unwrap();
    let salt: [u8; 4] = whole[12..16].try_into().unwrap();
    let first = (16..whole.len()).find(|at| whole[*at..].starts_with(&salt)).unwrap();
    let count = 20_000;
    let mut bytes = whole[..first].to_vec();
    for at in 0..count {
        let mut fake = whole[first..first + 80].to_vec();
        fake[4] ^= 0xFF;
        fake[8..12].copy_from_slice(&u32::try_from((count - at) * 80 - 12).unwrap().to_le_bytes());
        bytes.extend(fake);
    }
    bytes.extend(&whole[first..]);
    let begin = std::time::Instant::now();
    assert_eq!(messages(&folder, &bytes), 23);
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    fs::remove_dir_all(&folder).unwrap();
}

/// A log that runs removes its oldest file, and cuts it off, while somebody reads it: nothing is damaged.
#[test]
fn a_file_that_is_removed_while_it_is_read_is_not_damaged() {
    let vectors = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/vectors/log-1"));
    let folder = std::env::temp_dir().join(format!("aldis-test-log-removed-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::copy(vectors.join(NEWEST), folder.join(NEWEST)).unwrap();
    let oldest = folder.join("00000000000000000001.log");
    let whole = fs::read(vectors.join("00000000000000000001.log")).unwrap();
    for is_removed in [false, true] {
        fs::write(&oldest, &whole[..whole.len() - 1]).unwrap();
        let (mut records, mut findings) = (0, 0);
        let read = Folder::open(&folder).unwrap().read(0, &mut |read| {
            match read {
                Read::Record(_) => records += 1,
                Read::Finding(_) => findings += 1,
            }
            if is_removed && oldest.exists() {
                fs::remove_file(&oldest).unwrap();
            }
            ControlFlow::Continue(())
        });
        assert_eq!((read.unwrap().damaged > 0, findings > 0), (!is_removed, !is_removed));
        assert!(records > 1);
    }
    fs::remove_dir_all(&folder).unwrap();
}
