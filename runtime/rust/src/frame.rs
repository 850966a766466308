//! The frames of aldis/1, read and written (docs/protocol.md).

use crate::error::{Code, Error};
use crate::wire::{Durability, Reader, Window, Writer};

/// The version of the protocol that is spoken here.
pub const VERSION: u8 = 1;

/// A server takes a HELLO of 4 KiB; this many bytes of it are for auth's method and data together.
pub const MAX_AUTH: usize = 4096 - 43;

/// The bits of `features`.
pub mod feature {
    pub const NO_CHECKSUM: u32 = 1;
    pub const CRC32C: u32 = 1 << 1;
    pub const SCHEMA: u32 = 1 << 2;
    pub const PUSH: u32 = 1 << 3;
}

/// The identity of a client: 16 bytes of its own choosing.
pub type Producer = [u8; 16];

/// The schema and the template of a batch's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaId {
    pub schema: u32,
    pub template: u32,
}

/// HELLO, 0x01.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello<'a> {
    pub version: u8,
    pub features: u32,
    pub producer: Producer,
    pub epoch: u32,
    /// At most 255 bytes.
    pub auth_method: &'a [u8],
    /// At most 65,535 bytes.
    pub auth_data: &'a [u8],
    pub durability: Durability,
    pub window: Window,
}

/// WELCOME, 0x02.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Welcome {
    pub version: u8,
    pub features: u32,
    pub session: u64,
    pub last: u64,
    pub credit: Window,
    pub max_frame: u32,
    pub durability: Durability,
}

/// BATCH, 0x03. Whether `entries` are `count` entries, and whether `crc` is right, is not looked at when it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch<'a> {
    pub first: u64,
    pub count: u32,
    pub crc: u32,
    pub schema: Option<SchemaId>,
    pub entries: &'a [u8],
}

/// ACK, 0x04.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    pub received: u64,
    pub handled: u64,
    pub durable: u64,
    pub duplicates: u64,
    pub credit: Window,
}

/// A frame with views of its texts and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    Hello(Hello<'a>),
    Welcome(Welcome),
    Batch(Batch<'a>),
    Ack(Ack),
    Nack {
        expected: u64,
        code: Code,
        text: &'a str,
    },
    Request {
        correlation: u64,
        deadline: u32,
        bytes: &'a [u8],
    },
    Reply {
        correlation: u64,
        code: Code,
        bytes: &'a [u8],
    },
    Push {
        subscription: u32,
        first: u64,
        count: u32,
        entries: &'a [u8],
    },
    Ping(u64),
    Pong(u64),
    Drain {
        milliseconds: u32,
    },
    Close {
        code: Code,
        text: &'a str,
    },
    Subscribe {
        subscription: u32,
        from: u64,
        credit: u32,
        topic: &'a str,
    },
    Unsubscribe {
        subscription: u32,
        code: Code,
        text: &'a str,
    },
    Credit {
        subscription: u32,
        consumed: u64,
        credit: u32,
    },
    /// A kind with the top bit set that this version does not know: to be skipped.
    Unknown {
        kind: u8,
        body: &'a [u8],
    },
}

impl Batch<'_> {
    /// The checksum that belongs into `crc`: over first, count and all that follows the checksum in the frame.
    pub fn checksum(&self) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&self.first.to_le_bytes());
        crc.update(&self.count.to_le_bytes());
        if let Some(id) = self.schema {
            crc.update(&id.schema.to_le_bytes());
            crc.update(&id.template.to_le_bytes());
        }
        crc.update(self.entries);
        crc.finalize()
    }

    /// Appends the frame up to its entries, which are to be sent behind it.
    pub fn encode_head(&self, out: &mut Vec<u8>) {
        let mut to = Writer::frame(out, 0x03);
        self.write_head(&mut to);
        to.end(self.entries.len());
    }

    fn write_head(&self, to: &mut Writer<'_>) {
        to.u64(self.first);
        to.u32(self.count);
        to.u32(self.crc);
        if let Some(id) = self.schema {
            to.u32(id.schema);
            to.u32(id.template);
        }
    }
}

impl<'a> Frame<'a> {
    /// Reads a frame from its kind and its body. `schema`: the feature SCHEMA is granted.
    ///
    /// # Errors
    /// `protocol` for a kind that is not known and must not be skipped, and a body that is no such frame's.
    pub fn decode(kind: u8, body: &'a [u8], schema: bool) -> Result<Self, Error> {
        let mut from = Reader::new(body);
        let frame = Self::read(kind, body, schema, &mut from)?;
        if from.is_exact() {
            return Ok(frame);
        }
        let text = format!("a frame of kind {kind} cannot have this body of {} bytes", body.len());
        Err(Error::new(Code::Protocol, text))
    }

