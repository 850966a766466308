//! The part of the command line that is about captured traffic.

use crate::failure::{Failure, Outcome};
use aldis_captures::Filter;
use clap::{Args, ValueEnum};
use std::net::IpAddr;

/// The values of `--input`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InputKind {
    /// Messages, and nothing around them but their frames.
    #[default]
    Raw,
    /// Captured packets: pcap or pcapng, packed by gzip or zstd or not.
    #[value(alias = "pcapng")]
    Pcap,
}

/// Messages in captured packets.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Captures")]
pub struct TrafficArgs {
    /// The kind of file. In captured packets (pcap or pcapng) the payloads of UDP and TCP are read; TCP is put together.
    #[arg(long, value_enum, default_value_t)]
    pub input: InputKind,

    /// Only packets from or to this port; may be given several times.
    #[arg(long, value_name = "PORT")]
    port: Vec<u16>,

    /// Only packets from or to this address, as a multicast group; may be given several times.
    #[arg(long, value_name = "ADDRESS")]
    group: Vec<IpAddr>,

    /// Only packets from this time on: 2026-11-23T14:30:00.5Z, or seconds since 1970.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<u64>,

    /// Only packets before this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<u64>,

    /// The record of the schema that every datagram begins with, in front of its messages; its bytes lie there alone,
    /// without a message header.
    #[arg(long, value_name = "RECORD")]
    pub packet_header: Option<String>,

    /// The member of the packet header that counts the datagrams of a channel, so that missing ones are told; the first
    /// one called like a sequence number when not given.
    #[arg(long, value_name = "MEMBER", requires = "packet_header")]
    pub sequence: Option<String>,
}

impl TrafficArgs {
    pub fn is_capture(&self) -> bool {
        self.input == InputKind::Pcap
    }

    pub fn filter(&self) -> Filter {
        Filter { ports: self.port.clone(), hosts: self.group.clone(), from: self.from, until: self.until }
    }

    /// Refuses what is about packets, where there are none.
    pub fn check(&self) -> Outcome {
        let given = [
            ("--port", !self.port.is_empty()),
            ("--group", !self.group.is_empty()),
            ("--from", self.from.is_some()),
            ("--until", self.until.is_some()),
            ("--packet-header", self.packet_header.is_some()),
        ];
        match given.iter().find(|(_, given)| *given && !self.is_capture()) {
            Some((name, _)) => Err(Failure::Usage(format!("{name} is about captured packets: say --input pcap"))),
            None => Ok(()),
        }
    }
}

const SECOND: u64 = 1_000_000_000;

/// Nanoseconds since 1970.
fn time(text: &str) -> Result<u64, String> {
    let wrong = || "write it as 2026-11-23T14:30:00Z, with decimals or without, or as seconds since 1970".to_owned();
    let seconds = match text.strip_suffix('Z').and_then(|text| text.split_once('T')) {
        Some((day, clock)) => {
            let (clock, rest) = clock.split_once('.').map_or((clock, None), |(clock, rest)| (clock, Some(rest)));
            let numbers = |text: &str, separator| -> Option<Vec<u64>> {
                text.split(separator).map(|part| part.parse().ok()).collect()
            };
            let (day, clock) = numbers(day, '-').zip(numbers(clock, ':')).ok_or_else(wrong)?;
            let seconds = days(&day).zip(of_day(&clock)).map(|(days, rest)| days * 86_400 + rest);
            format!("{}.{}", seconds.ok_or_else(wrong)?, rest.unwrap_or("0"))
        }
        None => text.to_owned(),
    };
    let (whole, rest) = seconds.split_once('.').unwrap_or((&seconds, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(rest) || rest.len() > 9 {
        return Err(wrong());
    }
    let nanos: u64 = format!("{rest:0<9}").parse().map_err(|_| wrong())?;
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    whole.checked_mul(SECOND).and_then(|whole| whole.checked_add(nanos)).ok_or_else(wrong)
}

/// Days from 1970 to a date of the Gregorian calendar.
fn days(date: &[u64]) -> Option<u64> {
    let &[year, month, day] = date else { return None };
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let of_month = |month: u64| match month {
        2 => 28 + u64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1970..=2500).contains(&year) || !(1..=12).contains(&month) || !(1..=of_month(month)).contains(&day) {
        return None;
    }
    let years: u64 = (1970..year).map(|year| 365 + u64::from(is_leap(year))).sum();
    Some(years + (1..month).map(of_month).sum::<u64>() + day - 1)
}

fn of_day(clock: &[u64]) -> Option<u64> {
    match clock {
        &[hour @ 0..=23, minute @ 0..=59, second @ 0..=59] => Some((hour * 60 + minute) * 60 + second),
        _ => None,
    }
}

/// A time as [`time`] reads it.
pub fn shown(nanos: u64) -> String {
    let (seconds, rest) = (nanos / SECOND, nanos % SECOND);
    let (mut left, mut year) = (seconds / 86_400, 1970);
    while let Some(next) = days(&[year + 1, 1, 1]).filter(|next| *next <= seconds / 86_400) {
        left = seconds / 86_400 - next;
        year += 1;
    }
    let month = (1..=12).rev().find(|&month| days(&[year, month, 1]).is_some_and(|first| first <= seconds / 86_400));
    let month = month.unwrap_or(1);
    let day = days(&[year, month, 1]).map_or(left, |first| seconds / 86_400 - first) + 1;
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{rest:09}Z")
}

#[cfg(test)]
mod tests {
    use super::{shown, time};

    #[test]
    fn times_are_read_as_they_are_shown() {
        for (text, nanos) in [
            ("1970-01-01T00:00:00.000000000Z", 0),
            ("2000-02-29T12:34:56.000000001Z", 951_827_696_000_000_001),
            ("2026-11-23T14:30:00.500000000Z", 1_795_444_200_500_000_000),
            ("2100-03-01T00:00:00.000000000Z", 4_107_542_400_000_000_000),
        ] {
            assert_eq!((time(text), shown(nanos).as_str()), (Ok(nanos), text));
        }
        assert_eq!(time("1795444200.5"), Ok(1_795_444_200_500_000_000));
        assert_eq!(time("2026-11-23T14:30:00Z"), Ok(1_795_444_200_000_000_000));
        for wrong in ["", "x", "2026-02-29T00:00:00Z", "2026-11-23", "2026-11-23T24:00:00Z", "1.0000000001", "-1"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
