//! Choices taken from one number, so that a smaller number makes plainer choices.

/// The rest of the number. When it is used up, every choice is the first, so whatever recurses by choice ends.
#[derive(Clone, Copy, Debug)]
pub struct Choices(pub u128);

impl Choices {
    /// One of `0..count`.
    pub fn take(&mut self, count: usize) -> usize {
        let choice = self.0 % count as u128;
        self.0 /= count as u128;
        choice as usize
    }

    /// True once in `one_in` times.
    pub fn rarely(&mut self, one_in: usize) -> bool {
        self.take(one_in) == one_in - 1
    }

    /// One of some.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.take(all.len())]
    }

    /// The numbers below `count` in some order; in ascending order where nothing is left to choose.
    pub fn order(mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for index in 0..count {
            // Few bits make a whole order: they are mixed anew for each place, unless there are none.
            let other = index + self.take(count - index);
            order.swap(index, other);
            if self.0 != 0 {
                self.0 = self.0.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).rotate_left(64) | 1;
            }
        }
        order
    }
}
