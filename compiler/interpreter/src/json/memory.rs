//! How much memory values may take that are read from JSON: an object becomes all fields of its record, whichever it gives.

use super::read::Reader;
use crate::fault::{Code, Fault};
use crate::Value;

/// Bytes of memory that records may take for each byte of text …
const FACTOR: u64 = 52;
/// … and on top of that. The values within lists, texts and names take the rest of 64 for each byte and 16 MiB.
const BASE: u64 = 14 << 20;

impl Reader<'_, '_> {
    /// The memory that records may take which are read from a text of that length.
    pub(super) fn memory_for(length: usize) -> u64 {
        (length as u64).saturating_mul(FACTOR).saturating_add(BASE)
    }

    /// Pays for so many values before there is memory for them.
    pub(super) fn take_memory(&mut self, values: usize) -> Result<(), Fault> {
        let size = (values * size_of::<Value>()) as u64;
        let left = self.memory.checked_sub(size).ok_or_else(|| {
            let text =
                format!("records would take more memory than {FACTOR} bytes for each byte of the text and 14 MiB");
            Fault::at(Code::TooLarge, self.parser.at, text)
        })?;
        self.memory = left;
        Ok(())
    }

    /// Pays for what stands for a member that is not given.
    pub(super) fn paid(&mut self, value: Value) -> Result<Value, Fault> {
        self.take_memory(values_within(&value))?;
        Ok(value)
    }
}

/// How many values the memory has room for that a value takes besides its own place.
fn values_within(value: &Value) -> usize {
    let each = |values: &[Value]| values.iter().map(|value| 1 + values_within(value)).sum();
    match value {
        Value::Record(values) | Value::List(values) => each(values),
        Value::Map(entries) => entries.iter().map(|(key, value)| 2 + values_within(key) + values_within(value)).sum(),
        Value::Choice(_, arm) => 1 + values_within(arm),
        Value::Bytes(bytes) | Value::Packed(bytes) | Value::Opaque(bytes) => bytes.len().div_ceil(size_of::<Value>()),
        Value::Decimal(_) => 1,
        _ => 0,
    }
}
