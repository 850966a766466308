//! How messages lie in a stream: what stands between them and says how long they are.

use aldis_interpreter::MessageEnd;
use aldis_plan::{ByteOrder, Container, FixedInt, Meaning, Plan, Segments, SlotKind};
use clap::ValueEnum;

/// The values of `--framing`.
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
    /// As `u16le`, with a length that counts its own two bytes too.
    U16leWhole,
    /// As `u16be`, with a length that counts its own two bytes too.
    U16beWhole,
    /// The FIX Simple Open Framing Header: 32-bit big endian length of header and message, 16-bit encoding type.
    Sofh,
    /// The length that each FBE message begins with.
    Fbe,
    /// As `fbe`, where all messages are in one buffer of the reference's (serialize, then next): the offset of each root counts
    /// from the begin of the file.
    FbeBuffer,
    /// The length of the frame that each message's header has: see --frame-length.
    Header,
    /// The segment table that each Cap'n Proto message begins with, packed or not.
    Capnp,
}

/// How to find and to write frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// A length of `width` bytes, then that many bytes of message; a `whole` length counts itself too.
    Prefix { width: usize, order: ByteOrder, whole: bool },
    /// FIX Simple Open Framing Header; `order` is the messages' own, which its encoding type tells.
    Sofh { order: ByteOrder },
    /// Messages begin with their own length, which counts the whole message and `plus`.
    Own { length: Place, order: ByteOrder, min: usize, plus: i64 },
    /// The same, but where each message says at `root` where its record begins, that counts from the begin of the stream.
    Shared { length: Place, order: ByteOrder, min: usize, root: Place },
    /// Messages begin with a table of their segments.
    Segments(Segments),
}

/// The place of a number in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub at: usize,
    pub width: usize,
}

impl Place {
    fn of(fixed: FixedInt) -> Self {
        Self { at: fixed.at as usize, width: usize::from(fixed.bits / 8) }
    }

    fn end(self) -> usize {
        self.at + self.width
    }
}

/// Bytes of the Simple Open Framing Header.
const SOFH: usize = 6;

