//! Counts along time, or along the bytes of a file, in memory of a fixed size.

/// So many steps at most.
const MOST: usize = 512;

/// The counts of equal steps, each a power of two long. Steps are joined by twos when there are too many.
pub struct Timeline {
    begin: Option<u64>,
    shift: u32,
    steps: Vec<Step>,
}

/// The counts of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub messages: u64,
    pub bytes: u64,
}

impl Timeline {
    /// Begins with steps of two to the power of `shift`.
    pub fn new(shift: u32) -> Self {
        Self { begin: None, shift, steps: Vec::with_capacity(MOST) }
    }

    /// Counts a message at that place.
    #[inline]
    pub fn add(&mut self, at: u64, bytes: u64) {
        let begin = *self.begin.get_or_insert(at);
        // Times before the first are rare and near it.
        let mut index = at.saturating_sub(begin) >> self.shift;
        while index >= MOST as u64 {
            self.join();
            index >>= 1;
        }
        let index = index as usize;
        if index >= self.steps.len() {
            self.steps.resize(index + 1, Step::default());
        }
        self.steps[index].messages += 1;
        self.steps[index].bytes += bytes;
    }

    fn join(&mut self) {
        let sum = |pair: &[Step]| Step {
            messages: pair.iter().map(|step| step.messages).sum(),
            bytes: pair.iter().map(|step| step.bytes).sum(),
        };
        self.steps = self.steps.chunks(2).map(sum).collect();
        self.shift += 1;
    }

    /// The place of the first step, and the length of each.
    pub fn scale(&self) -> (u64, u64) {
        (self.begin.unwrap_or(0), 1 << self.shift)
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::{Timeline, MOST};

    #[test]
    fn steps_are_joined_and_nothing_is_lost() {
        let mut line = Timeline::new(0);
        for at in 0..100_000u64 {
            line.add(1_000_000 + at, 2);
        }
        assert_eq!(line.scale(), (1_000_000, 256));
        assert!(line.steps().len() <= MOST);
        assert_eq!((line.steps()[0].messages, line.steps()[7].bytes), (256, 512));
        assert_eq!(line.steps().iter().map(|step| step.messages).sum::<u64>(), 100_000);
        line.add(u64::MAX, 1);
        line.add(0, 1);
        assert_eq!(line.steps().iter().map(|step| step.messages).sum::<u64>(), 100_002);
    }
}
