//! What several tests need.
#![allow(dead_code)]

pub mod same;
pub mod text;
pub mod tree;

use aldis_diagnostics::Files;
use std::io;
use std::path::{Path, PathBuf};

/// A folder of the repo's `conformance`.
pub fn conformance(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../conformance").join(folder)
}

/// Files on disk, named as the compiler was called with them; imports beside them and in one directory.
pub struct Disk(pub PathBuf);

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.0.join(path))
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let path = Path::new(from).parent()?.join(name);
        self.0.join(&path).is_file().then(|| path.to_string_lossy().into_owned())
    }

    fn resolve_in_directories(&self, name: &str) -> Option<String> {
        let path = Path::new("imports").join(name);
        self.0.join(&path).is_file().then(|| path.to_string_lossy().into_owned())
    }
}
