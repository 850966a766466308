//! A schema's messages by name and by number, and where bytes come from.

use crate::compile::Compiled;
use crate::failure::{Failure, Outcome};
use crate::files::{read_within, LONGEST};
use crate::near;
use aldis_interpreter::{Code, Codec, Fault};
use aldis_plan::{Meaning, Plan, Run, SlotKind, Step};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The codec of one wire form of a schema.
pub struct Messages {
    pub codec: Codec,
    /// Full names, parallel to the plan's messages.
    pub names: Vec<String>,
    by_name: HashMap<String, usize>,
    /// The words of [`Messages::advice`] on the schema, made when first needed: streams may hold many unknown messages.
    known: OnceCell<Known>,
}

/// The messages that there are besides an unknown one.
struct Known {
    /// Names with their ids.
    list: String,
    /// Bytes can be read as a message that they do not say they are.
    free: bool,
}

impl Messages {
    /// For the form of that name, or the schema's main form.
    pub fn new(compiled: &Compiled, form: Option<&str>) -> Outcome<Self> {
        let plan = compiled.form(form)?.clone();
        let names: Vec<String> =
            plan.messages.iter().map(|message| plan.schema.type_def(message.record).name.full()).collect();
        let package = format!("{}.", plan.schema.package);
        let short = names.iter().zip(0..).filter_map(|(name, index)| Some((name.strip_prefix(&package)?, index)));
        let mut by_name: HashMap<String, usize> = short.map(|(name, index)| (name.to_owned(), index)).collect();
        // A full name wins where it is also another's short name.
        by_name.extend(names.iter().cloned().zip(0..));
        Ok(Self { codec: Codec::new(plan), names, by_name, known: OnceCell::new() })
    }

    /// The message called `name`, with or without the schema's package.
    pub fn find_named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// As [`Messages::find_named`], with what there is where there is no such message.
    pub fn named(&self, name: &str) -> Outcome<usize> {
        self.find_named(name).ok_or_else(|| Failure::Usage(self.no_message(name)))
    }

    /// That the schema has no message called `name`, and what it has.
    pub fn no_message(&self, name: &str) -> String {
        let meant = near::meant(name, self.names.iter().map(String::as_str));
        format!("the schema has no message `{name}`; {meant}it has {}", near::list(&self.names))
    }

    /// Advice about a message that is not known, to be put behind the fault; `asked` is the message that the bytes
    /// were taken for, when the command line names one.
    pub fn advice(&self, fault: &Fault, asked: Option<usize>, bytes: &[u8]) -> String {
        if fault.code != Code::UnknownMessage {
            return String::new();
        }
        let mut advice = String::new();
        if asked.is_some() {
            match self.codec.find(bytes) {
                Ok(found) => return format!("; these bytes say that they are {}", self.names[found]),
                // Another place tells more: a message of another schema has a template id of its own.
                Err(other) if other.offset != fault.offset => advice = format!("; {}", other.text),
                Err(_) => {}
            }
        }
        let known = self.known.get_or_init(|| self.known());
        let choice =
            if asked.is_none() && known.free { "; --message NAME takes the bytes for that message" } else { "" };
        format!("{advice}; the schema has {}{choice}", known.list)
    }

    fn known(&self) -> Known {
        let plan = self.codec.plan();
        let mut seen = HashSet::new();
        let mut ambiguous = false;
        let mut shown = Vec::new();
        let header = self.codec.header_message();
        for (index, (name, message)) in self.names.iter().zip(&plan.schema.messages).enumerate() {
            if Some(index) == header {
                continue;
            }
            ambiguous |= message.id.is_some_and(|id| !seen.insert(id));
            shown.push(message.id.map_or_else(|| name.clone(), |id| format!("{name} {id}")));
        }
        Known { list: near::list(&shown), free: ambiguous || !says_what_it_is(plan) }
    }

    /// The beginning of each message's output line, up to its value, or to its header where it has one.
    pub fn line_heads(&self) -> Vec<Vec<u8>> {
        let head = |(index, name): (usize, &String)| {
            let next = if self.header_of(index).is_some() { "header" } else { "value" };
            format!("{{\"message\":{},\"{next}\":", serde_json::Value::from(name.as_str())).into_bytes()
        };
        self.names.iter().enumerate().map(head).collect()
    }

    /// Appends the rest of an output line but for its end: the header of a message, where it has one, and its value.
    /// Gives how many bytes the message takes.
    pub fn parts(&self, message: usize, bytes: &[u8], out: &mut Vec<u8>) -> Result<usize, Fault> {
        if let Some(header) = self.header_of(message) {
            self.codec.to_json(header, bytes, out)?;
            out.extend_from_slice(AFTER_HEADER);
        }
        self.codec.to_json(message, bytes, out)
    }

    /// The message that is the header value beside `message`, where it has one.
    pub fn header_of(&self, message: usize) -> Option<usize> {
        self.codec.header_message().filter(|header| *header != message)
    }
}

/// The text between a line's header and its value.
pub const AFTER_HEADER: &[u8] = b",\"value\":";

/// Whether messages of the form carry an id that decoding checks, so that no other message can be read from them.
fn says_what_it_is(plan: &Plan) -> bool {
    let has_id = |run: &Run| {
        run.slots.iter().any(|slot| match &slot.kind {
            SlotKind::Register(register) => matches!(register.meaning, Meaning::TypeId { .. }),
            _ => false,
        })
    };
    let header = plan.header.as_ref().map(|header| header.record);
    plan.messages.iter().filter(|message| Some(message.record) != header).all(|message| {
        let root = plan.layouts.get(message.record.index()).and_then(Option::as_ref);
        let first = root.and_then(|layout| layout.steps.first());
        has_id(&message.envelope.head) || matches!(first, Some(Step::Run(run)) if has_id(run))
    })
}

/// The source of bytes: a file, or standard input for `-` and for nothing.
pub struct Input {
    pub reader: Box<dyn Read + Send>,
    /// In bytes, where it is known.
    pub length: Option<u64>,
    /// For remarks.
    pub name: String,
}

impl Input {
    pub fn open(path: Option<&Path>) -> Outcome<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self { reader: Box::new(io::stdin()), length: None, name: "standard input".into() });
        };
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| Failure::file(&name, &error))?;
        let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
        Ok(Self { reader: Box::new(file), length, name })
    }

    /// The same input as it was before gzip or zstd packed it.
    pub fn unpacked(self) -> Outcome<Self> {
        let Self { reader, length, name } = self;
        let reader = aldis_captures::unpacked(reader).map_err(|error| Failure::file(&name, &error))?;
        Ok(Self { reader, length, name })
    }

    /// All of it. Pipes and devices may have no end, so of them no more is read than a schema may have.
    pub fn read_all(self) -> Outcome<Vec<u8>> {
        let most = self.length.unwrap_or(0).max(LONGEST);
        let what = "a pipe whose bytes are taken as a whole";
        read_within(self.reader, most, what).map_err(|error| Failure::file(&self.name, &error))
    }
}
