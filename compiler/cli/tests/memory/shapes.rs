//! Messages that may become many times their size in memory, and bytes that claim to be such.

use aldis_interpreter::{Codec, Fault};
use aldis_testkit::plans;
use std::sync::OnceLock;

/// A message for one call of the generated code.
pub struct Shape {
    pub name: &'static str,
    pub package: &'static str,
    pub message: &'static str,
    /// `decode`, `final` or `json`.
    pub call: &'static str,
    pub bytes: Vec<u8>,
    /// The answer of the interpreter: `ok`, or the code of its fault.
    pub verdict: String,
}

/// The schemas of the shapes, whose first form is the one of the call `decode`.
pub const SCHEMAS: [&str; 3] = ["heavy.fbe", "heavy.xml", "heavypointers.capnp"];

/// The codecs of one schema.
struct Schema {
    package: &'static str,
    codecs: Vec<Codec>,
    shapes: Vec<Shape>,
}

impl Schema {
    fn new(file: &str, package: &'static str) -> Self {
        let plans = plans(&format!("compiler/languages/erlang/tests/schemas/{file}"));
        Self { package, codecs: plans.into_iter().map(Codec::new).collect(), shapes: Vec::new() }
    }

    fn message(&self, name: &str) -> usize {
        let is_named = |full: &str| full.rsplit('.').next() == Some(name);
        let mut messages = 0..self.codecs[0].plan().messages.len();
        messages.find(|&message| is_named(&self.codecs[0].message_name(message))).expect("it is there")
    }

    fn add(&mut self, name: &'static str, message: &'static str, call: &'static str, bytes: Vec<u8>) {
        let (index, codec) = (self.message(message), &self.codecs[usize::from(call == "final")]);
        let answer = match call {
            "json" => codec.from_json(index, &bytes).map(drop),
            _ => codec.decode(index, &bytes).map(drop),
        };
        let verdict = answer.map_or_else(|fault: Fault| fault.code.to_string(), |()| "ok".to_owned());
        self.shapes.push(Shape { name, package: self.package, message, call, bytes, verdict });
    }

    /// The bytes of a value that JSON says.
    fn encoded(&mut self, name: &'static str, message: &'static str, call: &'static str, json: &str) {
        let (index, codec) = (self.message(message), &self.codecs[usize::from(call == "final")]);
        let value = codec.from_json(index, json.as_bytes()).expect("the JSON is right");
        let bytes = codec.encode(index, &value).expect("the value can be written");
        self.add(name, message, call, bytes);
    }
}

/// JSON of an object with one member, a list of `count` items.
fn list(member: &str, count: usize, item: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..count).map(item).collect();
    format!("{{\"{member}\":[{}]}}", items.join(","))
}

fn words(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    numbers.into_iter().flat_map(|number| u32::try_from(number).expect("it is small").to_le_bytes()).collect()
}

/// A message of FBE whose fields are links, and what they lead to.
fn linked(number: usize, links: &[usize], data: &[u8]) -> Vec<u8> {
    let body = [words([8 + 4 * links.len(), number]), words(links.iter().copied()), data.to_vec()].concat();
    [words([body.len() + 8, 8]), body].concat()
}

/// A segment whose root has ten pointers, of which the first ones lead to one list.
fn segment(lists: usize, code: usize, size: usize, list: &[u8]) -> Vec<u8> {
    let pointers = (0..10).flat_map(|at| if at < lists { [(9 - at) * 4 + 1, size * 8 + code] } else { [0, 0] });
    let body = [words([0, 10 << 16]), words(pointers), list.to_vec()].concat();
    [words([0, body.len() / 8]), body].concat()
}

