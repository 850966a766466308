//! Faults: the reasons why bytes, JSON or a value are refused.

use aldis_schema::Field;
use std::fmt;

/// The kinds of faults, as the testee protocol names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The bytes end too early.
    Truncated,
    /// A link leads outside the message.
    BadPointer,
    /// A count or length is larger than the bytes can hold.
    BadCount,
    /// Text is not in its encoding.
    BadText,
    /// Bytes, or a value, that the format does not allow.
    BadValue,
    /// Records nest deeper than the limit.
    TooDeep,
    /// More bytes would have to be visited than the budget allows.
    TooLarge,
    /// No such message, or the bytes are another one.
    UnknownMessage,
    /// Not JSON, or not this message's JSON.
    BadJson,
    /// A number or length that its type cannot hold.
    OutOfRange,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Truncated => "truncated",
            Code::BadPointer => "bad-pointer",
            Code::BadCount => "bad-count",
            Code::BadText => "bad-text",
            Code::BadValue => "bad-value",
            Code::TooDeep => "too-deep",
            Code::TooLarge => "too-large",
            Code::UnknownMessage => "unknown-message",
            Code::BadJson => "bad-json",
            Code::OutOfRange => "out-of-range",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A fault with its place: a byte offset in the input where there is one, and the path of the field.
///
/// Boxed, so that the many functions that can fail return one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Details>);

/// The members of a [`Fault`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    pub code: Code,
    pub offset: Option<usize>,
    /// `orders[2].price`; empty when the message as a whole is at fault.
    pub path: String,
    pub text: String,
    /// The text without the value that it shows, if it shows one.
    concealed: Option<String>,
}

impl std::ops::Deref for Fault {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl Fault {
    /// A fault at a byte of the message.
    #[cold]
    pub fn at(code: Code, offset: usize, text: impl Into<String>) -> Self {
        Self::new(code, text).or_at(offset)
    }

    /// A fault whose text shows the value at fault, unless a hidden field holds the value.
    #[cold]
    pub(crate) fn showing(code: Code, value: &str, text: impl Fn(&str) -> String) -> Self {
        let mut fault = Self::new(code, text(value));
        fault.0.concealed = Some(text("***"));
        fault
    }

    /// A fault without a place in bytes.
    #[cold]
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        let text = shortened(text.into());
        Self(Box::new(Details { code, offset: None, path: String::new(), text, concealed: None }))
    }

    /// Gives the fault an offset where it has none.
    #[cold]
    pub(crate) fn or_at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Gives the fault another offset.
    #[cold]
    pub(crate) fn seen_at(mut self, offset: usize) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// Says its offset in words: it is not one in the bytes that were given.
    #[cold]
    pub(crate) fn in_unpacked(self) -> Self {
        self.counted_in("the unpacked message")
    }

    /// The same, of what was seen while unpacking.
    #[cold]
    pub(crate) fn in_packed(self) -> Self {
        self.counted_in("the packed bytes")
    }

    fn counted_in(mut self, what: &str) -> Self {
        if let Some(offset) = self.0.offset.take() {
            self.0.text = format!("{} (byte {offset} of {what})", self.0.text);
        }
        self
    }

    /// Puts a field's name in front of the path, as the fault leaves that field. An unnamed union has no place in it.
    #[cold]
    pub fn in_field(mut self, name: &str) -> Self {
        if name.is_empty() {
            return self;
        }
        let dot = if self.0.path.is_empty() || self.0.path.starts_with('[') { "" } else { "." };
        self.0.path = format!("{}{dot}{}", shortened(name.to_owned()), self.0.path);
        self
    }

    /// The fault as it leaves a field, which may be hidden: then the text does not show the value.
    #[cold]
    pub(crate) fn leaving(mut self, field: &Field) -> Self {
        if let Some(text) = self.0.concealed.take_if(|_| field.hidden) {
            self.0.text = text;
        }
        self
    }

    /// Puts an element's index in front of the path, as the fault leaves that element.
    #[cold]
    pub(crate) fn in_element(mut self, index: usize) -> Self {
        let dot = if self.0.path.is_empty() || self.0.path.starts_with('[') { "" } else { "." };
        self.0.path = format!("[{index}]{dot}{}", self.0.path);
        self
    }
}

/// Bytes of a sentence that are kept at each of its ends where it is long: it may quote numbers, keys and names of the
/// input, which have any length.
const KEPT: usize = 200;

/// A sentence without its middle where it is long.
fn shortened(text: String) -> String {
    if text.len() <= 3 * KEPT {
        return text;
    }
    let (mut start, mut end) = (KEPT, text.len() - KEPT);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    format!("{}… ({} more bytes) …{}", &text[..start], end - start, &text[end..])
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        if let Some(offset) = self.offset {
            write!(f, " at byte {offset}")?;
        }
        if !self.path.is_empty() {
            write!(f, " in {}", self.path)?;
        }
        write!(f, ": {}", self.text)
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::{Code, Fault};

    #[test]
    fn what_quotes_the_input_stays_short() {
        for quoted in ["9".repeat(3_000_000), "é".repeat(1_000_000), format!("a{}", "🚀".repeat(1_000_000))] {
            let fault = Fault::at(Code::OutOfRange, 7, format!("{quoted} is no integer")).in_field(&quoted);
            assert!(fault.text.ends_with(" is no integer") && fault.text.contains("more bytes"), "{}", fault.text);
            assert!(fault.to_string().len() < 1_000);
        }
        assert_eq!(Fault::new(Code::BadJson, "x".repeat(600)).text.len(), 600);
    }
}
