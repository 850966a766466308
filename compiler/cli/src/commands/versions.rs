//! Older versions of schemas: files, locks, commits.

use crate::args::SchemaArgs;
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::files::plain;
use crate::git::Revision;
use crate::output::Output;
use crate::project::Loaded;
use aldis_diagnostics::{Diagnostic, Sources};
use aldis_evolution::Lock;
use aldis_plan::Plan;
use aldis_project::{codes, Against};
use std::fs;
use std::path::{Path, PathBuf};

/// An older version of a schema.
pub struct Old {
    pub plans: Vec<Plan>,
    /// The schema's texts; there are none where the version is a lock.
    pub sources: Sources,
    /// The version's name in messages to people.
    pub name: String,
}

/// The lock beside a schema: its name and `.lock`.
pub fn lock_of(schema: &Path) -> PathBuf {
    let mut name = schema.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    schema.with_file_name(name)
}

pub fn from_lock(path: &Path) -> Outcome<Old> {
    let lock = read_lock(path)?;
    Ok(Old { plans: lock.plans, sources: Sources::default(), name: path.display().to_string() })
}

/// The lock in a file.
pub fn read_lock(path: &Path) -> Outcome<Lock> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| Failure::file(&name, &error))?;
    Lock::parse(&text).map_err(|error| Failure::Input(format!("{name}: {error}")))
}

/// The version in a schema file.
pub fn from_file(schema: &SchemaArgs, output: &Output) -> Outcome<Old> {
    let compiled = compile::compile(schema, output)?;
    let name = schema.schema.display().to_string();
    Ok(Old { plans: compiled.plans, sources: compiled.sources, name })
}

/// The version of the commit, branch or tag.
pub fn from_git(schema: &SchemaArgs, reference: &str, output: &Output) -> Outcome<Old> {
    at_revision(schema, &revision(schema, reference)?, reference, output)
}

fn revision(schema: &SchemaArgs, reference: &str) -> Outcome<Revision> {
    Revision::new(reference, &schema.reading.import_dirs, &schema.schema)
}

fn at_revision(schema: &SchemaArgs, files: &Revision, reference: &str, output: &Output) -> Outcome<Old> {
    let compilation = compile::read_through(&schema.schema, &schema.reading, files)?;
    let compiled = compile::compiled(&schema.schema, compilation, output)?;
    Ok(Old { plans: compiled.plans, sources: compiled.sources, name: format!("git:{reference}") })
}

/// The mistake in the folder that a project names for its older versions, if there is one.
pub fn problem(loaded: &Loaded) -> Option<Diagnostic> {
    let against = loaded.project.breaking.against.as_ref()?;
    let Against::Folder(folder) = &against.value else { return None };
    let real = |folder: &str| fs::canonicalize(Path::new(".").join(loaded.path(folder))).ok();
    let Some(found) = real(folder).filter(|path| path.is_dir()) else {
        let message = format!("there is no folder {folder} with older versions");
        let here = format!("did you mean `git:{folder}`?");
        return Some(Diagnostic::error(codes::NO_FILE, message, against.span, here));
    };
    let is_own = Some(found) == real("");
    let message = "the project is no older version of itself";
    let here = "write `lock`, `git:REF` or another folder";
    is_own.then(|| Diagnostic::error(codes::UNKNOWN_WORD, message, against.span, here))
}

/// The older version of a project's schema, as the project says; none where the schema is newer than that.
pub fn older(loaded: &Loaded, path: &str, schema: &SchemaArgs, output: &Output) -> Outcome<Option<Old>> {
    let lock = lock_of(&schema.schema);
    schema.reading.seen.add(&lock);
    let against = loaded.project.breaking.against.as_ref();
    let reference = match against.map(|against| &against.value) {
        Some(Against::Folder(folder)) => return in_folder(loaded, folder, path, schema, output),
        Some(Against::Lock) if !lock.is_file() => return Ok(None),
        Some(Against::Lock) => return from_lock(&lock).map(Some),
        Some(Against::Git(reference)) => reference,
        None if lock.is_file() => return from_lock(&lock).map(Some),
        None => "HEAD",
    };
    let files = revision(schema, reference)?;
    if !files.has(&schema.schema) {
        return Ok(None);
    }
    at_revision(schema, &files, reference, output).map(Some)
}

/// The same path below another folder, with that folder's imports.
fn in_folder(loaded: &Loaded, folder: &str, path: &str, schema: &SchemaArgs, output: &Output) -> Outcome<Option<Old>> {
    let root = loaded.path(folder);
    let mut reading = schema.reading.clone();
    let own = loaded.project.imports.iter().map(|import| plain(&root.join(&import.value)));
    reading.import_dirs.splice(0..0, own);
    let old = SchemaArgs { schema: root.join(path), reading };
    old.schema.is_file().then(|| from_file(&old, output)).transpose()
}
