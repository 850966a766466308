//! The SBE front end: reads FIX Simple Binary Encoding schemas (XML), checks them, and lowers them to a Plan.
//!
//! One file, one step: `text` decodes bytes, `xml` makes a tree with places, `include` joins files, `grammar`
//! checks each element by itself, `catalog` resolves the types by name, `message` lays out blocks, groups and
//! data, `lower` puts the Plan together. Every diagnostic's code is in `codes`.

mod catalog;
mod codes;
mod composite;
mod declare;
mod enumeration;
mod field;
mod grammar;
mod head;
mod include;
mod lower;
mod message;
mod names;
mod number;
mod primitive;
mod record;
mod register;
mod report;
mod resolved;
mod simple;
mod suggest;
mod text;
mod types;
mod typing;
mod unique;
mod value;
mod xml;

pub use codes::TABLE as CODES;

use aldis_diagnostics::{Files, Sources};
use aldis_plan::{Compilation, Format, Hints, Index, Suggestion};
use report::Report;

/// The format, for the list of formats.
pub static SBE: Sbe = Sbe;

/// FIX Simple Binary Encoding 1.0, with what the wild and SBE 2.0 add to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sbe;

impl Format for Sbe {
    fn name(&self) -> &'static str {
        "sbe"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xml"]
    }

    fn is_schema(&self, text: &str) -> bool {
        text.contains("messageSchema")
    }

    fn compile(&self, path: &str, files: &dyn Files) -> Compilation {
        self.compile_with(path, files, &Hints::default())
    }

    fn names(&self, path: &str, files: &dyn Files) -> Index {
        let mut sources = Sources::default();
        let root = include::Reader::new(files, &mut sources, &mut Report::default()).read_root(path);
        let names = root.map(|root| names::names(&root, &sources)).unwrap_or_default();
        Index { sources, names }
    }

    fn suggest(&self, path: &str, files: &dyn Files, at: usize) -> Vec<Suggestion> {
        let bytes = files.read(path).unwrap_or_default();
        typing::suggest(&text::decode(&bytes).text, at)
    }

    fn takes_frame_length(&self) -> bool {
        true
    }

    fn compile_with(&self, path: &str, files: &dyn Files, hints: &Hints) -> Compilation {
        let mut sources = Sources::default();
        let mut report = Report::default();
        let root = include::Reader::new(files, &mut sources, &mut report).read_root(path);
        let mut plans = Vec::new();
        if let Some(root) = root {
            grammar::check(&root, &mut report);
            if root.name == "messageSchema" {
                let texts: Vec<&str> = sources.iter().map(|source| source.text.as_str()).collect();
                let plan = lower::lower(&root, aldis_schema::digest(&texts), hints, &mut report);
                plans.extend(plan.filter(|_| !report.any_error()));
            }
        }
        Compilation { sources, diagnostics: report.into_diagnostics(), plans }
    }
}
