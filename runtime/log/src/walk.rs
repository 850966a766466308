//! One file of the log from its first record on: whole records, and what is between and behind them. What is damage and what is
//! only the end of a write that was cut off is judged as the log itself judges it when it starts.

use crate::file::Windowed;
use crate::finding::{Finding, Read};
use crate::record::Record;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// A place in a file, and what is known of the file.
#[derive(Clone, Debug)]
pub struct Walk {
    pub salt: u32,
    pub version: u32,
    pub position: u64,
    /// The offset that comes next.
    pub next: u64,
    /// The begin of the next file; none for the newest, which goes on being written.
    pub later: Option<u64>,
    /// Up to where the file was on the disk once, and the last offset that was.
    pub synced: u64,
    pub last: u64,
}

/// The piece that comes next in a file.
pub enum Piece<'a> {
    Record { at: u64, record: &'a Record<'a> },
    Damaged { from: u64, to: u64, first: u64, count: u64 },
    Unfinished { from: u64, to: u64 },
}

impl<'a> Piece<'a> {
    /// The same as a reader of the whole log is told it.
    pub fn read(&self, path: &Path) -> Read<'a> {
        let file = path.to_owned();
        match *self {
            Piece::Record { at, record } if record.lost > 0 => {
                Read::Finding(Finding::Filled { file, at, first: record.offset, count: record.lost })
            }
            Piece::Record { record, .. } => Read::Record(record),
            Piece::Damaged { from, to, first, count } => {
                Read::Finding(Finding::Damaged { file, from, to, first, count })
            }
            Piece::Unfinished { from, to } => Read::Finding(Finding::Unfinished { file, from, to }),
        }
    }
}

/// Goes on until the file ends or `see` has seen enough.
pub fn walk(
    file: &mut Windowed,
    walk: &mut Walk,
    see: &mut dyn FnMut(Piece<'_>) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    loop {
        let from = walk.position;
        if let Some((record, length)) = file.record(from, walk.salt)? {
            // Messages that the next file has were never durable here.
            if walk.follows(&record) {
                walk.position += length;
                walk.next = record.next();
                if see(Piece::Record { at: from, record: &record }).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                continue;
            }
        }
        let Some(piece) = gap(file, walk)? else {
            return Ok(ControlFlow::Continue(()));
        };
        let has_ended = matches!(piece, Piece::Unfinished { .. }) || walk.position >= file.size();
        if see(piece).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if has_ended {
            return Ok(ControlFlow::Continue(()));
        }
    }
}

impl Walk {
    fn follows(&self, record: &Record<'_>) -> bool {
        record.offset == self.next && self.later.is_none_or(|later| record.next() <= later)
    }

    /// Whether a record behind damage may be where the file goes on.
    fn goes_on(&self, record: &Record<'_>) -> bool {
        record.offset >= self.next && self.later.is_none_or(|later| record.next() <= later)
    }

    /// The offset behind all that this file had, as far as can be known.
    fn end(&self) -> u64 {
        self.later.unwrap_or_else(|| self.next.max(self.last.saturating_add(1)))
    }
}

/// The damage at the walk's position, where no record follows; none at a good end.
fn gap(file: &mut Windowed, walk: &mut Walk) -> io::Result<Option<Piece<'static>>> {
    let (from, first, salt, size) = (walk.position, walk.next, walk.salt, file.size());
    let was_there = from < walk.synced
        || match walk.later {
            Some(later) => first < later,
            None => file.find(from, salt, |record| record.synced > from)?.is_some(),
        };
    if !was_there {
        walk.position = size;
        return Ok((from < size).then_some(Piece::Unfinished { from, to: size }));
    }
    let place = file.find(from, salt, |record| walk.goes_on(record))?;
    let found = match place {
        Some(place) => file.record(place, salt)?.map(|(record, _)| record.offset),
        None => None,
    };
    let to = place.unwrap_or(size);
    walk.next = found.unwrap_or_else(|| walk.end());
    walk.position = to;
    Ok(Some(Piece::Damaged { from, to, first, count: walk.next - first }))
}
