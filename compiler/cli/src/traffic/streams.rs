//! The frames of streams of TCP, whose bytes come piece by piece.

use super::split::{Split, Splitter, TakeFrame};
use crate::output::count;
use aldis_captures::Flow;
use aldis_interpreter::MessageEnd;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// All streams that are open. A stream takes memory for the begin of an unfinished frame alone.
#[derive(Default)]
pub struct Streams {
    streams: HashMap<Flow, Stream>,
    /// Bytes of unfinished frames, in all streams.
    waiting: usize,
}

#[derive(Default)]
struct Stream {
    /// The begin of an unfinished frame.
    rest: Vec<u8>,
    /// The place in the stream.
    offset: u64,
    /// How many bytes it needs.
    wanted: usize,
    message_end: Option<MessageEnd>,
    /// Frames cannot be found, until a gap gives it another begin.
    is_lost: bool,
}

/// Why the rest of a stream is left out, and from which of its bytes on.
pub type Lost = (u64, String);

impl Streams {
    /// Takes the next bytes of a stream, and gives out the frames that they complete.
    pub fn bytes<B>(
        &mut self,
        splitter: &mut Splitter,
        flow: Flow,
        bytes: &[u8],
        take: &mut TakeFrame<'_, B>,
    ) -> ControlFlow<B, Option<Lost>> {
        let stream = self.streams.entry(flow).or_default();
        if stream.is_lost {
            stream.offset += bytes.len() as u64;
            return ControlFlow::Continue(None);
        }
        self.waiting -= stream.rest.len();
        let split = stream.split(splitter, bytes, take)?;
        self.waiting += stream.rest.len();
        let trouble = match split.trouble {
            None if self.waiting > splitter.max_frame => {
                let waiting = self.waiting;
                Some(format!("unfinished frames of all streams have {waiting} bytes, which is more than --max-frame"))
            }
            trouble => trouble,
        };
        let Some(text) = trouble else { return ControlFlow::Continue(None) };
        let offset = stream.offset;
        self.waiting -= stream.rest.len();
        stream.lose();
        ControlFlow::Continue(Some((offset, format!("{text}; the rest of the stream is left out"))))
    }

    /// Whether nothing of the stream was heard before.
    pub fn is_new(&mut self, flow: Flow) -> bool {
        self.streams.insert(flow, Stream::default()).is_none()
    }

    /// So many bytes of a stream are missing: frames are looked for again behind them.
    pub fn gap(&mut self, flow: Flow, lost: u64) {
        let stream = self.streams.entry(flow).or_default();
        self.waiting -= stream.rest.len();
        stream.lose();
        stream.offset += lost;
        stream.is_lost = false;
    }

    /// The stream has ended; within a frame, it is said where.
    pub fn end(&mut self, flow: Flow) -> Option<Lost> {
        let stream = self.streams.remove(&flow)?;
        self.waiting -= stream.rest.len();
        let has = count(stream.rest.len(), "byte");
        (!stream.rest.is_empty()).then(|| (stream.offset, format!("the stream ends within a frame, after {has} of it")))
    }
}

impl Stream {
    fn split<B>(
        &mut self,
        splitter: &mut Splitter,
        bytes: &[u8],
        take: &mut TakeFrame<'_, B>,
    ) -> ControlFlow<B, Split> {
        let is_first = self.rest.is_empty();
        if !is_first {
            self.rest.extend_from_slice(bytes);
            if self.rest.len() < self.wanted {
                return ControlFlow::Continue(Split::default());
            }
        }
        let all = if is_first { bytes } else { &self.rest };
        let split = splitter.split(all, self.offset, &mut self.message_end, take)?;
        if is_first {
            self.rest.extend_from_slice(&bytes[split.used..]);
        } else {
            self.rest.drain(..split.used);
        }
        if self.rest.is_empty() {
            // Many streams say much once.
            self.rest = Vec::new();
        }
        self.offset += split.used as u64;
        self.wanted = split.wanted;
        ControlFlow::Continue(split)
    }

    /// Leaves out what has come.
    fn lose(&mut self) {
        self.offset += self.rest.len() as u64;
        self.rest = Vec::new();
        self.message_end = None;
        self.is_lost = true;
    }
}
