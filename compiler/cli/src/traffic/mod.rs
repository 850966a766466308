//! The framed messages of an input: of a file or a pipe, packed or not, or of captured packets: in datagrams of UDP, and in
//! streams of TCP.

mod args;
mod channels;
mod header;
mod place;
mod split;
mod streams;

pub use args::{shown, TrafficArgs};
pub use channels::Channel;
pub use place::{Packet, Place};

use crate::failure::{Failure, Outcome};
use crate::frames::{Frames, StreamError};
use crate::framing::Framing;
use crate::messages::Input;
use crate::output::{count, Output, Progress};
use crate::parts::Mark;
use aldis_captures::{Capture, Event, Fault, Flow, Stamp, Tally};
use aldis_plan::Plan;
use channels::Channels;
use header::PacketHeader;
use split::{Split, Splitter};
use std::ops::ControlFlow;
use streams::Streams;

/// How many remarks on one kind of trouble are made one by one.
const REMARKS: u64 = 8;

/// Reads the messages of an input.
pub struct Traffic<'o> {
    args: TrafficArgs,
    output: &'o Output,
    /// `None`: a datagram is one message, and so is a file.
    splitter: Option<Splitter>,
    header: Option<PacketHeader>,
    /// Whether packets have the JSON of datagrams' heads.
    pub with_heads: bool,
    /// The frame of a larger stream that the input begins with.
    pub begin: Mark,
    /// The input, until it is read.
    input: Option<Input>,
    /// The bar that shows how far the input has been read; see [`Progress::aside`].
    pub progress: Progress,
    pub channels: Channels,
    streams: Streams,
    /// The messages so far.
    index: u64,
    pub lost: Lost,
    gaps: u64,
}

/// How often messages were lost: in datagrams and streams where no frames were found, and with missing bytes of streams.
#[derive(Default)]
pub struct Lost {
    pub times: u64,
    /// The first places, and what is wrong there.
    pub first: Vec<String>,
}

/// The function that takes the messages.
pub type Take<'t, B> = dyn FnMut(&Place<'_>, &[u8]) -> ControlFlow<B> + 't;

impl<'o> Traffic<'o> {
    /// For messages of these plans, one of which has the packet header's record.
    pub fn open(
        args: &TrafficArgs,
        plans: &[&Plan],
        (framing, max_frame): (Option<Framing>, usize),
        input: Input,
        output: &'o Output,
    ) -> Outcome<Self> {
        let header = args.packet_header.as_deref();
        let header = header.map(|name| PacketHeader::new(plans, name, args.sequence.as_deref())).transpose()?;
        Ok(Self {
            args: args.clone(),
            output,
            splitter: framing.map(|framing| Splitter::new(framing, max_frame)),
            header,
            with_heads: false,
            progress: Progress::new(output, input.length),
            begin: Mark::default(),
            input: Some(input),
            channels: Channels::default(),
            streams: Streams::default(),
            index: 0,
            lost: Lost::default(),
            gaps: 0,
        })
    }

    /// Gives each message to `take`, until that breaks. An input that cannot be read on is a failure at the end, when all before
    /// it has been given; gaps are remarked.
    pub fn each<B>(&mut self, take: &mut Take<'_, B>) -> Outcome<Option<B>> {
        let Some(input) = self.input.take() else { return Ok(None) };
        let input = Input { reader: self.progress.reading(input.reader), ..input };
        let read = if self.args.is_capture() { self.capture(input, take) } else { self.stream(input, take) };
        self.progress.finish();
        read
    }

