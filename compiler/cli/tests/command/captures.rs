//! `decode` and `explain` of captured packets, which the tests make.

use super::{aldis, Folder, Run};
use flate2::write::GzEncoder;
use serde_json::Value;
use std::io::Write;
use std::process::Command;

pub const SCHEMA: &str = r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="feed" id="5" version="0" byteOrder="littleEndian">
<types><composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/><type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite></types>
<sbe:message name="Tick" id="1"><field name="price" id="1" type="uint32"/></sbe:message>
<sbe:message name="PacketHeader" id="900"><field name="msgSeqNum" id="1" type="uint32"/><field name="sent" id="2" type="uint64"/></sbe:message>
</sbe:messageSchema>
"#;

/// A message with a length in front of it that counts itself.
pub fn tick(price: u32) -> Vec<u8> {
    [&[14, 0, 4, 0, 1, 0, 5, 0, 0, 0][..], &price.to_le_bytes()].concat()
}

pub fn datagram_of(sequence: u32, prices: &[u32]) -> Vec<u8> {
    let ticks = prices.iter().flat_map(|price| tick(*price));
    [&sequence.to_le_bytes()[..], &7u64.to_le_bytes()].concat().into_iter().chain(ticks).collect()
}

/// A packet of IPv4 over Ethernet: protocol 17 is UDP, 6 is TCP.
fn packet(protocol: u8, ports: (u16, u16), transport: &[u8], payload: &[u8]) -> Vec<u8> {
    let length = (20 + 4 + transport.len() + payload.len()) as u16;
    let ip = [&[0x45, 0][..], &length.to_be_bytes(), &[0, 0, 0x40, 0, 9, protocol, 0, 0, 10, 0, 0, 1, 224, 0, 31, 1]]
        .concat();
    let ports = [ports.0.to_be_bytes(), ports.1.to_be_bytes()].concat();
    [&[1, 0, 0x5e, 0, 31, 1, 2, 2, 2, 2, 2, 2, 8, 0][..], &ip, &ports, transport, payload].concat()
}

pub fn udp(port: u16, payload: &[u8]) -> Vec<u8> {
    let length = (8 + payload.len()) as u16;
    packet(17, (4000, port), &[&length.to_be_bytes()[..], &[0, 0]].concat(), payload)
}

pub fn tcp(port: u16, sequence: u32, payload: &[u8]) -> Vec<u8> {
    let rest = [&sequence.to_be_bytes()[..], &[0, 0, 0, 0, 0x50, 0x10, 9, 9, 0, 0, 0, 0]].concat();
    packet(6, (4000, port), &rest, payload)
}

/// A file of pcap, a packet a second from 2026-11-23T14:30:00Z on.
pub fn pcap(packets: &[Vec<u8>]) -> Vec<u8> {
    let word = |value: u32| value.to_le_bytes();
    let mut file = [word(0xa1b2_c3d4), [2, 0, 4, 0], word(0), word(0), word(65_535), word(1)].concat();
    for (second, packet) in packets.iter().enumerate() {
        let length = word(packet.len() as u32);
        file.extend([word(1_795_444_200 + second as u32), word(0), length, length].concat());
        file.extend(packet);
    }
    file
}

/// The prices that lines tell of, and what else they have.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn prices(text: &str) -> Vec<u64> {
    lines(text).iter().map(|line| line["value"]["price"].as_u64().unwrap()).collect()
}

/// Runs a subcommand on a capture of datagrams with packet headers.
fn on_datagrams(name: &str, subcommand: &str, more: &[&str]) -> Run {
    let packets = [
        udp(5000, &datagram_of(1, &[10, 11])),
        udp(5001, &datagram_of(1, &[90])),
        udp(5000, &datagram_of(2, &[])),
        udp(5000, &datagram_of(5, &[12])),
        udp(5000, &datagram_of(4, &[13])),
    ];
    on_packets(name, subcommand, &pcap(&packets), more)
}

/// Runs a subcommand on a capture with packet headers in its datagrams.
pub fn on_packets(name: &str, subcommand: &str, capture: &[u8], more: &[&str]) -> Run {
    let folder = Folder::new(name);
    let (schema, capture) = (folder.write("feed.xml", SCHEMA), folder.write("feed.pcap", capture));
    let how = ["--input", "pcap", "--framing", "u16le-whole", "--packet-header", "PacketHeader"];
    aldis(&[&[subcommand, "--schema", &schema, &capture][..], &how, more].concat())
}

