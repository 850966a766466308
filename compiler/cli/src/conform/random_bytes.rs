//! Damage to bytes, the same for the same seed on every machine.

/// SplitMix64: small, and good enough to choose places.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// `bytes` damaged in one of the ways in which bytes are damaged: cut, a bit turned, a number made extreme, a piece
/// taken out or put in.
pub fn damage(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    if bytes.is_empty() {
        damaged.push(dice.next() as u8);
        return damaged;
    }
    let at = dice.below(bytes.len());
    match dice.below(6) {
        0 => damaged.truncate(at),
        1 => damaged[at] ^= 1 << dice.below(8),
        2 => damaged[at] = dice.next() as u8,
        3 => {
            let width = 1 << dice.below(4);
            let fill = [0x00, 0xFF, 0x7F, 0x80][dice.below(4)];
            damaged.iter_mut().skip(at).take(width).for_each(|byte| *byte = fill);
        }
        4 => {
            let end = (at + 1 + dice.below(8)).min(bytes.len());
            damaged.drain(at..end);
        }
        _ => {
            damaged.insert(at, dice.next() as u8);
        }
    }
    damaged
}

#[cfg(test)]
mod tests {
    use super::{damage, Dice};

    #[test]
    fn the_same_seed_does_the_same_damage() {
        let bytes: Vec<u8> = (0..100).collect();
        let run = |seed| {
            let mut dice = Dice::new(seed);
            (0..50).map(|_| damage(&bytes, &mut dice)).collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(run(1).iter().filter(|damaged| **damaged != bytes).count() > 40);
        damage(&[], &mut Dice::new(3));
    }
}
