//! Errors and their codes.

use std::fmt;

/// The codes of NACK, CLOSE, UNSUBSCRIBE and REPLY, and those that only this side knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Normal,
    Protocol,
    FrameTooLarge,
    Version,
    Unauthorized,
    TooManyConnections,
    Idle,
    Slow,
    Draining,
    Gap,
    BadChecksum,
    BadCount,
    Refused,
    Handler,
    Credit,
    StaleEpoch,
    Deadline,
    Unsupported,
    Unavailable,
    Superseded,
    /// A code that docs/protocol.md has not.
    Other(u32),
    /// The connection is lost, or there is none.
    Disconnected,
    /// This client was closed.
    Closed,
    /// The caller's mistake.
    Misused,
}

/// The codes in the order of their numbers, with their names.
const NAMED: [(Code, &str); 20] = [
    (Code::Normal, "normal"),
    (Code::Protocol, "protocol"),
    (Code::FrameTooLarge, "frame-too-large"),
    (Code::Version, "version"),
    (Code::Unauthorized, "unauthorized"),
    (Code::TooManyConnections, "too-many-connections"),
    (Code::Idle, "idle"),
    (Code::Slow, "slow"),
    (Code::Draining, "draining"),
    (Code::Gap, "gap"),
    (Code::BadChecksum, "bad-checksum"),
    (Code::BadCount, "bad-count"),
    (Code::Refused, "refused"),
    (Code::Handler, "handler"),
    (Code::Credit, "credit"),
    (Code::StaleEpoch, "stale-epoch"),
    (Code::Deadline, "deadline"),
    (Code::Unsupported, "unsupported"),
    (Code::Unavailable, "unavailable"),
    (Code::Superseded, "superseded"),
];

impl Code {
    pub fn from_number(number: u32) -> Self {
        NAMED.get(number as usize).map_or(Code::Other(number), |(code, _)| *code)
    }

    /// The number on the wire; what only this side knows is `normal` there.
    pub fn number(self) -> u32 {
        match self {
            Code::Other(number) => number,
            code => NAMED.iter().position(|(named, _)| *named == code).unwrap_or(0) as u32,
        }
    }

    /// Whether connecting again cannot help: docs/protocol.md, "Endings".
    pub fn is_fatal(self) -> bool {
        matches!(
            self,
            Code::Protocol
                | Code::FrameTooLarge
                | Code::Version
                | Code::Unauthorized
                | Code::StaleEpoch
                | Code::Unsupported
                | Code::Superseded
                | Code::Closed
                | Code::Misused
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Other(number) => write!(f, "code {number}"),
            Code::Disconnected => f.write_str("disconnected"),
            Code::Closed => f.write_str("closed"),
            Code::Misused => f.write_str("misused"),
            code => f.write_str(NAMED[code.number() as usize].1),
        }
    }
}

/// Why something failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub code: Code,
    pub text: String,
}

impl Error {
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text.is_empty() {
            write!(f, "{}", self.code)
        } else {
            write!(f, "{}: {}", self.code, self.text)
        }
    }
}

impl std::error::Error for Error {}

/// Whether a server that takes messages of at most `most` bytes takes one of `size`.
pub(crate) fn fits(size: usize, most: usize) -> Result<(), Error> {
    if size > most {
        let text = format!("a message of {size} bytes; the server takes {most}");
        return Err(Error::new(Code::FrameTooLarge, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_have_the_numbers_and_names_of_the_protocol() {
        let page = include_str!("../../../docs/protocol.md");
        for number in 0..20 {
            let code = Code::from_number(number);
            assert_eq!(code.number(), number);
            assert!(page.contains(&format!("| {number} | {code} |")), "{number} {code}");
        }
        assert_eq!(Code::from_number(77), Code::Other(77));
        assert_eq!(Code::Disconnected.number(), 0);
    }

    #[test]
    fn codes_are_final_where_the_protocol_says_so() {
        let page = include_str!("../../../docs/protocol.md");
        let row = |what: &str| {
            let rows = page.lines().filter_map(|line| line.strip_prefix("| CLOSE ")?.strip_suffix(what));
            let names = rows.filter(|names| !names.starts_with("with")).flat_map(|names| names.split(", "));
            names.collect::<Vec<_>>()
        };
        let (again, over) = (row(" | connects again |"), row(" | is over |"));
        assert_eq!(again.len() + over.len(), 20);
        for code in (0..20).map(Code::from_number) {
            let name = code.to_string();
            assert_eq!(
                (again.contains(&&*name), over.contains(&&*name)),
                (!code.is_fatal(), code.is_fatal()),
                "{name}"
            );
        }
        assert!(!Code::Other(99).is_fatal());
    }
}
