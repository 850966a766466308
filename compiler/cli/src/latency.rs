//! Latencies as a histogram: figures, and a drawing for the terminal.

use crate::table::Table;
use hdrhistogram::Histogram;
use std::time::Duration;

/// Nanoseconds that are told apart to 1 in 1,000, up to ten minutes.
pub struct Latencies(Histogram<u64>);

/// Longer ones count as so long.
const LONGEST: u64 = 600_000_000_000;
/// Width of the drawing's longest bar, in characters.
const WIDTH: f64 = 40.0;
const QUANTILES: [(&str, f64); 5] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];

impl Latencies {
    pub fn new() -> Self {
        // The bounds are constants that the histogram takes.
        Self(Histogram::new_with_bounds(1, LONGEST, 3).unwrap_or_else(|_| unreachable!("1 < {LONGEST}, 3 digits")))
    }

    /// `count` messages took so long.
    pub fn add(&mut self, latency: Duration, count: u64) {
        let nanoseconds = u64::try_from(latency.as_nanos()).unwrap_or(LONGEST).clamp(1, LONGEST);
        self.0.saturating_record_n(nanoseconds, count);
    }

    /// The names of quantiles, and their latencies in nanoseconds.
    pub fn quantiles(&self) -> [(&'static str, u64); 5] {
        QUANTILES.map(|(name, share)| (name, self.0.value_at_quantile(share)))
    }

    /// A line for each doubling of the latency, and a line of quantiles.
    pub fn draw(&self) -> String {
        let bars: Vec<(u64, u64)> =
            self.0.iter_log(1000, 2.0).map(|v| (v.value_iterated_to(), v.count_since_last_iteration())).collect();
        let seen = |bar: &(u64, u64)| bar.1 > 0;
        let (Some(first), Some(last)) = (bars.iter().position(seen), bars.iter().rposition(seen)) else {
            return String::new();
        };
        let most = bars.iter().map(|bar| bar.1).max().unwrap_or(1);
        let mut table = Table::new(&[">latency", "", ">share"]);
        for (upto, count) in &bars[first..=last] {
            let share = 100.0 * *count as f64 / self.0.len() as f64;
            table.row(vec![format!("≤ {}", time(upto + 1)), bar(*count as f64 / most as f64), format!("{share:.2} %")]);
        }
        let quantiles: Vec<String> =
            self.quantiles().iter().map(|(name, value)| format!("{name} {}", time(*value))).collect();
        format!("{}{}\n", table.render("  "), quantiles.join("   "))
    }
}

/// A bar in eighths of a character; what is there at all shows.
fn bar(share: f64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = ((share * WIDTH * 8.0).round() as usize).max(usize::from(share > 0.0));
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}

/// Nanoseconds in the unit that gives three digits.
pub fn time(nanoseconds: u64) -> String {
    let value = nanoseconds as f64;
    let (number, unit) = match nanoseconds {
        0..1000 => (value, "ns"),
        1000..1_000_000 => (value / 1e3, "µs"),
        1_000_000..1_000_000_000 => (value / 1e6, "ms"),
        _ => (value / 1e9, "s"),
    };
    let digits = if number >= 100.0 || unit == "ns" { 0 } else { usize::from(number < 10.0) + 1 };
    format!("{number:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::{bar, time, Latencies};
    use std::time::Duration;

    #[test]
    fn times_have_three_digits() {
        assert_eq!(
            [7, 1500, 45_600, 123_000_000, 2_000_000_000].map(time),
            ["7 ns", "1.50 µs", "45.6 µs", "123 ms", "2.00 s"]
        );
    }

    #[test]
    fn the_drawing_shows_every_doubling_between_least_and_most() {
        let mut latencies = Latencies::new();
        latencies.add(Duration::from_micros(3), 75);
        latencies.add(Duration::from_micros(30), 25);
        let drawn = latencies.draw();
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 1 + 4 + 1, "{drawn}");
        assert!(lines[1].contains("4.00 µs") && lines[1].contains(&"█".repeat(40)) && lines[1].ends_with("75.00 %"));
        assert!(lines[4].contains("32.0 µs") && lines[4].ends_with("25.00 %"), "{drawn}");
        assert!(lines[5].starts_with("p50 3.00 µs") && lines[5].contains("p90 30.0 µs"), "{drawn}");
        assert_eq!(Latencies::new().draw(), "");
    }

    #[test]
    fn bars_show_what_is_there() {
        assert_eq!((bar(0.0).as_str(), bar(1e-6).as_str(), bar(1.0).chars().count()), ("", "▏", 40));
    }
}
