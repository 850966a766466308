//! Messages in captured traffic: in datagrams of UDP, and in streams of TCP.

mod args;
mod header;
mod source;

pub use args::{shown, TrafficArgs};

use crate::compile::Compiled;
use crate::failure::{Failure, Outcome};
use crate::frames::{Frames, StreamError};
use crate::framing::{Framing, Next};
use crate::messages::Input;
use crate::output::{count, Output};
use aldis_captures::{Capture, Event, Fault, Flow, Stamp, Transport};
use header::PacketHeader;
use source::Pending;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// How many remarks on one kind of trouble are made one by one.
const REMARKS: u64 = 8;

/// The place of a message.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The message's number in the capture, from 0.
    pub index: u64,
    pub flow: Flow,
    pub stamp: Stamp,
    /// Its first byte in the datagram's payload, or in the stream.
    pub offset: u64,
    /// The JSON of the record in front of the datagram's messages, where it was asked for.
    pub head: &'a [u8],
}

/// Reads the messages of a capture.
pub struct Traffic<'o> {
    output: &'o Output,
    framing: Option<Framing>,
    max_frame: usize,
    header: Option<PacketHeader>,
    /// Whether places have the JSON of datagrams' heads.
    pub with_heads: bool,
    streams: HashMap<Flow, Option<Frames<Pending>>>,
    index: u64,
    /// Datagrams and streams in which no messages were found.
    broken: u64,
    lost: u64,
    gaps: u64,
    scratch: Vec<u8>,
}

/// The function that takes the messages.
pub type Take<'t, B> = dyn FnMut(&Place<'_>, &[u8]) -> ControlFlow<B> + 't;

impl<'o> Traffic<'o> {
    pub fn new(
        args: &TrafficArgs,
        (compiled, form): (&Compiled, Option<&str>),
        framing: Option<Framing>,
        max_frame: usize,
        output: &'o Output,
    ) -> Outcome<Self> {
        let header = args.packet_header.as_deref();
        let header =
            header.map(|name| PacketHeader::new(compiled, form, name, args.sequence.as_deref())).transpose()?;
        let (streams, scratch) = (HashMap::new(), Vec::new());
        Ok(Self {
            output,
            framing,
            max_frame,
            header,
            with_heads: false,
            streams,
            index: 0,
            broken: 0,
            lost: 0,
            gaps: 0,
            scratch,
        })
    }

    /// Gives each message to `take`, until that breaks. Ends with remarks on what is missing.
    pub fn each<B>(&mut self, args: &TrafficArgs, input: Input, take: &mut Take<'_, B>) -> Outcome<Option<B>> {
        let name = input.name;
        let refused = |fault: Fault| Failure::Input(format!("{name}: {fault}"));
        let mut capture = Capture::new(input.reader, args.filter()).map_err(refused)?;
        let read = capture.each(|event| self.event(&event, take));
        if let Ok(Some(broken)) = read {
            return Ok(Some(broken));
        }
        self.summary(capture.tally());
        read.map_err(refused)?;
        if self.broken > 0 {
            self.output.found_problem();
            return Err(Failure::Shown);
        }
        Ok(None)
    }

    fn event<B>(&mut self, event: &Event<'_>, take: &mut Take<'_, B>) -> ControlFlow<B> {
        match *event {
            Event::Datagram { flow, stamp, bytes, cut: false } => self.datagram(flow, stamp, bytes, take),
            Event::Datagram { flow, stamp, .. } => {
                self.trouble(flow, stamp, 0, "the capture has not all of the packet's bytes");
                ControlFlow::Continue(())
            }
            Event::Bytes { flow, stamp, bytes } => self.bytes(flow, stamp, bytes, take),
            Event::Gap { flow, stamp, lost } => {
                self.gaps += 1;
                if self.gaps <= REMARKS {
                    let text =
                        format!("packet {}, {flow}: {} missing before it", stamp.packet, count(lost as usize, "byte"));
                    self.output.remark(&text);
                }
                // Frames are looked for again from the next segment on.
                self.streams.remove(&flow);
                ControlFlow::Continue(())
            }
            Event::End { flow } => {
                if let Some(Some(mut frames)) = self.streams.remove(&flow) {
                    frames.source().is_closed = true;
                    if let Err(StreamError::Cut(offset, text)) = frames.next() {
                        self.output.remark(&format!("{flow}, stream byte {offset}: {text}"));
                    }
                }
                ControlFlow::Continue(())
            }
        }
    }

    fn datagram<B>(&mut self, flow: Flow, stamp: Stamp, bytes: &[u8], take: &mut Take<'_, B>) -> ControlFlow<B> {
        let mut at = 0;
        if let Some(header) = &mut self.header {
            match header.read(flow, bytes) {
                Ok((used, 0)) => at = used,
                Ok((used, missing)) => {
                    at = used;
                    self.lost += 1;
                    if self.lost <= REMARKS {
                        let missing = count(missing as usize, "datagram");
                        self.output.remark(&format!("packet {}, {flow}: {missing} missing before it", stamp.packet));
                    }
                }
                Err(fault) => {
                    self.trouble(flow, stamp, 0, &format!("the packet header: {fault}"));
                    return ControlFlow::Continue(());
                }
            }
        }
        let mut head = Vec::new();
        if let Some(header) = self.header.as_ref().filter(|_| self.with_heads) {
            // A decoded header is JSON, unless it has text that JSON cannot hold; such a header is left out.
            if header.json(bytes, &mut head).is_err() {
                head.clear();
            }
        }
        while at < bytes.len() {
            let (begin, end) = match self.frame(&bytes[at..]) {
                Ok((begin, end)) => (at + begin, at + end),
                Err(text) => {
                    self.trouble(flow, stamp, at as u64, &text);
                    return ControlFlow::Continue(());
                }
            };
            let place = Place { index: self.index, flow, stamp, offset: begin as u64, head: &head };
            self.index += 1;
            self.scratch.clear();
            self.scratch.extend_from_slice(&bytes[begin..end]);
            let moved = self.framing.map_or(Ok(()), |framing| framing.relocate(&mut self.scratch, at as u64));
            if let Err(text) = moved {
                self.trouble(flow, stamp, at as u64, &text);
                return ControlFlow::Continue(());
            }
            take(&place, &self.scratch)?;
            at = end;
        }
        ControlFlow::Continue(())
    }

