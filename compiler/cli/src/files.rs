//! Schema files on disk.

use aldis_diagnostics::Files;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Reads files from disk, with folders to look for imports in.
pub struct DiskFiles {
    pub import_dirs: Vec<PathBuf>,
}

impl Files for DiskFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let beside = Path::new(from).parent().unwrap_or(Path::new(""));
        std::iter::once(beside)
            .chain(self.import_dirs.iter().map(PathBuf::as_path))
            .map(|folder| plain(&folder.join(name)))
            .find(|path| path.is_file())
            .map(|path| path.to_string_lossy().into_owned())
    }
}

/// The same path without `.` and without `folder/..`, so that one file has one name.
fn plain(path: &Path) -> PathBuf {
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
    use super::plain;
    use std::path::Path;

    #[test]
    fn one_file_has_one_name() {
        for (given, wanted) in
            [("a/./b", "a/b"), ("a/c/../b", "a/b"), ("../b", "../b"), ("a/../../b", "../b"), ("/a/../b", "/b")]
        {
            assert_eq!(plain(Path::new(given)), Path::new(wanted), "{given}");
        }
    }
}
