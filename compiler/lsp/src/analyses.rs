//! The schemas that are open, each read with all that it imports, and read again when any of that changes.

use crate::buffers::Buffers;
use crate::setup::Setup;
use aldis_diagnostics::{any_error, Diagnostic};
use aldis_lint::Keywords;
use aldis_plan::{Compilation, Plan};
use std::collections::BTreeMap;

/// A schema that was read.
pub(crate) struct Analysis {
    pub(crate) compilation: Compilation,
    /// The advice of lint; none while there are errors.
    pub(crate) advice: Vec<Diagnostic>,
}

impl Analysis {
    pub(crate) fn reads(&self, path: &str) -> bool {
        self.compilation.sources.find(path).is_some()
    }
}

/// The results for all open schemas, by the path of the root file.
#[derive(Default)]
pub(crate) struct Analyses {
    pub(crate) current: BTreeMap<String, Analysis>,
    /// The plan of the last text without errors, for what is asked while there are some.
    sound: BTreeMap<String, Plan>,
}

impl Analyses {
    /// The plan of the main form of the schema, or of its last text that was right.
    pub(crate) fn plan(&self, path: &str) -> Option<&Plan> {
        let current = self.current.get(path).and_then(|analysis| analysis.compilation.plans.first());
        current.or_else(|| self.sound.get(path))
    }

    /// Forgets what was read from the file.
    pub(crate) fn touched(&mut self, path: &str) {
        let touched = |root: &String, analysis: &Analysis| root == path || analysis.reads(path);
        let roots: Vec<String> =
            self.current.iter().filter(|(root, of)| touched(root, of)).map(|(r, _)| r.clone()).collect();
        roots.iter().for_each(|root| self.drop(root));
    }

    /// Forgets all: files came or went, so an import may lead elsewhere.
    pub(crate) fn forget(&mut self) {
        let roots: Vec<String> = self.current.keys().cloned().collect();
        roots.iter().for_each(|root| self.drop(root));
    }

    fn drop(&mut self, root: &str) {
        let plans = self.current.remove(root).map(|analysis| analysis.compilation.plans);
        if let Some(plan) = plans.and_then(|plans| plans.into_iter().next()) {
            self.sound.insert(root.to_owned(), plan);
        }
    }

    /// Reads each open schema that is not known.
    pub(crate) fn refresh(&mut self, setup: &Setup<'_>, buffers: &Buffers<'_>) {
        self.current.retain(|root, _| buffers.open.contains_key(root));
        self.sound.retain(|root, _| buffers.open.contains_key(root));
        for (path, buffer) in &buffers.open {
            if self.current.contains_key(path) {
                continue;
            }
            if let Some(format) = setup.format_of(path).filter(|format| format.is_schema(&buffer.source.text)) {
                let compilation = setup.compile(format, path, buffers);
                let advice = setup.workspace.wanted(path, advice(&compilation, setup.keywords));
                self.current.insert(path.clone(), Analysis { compilation, advice });
            }
        }
    }
}

fn advice(compilation: &Compilation, keywords: &[Keywords<'_>]) -> Vec<Diagnostic> {
    let plan = compilation.plans.first().filter(|_| !any_error(&compilation.diagnostics));
    plan.map(|plan| aldis_lint::lint(plan, keywords)).unwrap_or_default()
}
