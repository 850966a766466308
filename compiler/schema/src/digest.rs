//! The digest that tells whether two builds saw the same schema.

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// 64-bit FNV-1a over all texts in order, as 16 lower-case hex digits. Each text is closed by a byte that UTF-8 never
/// has, so that moving text from one file to the next changes the digest.
pub fn digest(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0xFF]));
    let hash = bytes.fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn nothing_is_the_offset_basis() {
        assert_eq!(digest(&[]), "cbf29ce484222325");
    }

    #[test]
    fn order_and_boundaries_matter() {
        let all =
            [digest(&["ab", "c"]), digest(&["a", "bc"]), digest(&["c", "ab"]), digest(&["abc"]), digest(&["abc", ""])];
        for (i, one) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|other| other != one), "{i}: {one}");
        }
    }
}
