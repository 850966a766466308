//! The end of a message that begins with a segment table, found as its bytes come ("Serialization Over a Stream").

use super::{table, WORD};
use crate::fault::{Code, Fault};
use aldis_plan::Segments;

/// Looks for the end of one message. Packed messages do not say how many bytes they take, so no byte is looked at twice:
/// when more have come, the search goes on where it stopped.
#[derive(Clone, Debug)]
pub struct MessageEnd {
    form: Segments,
    /// Bytes that were looked at, and the words that they unpack to.
    at: usize,
    words: u64,
    /// Words after which the part that is being looked at must end.
    wanted: u64,
    part: Part,
    /// The segment table, unpacked.
    table: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    FirstWord,
    Table,
    Segments,
}

/// A tag of packed bytes with all that belongs to it.
struct Group<'b> {
    tag: u8,
    /// The bytes of the tag's own word that are not zero.
    given: &'b [u8],
    /// Words that follow it, and their bytes where they are not zero.
    run: usize,
    literal: &'b [u8],
}

impl MessageEnd {
    pub fn new(form: Segments) -> Self {
        Self { form, at: 0, words: 0, wanted: 1, part: Part::FirstWord, table: Vec::new() }
    }

    /// How many bytes the message takes that `bytes` begin with; `None` where they end within it. Each call is given
    /// the bytes of the call before and those that came since.
    ///
    /// # Errors
    /// As decoding, for what says how large it is. How much packed bytes may unpack to is the decoder's to judge, which
    /// knows how many they are.
    pub fn find(&mut self, bytes: &[u8]) -> Result<Option<usize>, Fault> {
        if self.form.packed {
            return self.packed(bytes);
        }
        match table::from_table(bytes) {
            Ok(segments) => Ok(Some(segments.last().map_or(0, |segment| segment.end))),
            Err(fault) if fault.code == Code::Truncated => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn packed(&mut self, bytes: &[u8]) -> Result<Option<usize>, Fault> {
        loop {
            while self.words == self.wanted {
                if self.part == Part::Segments {
                    return Ok(Some(self.at));
                }
                self.next_part()?;
            }
            let Some(group) = self.group(bytes.get(self.at..).unwrap_or_default())? else { return Ok(None) };
            self.at += 1 + group.given.len() + usize::from(group.has_run()) + group.literal.len();
            self.words += 1 + group.run as u64;
            if self.part != Part::Segments {
                group.unpack(&mut self.table);
            }
        }
    }

    /// Goes on to what the part that is complete tells of.
    fn next_part(&mut self) -> Result<(), Fault> {
        let count = table::segment_count(&self.table)?;
        let table_words = (table::table_size(count) / WORD) as u64;
        (self.part, self.wanted) = match self.part {
            Part::FirstWord => (Part::Table, table_words),
            Part::Table | Part::Segments => {
                let sizes = self.table[4..].as_chunks::<4>().0.iter().take(count);
                let content: u64 = sizes.map(|size| u64::from(u32::from_le_bytes(*size))).sum();
                (Part::Segments, table_words + content)
            }
        };
        Ok(())
    }

    /// The fewest bytes that the message takes, going by what was looked at: packed words are a run of zeros at best.
    pub fn least(&self) -> u64 {
        const RUN: u64 = 256;
        self.at as u64 + 2 * (self.wanted - self.words).div_ceil(RUN)
    }

    /// The group that `bytes` begin with, if all of it is there.
    fn group<'b>(&self, bytes: &'b [u8]) -> Result<Option<Group<'b>>, Fault> {
        let Some((&tag, bytes)) = bytes.split_first() else { return Ok(None) };
        let Some((given, bytes)) = bytes.split_at_checked(tag.count_ones() as usize) else { return Ok(None) };
        let mut group = Group { tag, given, run: 0, literal: &[] };
        if !group.has_run() {
            return Ok(Some(group));
        }
        let Some((&run, bytes)) = bytes.split_first() else { return Ok(None) };
        group.run = usize::from(run);
        if self.words + 1 + u64::from(run) > self.wanted {
            let text = "a packed run of words goes beyond the end of the segment table or the message";
            return Err(Fault::at(Code::BadValue, self.at, text));
        }
        if tag == 0xFF {
            let Some(literal) = bytes.get(..group.run * WORD) else { return Ok(None) };
            group.literal = literal;
        }
        Ok(Some(group))
    }
}

impl Group<'_> {
    fn has_run(&self) -> bool {
        matches!(self.tag, 0 | 0xFF)
    }

    fn unpack(&self, out: &mut Vec<u8>) {
        let mut given = self.given.iter();
        out.extend((0..WORD).map(|i| if self.tag >> i & 1 == 1 { given.next().copied().unwrap_or(0) } else { 0 }));
        out.extend_from_slice(self.literal);
        if self.tag == 0 {
            out.resize(out.len() + self.run * WORD, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MessageEnd;
    use crate::fault::Code;
    use crate::segments::{pack, unpack};
    use aldis_plan::Segments;

    const PACKED: Segments = Segments { table: true, packed: true, canonical: false };

    /// A packed message of two segments, with runs of zeros and of words that have none.
    fn message() -> Vec<u8> {
        let mut packed = Vec::new();
        pack(&[1, 0, 0, 0, 40, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0], &mut packed);
        pack(&(0..320).map(|i| if i % 100 < 50 { 7 } else { 0 }).collect::<Vec<u8>>(), &mut packed);
        pack(&[9; 24], &mut packed);
        packed
    }

    #[test]
    fn the_end_is_found_however_bytes_come() {
        let packed = message();
        assert_eq!(unpack(&packed, 1 << 20).unwrap().1, packed.len());
        let stream = [packed.clone(), vec![1, 2, 3]].concat();
        let mut as_they_come = MessageEnd::new(PACKED);
        for end in 0..=stream.len() {
            let wanted = (end >= packed.len()).then_some(packed.len());
            assert_eq!(as_they_come.find(&stream[..end]).unwrap(), wanted, "{end}");
            assert_eq!(MessageEnd::new(PACKED).find(&stream[..end]).unwrap(), wanted, "{end}");
        }
    }

    #[test]
    fn what_unpacking_refuses_has_no_end() {
        let code = |bytes: &[u8]| MessageEnd::new(PACKED).find(bytes).unwrap_err().code;
        assert_eq!(code(&[0, 1, 0, 0]), Code::BadValue);
        assert_eq!(code(&[0x10, 1, 0, 1]), Code::BadValue);
        assert_eq!(code(&[0x0F, 0, 2, 0, 0]), Code::BadCount);
    }

    #[test]
    fn what_a_table_promises_takes_bytes() {
        let mut end = MessageEnd::new(PACKED);
        // 0x01010101 words.
        assert_eq!(end.find(&[0xF0, 1, 1, 1, 1]).unwrap(), None);
        assert_eq!(end.least(), 5 + 2 * 0x0001_0102);
    }

    /// 72 MiB of zeros, more than the reference reads: whether that is too much is for the decoder to say.
    #[test]
    fn messages_of_any_size_have_an_end() {
        let words: u32 = 9 << 17;
        let mut packed = Vec::new();
        pack(&[[0; 4], words.to_le_bytes()].concat(), &mut packed);
        packed.extend([0, 255].repeat(words as usize / 256));
        assert_eq!(MessageEnd::new(PACKED).find(&packed).unwrap(), Some(packed.len()));
    }
}