    fn stream<B>(&mut self, input: Input, take: &mut Take<'_, B>) -> Outcome<Option<B>> {
        // A part that begins within the file is never packed, whatever its first bytes look like.
        let input = if self.begin.offset == 0 { input.unpacked()? } else { input };
        let Some(splitter) = &self.splitter else {
            let bytes = input.read_all()?;
            return Ok(take(&Place { index: 0, offset: 0, packet: None }, &bytes).break_value());
        };
        let mut frames = Frames::new(input.reader, splitter.framing, splitter.max_frame).at(self.begin.offset);
        for index in self.begin.message.. {
            match frames.next() {
                Ok(Some(frame)) => {
                    let place = Place { index, offset: frame.offset, packet: None };
                    if let ControlFlow::Break(broken) = take(&place, frame.bytes) {
                        return Ok(Some(broken));
                    }
                }
                Ok(None) => break,
                Err(StreamError::Read(error)) => return Err(Failure::file(&input.name, &error)),
                Err(StreamError::Broken(offset, text) | StreamError::Cut(offset, text)) => {
                    self.output.found_problem();
                    return Err(Failure::Input(format!("message {index}, stream byte {offset}: {text}")));
                }
            }
        }
        Ok(None)
    }

    fn capture<B>(&mut self, input: Input, take: &mut Take<'_, B>) -> Outcome<Option<B>> {
        let Input { reader, name, .. } = input;
        let refused = |fault: Fault| Failure::Input(format!("{name}: {fault}"));
        let mut capture = Capture::new(reader, self.args.filter()).map_err(refused)?;
        let read = capture.each(|event| self.event(&event, take));
        if let Ok(Some(broken)) = read {
            return Ok(Some(broken));
        }
        self.summary(capture.tally());
        read.map_err(refused)?;
        if self.lost.times > 0 {
            self.output.found_problem();
            return Err(Failure::Shown);
        }
        Ok(None)
    }

