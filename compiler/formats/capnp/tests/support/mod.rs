//! Helpers of several tests.
#![allow(dead_code)]

pub mod same;
pub mod text;
pub mod tree;

use aldis_capnp::text::Reading;
use aldis_diagnostics::{render, Files, Style};
use std::collections::BTreeMap;
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

    fn resolve_in_directories(&self, _: &str, name: &str) -> Option<String> {
        let path = Path::new("imports").join(name);
        self.0.join(&path).is_file().then(|| path.to_string_lossy().into_owned())
    }
}

/// Files that only exist in the test, by path.
#[derive(Default)]
pub struct Memory(pub BTreeMap<String, Vec<u8>>);

impl Memory {
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect())
    }
}

impl Files for Memory {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }

    fn resolve(&self, _from: &str, name: &str) -> Option<String> {
        self.0.contains_key(name).then(|| name.to_owned())
    }
}

/// The id that the schemas of tests have.
pub const ID: &str = "@0xa1c0ffee000000aa;";

/// Reads `text` as a file of its own, the id put in front.
pub fn read(text: &str) -> Reading {
    aldis_capnp::text::read("test.capnp", &Memory::of(&[("test.capnp", &format!("{ID}\n{text}"))]))
}

/// All diagnostics as people see them, with a blank line between.
pub fn rendered(reading: &Reading) -> String {
    let all = reading.diagnostics.iter().map(|d| render(d, &reading.sources, Style::Plain));
    all.collect::<Vec<_>>().join("\n\n")
}

/// The codes of all diagnostics, in order.
pub fn codes_of(reading: &Reading) -> Vec<&'static str> {
    reading.diagnostics.iter().map(|d| d.code).collect()
}
