//! The outputs of a project.

use crate::args::SchemaArgs;
use crate::commands::order::{unknown_name, Order};
use crate::compile::Compiled;
use crate::failure::Outcome;
use crate::output::Output;
use crate::project::Loaded;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_emit::OutputFile;
use aldis_project::codes;
use aldis_schema::Schema;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A schema of the project: its path there, where it is, and what it says.
pub type Member<'c> = (&'c str, &'c SchemaArgs, Compiled);

/// The files of all outputs, by the folders that they go to.
pub fn files(loaded: &Loaded, schemas: &[Member<'_>], output: &Output) -> Outcome<Vec<(PathBuf, Vec<OutputFile>)>> {
    let mut problems = Vec::new();
    let mut folders: Vec<(PathBuf, Vec<OutputFile>)> = Vec::new();
    let mut makers = Makers::default();
    for wanted in &loaded.project.outputs {
        let chosen = chosen(wanted, schemas, &mut problems);
        unknown_renames(wanted, &chosen, &mut problems);
        let folder = loaded.path(&wanted.folder);
        let mut all: Vec<OutputFile> = Vec::new();
        for (path, schema, compiled) in chosen {
            for file in order(wanted, &folder, &compiled.plans[0].schema).files(schema, compiled, output)? {
                if makers.is_new(folder.join(&file.path), &file, (wanted.span, path), &mut problems) {
                    all.push(file);
                }
            }
        }
        folders.push((folder, all));
    }
    loaded.tell(&problems, output)?;
    Ok(folders)
}

/// The schemas that an output is made from.
fn chosen<'c>(
    wanted: &aldis_project::Output,
    schemas: &'c [Member<'c>],
    problems: &mut Vec<Diagnostic>,
) -> Vec<&'c Member<'c>> {
    for pattern in &wanted.schemas.taken {
        if !schemas.iter().any(|(path, ..)| pattern.has(path)) {
            let message = format!("none of the project's schemas is {}", pattern.text.value);
            problems.push(Diagnostic::error(codes::NO_FILE, message, pattern.text.span, ""));
        }
    }
    let all = wanted.schemas.taken.is_empty();
    let is_chosen = |path: &str| if all { !wanted.schemas.leaves_out(path) } else { wanted.schemas.has(path) };
    schemas.iter().filter(|(path, ..)| is_chosen(path)).collect()
}

fn unknown_renames(wanted: &aldis_project::Output, chosen: &[&Member<'_>], problems: &mut Vec<Diagnostic>) {
    let schemas: Vec<&Schema> = chosen.iter().map(|(_, _, compiled)| &compiled.plans[0].schema).collect();
    for (from, _) in &wanted.renames {
        if let Some(text) = unknown_name(&from.value, &schemas) {
            problems.push(Diagnostic::error(codes::UNKNOWN_WORD, text, from.span, ""));
        }
    }
}

/// The order for one of an output's schemas: it has the renames that are about it.
fn order(wanted: &aldis_project::Output, folder: &Path, schema: &Schema) -> Order {
    let own = wanted.renames.iter().filter(|(from, _)| unknown_name(&from.value, &[schema]).is_none());
    Order {
        lang: wanted.language.clone(),
        out: folder.to_owned(),
        testee: false,
        with_imports: false,
        name: wanted.name.clone(),
        prefix: wanted.prefix.clone(),
        renames: own.map(|(from, to)| (from.value.clone(), to.clone())).collect(),
        options: wanted.options.clone(),
    }
}

/// An output and one of its schemas.
type Maker<'c> = (Span, &'c str);

/// The maker of each file.
#[derive(Default)]
struct Makers<'c> {
    files: BTreeMap<PathBuf, (Maker<'c>, String)>,
    /// Two makers that were told of the first file that both make.
    told: BTreeSet<(u32, &'c str, u32, &'c str)>,
}

impl<'c> Makers<'c> {
    /// Whether the file is to be written: code that schemas share is the same for all of them, and written once.
    fn is_new(&mut self, path: PathBuf, file: &OutputFile, maker: Maker<'c>, problems: &mut Vec<Diagnostic>) -> bool {
        let Some((known, text)) = self.files.get(&path) else {
            self.files.insert(path, (maker, file.text.clone()));
            return true;
        };
        if *text != file.text && self.told.insert((known.0.start, known.1, maker.0.start, maker.1)) {
            problems.push(same_file(&path, maker, *known));
        }
        false
    }
}

fn same_file(path: &Path, (span, schema): Maker<'_>, (known, first): Maker<'_>) -> Diagnostic {
    let path = path.display();
    let help = "give one of them another `folder` or `name`, or choose other `schemas` for it";
    if span == known {
        let message = format!("{first} and {schema} both become {path}");
        return Diagnostic::error(codes::SAME_FILE, message, span, "in this output").help(help);
    }
    let message = format!("two outputs write {path}");
    Diagnostic::error(codes::SAME_FILE, message, span, format!("from {schema}"))
        .label(known, format!("from {first}"))
        .help(help)
}
