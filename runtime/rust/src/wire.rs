//! The parts of a frame's body: little-endian numbers, sized bytes, texts.

use crate::error::Code;

/// Bytes of the length that each frame begins with.
pub const LENGTH: usize = 4;

const MAGIC: &[u8; 5] = b"ALDIS";
/// Bytes of a text, at most.
pub(crate) const MAX_TEXT: usize = 1024;

/// When a message is done with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// It is in the server's memory.
    Received,
    /// The handler returned.
    #[default]
    Handled,
    /// It is in the log, after fdatasync.
    Durable,
    /// An external log has it.
    Replicated,
}

/// How much may be outstanding: messages, and bytes of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub messages: u32,
    pub bytes: u32,
}

/// Reads from the front of a body. Once something is missing or wrong it reads zeros, and is not exact.
pub(crate) struct Reader<'a> {
    left: &'a [u8],
    ok: bool,
}

impl<'a> Reader<'a> {
    pub fn new(body: &'a [u8]) -> Self {
        Self { left: body, ok: true }
    }

    /// All was there and right, and nothing is left over.
    pub fn is_exact(&self) -> bool {
        self.ok && self.left.is_empty()
    }

    fn take(&mut self, size: usize) -> &'a [u8] {
        let Some((taken, left)) = self.left.split_at_checked(size) else {
            self.ok = false;
            self.left = &[];
            return &[];
        };
        self.left = left;
        taken
    }

    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).try_into().unwrap_or([0; N])
    }

    pub fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    pub fn rest(&mut self) -> &'a [u8] {
        self.take(self.left.len())
    }

    pub fn magic(&mut self) {
        self.ok &= self.take(MAGIC.len()) == MAGIC;
    }

    pub fn short_bytes(&mut self) -> &'a [u8] {
        let size = self.u8();
        self.take(usize::from(size))
    }

    pub fn sized_bytes(&mut self) -> &'a [u8] {
        let size = self.u16();
        self.take(usize::from(size))
    }

    pub fn text(&mut self) -> &'a str {
        let bytes = self.sized_bytes();
        match std::str::from_utf8(bytes) {
            Ok(text) if bytes.len() <= MAX_TEXT => text,
            _ => {
                self.ok = false;
                ""
            }
        }
    }

    pub fn code(&mut self) -> Code {
        Code::from_number(u32::from(self.u16()))
    }

    pub fn window(&mut self) -> Window {
        Window { messages: self.u32(), bytes: self.u32() }
    }

    /// A level that is not known is taken for wrong.
    pub fn durability(&mut self) -> Durability {
        match self.u8() {
            0 => Durability::Received,
            1 => Durability::Handled,
            2 => Durability::Durable,
            3 => Durability::Replicated,
            _ => {
                self.ok = false;
                Durability::Received
            }
        }
    }
}

/// Appends a frame's fields.
pub(crate) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    begin: usize,
}

impl<'a> Writer<'a> {
    /// Begins a frame of that kind.
    pub fn frame(out: &'a mut Vec<u8>, kind: u8) -> Self {
        let begin = out.len();
        out.extend_from_slice(&[0; LENGTH]);
        out.push(kind);
        Self { out, begin }
    }

    /// Ends it: writes its length, `following` bytes more than are there.
    pub fn end(self, following: usize) {
        let length = self.out.len() - self.begin - LENGTH + following;
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        self.out[self.begin..self.begin + LENGTH].copy_from_slice(&length.to_le_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    pub fn u8(&mut self, value: u8) {
        self.out.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    pub fn magic(&mut self) {
        self.bytes(MAGIC);
    }

    pub fn short_bytes(&mut self, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(usize::from(u8::MAX))];
        self.u8(bytes.len() as u8);
        self.bytes(bytes);
    }

    pub fn sized_bytes(&mut self, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(usize::from(u16::MAX))];
        self.u16(bytes.len() as u16);
        self.bytes(bytes);
    }

    /// As much of the text as fits, ending between characters.
    pub fn text(&mut self, text: &str) {
        let end = (0..=text.len().min(MAX_TEXT)).rev().find(|end| text.is_char_boundary(*end));
        self.sized_bytes(&text.as_bytes()[..end.unwrap_or(0)]);
    }

    pub fn code(&mut self, code: Code) {
        self.u16(u16::try_from(code.number()).unwrap_or(0));
    }

    pub fn window(&mut self, window: Window) {
        self.u32(window.messages);
        self.u32(window.bytes);
    }

    pub fn durability(&mut self, durability: Durability) {
        self.u8(durability as u8);
    }

    /// A u64, a u32 and bytes, as half of all kinds have them.
    pub fn numbered(&mut self, wide: u64, narrow: u32, bytes: &[u8]) {
        self.u64(wide);
        self.u32(narrow);
        self.bytes(bytes);
    }
}