    /// The first message of these bytes of a datagram, and where it ends.
    fn frame(&self, bytes: &[u8]) -> Result<(usize, usize), String> {
        let Some(framing) = self.framing else { return Ok((0, bytes.len())) };
        match framing.next(bytes)? {
            Next::Frame { head, total } => Ok((head, total)),
            Next::Needs(wanted) => {
                Err(format!("the datagram ends within a frame: it has {} bytes of {wanted}", bytes.len()))
            }
        }
    }

    fn bytes<B>(&mut self, flow: Flow, stamp: Stamp, bytes: &[u8], take: &mut Take<'_, B>) -> ControlFlow<B> {
        let Some(framing) = self.framing else {
            if self.streams.insert(flow, None).is_none() {
                self.trouble(flow, stamp, 0, "streams of TCP do not say where messages begin: say --framing");
            }
            return ControlFlow::Continue(());
        };
        let max_frame = self.max_frame;
        let frames =
            self.streams.entry(flow).or_insert_with(|| Some(Frames::small(Pending::default(), framing, max_frame)));
        let Some(frames) = frames else { return ControlFlow::Continue(()) };
        frames.source().put(bytes);
        let trouble = loop {
            match frames.next() {
                Ok(Some(frame)) => {
                    let place = Place { index: self.index, flow, stamp, offset: frame.offset, head: &[] };
                    self.index += 1;
                    take(&place, frame.bytes)?;
                }
                Ok(None) | Err(StreamError::Read(_)) => break None,
                Err(StreamError::Broken(offset, text) | StreamError::Cut(offset, text)) => break Some((offset, text)),
            }
        };
        if let Some((offset, text)) = trouble {
            self.streams.insert(flow, None);
            self.trouble(flow, stamp, offset, &format!("{text}; the rest of the stream is left out"));
        }
        ControlFlow::Continue(())
    }

    fn trouble(&mut self, flow: Flow, stamp: Stamp, offset: u64, text: &str) {
        self.broken += 1;
        if self.broken <= REMARKS {
            self.output.problem(&format!("packet {}, {flow}, byte {offset}: {text}", stamp.packet));
        }
    }

    fn summary(&self, tally: &aldis_captures::Tally) {
        let said = |number: u64, what: &str| {
            if number > 0 {
                self.output.remark(&format!("{} {what}", count(number as usize, "packet")));
            }
        };
        said(tally.fragments, "left out: fragments of IP");
        said(tally.damaged, "left out: headers that cannot be");
        if !tally.unknown_links.is_empty() {
            let links: Vec<String> = tally.unknown_links.iter().map(i32::to_string).collect();
            self.output.remark(&format!("packets left out: links of the unknown kinds {}", links.join(", ")));
        }
        if self.broken > REMARKS {
            self.output.problem(&format!("{} datagrams and streams more have no messages", self.broken - REMARKS));
        }
        if self.gaps > REMARKS {
            self.output.remark(&format!("{} more in streams of TCP", count((self.gaps - REMARKS) as usize, "gap")));
        }
        for (flow, channel) in self.header.as_ref().map(PacketHeader::channels).unwrap_or_default() {
            let (gaps, missing) = (count(channel.gaps as usize, "gap"), count(channel.missing as usize, "datagram"));
            let earlier = match channel.earlier {
                0 => String::new(),
                earlier => format!(", {} doubled or late", count(earlier as usize, "datagram")),
            };
            self.output.remark(&format!("{flow}: {gaps}, {missing} missing{earlier}"));
        }
    }
}

impl Place<'_> {
    /// `message 7, packet 12, udp 10.0.0.1:4000 > 224.0.31.1:5000, byte 12`
    pub fn text(&self) -> String {
        format!("message {}, packet {}, {}, byte {}", self.index, self.stamp.packet, self.flow, self.offset)
    }

    /// Appends the packet as JSON.
    pub fn json(&self, out: &mut Vec<u8>) {
        let transport = match self.flow.transport {
            Transport::Udp => "udp",
            Transport::Tcp => "tcp",
        };
        let time = self.stamp.time.map(shown);
        let object = serde_json::json!({
            "number": self.stamp.packet, "time": time, "transport": transport,
            "from": self.flow.from.to_string(), "to": self.flow.to.to_string(),
        });
        out.extend_from_slice(object.to_string().as_bytes());
        if !self.head.is_empty() {
            out.pop();
            out.extend_from_slice(b",\"header\":");
            out.extend_from_slice(self.head);
            out.push(b'}');
        }
    }
}
