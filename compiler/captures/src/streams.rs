//! Streams of TCP, put together from segments in any order.
//!
//! Segments that lie behind missing bytes wait for them. They stop waiting, and the gap is told, when too many bytes wait, when
//! the stream ends, or when the capture does.

use crate::layers::Segment;
use crate::{Event, Flow, Stamp};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// How many bytes wait in one stream, and in all of them. A waiting segment counts this much more, for the memory around it.
const MOST_OF_ONE: usize = 4 << 20;
const MOST_OF_ALL: usize = 64 << 20;
const AROUND: usize = 64;

/// How many streams are known. Half of them end when there are more: those that said nothing for the longest time.
const MOST_STREAMS: usize = 1 << 16;

/// One direction of a connection.
struct Stream {
    /// The place of the first byte that was seen.
    begin: u64,
    /// The place of the next byte; its lower 32 bits are the byte's number.
    next: u64,
    /// Segments by the places where they begin.
    waiting: BTreeMap<u64, (Stamp, Vec<u8>)>,
    /// The bytes of those segments.
    size: usize,
    /// The place where it ends, once that is known.
    end: Option<u64>,
    is_over: bool,
    /// The packet that it had last.
    last: Stamp,
}

#[derive(Default)]
pub(crate) struct Streams {
    streams: HashMap<Flow, Stream>,
    size: usize,
}

impl Stream {
    fn new(sequence: u32, stamp: Stamp) -> Self {
        // Room before it, so that places of earlier bytes are no negative numbers.
        let next = u64::from(sequence) + (1 << 32);
        Self { begin: next, next, waiting: BTreeMap::new(), size: 0, end: None, is_over: false, last: stamp }
    }

    /// The place of the byte with that number, which is no more than 2 GiB away.
    fn place(&self, sequence: u32) -> u64 {
        let distance = sequence.wrapping_sub(self.next as u32) as i32;
        self.next.saturating_add_signed(i64::from(distance))
    }

    /// Keeps bytes for later, where there are not more at their place already.
    fn keep(&mut self, place: u64, stamp: Stamp, bytes: &[u8]) {
        let known = self.waiting.get(&place).map(|(_, known)| known.len());
        if known.is_none_or(|known| known < bytes.len()) {
            self.size += AROUND + bytes.len() - known.map_or(0, |known| known + AROUND);
            self.waiting.insert(place, (stamp, bytes.to_vec()));
        }
    }

