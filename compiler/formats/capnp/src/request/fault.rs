//! Faults of requests.

use std::fmt;

/// The first thing in a request that cannot be read or that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Byte of the input where it was seen.
    pub offset: usize,
    /// The way to it by names of `schema.capnp`: `nodes[3].fields[0].slot.type`; empty when it is about the whole.
    pub path: String,
    pub message: String,
}

pub(super) type Read<T> = Result<T, Fault>;

impl Fault {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, path: String::new(), message: message.into() }
    }

    /// The fault as seen from one step further out.
    pub(super) fn within(mut self, step: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{step}{dot}{}", self.path);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code generator request, byte {}", self.offset)?;
        if !self.path.is_empty() {
            write!(f, ", {}", self.path)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Fault {}
