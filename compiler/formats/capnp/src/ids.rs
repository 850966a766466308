//! Ids of declarations that do not choose one: the first eight bytes of an MD5 digest, top bit set. What is digested is
//! the parent's id in little-endian order, then what tells its children apart.

use crate::model::NodeId;

/// Set in every id.
pub(crate) const TOP_BIT: u64 = 1 << 63;

/// The id of a type, constant or annotation declared as `name` in `parent`.
pub(crate) fn child(parent: NodeId, name: &str) -> NodeId {
    derived(&[&parent.to_le_bytes(), name.as_bytes()])
}

/// The id of the group or named union at `index` among the fields of `parent`.
pub(crate) fn group(parent: NodeId, index: u16) -> NodeId {
    derived(&[&parent.to_le_bytes(), &index.to_le_bytes()])
}

/// The id of the struct of a method's parameters, or of its results.
pub(crate) fn method_struct(interface: NodeId, ordinal: u16, is_results: bool) -> NodeId {
    derived(&[&interface.to_le_bytes(), &ordinal.to_le_bytes(), &[u8::from(is_results)]])
}

/// An id to suggest for a file that has none: the same for the same text under the same name.
pub(crate) fn suggested(name: &str, text: &str) -> NodeId {
    derived(&[name.as_bytes(), text.as_bytes()])
}

fn derived(parts: &[&[u8]]) -> NodeId {
    let digest = md5(&parts.concat());
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_be_bytes(first) | TOP_BIT
}

/// How far each of the 64 steps rotates, four of a round in turn (RFC 1321, section 3.4).
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The MD5 digest of `message` (RFC 1321).
fn md5(message: &[u8]) -> [u8; 16] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend_from_slice(&(message.len() as u64).wrapping_mul(8).to_le_bytes());
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in padded.chunks_exact(64) {
        md5_block(&mut state, block);
    }
    let mut digest = [0; 16];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&u32::to_le_bytes(word));
    }
    digest
}

fn md5_block(state: &mut [u32; 4], block: &[u8]) {
    let word = |i: usize| u32::from_le_bytes([block[4 * i], block[4 * i + 1], block[4 * i + 2], block[4 * i + 3]]);
    let [mut a, mut b, mut c, mut d] = *state;
    for step in 0..64 {
        let (mixed, index) = match step / 16 {
            0 => (b & c | !b & d, step),
            1 => (b & d | c & !d, (5 * step + 1) % 16),
            2 => (b ^ c ^ d, (3 * step + 5) % 16),
            _ => (c ^ (b | !d), 7 * step % 16),
        };
        // The table of RFC 1321: the integer part of 2^32 times |sin(step + 1)|.
        let sine = (((step + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
        let sum = a.wrapping_add(mixed).wrapping_add(sine).wrapping_add(word(index));
        (a, d, c) = (d, c, b);
        b = b.wrapping_add(sum.rotate_left(ROTATIONS[step / 16][step % 4]));
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(add);
    }
}

#[cfg(test)]
mod tests {
    use super::{child, group, md5, method_struct};

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn digests_are_those_of_rfc_1321() {
        assert_eq!(hex(&md5(b"")), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(&md5(b"message digest")), "f96b697d7cb7938d525a2f31aaf161d0");
        let digits = "1234567890".repeat(8);
        assert_eq!(hex(&md5(digits.as_bytes())), "57edf4a22be3c955ac49da2e2107b67a");
    }

    /// The ids that `capnp compile` gives for `struct Svc { m0 @0 … }`-like declarations.
    #[test]
    fn ids_are_those_of_the_reference() {
        let file = 0xa1c0_ffee_0000_0081;
        let service = child(file, "Svc");
        assert_eq!(service, 0xd4f5_23e6_9fa9_5f63);
        assert_eq!(method_struct(service, 0, false), 0x82dc_3a0b_7b41_cd5f);
        assert_eq!(method_struct(service, 0, true), 0xf997_c1b8_b2cc_3118);
        assert_eq!(group(child(file, "WithAnn"), 3), 0xa878_253a_642f_9d70);
    }
}
