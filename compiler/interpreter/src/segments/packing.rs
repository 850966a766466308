//! Packing ("Packing"): a tag byte tells which bytes of a word are not zero; runs of words follow the tags 0 and 255.

use super::{table, WORD};
use crate::fault::{Code, Fault};

/// Appends the packed words of `bytes`, whose length is a whole number of words. The table and each segment are packed
/// by themselves, since readers refuse a run that crosses from one to the other.
pub(crate) fn pack(bytes: &[u8], out: &mut Vec<u8>) {
    let words = bytes.as_chunks::<WORD>().0;
    let mut next = 0;
    while let Some(word) = words.get(next) {
        next += 1;
        let tag = (0..WORD).fold(0u8, |tag, i| tag | u8::from(word[i] != 0) << i);
        out.push(tag);
        out.extend(word.iter().filter(|&&byte| byte != 0));
        let in_run: fn(&[u8; WORD]) -> bool = match tag {
            0 => |word| *word == [0; WORD],
            // The reference goes on while a word has at most one zero byte.
            0xFF => |word| word.iter().filter(|&&byte| byte == 0).count() < 2,
            _ => continue,
        };
        let run = words[next..].iter().take(255).take_while(|word| in_run(word)).count();
        out.push(run as u8);
        if tag == 0xFF {
            out.extend_from_slice(words[next..next + run].as_flattened());
        }
        next += run;
    }
}

/// The bytes of the message that begins packed at `bytes`, and how many packed bytes it takes.
///
/// # Errors
/// `bad-count` as [`super::ranges`], `too-large` for more than `limit` bytes, `truncated`, and `bad-value` for a run that goes beyond the
/// table or the message.
pub(crate) fn unpack(bytes: &[u8], limit: u64) -> Result<(Vec<u8>, usize), Fault> {
    let mut unpacker = Unpacker { bytes, at: 0, zeros: 0, literal: 0, out: Vec::new(), limit };
    unpacker.words(1)?;
    unpacker.boundary("the segment table's first word")?;
    let count = table::segment_count(&unpacker.out)?;
    let table_words = table::table_size(count) / WORD;
    unpacker.words(table_words)?;
    unpacker.boundary("the segment table")?;
    let sizes = unpacker.out[4..].chunks_exact(4).take(count);
    let content: u64 = sizes.map(|size| u64::from(u32::from_le_bytes([size[0], size[1], size[2], size[3]]))).sum();
    let total = usize::try_from(table_words as u64 + content).unwrap_or(usize::MAX);
    unpacker.words(total)?;
    unpacker.boundary("the message")?;
    Ok((unpacker.out, unpacker.at))
}

struct Unpacker<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Words of a run that are still to come.
    zeros: usize,
    literal: usize,
    out: Vec<u8>,
    limit: u64,
}

impl<'b> Unpacker<'b> {
    /// Goes on until there are `total` words.
    fn words(&mut self, total: usize) -> Result<(), Fault> {
        if total as u64 > self.limit / WORD as u64 {
            let text = format!("unpacked, the message would take {total} words: more than its packed bytes allow");
            return Err(Fault::at(Code::TooLarge, self.at, text));
        }
        while self.out.len() / WORD < total {
            let wanted = total - self.out.len() / WORD;
            if self.zeros > 0 {
                let run = self.zeros.min(wanted);
                self.out.resize(self.out.len() + run * WORD, 0);
                self.zeros -= run;
            } else if self.literal > 0 {
                let run = self.literal.min(wanted);
                let words = self.take(run * WORD)?;
                self.out.extend_from_slice(words);
                self.literal -= run;
            } else {
                self.word()?;
            }
        }
        Ok(())
    }

    /// Reads a tag and its word, and how many words of a run follow.
    fn word(&mut self) -> Result<(), Fault> {
        let tag = self.take(1)?[0];
        let mut word = [0; WORD];
        let given = self.take(tag.count_ones() as usize)?;
        let places = (0..WORD).filter(|i| tag >> i & 1 == 1);
        places.zip(given).for_each(|(place, byte)| word[place] = *byte);
        self.out.extend_from_slice(&word);
        match tag {
            0 => self.zeros = usize::from(self.take(1)?[0]),
            0xFF => self.literal = usize::from(self.take(1)?[0]),
            _ => {}
        }
        Ok(())
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8], Fault> {
        let Some(taken) = self.bytes.get(self.at..).and_then(|rest| rest.get(..length)) else {
            return Err(Fault::at(Code::Truncated, self.at, "the packed bytes end within the message"));
        };
        self.at += length;
        Ok(taken)
    }

    /// No run may go beyond here.
    fn boundary(&self, what: &str) -> Result<(), Fault> {
        if self.zeros + self.literal == 0 {
            return Ok(());
        }
        Err(Fault::at(Code::BadValue, self.at, format!("a packed run of words goes beyond the end of {what}")))
    }
}
