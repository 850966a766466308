//! The files of a log, oldest first.

use crate::error::Error;
use crate::file::Windowed;
use crate::finding::{Finding, Read, Summary};
use crate::index;
use crate::owner::{self, Mark};
use crate::segment::{head, Head, NoHead};
use crate::walk::{walk, Piece, Walk};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A folder with a log.
#[derive(Debug)]
pub struct Folder {
    pub path: PathBuf,
    /// The offsets at which its files begin.
    pub bases: Vec<u64>,
    pub(crate) mark: Mark,
}

impl Folder {
    /// Looks what files there are.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let mut bases = Vec::new();
        for entry in fs::read_dir(path).map_err(Error::file(path))? {
            let name = entry.map_err(Error::file(path))?.file_name();
            let base = name.to_str().and_then(|name| name.strip_suffix(".log")).filter(|digits| digits.len() == 20);
            bases.extend(base.and_then(|digits| digits.parse::<u64>().ok()));
        }
        if bases.is_empty() {
            return Err(Error::NoLog(path.to_owned()));
        }
        bases.sort_unstable();
        let mark = owner::read(path).map(|owner| owner.mark).unwrap_or_default();
        Ok(Self { path: path.to_owned(), bases, mark })
    }

    /// The file that begins at an offset.
    pub fn file(&self, base: u64) -> PathBuf {
        self.path.join(format!("{base:020}.log"))
    }

    /// Reads all records from offset `from` on and tells what is found between them, until `see` has seen enough.
    pub fn read(&self, from: u64, see: &mut dyn FnMut(Read<'_>) -> ControlFlow<()>) -> Result<Summary, Error> {
        let skipped = self.bases.partition_point(|base| *base <= from).saturating_sub(1);
        let mut summary =
            Summary { first: self.bases[skipped], version: crate::segment::VERSION, ..Summary::default() };
        for (at, &base) in self.bases.iter().enumerate().skip(skipped) {
            let path = self.file(base);
            let later = self.bases.get(at + 1).copied();
            let mut file = match File::open(&path).and_then(Windowed::new) {
                // A log that runs removes old files.
                Err(error) if error.kind() == ErrorKind::NotFound && later.is_some() => continue,
                opened => opened.map_err(Error::file(&path))?,
            };
            summary.files += 1;
            summary.bytes += file.size();
            summary.last = later.unwrap_or(base).saturating_sub(1);
            let (whole, finding) = self.begin(&path, base, later, &mut file)?;
            let Some(mut whole) = whole else {
                summary.damaged += later.map_or(0, |later| later - base);
                if finding.is_some_and(|finding| see(Read::Finding(finding)).is_break()) {
                    break;
                }
                continue;
            };
            summary.version = summary.version.min(whole.version);
            if finding.is_some_and(|finding| see(Read::Finding(finding)).is_break()) {
                break;
            }
            let mut is_removed = false;
            let ended = walk(&mut file, &mut whole, &mut |piece| {
                // A log that runs cuts off by and by what it has removed.
                is_removed = later.is_some() && matches!(piece, Piece::Damaged { .. }) && !path.exists();
                if is_removed {
                    return ControlFlow::Break(());
                }
                count(&piece, &mut summary);
                see(piece.read(&path))
            });
            if is_removed {
                continue;
            }
            summary.last = whole.next.saturating_sub(1);
            if ended.map_err(Error::file(&path))?.is_break() {
                break;
            }
        }
        Ok(summary)
    }

    /// The begin of the walk through a file, if it can begin, and the fault of the header.
    pub(crate) fn begin(
        &self,
        path: &Path,
        base: u64,
        later: Option<u64>,
        file: &mut Windowed,
    ) -> Result<(Option<Walk>, Option<Finding>), Error> {
        let indexed = index::beside(path).filter(|index| index.base == base && later.is_some());
        let named = path.to_owned();
        let said = head(file).map_err(Error::file(path))?;
        let (salt, start, version, finding) = match (said, indexed) {
            (Ok(Head { base: said, .. }), _) if said != base => {
                return Ok((None, Some(Finding::Header { file: named, is_read: false })))
            }
            (Ok(Head { knows: false, .. }), _) if later.is_none() => {
                return Ok((None, Some(Finding::Producers { file: named })))
            }
            (Ok(head), _) => (head.salt, head.start, head.version, None),
            (Err(NoHead::Damaged), Some(index)) => {
                (index.salt, index.start, crate::segment::VERSION, Some(Finding::Header { file: named, is_read: true }))
            }
            (Err(NoHead::Damaged), None) => return Ok((None, Some(Finding::Header { file: named, is_read: false }))),
            (Err(NoHead::Version(version)), _) => return Ok((None, Some(Finding::Version { file: named, version }))),
        };
        let synced = match later {
            Some(_) => indexed.filter(|index| index.salt == salt).map_or(0, |index| index.size),
            None if self.mark.salt == u64::from(salt) => self.mark.position,
            None => 0,
        };
        let last = if self.mark.salt == u64::from(salt) { self.mark.offset } else { 0 };
        Ok((Some(Walk { salt, version, position: start, next: base, later, synced, last }), finding))
    }
}

fn count(piece: &Piece<'_>, summary: &mut Summary) {
    match piece {
        Piece::Record { record, .. } => {
            summary.messages += u64::from(record.count);
            summary.batches += u64::from(record.count > 0);
            summary.filled = summary.filled.saturating_add(record.lost);
        }
        Piece::Damaged { count, .. } => summary.damaged += count,
        Piece::Unfinished { .. } => {}
    }
}