    fn read(kind: u8, body: &'a [u8], schema: bool, from: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(match kind {
            0x01 => Frame::Hello(Hello::read(from)),
            0x02 => Frame::Welcome(Welcome::read(from)),
            0x03 => Frame::Batch(Batch {
                first: from.u64(),
                count: from.u32(),
                crc: from.u32(),
                schema: schema.then(|| SchemaId { schema: from.u32(), template: from.u32() }),
                entries: from.rest(),
            }),
            0x04 => Frame::Ack(Ack {
                received: from.u64(),
                handled: from.u64(),
                durable: from.u64(),
                duplicates: from.u64(),
                credit: from.window(),
            }),
            0x05 => Frame::Nack { expected: from.u64(), code: from.code(), text: from.text() },
            0x06 => Frame::Request { correlation: from.u64(), deadline: from.u32(), bytes: from.rest() },
            0x07 => Frame::Reply { correlation: from.u64(), code: Code::from_number(from.u32()), bytes: from.rest() },
            0x08 => {
                Frame::Push { subscription: from.u32(), first: from.u64(), count: from.u32(), entries: from.rest() }
            }
            0x09 => Frame::Ping(from.u64()),
            0x0A => Frame::Pong(from.u64()),
            0x0B => Frame::Drain { milliseconds: from.u32() },
            0x0C => Frame::Close { code: from.code(), text: from.text() },
            0x0D => {
                Frame::Subscribe { subscription: from.u32(), from: from.u64(), credit: from.u32(), topic: from.text() }
            }
            0x0E => Frame::Unsubscribe { subscription: from.u32(), code: from.code(), text: from.text() },
            0x0F => Frame::Credit { subscription: from.u32(), consumed: from.u64(), credit: from.u32() },
            0x80.. => {
                from.rest();
                Frame::Unknown { kind, body }
            }
            _ => return Err(Error::new(Code::Protocol, format!("there is no frame of kind {kind}"))),
        })
    }

    /// The frame's kind.
    pub fn kind(&self) -> u8 {
        match self {
            Frame::Hello(_) => 0x01,
            Frame::Welcome(_) => 0x02,
            Frame::Batch(_) => 0x03,
            Frame::Ack(_) => 0x04,
            Frame::Nack { .. } => 0x05,
            Frame::Request { .. } => 0x06,
            Frame::Reply { .. } => 0x07,
            Frame::Push { .. } => 0x08,
            Frame::Ping(_) => 0x09,
            Frame::Pong(_) => 0x0A,
            Frame::Drain { .. } => 0x0B,
            Frame::Close { .. } => 0x0C,
            Frame::Subscribe { .. } => 0x0D,
            Frame::Unsubscribe { .. } => 0x0E,
            Frame::Credit { .. } => 0x0F,
            Frame::Unknown { kind, .. } => *kind,
        }
    }

    /// Appends the whole frame, its length first. Texts that are too long for their field are cut.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut to = Writer::frame(out, self.kind());
        match *self {
            Frame::Hello(hello) => hello.write(&mut to),
            Frame::Welcome(welcome) => welcome.write(&mut to),
            Frame::Batch(batch) => {
                batch.write_head(&mut to);
                to.bytes(batch.entries);
            }
            Frame::Ack(ack) => {
                for mark in [ack.received, ack.handled, ack.durable, ack.duplicates] {
                    to.u64(mark);
                }
                to.window(ack.credit);
            }
            Frame::Nack { expected, code, text } => {
                to.u64(expected);
                to.code(code);
                to.text(text);
            }
            Frame::Request { correlation, deadline: number, bytes } => to.numbered(correlation, number, bytes),
            Frame::Reply { correlation, code, bytes } => to.numbered(correlation, code.number(), bytes),
            Frame::Push { subscription, first, count, entries } => {
                to.u32(subscription);
                to.numbered(first, count, entries);
            }
            Frame::Ping(opaque) | Frame::Pong(opaque) => to.u64(opaque),
            Frame::Drain { milliseconds } => to.u32(milliseconds),
            Frame::Close { code, text } => {
                to.code(code);
                to.text(text);
            }
            Frame::Subscribe { subscription, from, credit, topic } => {
                to.u32(subscription);
                to.numbered(from, credit, &[]);
                to.text(topic);
            }
            Frame::Unsubscribe { subscription, code, text } => {
                to.u32(subscription);
                to.code(code);
                to.text(text);
            }
            Frame::Credit { subscription, consumed, credit } => {
                to.u32(subscription);
                to.numbered(consumed, credit, &[]);
            }
            Frame::Unknown { body, .. } => to.bytes(body),
        }
        to.end(0);
    }
}

impl<'a> Hello<'a> {
    fn read(from: &mut Reader<'a>) -> Self {
        from.magic();
        Self {
            version: from.u8(),
            features: from.u32(),
            producer: from.array(),
            epoch: from.u32(),
            auth_method: from.short_bytes(),
            auth_data: from.sized_bytes(),
            durability: from.durability(),
            window: from.window(),
        }
    }

    fn write(&self, to: &mut Writer<'_>) {
        to.magic();
        to.u8(self.version);
        to.u32(self.features);
        to.bytes(&self.producer);
        to.u32(self.epoch);
        to.short_bytes(self.auth_method);
        to.sized_bytes(self.auth_data);
        to.durability(self.durability);
        to.window(self.window);
    }
}

impl Welcome {
    fn read(from: &mut Reader<'_>) -> Self {
        Self {
            version: from.u8(),
            features: from.u32(),
            session: from.u64(),
            last: from.u64(),
            credit: from.window(),
            max_frame: from.u32(),
            durability: from.durability(),
        }
    }

    fn write(&self, to: &mut Writer<'_>) {
        to.u8(self.version);
        to.u32(self.features);
        to.u64(self.session);
        to.u64(self.last);
        to.window(self.credit);
        to.u32(self.max_frame);
        to.durability(self.durability);
    }
}
