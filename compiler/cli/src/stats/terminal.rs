//! Statistics as tables for a terminal.

use super::report::Report;
use crate::output::count;
use crate::rates::{scaled, Rates};
use crate::table::Table;
use std::time::Duration;

/// The report's text.
pub fn text(report: &Report) -> String {
    let mut text = format!("{}: {}", report.input, headline(report));
    text.push('\n');
    if !report.kinds.is_empty() {
        text.push('\n');
        text.push_str(&kinds(report));
    }
    let remarks = [
        (report.newer, "of versions newer than all schemas: the newest read what it knows of them"),
        (report.unknown, "with ids that no schema has"),
        (report.damaged, "damaged"),
    ];
    for (number, what) in remarks.into_iter().filter(|(number, _)| *number > 0) {
        text.push_str(&format!("\n{} {what}", count(number as usize, "message")));
    }
    for damaged in &report.first_damaged {
        let (index, offset, fault) = (damaged.index, damaged.offset, &damaged.fault);
        let place = match (damaged.packet, &damaged.channel) {
            (Some(packet), Some(channel)) => format!("packet {packet}, {channel}, byte {offset}"),
            _ => format!("stream byte {offset}"),
        };
        text.push_str(&format!("\n  message {index}, {place}: {fault}"));
    }
    if remarks.iter().any(|(number, _)| *number > 0) {
        text.push('\n');
    }
    if !report.channels.is_empty() {
        text.push('\n');
        text.push_str(&channels(report));
    }
    text
}

/// How many messages, how long and how fast.
pub fn headline(report: &Report) -> String {
    match (&report.from, &report.until, report.seconds) {
        (Some(from), Some(until), Some(seconds)) if seconds > 0.0 => {
            let time = Duration::from_secs_f64(seconds);
            let rates = Rates { messages: report.messages, bytes: report.bytes, time };
            format!("{rates}\n{from} to {until}")
        }
        _ => {
            format!("{}, {}B", count(report.messages as usize, "message"), scaled(report.bytes as f64))
        }
    }
}

fn kinds(report: &Report) -> String {
    let mut table = Table::new(&[
        "message",
        ">schema",
        ">version",
        ">id",
        ">messages",
        ">share",
        ">bytes",
        ">mean",
        ">least",
        ">most",
        ">damaged",
    ]);
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    for kind in &report.kinds {
        table.row(vec![
            kind.name(),
            number(kind.schema),
            kind.version_text(),
            number(kind.id),
            kind.messages.to_string(),
            share(kind.messages, report.messages),
            kind.bytes.to_string(),
            (kind.bytes / kind.messages.max(1)).to_string(),
            kind.smallest.to_string(),
            kind.largest.to_string(),
            kind.damaged.to_string(),
        ]);
    }
    table.render("")
}

/// Percents.
pub fn share(part: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64)
}

fn channels(report: &Report) -> String {
    let mut table = Table::new(&["channel", ">messages", ">gaps", ">missing", "", ">late", ">restarts"]);
    for channel in &report.channels {
        table.row(vec![
            channel.channel.clone(),
            channel.messages.to_string(),
            channel.gaps.to_string(),
            channel.missing.to_string(),
            if channel.missing > 0 { channel.unit.to_owned() } else { String::new() },
            channel.late.to_string(),
            channel.restarts.to_string(),
        ]);
    }
    table.render("")
}
