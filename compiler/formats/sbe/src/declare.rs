//! Elements of a schema to types.

use crate::catalog::Catalog;
use crate::report::Report;
use crate::resolved::{Composite, Entry, Enumeration, Flags, Handle, Kind, Simple};
use crate::xml::Element;

impl<'a> Catalog<'a> {
    /// Resolves a declaration, at top level or within a composite.
    pub fn declare(&mut self, element: &'a Element, depth: usize, report: &mut Report) -> Option<Handle> {
        let kind = match element.name.as_str() {
            "type" => Kind::Simple(Simple::resolve(element, self, depth, report)?),
            "enum" => Kind::Enum(Enumeration::resolve(element, self, depth, report)?),
            "set" => Kind::Set(Flags::resolve(element, self, depth, report)?),
            "composite" => Kind::Composite(Composite::resolve(element, self, depth, report)?),
            _ => return None,
        };
        let since = crate::grammar::since_of(element);
        Some(self.add(Entry { element: Some(element), since, kind }))
    }
}