/// The place of the next message of a stream.
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
                    length: Place::of(own.length),
                    order: plan.byte_order,
                    min: own.min as usize,
                    plus: 0,
                })),
                None => Err(format!("messages of the form {} do not begin with their own length", plan.form.name)),
            },
            FramingName::FbeBuffer => match (&plan.form.framing, root(plan)) {
                (Some(own), Some(root)) => Ok(Some(Framing::Shared {
                    length: Place::of(own.length),
                    order: plan.byte_order,
                    min: own.min as usize,
                    root,
                })),
                (Some(_), None) => {
                    let form = &plan.form.name;
                    Err(format!("messages of the form {form} are the same in any place: say --framing fbe"))
                }
                _ => Err(format!("messages of the form {} do not begin with their own length", plan.form.name)),
            },
            FramingName::Header => match plan.frame_length() {
                Some((length, plus)) => Ok(Some(Framing::Own {
                    length: Place::of(length),
                    order: plan.byte_order,
                    min: plan.messages[0].envelope.head.size as usize,
                    plus,
                })),
                None => Err("no member of the header is known for the length of a frame: say --frame-length".into()),
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
            FramingName::U16le => Ok(Some(Framing::prefix(2, ByteOrder::Little, false))),
            FramingName::U16be => Ok(Some(Framing::prefix(2, ByteOrder::Big, false))),
            FramingName::U32le => Ok(Some(Framing::prefix(4, ByteOrder::Little, false))),
            FramingName::U32be => Ok(Some(Framing::prefix(4, ByteOrder::Big, false))),
            FramingName::U16leWhole => Ok(Some(Framing::prefix(2, ByteOrder::Little, true))),
            FramingName::U16beWhole => Ok(Some(Framing::prefix(2, ByteOrder::Big, true))),
            FramingName::Sofh
            | FramingName::Fbe
            | FramingName::FbeBuffer
            | FramingName::Header
            | FramingName::Capnp => Err("this --framing depends on the messages' schema: give it with --schema".into()),
        }
    }

    fn prefix(width: usize, order: ByteOrder, whole: bool) -> Self {
        Framing::Prefix { width, order, whole }
    }

    /// How many bytes of a frame stand before its message.
    pub fn head(self) -> usize {
        match self {
            Framing::Prefix { width, .. } => width,
            Framing::Sofh { .. } => SOFH,
            Framing::Own { .. } | Framing::Shared { .. } | Framing::Segments(_) => 0,
        }
    }

    /// So many bytes of a frame say where it ends; `None` where that may be known of a whole one alone.
    pub fn says_end(self) -> Option<usize> {
        match self {
            Framing::Prefix { width, .. } => Some(width),
            Framing::Sofh { .. } => Some(SOFH),
            Framing::Own { length, .. } | Framing::Shared { length, .. } => Some(length.end()),
            Framing::Segments(_) => None,
        }
    }

    /// Looks for the first frame of `bytes`.
    ///
    /// # Errors
    /// A length that cannot be; where the next frame begins is then unknown.
    pub fn next(self, bytes: &[u8]) -> Result<Next, String> {
        let (at, width, order, head, least, plus) = match self {
            Framing::Prefix { width, order, whole: true } => (0, width, order, width, width, 0),
            Framing::Prefix { width, order, whole: false } => (0, width, order, width, 0, 0),
            Framing::Sofh { .. } => (0, 4, ByteOrder::Big, SOFH, SOFH, 0),
            Framing::Own { length, order, min, plus } => (length.at, length.width, order, 0, min, plus),
            Framing::Shared { length, order, min, .. } => (length.at, length.width, order, 0, min, 0),
            Framing::Segments(form) => return next_segments(&mut MessageEnd::new(form), bytes),
        };
        let Some(length) = bytes.get(at..at + width) else { return Ok(Next::Needs((at + width).max(head))) };
        let said = order.number(length);
        let length = usize::try_from(i128::from(said) - i128::from(plus)).unwrap_or(0);
        if length < least {
            let wanted = (least as u64).saturating_add_signed(plus);
            return Err(format!("a frame's length is {said}, but it is at least {wanted}"));
        }
        let total = if least == 0 { head.saturating_add(length) } else { length };
        if bytes.len() < total {
            return Ok(Next::Needs(total));
        }
        match self {
            Framing::Sofh { order } => check_encoding(&bytes[4..SOFH], order)?,
            Framing::Prefix { .. } | Framing::Own { .. } | Framing::Shared { .. } | Framing::Segments(_) => {}
        }
        Ok(Next::Frame { head, total })
    }

    /// Appends `message` with its frame, which begins at byte `offset` of the stream, to `out`.
    ///
    /// # Errors
    /// A message that is longer than the frame's length can say, or that begins further on than its root can say.
    fn write(self, message: &[u8], offset: u64, out: &mut Vec<u8>) -> Result<(), String> {
        match self {
            Framing::Prefix { width, order, whole } => {
                put(message.len() + if whole { width } else { 0 }, width, order, out)?;
            }
            Framing::Sofh { order } => {
                put(message.len() + SOFH, 4, ByteOrder::Big, out)?;
                out.extend_from_slice(encoding_type(order));
            }
            Framing::Own { .. } | Framing::Shared { .. } | Framing::Segments(_) => {}
        }
        let begin = out.len();
        out.extend_from_slice(message);
        self.move_root(&mut out[begin..], |root| root.checked_add(usize::try_from(offset).ok()?)).map_err(|root| {
            out.truncate(begin);
            format!(
                "the message would begin at byte {offset}, where its root at {root} is beyond what its offset can say"
            )
        })
    }

    /// Makes a message that begins at byte `offset` of its stream one that is the same in any place.
    ///
    /// # Errors
    /// A root that lies before its message.
    pub fn relocate(self, message: &mut [u8], offset: u64) -> Result<(), String> {
        self.move_root(message, |root| root.checked_sub(usize::try_from(offset).ok()?)).map_err(|root| {
            format!(
                "the root is said to be at byte {root} of the stream, before its message at byte {offset}; where offsets \
                 count from their message's begin the framing is fbe"
            )
        })
    }

    /// The same of bytes that cannot be changed: `scratch` has what was.
    pub fn in_any_place<'b>(
        self,
        message: &'b [u8],
        offset: u64,
        scratch: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], String> {
        if !matches!(self, Framing::Shared { .. }) {
            return Ok(message);
        }
        scratch.clear();
        scratch.extend_from_slice(message);
        self.relocate(scratch, offset)?;
        Ok(scratch)
    }

    /// Changes where the root is said to be, where that counts from the stream's begin; what it was where it cannot be.
    fn move_root(self, message: &mut [u8], to: impl Fn(usize) -> Option<usize>) -> Result<(), usize> {
        let Framing::Shared { root, order, .. } = self else { return Ok(()) };
        let Some(field) = message.get_mut(root.at..root.end()) else { return Ok(()) };
        let was = usize::try_from(order.number(field)).unwrap_or(usize::MAX);
        let mut bytes = Vec::with_capacity(root.width);
        let moved = to(was).ok_or(was)?;
        put(moved, root.width, order, &mut bytes).map_err(|_| was)?;
        field.copy_from_slice(&bytes);
        Ok(())
    }
}

