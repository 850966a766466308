//! Files as they were before gzip or zstd packed them.

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, Cursor, Read};

const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// The largest window of zstd that memory is taken for; that of `zstd --long`.
const WINDOW: u64 = 128 << 20;

/// The source's own bytes; where it begins as a file of gzip or zstd does, those that are packed in it.
///
/// # Errors
/// A source whose first bytes cannot be read.
pub fn unpacked<'r>(mut source: impl Read + Send + 'r) -> io::Result<Box<dyn Read + Send + 'r>> {
    let mut head = Vec::new();
    source.by_ref().take(4).read_to_end(&mut head)?;
    // Gzip's method is deflate, and its three upper flags are unused.
    let gzip = matches!(head[..], [0x1f, 0x8b, 8, 0..0x20]);
    let zstd = head == ZSTD;
    let whole = Cursor::new(head).chain(source);
    Ok(match (gzip, zstd) {
        (true, _) => Box::new(MultiGzDecoder::new(whole)),
        (_, true) => Box::new(Zstd::new(whole)),
        _ => Box::new(whole),
    })
}

/// The frames of a file of zstd, one after another.
struct Zstd<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: Read> Zstd<R> {
    fn new(source: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        Self { source: BufReader::new(source), decoder, in_frame: false }
    }

    /// Begins the next frame; false at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(error) => match skipped(&error) {
                    Some(length) => drop(io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?),
                    None => return Err(damaged(&error.to_string())),
                },
            }
        }
        Ok(false)
    }

    /// Compares the frame's checksum, where it has one, with that of its bytes.
    fn finish(&mut self) -> io::Result<()> {
        self.in_frame = false;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(said), Some(found)) if said != found => Err(damaged("its checksum is another")),
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if self.in_frame && self.decoder.is_finished() {
                self.finish()?;
            } else if self.in_frame {
                let blocks = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
                blocks.map_err(|error| damaged(&error.to_string()))?;
            } else if !self.begin()? {
                return Ok(0);
            }
        }
        self.decoder.read(buffer)
    }
}

/// The length of a frame that decoders pass over.
fn skipped(error: &FrameDecoderError) -> Option<u64> {
    match error {
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. }) => {
            Some(u64::from(*length))
        }
        _ => None,
    }
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the file of zstd is damaged: {why}"))
}
