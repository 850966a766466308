//! How messages lie in a stream: what stands between them and says how long they are.

use aldis_interpreter::MessageEnd;
use aldis_plan::{ByteOrder, Container, Plan, Segments};
use clap::ValueEnum;

/// What `--framing` takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FramingName {
    /// The whole input is one message.
    #[default]
    None,
    /// A 16-bit little endian length before each message.
    U16le,
    /// A 16-bit big endian length before each message.
    U16be,
    /// A 32-bit little endian length before each message.
    U32le,
    /// A 32-bit big endian length before each message.
    U32be,
    /// The FIX Simple Open Framing Header: 32-bit big endian length of header and message, 16-bit encoding type.
    Sofh,
    /// The length that each FBE message begins with.
    Fbe,
    /// The segment table that each Cap'n Proto message begins with, packed or not.
    Capnp,
}

/// How to find and to write frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// A length of `width` bytes, then that many bytes of message.
    Prefix { width: usize, order: ByteOrder },
    /// FIX Simple Open Framing Header; `order` is the messages' own, which its encoding type tells.
    Sofh { order: ByteOrder },
    /// Messages begin with their own length, which lies at `at` and counts the whole message.
    Own { at: usize, width: usize, order: ByteOrder, min: usize },
    /// Messages begin with a table of their segments.
    Segments(Segments),
}

/// Bytes of the Simple Open Framing Header.
const SOFH: usize = 6;

/// Where the next message of a stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The message is at `head..total`, the next frame begins at `total`.
    Frame { head: usize, total: usize },
    /// So many bytes are needed before more can be said.
    Needs(usize),
}

impl Framing {
    /// The framing of that name for messages of `plan`; `None` for a single message without a frame.
    ///
    /// # Errors
    /// Says so when the plan's form has no framing of its own.
    pub fn of(name: FramingName, plan: &Plan) -> Result<Option<Self>, String> {
        match name {
            FramingName::Sofh => Ok(Some(Framing::Sofh { order: plan.byte_order })),
            FramingName::Fbe => match &plan.form.framing {
                Some(own) => Ok(Some(Framing::Own {
                    at: own.length.at as usize,
                    width: usize::from(own.length.bits / 8),
                    order: plan.byte_order,
                    min: own.min as usize,
                })),
                None => Err(format!("messages of the form {} do not begin with their own length", plan.form.name)),
            },
            FramingName::Capnp => match plan.container {
                Container::Segments(segments) if segments.table => Ok(Some(Framing::Segments(segments))),
                _ => Err(format!("messages of the form {} do not begin with a segment table", plan.form.name)),
            },
            _ => Self::without_schema(name),
        }
    }

    /// The framing of that name for messages of an unknown schema.
    ///
    /// # Errors
    /// Says so when the framing depends on the schema.
    pub fn without_schema(name: FramingName) -> Result<Option<Self>, String> {
        match name {
            FramingName::None => Ok(None),
            FramingName::U16le => Ok(Some(Framing::Prefix { width: 2, order: ByteOrder::Little })),
            FramingName::U16be => Ok(Some(Framing::Prefix { width: 2, order: ByteOrder::Big })),
            FramingName::U32le => Ok(Some(Framing::Prefix { width: 4, order: ByteOrder::Little })),
            FramingName::U32be => Ok(Some(Framing::Prefix { width: 4, order: ByteOrder::Big })),
            FramingName::Sofh | FramingName::Fbe | FramingName::Capnp => {
                Err("this --framing depends on the messages' schema: give it with --schema".into())
            }
        }
    }

    /// How many bytes of a frame stand before its message.
    pub fn head(self) -> usize {
        match self {
            Framing::Prefix { width, .. } => width,
            Framing::Sofh { .. } => SOFH,
            Framing::Own { .. } | Framing::Segments(_) => 0,
        }
    }

    /// Looks for the first frame of `bytes`.
    ///
    /// # Errors
    /// A length that cannot be; where the next frame begins is then unknown.
    pub fn next(self, bytes: &[u8]) -> Result<Next, String> {
        let (at, width, order, head, least) = match self {
            Framing::Prefix { width, order } => (0, width, order, width, 0),
            Framing::Sofh { .. } => (0, 4, ByteOrder::Big, SOFH, SOFH),
            Framing::Own { at, width, order, min } => (at, width, order, 0, min),
            Framing::Segments(form) => return next_segments(&mut MessageEnd::new(form), bytes),
        };
        let Some(length) = bytes.get(at..at + width) else { return Ok(Next::Needs((at + width).max(head))) };
        let length = number(length, order);
        if length < least {
            return Err(format!("a frame's length is {length}, but it is at least {least}"));
        }
        let total = if least == 0 { head.saturating_add(length) } else { length };
        if bytes.len() < total {
            return Ok(Next::Needs(total));
        }
        match self {
            Framing::Sofh { order } => check_encoding(&bytes[4..SOFH], order)?,
            Framing::Prefix { .. } | Framing::Own { .. } | Framing::Segments(_) => {}
        }
        Ok(Next::Frame { head, total })
    }

