//! The results of an examination of a log.

use crate::record::Record;
use std::path::{Path, PathBuf};

/// Something in a log that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The header cannot be read. The file's messages are read where its index tells all that the header did.
    Header { file: PathBuf, is_read: bool },
    /// The header is of a version that is not known here.
    Version { file: PathBuf, version: u32 },
    /// The list of producers in the header of the newest file cannot be read.
    Producers { file: PathBuf },
    /// Bytes that are no records; `count` messages from `first` on were there, as far as can be known.
    Damaged { file: PathBuf, from: u64, to: u64, first: u64, count: u64 },
    /// The end of a write that did not come to its end, and was never acknowledged.
    Unfinished { file: PathBuf, from: u64, to: u64 },
    /// A record that an earlier repair has written in the place of damaged bytes.
    Filled { file: PathBuf, at: u64, first: u64, count: u64 },
}

impl Finding {
    /// The file that it is in.
    pub fn file(&self) -> &Path {
        match self {
            Finding::Header { file, .. }
            | Finding::Version { file, .. }
            | Finding::Producers { file }
            | Finding::Damaged { file, .. }
            | Finding::Unfinished { file, .. }
            | Finding::Filled { file, .. } => file,
        }
    }

    /// Whether something is lost, or the log does not start.
    pub fn is_damage(&self) -> bool {
        !matches!(self, Finding::Unfinished { .. } | Finding::Filled { .. })
    }
}

/// The sums of a log's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub files: u64,
    pub bytes: u64,
    /// The oldest offset that is kept, and the newest.
    pub first: u64,
    pub last: u64,
    pub messages: u64,
    pub batches: u64,
    /// Messages that are lost now, and in the places that an earlier repair has filled.
    pub damaged: u64,
    pub filled: u64,
    /// The oldest version among the files.
    pub version: u32,
}

/// A batch or a finding that a reader of the log comes across.
pub enum Read<'a> {
    Record(&'a Record<'a>),
    Finding(Finding),
}
