//! Reads the messages of a stream, one after another, from one buffer that grows no larger than a message needs.

use crate::framing::{next_segments, Framing, Next};
use aldis_interpreter::MessageEnd;
use std::io::{self, Read};

/// How much is read at once.
const CHUNK: usize = 1 << 20;

/// The messages of a stream.
pub struct Frames<R> {
    source: R,
    framing: Framing,
    /// Longest frame that is believed, in bytes.
    max_frame: usize,
    buffer: Vec<u8>,
    /// `buffer[start..end]` has been read and not yet given out.
    start: usize,
    end: usize,
    /// Offset in the stream of `buffer[0]`.
    origin: u64,
    at_end: bool,
    /// How far the end of a message of segments has been looked for.
    message_end: Option<MessageEnd>,
}

/// One message.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Offset of the message's first byte in the stream, behind the frame's head.
    pub offset: u64,
    pub bytes: &'a [u8],
}

/// Why there is no further message.
#[derive(Debug)]
pub enum StreamError {
    Read(io::Error),
    /// At this offset, for this reason: from here on frames cannot be found.
    Broken(u64, String),
    /// The stream ends within the frame that begins at this offset; [`Frames::rest`] has what there is of its message.
    Cut(u64, String),
}

impl<R: Read> Frames<R> {
    pub fn new(source: R, framing: Framing, max_frame: usize) -> Self {
        let buffer = vec![0; CHUNK];
        Self { source, framing, max_frame, buffer, start: 0, end: 0, origin: 0, at_end: false, message_end: None }
    }

    /// The same for a stream that begins at that offset of a larger one.
    pub fn at(self, origin: u64) -> Self {
        Self { origin, ..self }
    }

    /// How many bytes of the stream have been given out.
    pub fn offset(&self) -> u64 {
        self.origin + self.start as u64
    }

    /// The next message; `None` at the end of the stream.
    pub fn next(&mut self) -> Result<Option<Frame<'_>>, StreamError> {
        loop {
            let here = self.offset();
            match self.look().map_err(|text| StreamError::Broken(here, text))? {
                Next::Frame { head, total } => {
                    let bytes = self.start + head..self.start + total;
                    let moved = self.framing.relocate(&mut self.buffer[bytes.clone()], here);
                    moved.map_err(|text| StreamError::Broken(here, text))?;
                    self.start += total;
                    self.message_end = None;
                    return Ok(Some(Frame { offset: here + head as u64, bytes: &self.buffer[bytes] }));
                }
                Next::Needs(_) if self.at_end && self.start == self.end => return Ok(None),
                Next::Needs(wanted) if self.at_end => {
                    let left = self.end - self.start;
                    let text = match self.framing {
                        Framing::Segments(_) => format!("the stream ends within a message, after {left} bytes of it"),
                        _ => format!("the stream ends within a frame: it has {left} bytes of {wanted}"),
                    };
                    return Err(StreamError::Cut(here, text));
                }
                Next::Needs(wanted) if wanted > self.max_frame => {
                    let most = self.max_frame;
                    let text = format!("a frame of {wanted} bytes is more than --max-frame ({most}); wrong framing?");
                    return Err(StreamError::Broken(here, text));
                }
                Next::Needs(_) => self.fill().map_err(StreamError::Read)?,
            }
        }
    }

    /// The next frame, as far as it is known.
    fn look(&mut self) -> Result<Next, String> {
        let bytes = &self.buffer[self.start..self.end];
        match self.framing {
            Framing::Segments(form) => {
                next_segments(self.message_end.get_or_insert_with(|| MessageEnd::new(form)), bytes)
            }
            framing => framing.next(bytes),
        }
    }

    /// The bytes of a message that the end of the stream cuts.
    pub fn rest(&self) -> &[u8] {
        let from = self.start + self.framing.head();
        self.buffer.get(from..self.end).unwrap_or_default()
    }

    /// Reads more. The buffer doubles only when it is full of one unfinished frame, so a frame's claimed length takes
    /// no memory before its bytes have come.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.origin += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(read) => {
                    self.end += read;
                    self.at_end = read == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Frames, StreamError};
    use crate::framing::{Framer, Framing};
    use aldis_plan::ByteOrder;
    use std::io::{self, Read};

    /// Gives one byte more each time, to end reads at all places.
    struct Dribble<'a>(&'a [u8], usize);

    impl Read for Dribble<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            let some = self.1.min(self.0.len()).min(buffer.len());
            buffer[..some].copy_from_slice(&self.0[..some]);
            self.0 = &self.0[some..];
            Ok(some)
        }
    }

    const FRAMING: Framing = Framing::Prefix { width: 2, order: ByteOrder::Little, whole: false };

    #[test]
    fn frames_come_whole_however_reads_end() {
        let (mut framer, mut stream) = (Framer::new(FRAMING), Vec::new());
        for length in 0..200usize {
            framer.write(&vec![length as u8; length], &mut stream).unwrap();
        }
        let mut frames = Frames::new(Dribble(&stream, 0), FRAMING, 1000);
        for length in 0..200usize {
            let frame = frames.next().unwrap().unwrap();
            assert_eq!(frame.bytes, vec![length as u8; length]);
            assert_eq!(stream[frame.offset as usize..][..length], *frame.bytes);
        }
        assert!(frames.next().unwrap().is_none());
        assert_eq!(frames.offset(), stream.len() as u64);
    }

    #[test]
    fn a_cut_stream_and_a_giant_frame_are_told() {
        let broken = |bytes: &[u8]| match Frames::new(bytes, FRAMING, 1000).next() {
            Err(StreamError::Broken(offset, text) | StreamError::Cut(offset, text)) => (offset, text),
            other => panic!("{other:?}"),
        };
        assert_eq!(broken(b"\x03\0ab"), (0, "the stream ends within a frame: it has 4 bytes of 5".into()));
        let mut frames = Frames::new(&b"\x03\0ab"[..], FRAMING, 1000);
        assert!(matches!(frames.next(), Err(StreamError::Cut(0, _))));
        assert_eq!(frames.rest(), b"ab");
        assert!(broken(b"\xff\xff").1.contains("--max-frame (1000)"));
    }
}