    fn event<B>(&mut self, event: &Event<'_>, take: &mut Take<'_, B>) -> ControlFlow<B> {
        match *event {
            Event::Datagram { flow, stamp, bytes, cut: false } => self.datagram(flow, stamp, bytes, take)?,
            Event::Datagram { flow, stamp, .. } => {
                self.trouble(flow, stamp, 0, "the capture has not all of the packet's bytes");
            }
            Event::Bytes { flow, stamp, bytes } => self.bytes(flow, stamp, bytes, take)?,
            Event::Gap { flow, stamp, lost } => {
                self.gap(flow, stamp, &count(lost as usize, "byte"));
                let channel = self.channels.of(flow);
                channel.gaps += 1;
                channel.missing += lost;
                let framing = self.splitter.as_ref().map(|splitter| splitter.framing);
                let trouble = framing.and_then(|framing| self.streams.gap(framing, flow, lost));
                if let Some((offset, text)) = trouble {
                    self.trouble(flow, stamp, offset, &text);
                }
            }
            Event::End { flow } => {
                if let Some((offset, text)) = self.streams.end(flow) {
                    self.remark(&format!("{flow}, stream byte {offset}: {text}"));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn datagram<B>(&mut self, flow: Flow, stamp: Stamp, bytes: &[u8], take: &mut Take<'_, B>) -> ControlFlow<B> {
        let (mut at, mut sequence, mut head) = (0, None, Vec::new());
        if let Some(header) = &self.header {
            match header.read(bytes) {
                Ok(read) => (at, sequence) = read,
                Err(fault) => {
                    self.trouble(flow, stamp, 0, &format!("the packet header: {fault}"));
                    return ControlFlow::Continue(());
                }
            }
            // A decoded header is JSON, unless it has text that JSON cannot hold; such a header is left out.
            if self.with_heads && header.json(bytes, &mut head).is_err() {
                head.clear();
            }
            if let Some((number, bits)) = sequence.zip(header.bits()) {
                let missing = self.channels.of(flow).number(number, bits);
                if missing > 0 {
                    self.gap(flow, stamp, &count(missing as usize, "datagram"));
                }
            }
        }
        let packet = Packet { flow, stamp, sequence, head: &head };
        let before = self.index;
        let index = &mut self.index;
        let mut give = |offset: u64, message: &[u8]| {
            let place = Place { index: *index, offset, packet: Some(packet) };
            *index += 1;
            take(&place, message)
        };
        let split = match &mut self.splitter {
            Some(splitter) => splitter.split(&bytes[at..], at as u64, &mut None, &mut give)?,
            None if at < bytes.len() => {
                give(at as u64, &bytes[at..])?;
                Split { used: bytes.len() - at, ..Split::default() }
            }
            None => Split::default(),
        };
        self.channels.of(flow).messages += self.index - before;
        let (end, has) = (at + split.used, bytes.len() - at - split.used);
        if let Some(text) = split.trouble {
            self.trouble(flow, stamp, end as u64, &text);
        } else if has > 0 {
            let wanted = split.wanted;
            let text = format!("the datagram ends within a frame: it has {has} bytes of {wanted}");
            self.trouble(flow, stamp, end as u64, &text);
        }
        ControlFlow::Continue(())
    }

    fn bytes<B>(&mut self, flow: Flow, stamp: Stamp, bytes: &[u8], take: &mut Take<'_, B>) -> ControlFlow<B> {
        let Some(splitter) = &mut self.splitter else {
            if self.streams.is_new(flow) {
                self.trouble(flow, stamp, 0, "streams of TCP do not say where messages begin: say --framing");
            }
            return ControlFlow::Continue(());
        };
        let packet = Packet { flow, stamp, sequence: None, head: &[] };
        let before = self.index;
        let index = &mut self.index;
        let lost = self.streams.bytes(splitter, flow, bytes, &mut |offset, message| {
            let place = Place { index: *index, offset, packet: Some(packet) };
            *index += 1;
            take(&place, message)
        })?;
        self.channels.of(flow).messages += self.index - before;
        if let Some((offset, text)) = lost {
            self.trouble(flow, stamp, offset, &text);
        }
        ControlFlow::Continue(())
    }

    fn gap(&mut self, flow: Flow, stamp: Stamp, missing: &str) {
        self.gaps += 1;
        if self.gaps <= REMARKS {
            self.remark(&format!("packet {}, {flow}: {missing} missing before it", stamp.packet));
        }
    }

    fn trouble(&mut self, flow: Flow, stamp: Stamp, offset: u64, text: &str) {
        self.lost.times += 1;
        if self.lost.times <= REMARKS {
            let text = format!("packet {}, {flow}, byte {offset}: {text}", stamp.packet);
            self.progress.aside(|| self.output.problem(&text));
            self.lost.first.push(text);
        }
    }

    fn remark(&self, text: &str) {
        self.progress.aside(|| self.output.remark(text));
    }

    /// Says what was left out, and what each channel misses.
    fn summary(&self, tally: &Tally) {
        let said = |number: u64, what: &str| {
            if number > 0 {
                self.remark(&format!("{} {what}", count(number as usize, "packet")));
            }
        };
        said(tally.fragments, "left out: fragments of IP");
        said(tally.damaged, "left out: headers that cannot be");
        if !tally.unknown_links.is_empty() {
            let links: Vec<String> = tally.unknown_links.iter().map(i32::to_string).collect();
            self.remark(&format!("packets left out: links of the unknown kinds {}", links.join(", ")));
        }
        if self.index == 0 && tally.filtered > 0 {
            let filtered = count(tally.filtered as usize, "packet");
            self.remark(&format!(
                "no messages: {filtered} of UDP and TCP did not match --port, --group, --from and --until"
            ));
        }
        if self.lost.times > REMARKS {
            self.output.problem(&format!("{} datagrams and streams more lost messages", self.lost.times - REMARKS));
        }
        if self.gaps > REMARKS {
            self.remark(&format!("{} more", count((self.gaps - REMARKS) as usize, "gap")));
        }
        for (flow, channel) in self.channels.sorted().into_iter().filter(|(_, channel)| channel.has_trouble()) {
            self.remark(&format!("{flow}: {}", channel.text(flow.transport)));
        }
    }
}
