//! The frames of bytes that are there already.

use crate::framing::{next_segments, Framing, Next};
use aldis_interpreter::MessageEnd;
use std::ops::ControlFlow;

/// Gives out the frames of some bytes.
pub struct Splitter {
    pub framing: Framing,
    /// The longest frame that is believed, in bytes.
    pub max_frame: usize,
    /// Messages whose bytes depend on where they lie are moved in here.
    scratch: Vec<u8>,
}

/// How far bytes have been split.
#[derive(Debug, Default)]
pub struct Split {
    /// The bytes of all frames that were given out.
    pub used: usize,
    /// The bytes that the next frame needs, as far as is known.
    pub wanted: usize,
    /// Why no further frame can be found.
    pub trouble: Option<String>,
}

/// The function that takes frames: the place where each message begins, and its bytes.
pub type TakeFrame<'t, B> = dyn FnMut(u64, &[u8]) -> ControlFlow<B> + 't;

impl Splitter {
    pub fn new(framing: Framing, max_frame: usize) -> Self {
        Self { framing, max_frame, scratch: Vec::new() }
    }

    /// Gives out all whole frames of `bytes`, which lie at `origin`. `end` keeps how far an unfinished message of segments
    /// was looked at, for a call with the same bytes and more.
    pub fn split<B>(
        &mut self,
        bytes: &[u8],
        origin: u64,
        end: &mut Option<MessageEnd>,
        take: &mut TakeFrame<'_, B>,
    ) -> ControlFlow<B, Split> {
        let mut split = Split::default();
        while split.used < bytes.len() {
            let (left, here) = (&bytes[split.used..], origin + split.used as u64);
            let next = match self.framing {
                Framing::Segments(form) => next_segments(end.get_or_insert_with(|| MessageEnd::new(form)), left),
                framing => framing.next(left),
            };
            let found = match next {
                Ok(Next::Frame { head, total }) => {
                    *end = None;
                    split.used += total;
                    let message = self.framing.in_any_place(&left[head..total], here, &mut self.scratch);
                    message.map(|message| Some((here + head as u64, message)))
                }
                Ok(Next::Needs(wanted)) if wanted <= self.max_frame => {
                    split.wanted = wanted;
                    Ok(None)
                }
                Ok(Next::Needs(wanted)) => {
                    let most = self.max_frame;
                    Err(format!("a frame of {wanted} bytes is more than --max-frame ({most}); wrong framing?"))
                }
                Err(text) => Err(text),
            };
            match found {
                Ok(Some((offset, message))) => take(offset, message)?,
                Ok(None) => break,
                Err(text) => {
                    split.trouble = Some(text);
                    break;
                }
            }
        }
        ControlFlow::Continue(split)
    }
}
