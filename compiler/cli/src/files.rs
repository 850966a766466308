//! Schema files on disk.

use crate::args::Seen;
use aldis_diagnostics::Files;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The longest schema or request that is read, and the longest message without a framing from a pipe. Schemas of tens
/// of thousands of types have a few megabytes.
pub const LONGEST: u64 = 64 << 20;

/// All of an input that may have no end. One of more than `most` bytes is refused; `what` says what it is.
pub fn read_within(input: impl Read, most: u64, what: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("longer than the {} MiB that {what} may have", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

/// The name of the schema that standard input holds. Its imports lie in the current folder.
pub const STANDARD_INPUT: &str = "-";

/// Reads files from disk, with folders to look for imports in.
#[derive(Default)]
pub struct DiskFiles {
    pub import_dirs: Vec<PathBuf>,
    /// The files that were read.
    pub seen: Seen,
}

impl Files for DiskFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == STANDARD_INPUT {
            return read_within(io::stdin().lock(), LONGEST, "a schema");
        }
        self.seen.add(Path::new(path));
        read_within(File::open(path)?, LONGEST, "a schema")
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let beside = Path::new(from).parent().unwrap_or(Path::new(""));
        find(beside, name).or_else(|| self.resolve_in_directories(from, name))
    }

    fn resolve_in_directories(&self, _: &str, name: &str) -> Option<String> {
        self.import_dirs.iter().find_map(|folder| find(folder, name))
    }
}

fn find(folder: &Path, name: &str) -> Option<String> {
    let path = plain(&folder.join(name));
    path.is_file().then(|| path.to_string_lossy().into_owned())
}

/// The same path without `.` and without `folder/..`, so that one file has one name.
pub fn plain(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{plain, DiskFiles, Seen};
    use aldis_diagnostics::Files;
    use std::path::{Path, PathBuf};

    #[test]
    fn import_directories_can_be_asked_alone() {
        let crate_folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let files = DiskFiles { import_dirs: vec![crate_folder.join("src")], seen: Seen::default() };
        let from = crate_folder.join("tests/layering.rs").to_string_lossy().into_owned();
        assert_eq!(files.resolve(&from, "layering.rs"), Some(from.clone()));
        assert_eq!(files.resolve_in_directories(&from, "layering.rs"), None);
        let found = files.resolve_in_directories(&from, "commands/../files.rs");
        assert_eq!(found, Some(crate_folder.join("src/files.rs").to_string_lossy().into_owned()));
        assert_eq!(files.resolve(&from, "files.rs"), found);
    }

    #[test]
    fn one_file_has_one_name() {
        for (given, wanted) in
            [("a/./b", "a/b"), ("a/c/../b", "a/b"), ("../b", "../b"), ("a/../../b", "../b"), ("/a/../b", "/b")]
        {
            assert_eq!(plain(Path::new(given)), Path::new(wanted), "{given}");
        }
    }
}
