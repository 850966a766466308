//! Schema files that are texts in memory.

use aldis_diagnostics::Files;
use std::collections::BTreeMap;
use std::io;

/// Texts by their names. All lie in one folder.
pub struct Texts<'a> {
    pub root: (&'a str, &'a str),
    pub others: &'a BTreeMap<String, String>,
}

impl Texts<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        if name == self.root.0 {
            return Some(self.root.1);
        }
        self.others.get(name).map(String::as_str)
    }
}

impl Files for Texts<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let text = self.text(path).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(text.as_bytes().to_vec())
    }

    fn resolve(&self, _from: &str, name: &str) -> Option<String> {
        let own = name.rsplit('/').next().unwrap_or(name);
        self.text(own).map(|_| own.to_owned())
    }
}
