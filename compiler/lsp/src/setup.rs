//! The formats and files that a server stands on.

use crate::Workspace;
use aldis_diagnostics::Files;
use aldis_lint::Keywords;
use aldis_plan::{Compilation, Format};

/// The parts that a server stands on.
pub struct Setup<'a> {
    pub formats: &'a [&'static dyn Format],
    pub keywords: &'a [Keywords<'a>],
    pub workspace: &'a dyn Workspace,
    /// The version of the command, which editors show.
    pub version: &'a str,
}

impl Setup<'_> {
    /// The format that the file's project says, or else its extension.
    pub(crate) fn format_of(&self, path: &str) -> Option<&'static dyn Format> {
        let mut formats = self.formats.iter().copied();
        match self.workspace.reading(path).format {
            Some(name) => formats.find(|format| format.name() == name),
            None => {
                let extension = path.rsplit_once('.')?.1;
                formats.find(|format| format.extensions().contains(&extension))
            }
        }
    }

    /// Reads the schema as its project says.
    pub(crate) fn compile(&self, format: &dyn Format, path: &str, files: &dyn Files) -> Compilation {
        format.compile_with(path, files, &self.workspace.reading(path).hints)
    }
}
