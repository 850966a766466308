//! Dissectors in `tshark`, and what they show.

// Each test takes what it needs.
#![allow(dead_code)]

pub mod values;

use aldis_emit::{Language, Request};
use aldis_plan::Plan;
use aldis_testkit::{fresh, request};
use aldis_wireshark::WIRESHARK;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Whether `tshark` is there; a test without it says that it was skipped.
#[allow(clippy::print_stderr)]
pub fn has_tshark() -> bool {
    let found = Command::new("tshark").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: there is no tshark; `make setup` installs it");
    }
    found
}

/// An item of a packet's tree.
#[derive(Clone, Debug, Default)]
pub struct Item {
    pub name: String,
    /// The value as display filters have it.
    pub show: String,
    /// The line in the tree, without the marks of generated items.
    pub text: String,
    /// The bytes, in hexadecimal digits.
    pub bytes: String,
    pub children: Vec<Item>,
}

impl Item {
    fn of(node: roxmltree::Node<'_, '_>) -> Self {
        let get = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
        let children = node.children().filter(roxmltree::Node::is_element).map(Item::of).collect();
        Self { name: get("name"), show: get("show"), text: get("showname"), bytes: get("value"), children }
    }

    /// The line of a fault, here or below.
    pub fn fault(&self) -> Option<&Item> {
        let is_fault = self.name == "_ws.lua.text" && self.children.iter().any(|child| child.name == "_ws.expert");
        if is_fault {
            return Some(self);
        }
        self.children.iter().find_map(Item::fault)
    }
}

/// A capture of datagrams, each to its port.
pub fn capture(datagrams: &[(u16, Vec<u8>)]) -> Vec<u8> {
    let packets = datagrams.iter().map(|(port, payload)| {
        let mut udp = port_bytes(*port);
        udp.extend((8 + payload.len() as u16).to_be_bytes());
        udp.extend([0, 0]);
        udp.extend(payload);
        packet(17, &udp)
    });
    file(packets)
}

/// A capture of one stream of TCP, segment by segment.
pub fn stream(port: u16, segments: &[Vec<u8>]) -> Vec<u8> {
    let mut offset = 0;
    let placed = segments.iter().map(|payload| {
        let own = offset;
        offset += payload.len() as u32;
        (own, &payload[..])
    });
    scattered(port, placed)
}

/// The same of segments with their offsets in the stream, in the order in which they come.
pub fn scattered<'s>(port: u16, segments: impl Iterator<Item = (u32, &'s [u8])>) -> Vec<u8> {
    let packets = segments.map(|(offset, payload)| {
        let mut tcp = port_bytes(port);
        tcp.extend((1000 + offset).to_be_bytes());
        tcp.extend([0, 0, 0, 1, 0x50, 0x18, 0xff, 0xff, 0, 0, 0, 0]);
        tcp.extend(payload);
        packet(6, &tcp)
    });
    file(packets)
}

fn port_bytes(to: u16) -> Vec<u8> {
    [39_999_u16.to_be_bytes(), to.to_be_bytes()].concat()
}

/// A packet of IPv4 over Ethernet.
fn packet(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0; 12];
    packet.extend([0x08, 0, 0x45, 0]);
    packet.extend((20 + payload.len() as u16).to_be_bytes());
    packet.extend([0, 0, 0, 0, 64, protocol, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1]);
    packet.extend(payload);
    packet
}

/// A file of packets in the format of libpcap.
fn file(packets: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(0xa1b2_c3d4_u32.to_le_bytes());
    out.extend([2, 0, 4, 0]);
    out.extend([0; 8]);
    out.extend(262_144_u32.to_le_bytes());
    out.extend(1_u32.to_le_bytes());
    for packet in packets {
        out.extend([0; 8]);
        out.extend((packet.len() as u32).to_le_bytes());
        out.extend((packet.len() as u32).to_le_bytes());
        out.extend(&packet);
    }
    out
}

/// The bytes cut, or with a few of them changed.
pub fn damage(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut bytes = bytes.to_vec();
    if next(3) == 0 {
        bytes.truncate(1 + next(bytes.len()));
    }
    for _ in 0..1 + next(2) {
        let at = next(bytes.len());
        bytes[at] = [0, 1, 0x7f, 0x80, 0xff, bytes[at] ^ 1 << next(8)][next(6)];
    }
    bytes
}

/// The dissector of a schema's plans, in a file.
pub fn dissector(folder: &str, name: &str, plans: &[Plan], options: &[(&str, &str)]) -> PathBuf {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), folder);
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let generated = WIRESHARK.generate(&Request { name: Some(name.to_owned()), options, ..request(plans) });
    assert!(generated.diagnostics.is_empty(), "{:?}", generated.diagnostics);
    let file = &generated.files[0];
    let path = folder.join(&file.path);
    fs::write(&path, &file.text).expect("the test's folder can be written");
    path
}

/// The output of `tshark` about a capture, with dissectors and further arguments.
pub fn tshark(dissectors: &[PathBuf], capture: &[u8], arguments: &[String]) -> String {
    let file = dissectors[0].with_extension("pcap");
    fs::write(&file, capture).expect("the test's folder can be written");
    let scripts = dissectors.iter().flat_map(|path| ["-X".to_owned(), format!("lua_script:{}", path.display())]);
    let output = Command::new("tshark")
        .arg("-nr")
        .arg(&file)
        .args(scripts)
        .args(arguments)
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("tshark runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let is_usual = |line: &str| line.starts_with("Running as user") || line.is_empty();
    assert!(said.lines().all(is_usual), "{said}");
    assert!(
        !text.contains("Lua Error"),
        "{}",
        text.lines().find(|line| line.contains("Lua Error")).unwrap_or_default()
    );
    text
}

/// The items that dissectors whose names begin with `name` show of each datagram: a list for each, with the messages in it.
pub fn shown(dissectors: &[PathBuf], name: &str, datagrams: &[(u16, Vec<u8>)], arguments: &[String]) -> Vec<Vec<Item>> {
    let all: Vec<String> = arguments.iter().cloned().chain(["-T".to_owned(), "pdml".to_owned()]).collect();
    let pdml = tshark(dissectors, &capture(datagrams), &all);
    let options = roxmltree::ParsingOptions { nodes_limit: u32::MAX, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&pdml, options).expect("tshark writes XML");
    let packets = document.root_element().children().filter(|node| node.has_tag_name("packet"));
    let is_ours = |node: &roxmltree::Node<'_, '_>| node.attribute("name").is_some_and(|proto| proto.starts_with(name));
    packets.map(|packet| packet.children().filter(is_ours).map(Item::of).collect()).collect()
}

/// The preferences with which the forms get their ports from the first on, and datagrams are one message each.
pub fn ports(name: &str, first: u16, plans: &[Plan]) -> Vec<String> {
    let mut arguments = Vec::new();
    for (port, plan) in (first..).zip(plans) {
        let suffix = &plan.form.suffix;
        let proto = if suffix.is_empty() { name.to_owned() } else { format!("{name}_{suffix}") };
        for preference in [format!("{proto}.udp:{port}"), format!("{proto}.framing:none")] {
            arguments.extend(["-o".to_owned(), preference]);
        }
    }
    arguments
}
