//! A schema's messages by name and by number, and where bytes come from.

use crate::compile::Compiled;
use crate::failure::{Failure, Outcome};
use aldis_interpreter::Codec;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The codec of one wire form of a schema.
pub struct Messages {
    pub codec: Codec,
    /// Full names, parallel to the plan's messages.
    pub names: Vec<String>,
    by_name: HashMap<String, usize>,
}

impl Messages {
    /// For the form of that name, or the schema's main form.
    pub fn new(compiled: &Compiled, form: Option<&str>) -> Outcome<Self> {
        let plan = compiled.form(form)?.clone();
        let names: Vec<String> =
            plan.messages.iter().map(|message| plan.schema.type_def(message.record).name.full()).collect();
        let by_name = names.iter().cloned().zip(0..).collect();
        Ok(Self { codec: Codec::new(plan), names, by_name })
    }

    /// The message of that full name.
    pub fn full_name(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The message called `name`, with or without its package.
    pub fn named(&self, name: &str) -> Outcome<usize> {
        let package = &self.codec.plan().schema.package;
        let full = format!("{package}.{name}");
        self.full_name(name).or_else(|| self.full_name(&full)).ok_or_else(|| {
            Failure::Usage(format!("the schema has no message `{name}`; it has {}", self.names.join(", ")))
        })
    }

    /// What an output line of each message begins with.
    pub fn line_heads(&self) -> Vec<Vec<u8>> {
        let head = |name: &String| format!("{{\"message\":{},\"value\":", serde_json::Value::from(name.as_str()));
        self.names.iter().map(|name| head(name).into_bytes()).collect()
    }
}

/// Where bytes come from: a file, or standard input for `-` and for nothing.
pub struct Input {
    pub reader: Box<dyn Read>,
    /// In bytes, where it is known.
    pub length: Option<u64>,
    /// For remarks.
    pub name: String,
}

impl Input {
    pub fn open(path: Option<&Path>) -> Outcome<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self { reader: Box::new(io::stdin().lock()), length: None, name: "standard input".into() });
        };
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| Failure::file(&name, &error))?;
        let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
        Ok(Self { reader: Box::new(file), length, name })
    }

    /// All of it.
    pub fn read_all(mut self) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader.read_to_end(&mut bytes).map_err(|error| Failure::file(&self.name, &error))?;
        Ok(bytes)
    }
}