#[test]
fn datagrams_are_decoded_behind_their_packet_headers_and_missing_ones_are_told() {
    let run = |more: &[&str]| on_datagrams("captures-udp", "decode", more);
    let all = run(&[]);
    assert_eq!((all.code, prices(all.text())), (0, vec![10, 11, 90, 12, 13]), "{}", all.err);
    let channel = "udp 10.0.0.1:4000 > 224.0.31.1:5000";
    for said in [
        format!("packet 4, {channel}: 2 datagrams missing before it"),
        format!("{channel}: 1 gap, 2 datagrams missing, 1 datagram doubled or late"),
    ] {
        assert!(all.err.contains(&said), "{}", all.err);
    }
    assert_eq!(prices(run(&["--port", "5001"]).text()), [90]);
    assert_eq!(prices(run(&["--from", "2026-11-23T14:30:03Z"]).text()), [12, 13]);
    assert_eq!(prices(run(&["--until", "1795444201.5"]).text()), [10, 11, 90]);
    assert!(run(&["--group", "224.0.31.2"]).text().is_empty());
    let first = &lines(run(&["--with-packets"]).text())[0];
    assert_eq!(first["packet"]["number"], 1);
    assert_eq!(first["packet"]["time"], "2026-11-23T14:30:00.000000000Z");
    assert_eq!(first["packet"]["to"], "224.0.31.1:5000");
    assert_eq!(first["packet"]["header"]["msgSeqNum"], 1);
    assert_eq!(first["message"], "feed.Tick");
    let wrong = run(&["--sequence", "seqNum"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("no number `seqNum`; it has msgSeqNum"), "{}", wrong.err);
}

#[test]
fn a_message_of_a_capture_is_explained() {
    let third = on_datagrams("captures-explain", "explain", &["--index", "2"]);
    assert!(third.text().lines().any(|line| line.contains("5a 00 00 00") && line.contains("90")), "{}", third.text());
    let none = on_datagrams("captures-explain", "explain", &["--index", "5"]);
    assert!(none.code == 2 && none.err.contains("has no message 5; it has 5"), "{}", none.err);
}

#[test]
fn streams_are_put_together_and_troubles_have_their_packets() {
    let folder = Folder::new("captures-tcp");
    let schema = folder.write("feed.xml", SCHEMA);
    let stream: Vec<u8> = (0..5).flat_map(tick).collect();
    let packets = [
        tcp(6000, 100, &stream[..20]),
        tcp(6000, 130, &stream[30..]),
        tcp(6000, 120, &stream[20..30]),
        // Nothing leads on to what comes next.
        tcp(6000, 300, &tick(77)),
        udp(5000, &[14, 0, 4]),
    ];
    let capture = folder.write("feed.pcap", pcap(&packets));
    let decode = ["decode", &schema, &capture, "--input", "pcap", "--framing", "u16le-whole"];
    let run = aldis(&decode);
    assert_eq!((run.code, prices(run.text())), (1, vec![0, 1, 2, 3, 4]), "{}", run.err);
    assert!(run.err.contains("packet 4, tcp 10.0.0.1:4000 > 224.0.31.1:6000: 130 bytes missing"), "{}", run.err);
    assert!(
        run.err.contains("packet 5, udp 10.0.0.1:4000 > 224.0.31.1:5000, byte 0: the datagram ends within"),
        "{}",
        run.err
    );
    let cut = folder.write("cut.pcap", &pcap(&packets)[..200]);
    let run = aldis(&["decode", &schema, &cut, "--input", "pcap", "--framing", "u16le-whole"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("the capture ends within a packet"), "{}", run.err);
    let none = aldis(&["decode", &schema, &schema, "--input", "pcapng"]);
    assert!(none.code == 1 && none.err.contains("this is no capture"), "{}", none.err);
    let raw = aldis(&["decode", &schema, &capture, "--port", "1"]);
    assert!(raw.code == 2 && raw.err.contains("say --input pcap"), "{}", raw.err);
}

/// Bytes that a stream misses cost the message that they are of, and the rest of the stream where they are not of one alone:
/// what lies behind them is no message before something says so. It is told, and the exit code is 1.
#[test]
fn a_stream_goes_on_behind_missing_bytes_where_it_is_known_that_a_message_begins() {
    let folder = Folder::new("captures-gaps");
    let schema = folder.write("feed.xml", SCHEMA);
    let stream: Vec<u8> = (0..5).flat_map(tick).collect();
    for (missing, left, said) in [
        (20..25, vec![0, 2, 3, 4], "byte 14: the message misses bytes and is left out"),
        (16..28, vec![0, 2, 3, 4], "byte 14: the message misses bytes and is left out"),
        (15..20, vec![0], "byte 15: nothing says where a message begins"),
        (20..29, vec![0], "byte 20: nothing says where a message begins"),
        (28..42, vec![0, 1], "byte 28: nothing says where a message begins"),
    ] {
        let behind = missing.end + 2;
        let segments = [(0, missing.start), (missing.end, behind), (behind, stream.len())];
        let packets = segments.map(|(from, to)| tcp(6000, 9 + from as u32, &stream[from..to]));
        let capture = folder.write("feed.pcap", pcap(&packets));
        let run = aldis(&["decode", &schema, &capture, "--input", "pcap", "--framing", "u16le-whole"]);
        assert_eq!((run.code, prices(run.text())), (1, left), "{missing:?}: {}", run.err);
        assert!(run.err.contains(said), "{missing:?}: {}", run.err);
    }
    // Two gaps in one message are one lost message.
    let parts = [(0, 16), (18, 20), (22, 70)].map(|(from, to)| tcp(6000, 9 + from as u32, &stream[from..to]));
    let capture = folder.write("feed.pcap", pcap(&parts));
    let run = aldis(&["decode", &schema, &capture, "--input", "pcap", "--framing", "u16le-whole"]);
    assert_eq!((run.code, prices(run.text())), (1, vec![0, 2, 3, 4]), "{}", run.err);
    assert_eq!(run.err.matches("is left out").count(), 1, "{}", run.err);
}

/// If `tshark` is installed, it finds the same payloads.
#[test]
fn tshark_sees_the_same_payloads() {
    let folder = Folder::new("captures-tshark");
    let datagrams: Vec<Vec<u8>> = (1..4).map(|number| datagram_of(number, &[number, number + 1])).collect();
    let capture = folder.write("feed.pcap", pcap(&datagrams.iter().map(|bytes| udp(5000, bytes)).collect::<Vec<_>>()));
    let tshark = Command::new("tshark").args(["-r", &capture, "-T", "fields", "-e", "udp.payload"]).output();
    let Ok(output) = tshark else { return };
    let hex = |bytes: &Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let expected: Vec<String> = datagrams.iter().map(hex).collect();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn numbers_of_datagrams_wrap_and_filters_that_let_nothing_through_are_named() {
    let folder = Folder::new("captures-wrap");
    let schema = folder.write("feed.xml", SCHEMA);
    let numbers = [u32::MAX - 1, u32::MAX, 0, 2];
    let packets: Vec<Vec<u8>> = numbers.iter().map(|&number| udp(5000, &datagram_of(number, &[number]))).collect();
    let capture = folder.write("feed.pcap", pcap(&packets));
    let how = ["--input", "pcap", "--framing", "u16le-whole", "--packet-header", "PacketHeader"];
    let run = aldis(&[&["decode", &schema, &capture][..], &how].concat());
    assert_eq!((run.code, run.text().lines().count()), (0, 4), "{}", run.err);
    assert!(run.err.ends_with("5000: 1 gap, 1 datagram missing\n"), "{}", run.err);
    let none = aldis(&[&["decode", &schema, &capture, "--port", "9", "--port", "10"][..], &how].concat());
    assert_eq!((none.code, none.text()), (0, ""));
    assert!(none.err.contains("no messages: 4 packets of UDP and TCP did not match --port"), "{}", none.err);
}

#[test]
fn streams_without_packets_may_be_packed_too() {
    let folder = Folder::new("captures-raw");
    let schema = folder.write("feed.xml", SCHEMA);
    let stream: Vec<u8> = (0..5).flat_map(tick).collect();
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&stream).unwrap();
    let file = folder.write("feed.bin.gz", packed.finish().unwrap());
    let run = aldis(&["decode", &schema, &file, "--framing", "u16le-whole"]);
    assert_eq!((run.code, prices(run.text())), (0, vec![0, 1, 2, 3, 4]), "{}", run.err);
}

/// The frames of many streams are put together at once, from segments of any size, and those that end are told where.
#[test]
fn frames_of_many_streams_come_in_pieces() {
    let folder = Folder::new("captures-pieces");
    let schema = folder.write("feed.xml", SCHEMA);
    let mut packets = Vec::new();
    for (step, at) in (0..70).step_by(3).enumerate() {
        for port in 6000..6004u16 {
            let stream: Vec<u8> = (0..5).flat_map(|i| tick(u32::from(port) * 10 + i)).collect();
            let end = (at + 3).min(stream.len() - usize::from(port == 6003));
            if step * 3 < end {
                packets.push(tcp(port, 9 + at as u32, &stream[at..end]));
            }
        }
    }
    let capture = folder.write("feed.pcap", pcap(&packets));
    let run = aldis(&["decode", &schema, &capture, "--input", "pcap", "--framing", "u16le-whole"]);
    let mut found = prices(run.text());
    found.sort_unstable();
    let expected: Vec<u64> = (60_000..60_040).filter(|price| price % 10 < 5 && *price != 60_034).collect();
    assert_eq!((run.code, found), (0, expected), "{}", run.err);
    assert!(run.err.contains("6003, stream byte 56: the stream ends within a frame, after 13 bytes"), "{}", run.err);
}
