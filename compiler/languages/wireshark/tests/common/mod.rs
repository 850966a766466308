//! Dissectors in `tshark`, and what they show.

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
    let mut out = Vec::new();
    out.extend(0xa1b2_c3d4_u32.to_le_bytes());
    out.extend([2, 0, 4, 0]);
    out.extend([0; 8]);
    out.extend(262_144_u32.to_le_bytes());
    out.extend(1_u32.to_le_bytes());
    for (port, payload) in datagrams {
        let udp = 8 + payload.len() as u16;
        let mut frame = vec![0; 12];
        frame.extend([0x08, 0, 0x45, 0]);
        frame.extend((20 + udp).to_be_bytes());
        frame.extend([0, 0, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1, 0x9c, 0x3f]);
        frame.extend(port.to_be_bytes());
        frame.extend(udp.to_be_bytes());
        frame.extend([0, 0]);
        frame.extend(payload);
        out.extend([0; 8]);
        out.extend((frame.len() as u32).to_le_bytes());
        out.extend((frame.len() as u32).to_le_bytes());
        out.extend(&frame);
    }
    out
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

/// What `tshark` writes about a capture, with dissectors and further arguments.
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