fn of_fbe() -> Vec<Shape> {
    let mut heavy = Schema::new("heavy.fbe", "heavy");
    for call in ["decode", "final"] {
        heavy.encoded("flags", "Flags", call, &list("a", 100_000, |at| (at % 2 == 0).to_string()));
        heavy.encoded("texts", "Texts", call, &list("a", 20_000, |_| "\"xy\"".to_owned()));
        heavy.encoded("points", "Points", call, &list("list", 20_000, |_| "{\"x\":1}".to_owned()));
    }
    heavy.encoded("set", "Points", "decode", &list("set", 20_000, |at| at.to_string()));
    heavy.encoded("decimals", "Points", "decode", &list("decimals", 15_000, |at| format!("\"{at}.5\"")));
    let uuid = |at| format!("\"{at:08x}-12c5-d084-962b-1967c90789ba\"");
    heavy.encoded("uuids", "Points", "decode", &list("uuids", 15_000, uuid));
    heavy.encoded("maybes", "Points", "decode", &list("maybes", 20_000, |_| "7".to_owned()));
    let flags = [words([100_000]), vec![1; 100_000]].concat();
    heavy.add("flags that seven fields share", "Flags", "decode", linked(1, &[36; 7], &flags));
    let lines = 20_000;
    let same = words([lines].into_iter().chain(vec![20 + 4 * lines; lines]));
    let line = [words([12, 4, 12, 20_000]), vec![0; 100_000]].concat();
    heavy.add("lines that are one", "Lines", "decode", linked(6, &[16, 0], &[same, line].concat()));
    let deep: Vec<u8> = (0..20_000).flat_map(|_| words([1, 20, 12, 9, 12])).collect();
    heavy.add("trees in trees", "Tree", "decode", linked(9, &[12], &[deep, words([0])].concat()));
    heavy.add("flags", "Flags", "json", list("a", 40_000, |_| "true".to_owned()).into_bytes());
    heavy.add("texts", "Texts", "json", list("a", 40_000, |_| "\"\"".to_owned()).into_bytes());
    heavy.add("points", "Points", "json", list("list", 40_000, |_| "{}".to_owned()).into_bytes());
    heavy.add("wide records", "Rows", "json", list("rows", 40_000, |_| "{}".to_owned()).into_bytes());
    heavy.add("trees in trees", "Tree", "json", "{\"children\":[".repeat(40_000).into_bytes());
    heavy.shapes
}

fn of_sbe() -> Vec<Shape> {
    let mut groups = Schema::new("heavy.xml", "heavygroups");
    let head = |template: u8| vec![0, 0, template, 0, 9, 0, 0, 0];
    let group = |block: u8, count: usize| [vec![block, 0], words([count])].concat();
    let none = group(1, 0);
    let count = 100_000;
    let bytes = |block: u8| [head(1), group(block, count), vec![0; usize::from(block) * count], none.clone()].concat();
    groups.add("records of a byte", "Bytes", "decode", bytes(1));
    groups.add("records without bytes", "Bytes", "decode", [head(1), group(0, 1_000_000), none].concat());
    groups.add("records and texts", "Named", "decode", [head(2), group(2, 100_000), vec![0; 400_000]].concat());
    groups.shapes
}

fn of_capnp() -> Vec<Shape> {
    let mut pointers = Schema::new("heavypointers.capnp", "heavypointers");
    let count = 15_000;
    let nulls = vec![0; 8 * 4 * count];
    pointers.encoded("bits", "Bits", "decode", &list("a", 400_000, |at| (at % 2 == 0).to_string()));
    pointers.encoded("texts", "Texts", "decode", &list("a", count, |_| "\"xy\"".to_owned()));
    pointers.encoded("lines", "Lines", "decode", &list("a", count, |_| "{\"text\":\"xy\"}".to_owned()));
    pointers.add("nulls", "Texts", "decode", segment(1, 6, 4 * count, &nulls));
    pointers.add("nulls that ten fields share", "Texts", "decode", segment(10, 6, 4 * count, &nulls));
    let text = |at: usize| [4 * (count - 1 - at) + 1, 2 * 8 + 2];
    let one = [words((0..count).flat_map(text)), b"x\0\0\0\0\0\0\0".to_vec()].concat();
    pointers.add("texts that are one", "Texts", "decode", segment(1, 6, count, &one));
    pointers.add("texts that are one, ten times", "Texts", "decode", segment(10, 6, count, &one));
    pointers.shapes
}

pub fn shapes() -> &'static [Shape] {
    static SHAPES: OnceLock<Vec<Shape>> = OnceLock::new();
    SHAPES.get_or_init(|| [of_fbe(), of_sbe(), of_capnp()].into_iter().flatten().collect())
}
