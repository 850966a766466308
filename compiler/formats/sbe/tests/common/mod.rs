//! Helpers of several tests: the repo's folders, files on disk and in memory.
#![allow(dead_code)]

use aldis_diagnostics::{render, Diagnostic, Files, Sources, Style};
use aldis_plan::{Compilation, Format};
use aldis_sbe::SBE;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A folder of the repo's `conformance`.
pub fn conformance(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../conformance").join(folder)
}

/// Files below a root folder, named relatively to it.
pub struct Disk {
    pub root: PathBuf,
}

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.root.join(path))
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        self.root.join(&path).is_file().then(|| path.to_string_lossy().replace('\\', "/"))
    }
}

/// Files that a test makes up.
#[derive(Default)]
pub struct Memory(pub BTreeMap<String, Vec<u8>>);

impl Memory {
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(name, text)| ((*name).to_string(), text.as_bytes().to_vec())).collect())
    }
}

impl Files for Memory {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }

    fn resolve(&self, _from: &str, name: &str) -> Option<String> {
        self.0.contains_key(name).then(|| name.to_string())
    }
}

pub fn compile_file(folder: &str, name: &str) -> Compilation {
    SBE.compile(name, &Disk { root: conformance(folder) })
}

pub fn compile_text(text: &str) -> Compilation {
    SBE.compile("schema.xml", &Memory::new(&[("schema.xml", text)]))
}

pub fn rendered(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let all: Vec<String> = diagnostics.iter().map(|d| render(d, sources, Style::Plain)).collect();
    all.join("\n\n")
}
