//! Errors that end the work on a folder.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub enum Error {
    /// The system's word about a file or folder.
    File(PathBuf, io::Error),
    /// There are no files of a log.
    NoLog(PathBuf),
    /// Somebody writes to the folder.
    InUse { folder: PathBuf, who: String },
    /// Nothing may be changed while the folder's files are damaged.
    Damaged(PathBuf),
}

impl Error {
    pub(crate) fn file(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        |error| Error::File(path.to_owned(), error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(path, error) => write!(f, "{}: {error}", path.display()),
            Error::NoLog(folder) => {
                write!(
                    f,
                    "{}: there are no files of a log, such as 00000000000000000001.log; name the folder that is the option \
                     `folder` of aldis_log",
                    folder.display()
                )
            }
            Error::InUse { folder, who } => {
                write!(
                    f,
                    "{}: the log is in use by {who}; stop that, or work on a copy of the folder",
                    folder.display()
                )
            }
            Error::Damaged(path) => {
                write!(
                    f,
                    "{}: the file is damaged, so its log is left as it is; aldis log verify says where, and aldis log \
                     repair fills what is lost",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for Error {}
