//! Schemas from memory and from the repository's folders.
#![allow(dead_code)] // each test file uses a part

use aldis_diagnostics::{render, Files, Style};
use aldis_fbe::FBE;
use aldis_plan::{Compilation, Format};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A folder of `conformance/`.
pub fn conformance(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../conformance").join(folder)
}

/// Files of one folder, named relative to it; imports are also looked for in its `imports` folder.
pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.0.join(path))
    }

    fn resolve(&self, _from: &str, name: &str) -> Option<String> {
        [name.to_owned(), format!("imports/{name}")].into_iter().find(|path| self.0.join(path).exists())
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

/// Compiles `text` as a file of its own.
pub fn compile(text: &str) -> Compilation {
    FBE.compile("test.fbe", &Memory::of(&[("test.fbe", text)]))
}

/// All diagnostics as people see them, with a blank line between.
pub fn rendered(compilation: &Compilation) -> String {
    let all = compilation.diagnostics.iter().map(|d| render(d, &compilation.sources, Style::Plain));
    all.collect::<Vec<_>>().join("\n\n")
}

/// The codes of all diagnostics, in order.
pub fn codes(compilation: &Compilation) -> Vec<&'static str> {
    compilation.diagnostics.iter().map(|d| d.code).collect()
}
