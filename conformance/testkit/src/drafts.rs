//! Messages for the tests of drafts, which set each field of one message in another.

use std::fs;
use std::path::Path;

/// Schemas of all forms that have drafts, with fields of all kinds.
pub const SCHEMAS_OF_DRAFTS: [&str; 13] = [
    "conformance/schemas/market.xml",
    "conformance/schemas/market.fbe",
    "conformance/schemas/market.capnp",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/features/sbe_array.xml",
    "conformance/features/sbe_big_endian.xml",
    "conformance/features/sbe_chars.xml",
    "conformance/features/sbe_null.xml",
    "conformance/features/fbe_decimal.fbe",
    "conformance/features/fbe_uuid.fbe",
    "conformance/features/capnp_bool.capnp",
    "conformance/features/capnp_default.capnp",
    "conformance/features/capnp_group.capnp",
];

/// Writes two messages into a folder, of the values that two seeds give, and tells the names of their files: `encoded` gives the bytes
/// of a seed's message, and nothing where that value cannot be written.
pub fn two_messages(folder: &Path, name: &str, encoded: impl Fn(u64) -> Option<Vec<u8>>) -> Vec<String> {
    let write = |seed| {
        let file = format!("{name}_{seed}.bin");
        fs::write(folder.join(&file), encoded(seed)?).expect("the message can be written");
        Some(file)
    };
    [3, 8].into_iter().filter_map(write).collect()
}
