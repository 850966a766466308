//! The testee protocol over the interpreter: one request line in, one answer line out.

use crate::fault::{Code, Fault};
use crate::{Codec, Value};
use std::fmt::Write as _;

/// All wire forms of one schema behind the testee protocol.
#[derive(Debug)]
pub struct Testee {
    codecs: Vec<Codec>,
}

/// Why there is no `ok`.
enum Refusal {
    Fault(Fault),
    Unsupported(String),
    /// The line is not a request.
    Malformed(&'static str),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Refusal::Fault(fault)
    }
}

impl Testee {
    /// `codecs` are of one schema, so a message has the same index in each.
    pub fn new(codecs: Vec<Codec>) -> Self {
        Self { codecs }
    }

    /// The answer to a request; both without their line end.
    pub fn answer(&self, line: &[u8]) -> String {
        let Ok(line) = std::str::from_utf8(line) else {
            return "-\terror\tbad-request\t-\tthe line is not UTF-8".to_owned();
        };
        let fields: Vec<&str> = line.split('\t').collect();
        let result = match fields[..] {
            [_, "list"] => Ok(to_hex(self.list().as_bytes())),
            [_, "convert" | "view", message, from, to, hex] => self.convert(message, from, to, hex),
            _ => Err(Refusal::Malformed("expected ID list, or ID convert|view MESSAGE FROM TO HEX, between TABs")),
        };
        let id = fields[0];
        match result {
            Ok(hex) => format!("{id}\tok\t{hex}"),
            Err(Refusal::Malformed(text)) => format!("-\terror\tbad-request\t-\t{text}"),
            Err(Refusal::Unsupported(text)) => format!("{id}\tunsupported\t{}", one_line(&text)),
            Err(Refusal::Fault(fault)) => {
                let offset = fault.offset.map_or("-".to_owned(), |o| o.to_string());
                let place = if fault.path.is_empty() { String::new() } else { format!("{}: ", fault.path) };
                format!("{id}\terror\t{}\t{offset}\t{}", fault.code, one_line(&format!("{place}{}", fault.text)))
            }
        }
    }

    /// The fault of a request's bytes by themselves, before anything is made of them.
    pub fn fault_of_bytes(&self, line: &str) -> Option<Fault> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, _, message, from, _, hex] = fields[..] else { return None };
        let (codec, bytes) = (self.form(from)?, from_hex(hex)?);
        let index = match message {
            "-" => codec.find(&bytes),
            name => self.named(name),
        };
        index.and_then(|index| codec.decode(index, &bytes)).err()
    }

    fn list(&self) -> String {
        let mut text = String::new();
        let Some(codec) = self.codecs.first() else { return text };
        for (index, message) in codec.plan().schema.messages.iter().enumerate().filter(|(_, m)| m.listed) {
            let id = message.id.map_or("-".to_owned(), |id| id.to_string());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} {id}", codec.message_name(index));
        }
        text
    }

    fn form(&self, name: &str) -> Option<&Codec> {
        self.codecs.iter().find(|codec| codec.plan().form.name == name)
    }

    fn convert(&self, message: &str, from: &str, to: &str, hex: &str) -> Result<String, Refusal> {
        let input = from_hex(hex).ok_or(Refusal::Malformed("HEX is not an even number of hex digits"))?;
        for form in [from, to] {
            if form != "json" && self.form(form).is_none() {
                return Err(Refusal::Unsupported(format!("this schema has no form {form}")));
            }
        }
        let source = self.form(from);
        let index = match (message, source) {
            ("-", None) => return Err(Refusal::Unsupported("JSON does not say which message it is".to_owned())),
            ("-", Some(codec)) => codec.find(&input)?,
            (name, _) => self.named(name)?,
        };
        match (source, self.form(to)) {
            (Some(codec), None) => {
                let mut out = Vec::new();
                codec.to_json(index, &input, &mut out)?;
                Ok(to_hex(&out))
            }
            (Some(codec), Some(target)) => {
                let value = codec.decode(index, &input)?.0;
                // Forms with heads of their own have no other form to be converted to.
                let other = codec.header_message().filter(|header| *header != index);
                let header = other.map(|header| codec.decode(header, &input)).transpose()?;
                Ok(to_hex(&target.encode_with(index, &value, header.as_ref().map(|(header, _)| header))?))
            }
            (None, target) => {
                let Some(codec) = target.or(self.codecs.first()) else {
                    return Err(Refusal::Unsupported("there is no form to read JSON for".to_owned()));
                };
                let value = codec.from_json(index, &input)?;
                Ok(to_hex(&self.written(target, codec, index, &value)?))
            }
        }
    }

    /// The value in the target form, or as JSON where there is none.
    fn written(&self, target: Option<&Codec>, codec: &Codec, index: usize, value: &Value) -> Result<Vec<u8>, Fault> {
        match target {
            Some(target) => target.encode(index, value),
            None => {
                let mut out = Vec::new();
                codec.value_to_json(index, value, &mut out)?;
                Ok(out)
            }
        }
    }

    fn named(&self, name: &str) -> Result<usize, Fault> {
        let index = self.codecs.first().and_then(|codec| codec.message_named(name));
        index.ok_or_else(|| Fault::new(Code::UnknownMessage, format!("the schema has no message {name}")))
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

/// Bytes as lower-case hex.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Bytes of hex in either case; `None` for anything else.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(2) {
        return None;
    }
    bytes.chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}
