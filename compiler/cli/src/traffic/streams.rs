//! The frames of streams of TCP, whose bytes come piece by piece.

use super::split::{Split, Splitter, TakeFrame};
use crate::framing::Framing;
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
    /// So many bytes to come belong to a frame that misses others.
    skip: u64,
    /// Frames cannot be found any more.
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
        let bytes = stream.skipped(bytes);
        if stream.is_lost || bytes.is_empty() {
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

    /// So many bytes of a stream are missing. Where they belong to a frame whose end is known, the next frame is found behind
    /// it; else nothing says where a frame begins, and a guess would make messages of any bytes.
    pub fn gap(&mut self, framing: Framing, flow: Flow, lost: u64) -> Option<Lost> {
        let stream = self.streams.entry(flow).or_default();
        if stream.is_lost {
            return None;
        }
        let (begin, has) = (stream.offset, stream.rest.len());
        let is_known = framing.says_end().is_some_and(|least| has >= least);
        let left = if is_known { (stream.wanted - has) as u64 } else { stream.skip };
        self.waiting -= has;
        stream.lose();
        if lost > left {
            return Some((
                stream.offset,
                "nothing says where a message begins behind the missing bytes; the rest of the stream is left out"
                    .to_owned(),
            ));
        }
        let is_new = stream.skip == 0;
        (stream.is_lost, stream.skip) = (false, left - lost);
        stream.offset += lost;
        is_new.then(|| (begin, "the message misses bytes and is left out".to_owned()))
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
    /// The bytes behind those that are left out.
    fn skipped<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let most = if self.is_lost { u64::MAX } else { self.skip };
        let skipped = bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX));
        self.skip -= if self.is_lost { 0 } else { skipped as u64 };
        self.offset += skipped as u64;
        &bytes[skipped..]
    }

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
