//! How much went, and how fast, for people.

use crate::output::count;
use std::fmt;
use std::time::Duration;

/// Messages and their bytes in a time.
pub struct Rates {
    pub messages: u64,
    pub bytes: u64,
    pub time: Duration,
}

impl Rates {
    pub fn messages_per_second(&self) -> f64 {
        self.messages as f64 / self.time.as_secs_f64().max(1e-9)
    }

    pub fn bytes_per_second(&self) -> f64 {
        self.bytes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages = count(self.messages as usize, "message");
        let seconds = self.time.as_secs_f64();
        write!(f, "{messages}, {}B in {seconds:.2} s: ", scaled(self.bytes as f64))?;
        write!(f, "{}messages/s, {}B/s", scaled(self.messages_per_second()), scaled(self.bytes_per_second()))
    }
}

/// Three digits and the unit's prefix: `1.23 M`, `45.6 k`, `789 `.
pub fn scaled(value: f64) -> String {
    let (number, prefix) = match value {
        v if v >= 1e9 => (v / 1e9, "G"),
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e3 => (v / 1e3, "k"),
        v => return format!("{v:.0} "),
    };
    let digits = if number >= 100.0 { 0 } else { usize::from(number < 10.0) + 1 };
    format!("{number:.digits$} {prefix}")
}

#[cfg(test)]
mod tests {
    use super::{scaled, Rates};
    use std::time::Duration;

    #[test]
    fn numbers_have_three_digits() {
        let all = [0.0, 999.0, 1234.0, 45_600.0, 789_000.0, 1.5e6, 2.0e9];
        assert_eq!(all.map(scaled), ["0 ", "999 ", "1.23 k", "45.6 k", "789 k", "1.50 M", "2.00 G"]);
        let rates = Rates { messages: 2000, bytes: 64_000, time: Duration::from_millis(500) };
        assert_eq!(rates.to_string(), "2000 messages, 64.0 kB in 0.50 s: 4.00 kmessages/s, 128 kB/s");
    }
}