    /// Tells the bytes that lie at or before the next place.
    fn tell<B>(
        &mut self,
        flow: Flow,
        (place, stamp): (u64, Stamp),
        bytes: &[u8],
        on: &mut On<'_, B>,
    ) -> ControlFlow<B> {
        let known = usize::try_from(self.next - place).unwrap_or(usize::MAX);
        match bytes.get(known..) {
            Some(new) if !new.is_empty() => {
                self.next += new.len() as u64;
                on(Event::Bytes { flow, stamp, bytes: new })
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Tells what waits, as far as nothing is missing; with `all`, beyond what is missing too.
    fn release<B>(&mut self, flow: Flow, all: bool, on: &mut On<'_, B>) -> ControlFlow<B> {
        while let Some(first) = self.waiting.first_entry() {
            let place = *first.key();
            if place > self.next && !all {
                break;
            }
            let (stamp, bytes) = first.remove();
            self.size -= bytes.len() + AROUND;
            if place > self.next {
                let lost = place - self.next;
                self.next = place;
                on(Event::Gap { flow, stamp, lost })?;
            }
            self.tell(flow, (place, stamp), &bytes, on)?;
        }
        ControlFlow::Continue(())
    }

    /// Tells of the end, once.
    fn end<B>(&mut self, flow: Flow, on: &mut On<'_, B>) -> ControlFlow<B> {
        if std::mem::replace(&mut self.is_over, true) {
            return ControlFlow::Continue(());
        }
        self.release(flow, true, on)?;
        if let Some(lost) = self.end.and_then(|end| end.checked_sub(self.next)).filter(|lost| *lost > 0) {
            on(Event::Gap { flow, stamp: self.last, lost })?;
        }
        on(Event::End { flow })
    }
}

/// The receiver of events.
type On<'o, B> = dyn FnMut(Event<'_>) -> ControlFlow<B> + 'o;

impl Streams {
    pub fn segment<B>(
        &mut self,
        flow: Flow,
        stamp: Stamp,
        segment: &Segment<'_>,
        on: &mut On<'_, B>,
    ) -> ControlFlow<B> {
        let first = segment.sequence.wrapping_add(u32::from(segment.begins));
        if segment.bytes.is_empty() && !segment.begins && !segment.ends {
            return ControlFlow::Continue(());
        }
        if !self.streams.contains_key(&flow) {
            if segment.bytes.is_empty() && !segment.begins {
                return ControlFlow::Continue(());
            }
            self.make_room(on)?;
        }
        let stream = self.streams.entry(flow).or_insert_with(|| Stream::new(first, stamp));
        let before = stream.size;
        let begins = segment.begins && stream.place(first) != stream.begin;
        // Its first segments may not be in the capture.
        let goes_on = stream.is_over && !segment.bytes.is_empty() && stream.place(first) > stream.next;
        if begins || goes_on {
            // Another connection between the same ports.
            stream.end(flow, on)?;
            *stream = Stream::new(first, stamp);
        }
        let told = stream.take(flow, (first, stamp), segment, on);
        self.size = self.size + stream.size - before;
        told?;
        self.bound(flow, on)
    }

    /// Ends all streams.
    pub fn end<B>(&mut self, on: &mut On<'_, B>) -> ControlFlow<B> {
        let mut all: Vec<(Flow, Stream)> = self.streams.drain().collect();
        self.size = 0;
        all.sort_by_key(|(flow, _)| *flow);
        all.into_iter().try_for_each(|(flow, mut stream)| stream.end(flow, on))
    }

    /// Tells what waits, where too much does: in this stream, or in all of them in those that were quiet for the longest time.
    fn bound<B>(&mut self, flow: Flow, on: &mut On<'_, B>) -> ControlFlow<B> {
        if self.streams.get(&flow).is_some_and(|stream| stream.size > MOST_OF_ONE) {
            self.release(flow, on)?;
        }
        if self.size <= MOST_OF_ALL {
            return ControlFlow::Continue(());
        }
        let waiting = self.streams.iter().filter(|(_, stream)| stream.size > 0);
        let mut waiting: Vec<(u64, Flow)> = waiting.map(|(flow, stream)| (stream.last.packet, *flow)).collect();
        waiting.sort_unstable();
        for (_, flow) in waiting {
            if self.size <= MOST_OF_ALL / 2 {
                break;
            }
            self.release(flow, on)?;
        }
        ControlFlow::Continue(())
    }

    fn release<B>(&mut self, flow: Flow, on: &mut On<'_, B>) -> ControlFlow<B> {
        let Some(stream) = self.streams.get_mut(&flow) else { return ControlFlow::Continue(()) };
        self.size -= stream.size;
        let told = stream.release(flow, true, on);
        self.size += stream.size;
        told
    }

    fn make_room<B>(&mut self, on: &mut On<'_, B>) -> ControlFlow<B> {
        if self.streams.len() < MOST_STREAMS {
            return ControlFlow::Continue(());
        }
        let mut packets: Vec<u64> = self.streams.values().map(|stream| stream.last.packet).collect();
        let half = packets.len() / 2;
        let oldest = *packets.select_nth_unstable(half).1;
        let mut ended: Vec<(Flow, Stream)> =
            self.streams.extract_if(|_, stream| stream.last.packet <= oldest).collect();
        ended.sort_by_key(|(_, stream)| stream.last.packet);
        for (flow, mut stream) in ended {
            self.size -= stream.size;
            stream.end(flow, on)?;
        }
        ControlFlow::Continue(())
    }
}

impl Stream {
    fn take<B>(
        &mut self,
        flow: Flow,
        (first, stamp): (u32, Stamp),
        segment: &Segment<'_>,
        on: &mut On<'_, B>,
    ) -> ControlFlow<B> {
        let place = self.place(first);
        self.last = stamp;
        if self.is_over {
            return ControlFlow::Continue(());
        }
        if segment.ends {
            self.end.get_or_insert(place + segment.bytes.len() as u64);
        }
        if place > self.next {
            self.keep(place, stamp, segment.bytes);
        } else {
            self.tell(flow, (place, stamp), segment.bytes, on)?;
            self.release(flow, false, on)?;
        }
        match self.end {
            Some(end) if end <= self.next => self.end(flow, on),
            _ => ControlFlow::Continue(()),
        }
    }
}