    /// Appends `message` with its frame to `out`.
    ///
    /// # Errors
    /// A message that is longer than the frame's length can say.
    pub fn write(self, message: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        match self {
            Framing::Prefix { width, order } => put(message.len(), width, order, out)?,
            Framing::Sofh { order } => {
                put(message.len() + SOFH, 4, ByteOrder::Big, out)?;
                out.extend_from_slice(encoding_type(order));
            }
            Framing::Own { .. } | Framing::Segments(_) => {}
        }
        out.extend_from_slice(message);
        Ok(())
    }
}

/// Where the message ends whose table `bytes` begin with.
///
/// # Errors
/// As [`Framing::next`].
pub fn next_segments(end: &mut MessageEnd, bytes: &[u8]) -> Result<Next, String> {
    match end.find(bytes) {
        Ok(Some(total)) => Ok(Next::Frame { head: 0, total }),
        Ok(None) => Ok(Next::Needs(bytes.len() + 1)),
        Err(fault) => Err(fault.text.clone()),
    }
}

fn number(bytes: &[u8], order: ByteOrder) -> usize {
    let join = |sum: usize, byte: &u8| sum << 8 | usize::from(*byte);
    match order {
        ByteOrder::Big => bytes.iter().fold(0, join),
        ByteOrder::Little => bytes.iter().rev().fold(0, join),
    }
}

fn put(length: usize, width: usize, order: ByteOrder, out: &mut Vec<u8>) -> Result<(), String> {
    if length >> (8 * width) != 0 {
        return Err(format!("a message of {length} bytes is too long for a length of {} bits", 8 * width));
    }
    let bytes = (length as u64).to_be_bytes();
    let bytes = &bytes[8 - width..];
    match order {
        ByteOrder::Big => out.extend_from_slice(bytes),
        ByteOrder::Little => out.extend(bytes.iter().rev()),
    }
    Ok(())
}

/// The encoding types of SBE 1.0 messages.
fn encoding_type(order: ByteOrder) -> &'static [u8; 2] {
    match order {
        ByteOrder::Big => b"\x5b\xe0",
        ByteOrder::Little => b"\xeb\x50",
    }
}

fn check_encoding(found: &[u8], order: ByteOrder) -> Result<(), String> {
    let wanted = encoding_type(order);
    if found == wanted {
        return Ok(());
    }
    Err(format!(
        "the frame's encoding type is {:02X}{:02X}, but this schema's messages have {:02X}{:02X}",
        found[0], found[1], wanted[0], wanted[1]
    ))
}

#[cfg(test)]
mod tests {
    use super::{Framing, Next};
    use aldis_plan::ByteOrder::{Big, Little};

    const ALL: [Framing; 5] = [
        Framing::Prefix { width: 2, order: Little },
        Framing::Prefix { width: 2, order: Big },
        Framing::Prefix { width: 4, order: Little },
        Framing::Prefix { width: 4, order: Big },
        Framing::Sofh { order: Little },
    ];

    #[test]
    fn what_is_written_is_found() {
        for framing in ALL {
            let mut stream = Vec::new();
            framing.write(b"hello", &mut stream).unwrap();
            let total = stream.len();
            framing.write(b"", &mut stream).unwrap();
            assert_eq!(framing.next(&stream), Ok(Next::Frame { head: total - 5, total }), "{framing:?}");
            for end in 0..total {
                assert!(matches!(framing.next(&stream[..end]), Ok(Next::Needs(n)) if n > end), "{framing:?} {end}");
            }
        }
    }

    #[test]
    fn bytes_are_as_documented() {
        let mut stream = Vec::new();
        Framing::Sofh { order: Big }.write(b"x", &mut stream).unwrap();
        Framing::Prefix { width: 2, order: Little }.write(b"x", &mut stream).unwrap();
        assert_eq!(stream, b"\0\0\0\x07\x5b\xe0x\x01\0x");
    }

    #[test]
    fn impossible_lengths_are_told() {
        let own = Framing::Own { at: 0, width: 4, order: Little, min: 16 };
        assert!(own.next(b"\x0f\0\0\0rest").unwrap_err().contains("at least 16"));
        assert!(Framing::Sofh { order: Little }.next(b"\0\0\0\x05\xeb\x50").is_err());
        assert!(Framing::Sofh { order: Little }.next(b"\0\0\0\x06\x5b\xe0").unwrap_err().contains("5BE0"));
        let long = vec![0; 65536];
        assert!(Framing::Prefix { width: 2, order: Big }.write(&long, &mut Vec::new()).is_err());
    }
}
