//! Parts of large files: a sparse index of where frames begin.

use crate::failure::{Failure, Outcome};
use crate::frames::{Frames, StreamError};
use crate::framing::Framing;
use crate::messages::Input;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A part of a file: the `number`-th of `count`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub number: u64,
    pub count: u64,
}

/// A frame of the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The number of its message in the file, from 0.
    pub message: u64,
    /// The byte that it begins at.
    pub offset: u64,
}

/// Some frames of a file, the first of them at its begin.
#[derive(Debug, PartialEq, Eq)]
pub struct Index {
    framing: String,
    bytes: u64,
    pub messages: u64,
    marks: Vec<Mark>,
}

/// The first line of an index.
const TITLE: &str = "aldis index 1";

/// Reads `I/N`.
pub fn part(text: &str) -> Result<Part, String> {
    let (number, count) = text.split_once('/').unwrap_or((text, ""));
    match (number.parse(), count.parse()) {
        (Ok(number), Ok(count)) if 1 <= number && number <= count => Ok(Part { number, count }),
        _ => Err("write it as 3/8: the third of eight parts".into()),
    }
}

impl Index {
    /// Looks through a file. What ends it early, if anything, stands beside the index of what comes before.
    pub fn of(path: &Path, framing: Framing, max_frame: usize, every: u64) -> Outcome<(Self, Outcome)> {
        let name = path.display().to_string();
        let failed = |error| Failure::file(&name, &error);
        let mut file = File::open(path).map_err(failed)?;
        let mut begin = Vec::new();
        file.by_ref().take(4).read_to_end(&mut begin).map_err(failed)?;
        if matches!(begin[..], [0x1f, 0x8b, 8, 0..0x20] | [0x28, 0xb5, 0x2f, 0xfd]) {
            return Err(Failure::Usage(format!("{name} is packed, so it cannot be read from within: unpack it first")));
        }
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let mut frames = Frames::new(file, framing, max_frame);
        let (mut marks, mut messages) = (vec![Mark::default()], 0);
        let ended = loop {
            let offset = frames.offset();
            match frames.next() {
                Ok(Some(_)) => {
                    if marks.last().is_some_and(|last| offset >= last.offset + every) {
                        marks.push(Mark { message: messages, offset });
                    }
                    messages += 1;
                }
                Ok(None) => break Ok(()),
                Err(StreamError::Read(error)) => return Err(failed(error)),
                Err(StreamError::Broken(offset, text) | StreamError::Cut(offset, text)) => {
                    break Err(Failure::Input(format!("message {messages}, stream byte {offset}: {text}")));
                }
            }
        };
        Ok((Self { framing: format!("{framing:?}"), bytes, messages, marks }, ended))
    }

    /// The path of a file's index.
    pub fn path(file: &Path) -> PathBuf {
        let mut path = file.as_os_str().to_owned();
        path.push(".index");
        path.into()
    }

    /// A title, then the framing, the numbers of bytes and of messages, and a line for each frame: its message and its offset.
    pub fn text(&self) -> String {
        let Self { framing, bytes, messages, marks } = self;
        let mut text = format!("{TITLE}\n{framing}\n{bytes} {messages}\n");
        text.extend(marks.iter().map(|mark| format!("{} {}\n", mark.message, mark.offset)));
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let title = lines.next()?;
        let framing = lines.next()?.to_owned();
        let pair = |line: &str| -> Option<(u64, u64)> {
            let (left, right) = line.split_once(' ')?;
            Some((left.parse().ok()?, right.parse().ok()?))
        };
        let (bytes, messages) = pair(lines.next()?)?;
        let mark = |line| pair(line).map(|(message, offset)| Mark { message, offset });
        let marks: Vec<Mark> = lines.map(mark).collect::<Option<_>>()?;
        let ascends = marks.windows(2).all(|two| two[0].offset < two[1].offset && two[0].message < two[1].message);
        let is_one = title == TITLE && marks.first() == Some(&Mark::default()) && ascends;
        is_one.then_some(Self { framing, bytes, messages, marks })
    }

    /// The frames between which a part lies, the second being none for the last part, which goes to the file's end.
    fn bounds(&self, part: Part) -> (Option<Mark>, Option<Mark>) {
        let from = |number: u64| {
            let wanted = u128::from(self.bytes) * u128::from(number) / u128::from(part.count);
            let index = self.marks.partition_point(|mark| u128::from(mark.offset) < wanted);
            self.marks.get(index).copied()
        };
        // A part without a frame of its own is empty, and the last frames are those of the part in which they begin.
        (from(part.number - 1), if part.number == part.count { None } else { from(part.number) })
    }
}

impl Input {
    /// A part of a file, and the frame that it begins with. An index beside the file is used, or else made.
    pub fn part(path: &Path, part: Part, framing: Framing, max_frame: usize) -> Outcome<(Self, Mark)> {
        let name = path.display().to_string();
        let failed = |error| Failure::file(&name, &error);
        let beside = Index::path(path);
        let index = match fs::read_to_string(&beside) {
            Ok(text) => {
                let length = fs::metadata(path).map_err(failed)?.len();
                let index = Index::parse(&text).filter(|index| index.bytes == length);
                let index = index.filter(|index| index.framing == format!("{framing:?}"));
                let shown = beside.display();
                let text = format!("{shown} is no index of {name} with this framing: make it again with aldis index");
                index.ok_or(Failure::Input(text))?
            }
            Err(_) => Index::of(path, framing, max_frame, 1 << 16)?.0,
        };
        let mut file = File::open(path).map_err(failed)?;
        let (from, to) = index.bounds(part);
        let begin = from.unwrap_or(Mark { message: index.messages, offset: index.bytes });
        let end = to.map_or(index.bytes, |mark| mark.offset);
        let end = if from.is_none() { begin.offset } else { end };
        file.seek(SeekFrom::Start(begin.offset)).map_err(failed)?;
        let length = end.saturating_sub(begin.offset);
        Ok((Self { reader: Box::new(file.take(length)), length: Some(length), name }, begin))
    }
}

#[cfg(test)]
mod tests {
    use super::{part, Index, Mark, Part};

    #[test]
    fn parts_are_the_whole() {
        let offsets = [0, 10, 25, 70, 71, 72, 99];
        let marks: Vec<Mark> = (0..).zip(offsets).map(|(message, offset)| Mark { message, offset }).collect();
        let index = Index { framing: "x".into(), bytes: 100, messages: 9, marks: marks.clone() };
        assert_eq!(Index::parse(&index.text()), Some(index));
        let index = Index { framing: "x".into(), bytes: 100, messages: 9, marks };
        for count in 1..20 {
            let mut at = Some(Mark::default());
            for number in 1..=count {
                let (from, to) = index.bounds(Part { number, count });
                assert_eq!(from, at, "{number} of {count}");
                at = to;
            }
            assert_eq!(at, None);
        }
    }

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!(part("3/8"), Ok(Part { number: 3, count: 8 }));
        for wrong in ["", "3", "0/8", "9/8", "a/b", "1/0", "-1/2"] {
            assert!(part(wrong).is_err(), "{wrong}");
        }
    }
}
