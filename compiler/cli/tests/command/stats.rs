//! `aldis stats`.

use super::captures::{datagram_of, on_packets, pcap, tcp, tick, udp};
use super::schemas::{message, sbe};
use super::{aldis, Folder};
use serde_json::Value;
use std::fs;

fn rows<'t>(text: &'t str, name: &str) -> Vec<Vec<&'t str>> {
    text.lines().filter(|line| line.starts_with(name)).map(|line| line.split_whitespace().collect()).collect()
}

/// The page has all tables and plots, and needs nothing but itself.
fn assert_page(html: &str) {
    assert_eq!(html.matches("<svg").count(), 4);
    for part in [
        "Messages per second",
        "unknown id 77",
        "packet 8, udp 10.0.0.1:4000 &gt; 224.0.31.1:5002",
        "2 datagrams",
        "prefers-color-scheme: dark",
        "width=device-width",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("src=") && !html.contains("href="), "the page needs nothing else");
}

#[test]
fn kinds_versions_damage_and_gaps_are_counted() {
    let channel = [(1, vec![10, 11]), (2, vec![]), (5, vec![12]), (4, vec![13])];
    let mut packets: Vec<Vec<u8>> =
        channel.iter().map(|(number, prices)| udp(5000, &datagram_of(*number, prices))).collect();
    let mut unknown = tick(1);
    unknown[4] = 77;
    let mut newer = tick(2);
    newer[8] = 3;
    packets.push(udp(5001, &[datagram_of(1, &[]), unknown, newer, vec![6, 0, 1, 0, 1, 0]].concat()));
    // Of the second message of the stream 7 bytes are missing.
    packets.push(tcp(6000, 100, &[&tick(5)[..], &tick(8)[..4]].concat()));
    packets.push(tcp(6000, 125, &[&tick(8)[11..], &tick(6)[..]].concat()));
    let run = |more: &[&str]| on_packets("stats-capture", "stats", &pcap(&packets), more);
    let all = run(&[]);
    assert_eq!(all.code, 1, "{}", all.err);
    let text = all.text();
    assert!(
        text.contains("9 messages") && text.contains("2026-11-23T14:30:00.000000000Z to 2026-11-23T14:30:06"),
        "{text}"
    );
    assert_eq!(rows(text, "feed.Tick")[0][1..5], ["5", "0", "1", "6"], "{text}");
    assert_eq!(rows(text, "feed.Tick")[1][1..6], ["5", "3", "(newer)", "1", "1"], "{text}");
    assert_eq!(rows(text, "unknown id 77")[0][3..6], ["5", "0", "77"], "{text}");
    assert!(text.contains("5001, byte 42: the message ends within its header"), "{text}");
    assert_eq!(
        rows(text, "udp 10.0.0.1:4000 > 224.0.31.1:5000")[0][4..],
        ["4", "1", "2", "datagrams", "1", "0"],
        "{text}"
    );
    assert_eq!(rows(text, "tcp 10.0.0.1:4000 > 224.0.31.1:6000")[0][4..8], ["2", "1", "7", "bytes"], "{text}");
    let json: Value = serde_json::from_str(run(&["--json"]).text()).unwrap();
    assert_eq!(
        (&json["messages"], &json["newer"], &json["unknown"], &json["damaged"]),
        (&9.into(), &1.into(), &1.into(), &1.into())
    );
    assert_eq!(json["firstDamaged"][0]["packet"], 5);
    // The page says what the command says beside its tables: here, that a datagram and a stream lost messages.
    packets.push(udp(5002, &[datagram_of(1, &[7]), vec![14, 0, 4]].concat()));
    let run = |more: &[&str]| on_packets("stats-capture", "stats", &pcap(&packets), more);
    let json: Value = serde_json::from_str(run(&["--json"]).text()).unwrap();
    let lost = json["firstLost"].as_array().unwrap();
    assert!(
        json["lost"] == lost.len()
            && all.err.lines().filter(|line| line.starts_with("error: ")).count() + 1 == lost.len(),
        "{}",
        all.err
    );
    assert!(
        lost.iter()
            .any(|place| place.as_str().unwrap().starts_with("packet 8, udp 10.0.0.1:4000 > 224.0.31.1:5002, byte 26")),
        "{lost:?}"
    );
    let counts: Vec<u64> =
        json["timeline"]["messages"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!(counts.iter().sum::<u64>(), 10);
    let folder = Folder::new("stats-page");
    let page = folder.write("stats.html", "");
    run(&["--html", &page]);
    let html = fs::read_to_string(&page).unwrap();
    assert_page(&html);
}

#[test]
fn damage_within_messages_is_found_where_it_is_looked_for() {
    let folder = Folder::new("stats-verify");
    let (schema, other) = (folder.write("5.xml", sbe(5, 2)), folder.write("6.xml", sbe(6, 0)));
    let mut cut = message(5, 2);
    cut.truncate(cut.len() - 4);
    cut[0] -= 4;
    let stream = [message(5, 2), cut, message(6, 0), message(5, 0)].concat();
    let feed = folder.write("feed.bin", &stream);
    let stats = ["stats", &feed, "--schema", &schema, "--schema", &other, "--framing", "u16le"];
    let (heads, all) = (aldis(&stats), aldis(&[&stats[..], &["--verify"]].concat()));
    assert_eq!((heads.code, all.code), (0, 1), "{}{}", heads.err, all.err);
    assert_eq!(rows(heads.text(), "s5.Tick").len(), 2);
    assert_eq!(rows(heads.text(), "s6.Tick")[0][4], "1");
    assert!(all.text().contains("1 message damaged\n  message 1, stream byte 24: truncated"), "{}", all.text());
    // Messages that are whole before a cut are counted.
    let cut = folder.write("cut.bin", &stream[..stream.len() - 1]);
    let run = aldis(&["stats", &cut, "--schema", &schema, "--schema", &other, "--framing", "u16le"]);
    assert!(
        run.code == 1 && run.text().contains("3 messages") && run.err.contains("ends within a frame"),
        "{}",
        run.err
    );
}
