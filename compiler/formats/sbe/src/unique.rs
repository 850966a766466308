//! Names and numbers that may be used once.

use crate::report::Report;
use crate::xml::Element;
use std::collections::hash_map::Entry;
use std::collections::HashMap;
use std::hash::Hash;

/// The owners of names and numbers that are taken.
#[derive(Debug)]
pub(crate) struct Unique<'a, K>(HashMap<K, &'a Element>);

impl<K> Default for Unique<'_, K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<'a, K: Eq + Hash> Unique<'a, K> {
    /// Takes `key` for `element`; gives the one that has already taken it.
    pub fn take(&mut self, key: K, element: &'a Element) -> Option<&'a Element> {
        match self.0.entry(key) {
            Entry::Occupied(first) => Some(first.get()),
            Entry::Vacant(free) => {
                free.insert(element);
                None
            }
        }
    }
}

impl<'a> Unique<'a, &'a str> {
    /// Takes an element's name, and reports as an error that it was taken. What has no name has been reported as such.
    pub fn take_name(&mut self, code: &'static str, what: &str, element: &'a Element, report: &mut Report) {
        let name = element.given_name();
        if name.is_empty() {
            return;
        }
        if let Some(first) = self.take(name, element) {
            report
                .error(code, format!("the {what} `{name}` is declared twice"), element.name_place(), "again")
                .label(first.name_place(), "first declared here")
                .help("rename one of them");
        }
    }
}
