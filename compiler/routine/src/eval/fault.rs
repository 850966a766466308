//! The faults that the evaluator finds in bytes.

use crate::module::Module;
use crate::operand::NameId;

/// The kinds of faults that reading and writing have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    Truncated,
    BadPointer,
    BadCount,
    BadValue,
    TooDeep,
    TooLarge,
    UnknownMessage,
    /// A fault of values that are to be written.
    OutOfRange,
}

impl Code {
    /// As the testee protocol spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Truncated => "truncated",
            Code::BadPointer => "bad-pointer",
            Code::BadCount => "bad-count",
            Code::BadValue => "bad-value",
            Code::TooDeep => "too-deep",
            Code::TooLarge => "too-large",
            Code::UnknownMessage => "unknown-message",
            Code::OutOfRange => "out-of-range",
        }
    }
}

/// A step of a fault's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Field(NameId),
    Element(u64),
}

/// A fault with its place and path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: Code,
    /// In the message's bytes; `None` where it was packed, and for values that are to be written.
    pub offset: Option<u64>,
    /// The innermost step first.
    pub steps: Vec<Step>,
}

impl Fault {
    #[cold]
    pub(super) fn at(code: Code, offset: u64) -> Self {
        Self { code, offset: Some(offset), steps: Vec::new() }
    }

    #[cold]
    pub(super) fn of(code: Code) -> Self {
        Self { code, offset: None, steps: Vec::new() }
    }

    /// `orders[2].price`; empty when the message as a whole is at fault.
    pub fn path(&self, module: &Module) -> String {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Element(index) => path.push_str(&format!("[{index}]")),
                Step::Field(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&module[*name]);
                }
            }
        }
        path
    }
}