/// Writes the frames of one stream.
pub struct Framer {
    framing: Framing,
    /// The place in the stream at which the next frame begins.
    offset: u64,
}

impl Framer {
    pub fn new(framing: Framing) -> Self {
        Self { framing, offset: 0 }
    }

    /// Appends `message` with its frame to `out`.
    ///
    /// # Errors
    /// A message whose length or place the framing cannot say.
    pub fn write(&mut self, message: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let begin = out.len();
        self.framing.write(message, self.offset, out)?;
        self.offset += (out.len() - begin) as u64;
        Ok(())
    }
}

/// The number in a message that says at which byte its record begins; `None` if that is always the same byte.
fn root(plan: &Plan) -> Option<Place> {
    let envelope = &plan.messages.first()?.envelope;
    envelope.head.slots.iter().find_map(|slot| match &slot.kind {
        SlotKind::Register(register) if matches!(register.meaning, Meaning::Root) => {
            Some(Place { at: slot.at as usize, width: slot.width as usize })
        }
        _ => None,
    })
}

/// The end of the message whose table `bytes` begin with.
///
/// # Errors
/// As [`Framing::next`].
pub fn next_segments(end: &mut MessageEnd, bytes: &[u8]) -> Result<Next, String> {
    match end.find(bytes) {
        Ok(Some(total)) => Ok(Next::Frame { head: 0, total }),
        Ok(None) => {
            let least = usize::try_from(end.least()).unwrap_or(usize::MAX);
            Ok(Next::Needs(least.max(bytes.len() + 1)))
        }
        Err(fault) => Err(fault.text.clone()),
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
    use super::{Framer, Framing, Next, Place};
    use aldis_plan::ByteOrder::{Big, Little};

    const ALL: [Framing; 6] = [
        Framing::Prefix { width: 2, order: Little, whole: false },
        Framing::Prefix { width: 2, order: Big, whole: false },
        Framing::Prefix { width: 4, order: Little, whole: false },
        Framing::Prefix { width: 4, order: Big, whole: false },
        Framing::Prefix { width: 2, order: Little, whole: true },
        Framing::Sofh { order: Little },
    ];

    #[test]
    fn what_is_written_is_found() {
        for framing in ALL {
            let mut stream = Vec::new();
            let mut framer = Framer::new(framing);
            framer.write(b"hello", &mut stream).unwrap();
            let total = stream.len();
            framer.write(b"", &mut stream).unwrap();
            assert_eq!(framing.next(&stream), Ok(Next::Frame { head: total - 5, total }), "{framing:?}");
            for end in 0..total {
                assert!(matches!(framing.next(&stream[..end]), Ok(Next::Needs(n)) if n > end), "{framing:?} {end}");
            }
        }
    }

    #[test]
    fn bytes_are_as_documented() {
        let mut stream = Vec::new();
        Framing::Sofh { order: Big }.write(b"x", 0, &mut stream).unwrap();
        Framing::prefix(2, Little, false).write(b"x", 0, &mut stream).unwrap();
        assert_eq!(stream, b"\0\0\0\x07\x5b\xe0x\x01\0x");
    }

    #[test]
    fn impossible_lengths_are_told() {
        let own = Framing::Own { length: Place { at: 0, width: 4 }, order: Little, min: 16, plus: 0 };
        assert!(own.next(b"\x0f\0\0\0rest").unwrap_err().contains("at least 16"));
        assert!(Framing::Sofh { order: Little }.next(b"\0\0\0\x05\xeb\x50").is_err());
        assert!(Framing::Sofh { order: Little }.next(b"\0\0\0\x06\x5b\xe0").unwrap_err().contains("5BE0"));
        let long = vec![0; 65536];
        assert!(Framing::prefix(2, Big, false).write(&long, 0, &mut Vec::new()).is_err());
    }

    #[test]
    fn roots_that_count_from_the_streams_begin_are_moved() {
        let place = |at, width| Place { at, width };
        let shared = Framing::Shared { length: place(0, 1), order: Little, min: 3, root: place(1, 1) };
        let (mut framer, mut stream) = (Framer::new(shared), Vec::new());
        for text in [b"\x05\x02abc", b"\x05\x02def"] {
            framer.write(text, &mut stream).unwrap();
        }
        assert_eq!(stream, b"\x05\x02abc\x05\x07def");
        let mut second = stream[5..].to_vec();
        shared.relocate(&mut second, 5).unwrap();
        assert_eq!(second, b"\x05\x02def");
        assert!(shared.relocate(&mut second, 5).unwrap_err().contains("before its message at byte 5"));
        let error = shared.write(b"\x05\x02abc", 254, &mut stream).unwrap_err();
        assert!(error.contains("beyond what its offset can say"), "{error}");
        assert_eq!(stream.len(), 10);
    }
}
