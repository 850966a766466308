//! The schemas that an editor works on, and what the server knows of them.

use crate::analyses::Analyses;
use crate::buffers::Buffers;
use crate::setup::Setup;
use aldis_plan::Index;
use lsp_server::ErrorCode;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) struct Session<'a> {
    pub(crate) setup: &'a Setup<'a>,
    pub(crate) buffers: Buffers<'a>,
    pub(crate) analyses: Analyses,
    /// The names of schemas that were asked about, by the path of the root file.
    pub(crate) indexes: BTreeMap<String, Rc<Index>>,
    /// The paths of the folders that the editor works in.
    pub(crate) folders: Vec<String>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(setup: &'a Setup<'a>, folders: Vec<String>) -> Self {
        Self {
            setup,
            buffers: Buffers { workspace: setup.workspace, open: BTreeMap::new() },
            analyses: Analyses::default(),
            indexes: BTreeMap::new(),
            folders,
        }
    }

    pub(crate) fn refresh(&mut self) {
        self.analyses.refresh(self.setup, &self.buffers);
    }
}

/// An answer that is an error.
pub(crate) struct Refusal {
    pub(crate) code: ErrorCode,
    pub(crate) text: String,
}
