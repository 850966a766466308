//! The project that the current folder is in.

mod levels;
mod paths;
mod words;

pub use levels::{level, wanted, ALL};
pub use paths::is_of_tools;
pub use words::rules_and_sets;

use crate::args::{frame_length, ReadingArgs, SchemaArgs, Seen};
use crate::failure::{Failure, Outcome};
use crate::files::{plain, read_within, LONGEST};
use crate::output::{Output, Stream};
use aldis_diagnostics::{any_error, utf8_text, Diagnostic, SourceId, Sources};
use aldis_project::{codes, Project, FILE};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A project with the files that it names.
pub struct Loaded {
    pub project: Project,
    /// The project's file alone.
    pub sources: Sources,
    /// The project's folder as it is named from the current one; empty where it is that.
    pub folder: PathBuf,
    /// The schema files in the order of their paths, each with its path within the project.
    pub schemas: Vec<(String, SchemaArgs)>,
}

/// The schema files that a command is about.
pub struct Selection {
    pub schemas: Vec<SchemaArgs>,
    /// The project that names them, where the command line does not.
    pub loaded: Option<Loaded>,
}

/// Those that the command line names, or else those of the project.
pub fn select(named: &[PathBuf], reading: &ReadingArgs, output: &Output) -> Outcome<Selection> {
    if named.is_empty() {
        let loaded = load(reading, output)?;
        let schemas = loaded.schemas.iter().map(|(_, schema)| schema.clone()).collect();
        return Ok(Selection { schemas, loaded: Some(loaded) });
    }
    let schemas = named.iter().map(|schema| SchemaArgs { schema: schema.clone(), reading: reading.clone() });
    Ok(Selection { schemas: schemas.collect(), loaded: None })
}

/// The project's file in the current folder or the nearest one above it, as it is named from here.
pub fn find() -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    let levels = current.ancestors().position(|folder| folder.join(FILE).is_file())?;
    let above: PathBuf = std::iter::repeat_n("..", levels).collect();
    Some(above.join(FILE))
}

/// The project that the current folder is in. Shows what is wrong with it.
pub fn load(reading: &ReadingArgs, output: &Output) -> Outcome<Loaded> {
    let path = find().ok_or_else(|| {
        let text = format!("no schema is named, and neither this folder nor one above it has the file {FILE}; name schemas, or write that file with aldis init");
        Failure::Usage(text)
    })?;
    reading.seen.add(&path);
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut sources = Sources::default();
    let (project, mut problems) = read(&path, &mut sources)?;
    let schemas = if any_error(&problems) { Vec::new() } else { schemas(&project, &folder, reading, &mut problems) };
    let loaded = Loaded { project, sources, folder, schemas };
    loaded.tell(&problems, output)?;
    Ok(loaded)
}

fn read(path: &Path, sources: &mut Sources) -> Outcome<(Project, Vec<Diagnostic>)> {
    let name = path.display().to_string();
    let bytes = File::open(path).and_then(|file| read_within(file, LONGEST, "a project's file"));
    let bytes = bytes.map_err(|error| Failure::file(&name, &error))?;
    let (text, problem) = utf8_text(bytes, SourceId(0), codes::UNREADABLE);
    let source = sources.add(name, text);
    Ok(match problem {
        Some(problem) => (Project::default(), vec![problem]),
        None => aldis_project::read(sources, source, &words::Words),
    })
}

/// The files of the project's patterns, and what is wrong with paths.
fn schemas(
    project: &Project,
    folder: &Path,
    reading: &ReadingArgs,
    problems: &mut Vec<Diagnostic>,
) -> Vec<(String, SchemaArgs)> {
    let mut import_dirs = reading.import_dirs.clone();
    for import in &project.imports {
        let path = plain(&folder.join(&import.value));
        if !path.is_dir() {
            let message = format!("there is no folder {}", import.value);
            problems.push(Diagnostic::error(codes::NO_FILE, message, import.span, ""));
        }
        import_dirs.push(path);
    }
    let mut all: Vec<(String, SchemaArgs)> = Vec::new();
    for entry in &project.schemas {
        let reading = ReadingArgs {
            import_dirs: import_dirs.clone(),
            format: entry.format.clone().or_else(|| reading.format.clone()),
            frame_length: match &entry.frame_length {
                // The text was checked when the file was read.
                Some(text) => frame_length(text).ok(),
                None => reading.frame_length.clone(),
            },
            ..reading.clone()
        };
        for path in paths::files(&entry.files, folder, &reading.seen, problems) {
            // The first entry that has a file says how it is read.
            if all.iter().all(|(known, _)| *known != path) {
                let schema = plain(&folder.join(&path));
                all.push((path, SchemaArgs { schema, reading: reading.clone() }));
            }
        }
    }
    let first = project.schemas.iter().find_map(|entry| entry.files.taken.first());
    if let (true, false, Some(first)) = (all.is_empty(), any_error(problems), first) {
        let message = "the project has no schemas: all files are left out again";
        problems.push(Diagnostic::error(codes::NO_FILE, message, first.text.span, ""));
    }
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// Does the same to each of several schemas, and goes on where one has problems.
pub fn each<T>(schemas: impl IntoIterator<Item = T>, output: &Output, mut work: impl FnMut(T) -> Outcome) -> Outcome {
    let mut failed = false;
    for schema in schemas {
        failed |= match work(schema) {
            Ok(()) => false,
            Err(Failure::Input(text)) => {
                output.problem(&text);
                true
            }
            Err(Failure::Shown) => true,
            Err(other) => return Err(other),
        };
    }
    if failed {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// The project that a file is in: what its file says, and its folder; `None` where there is none, or its file has a mistake.
pub fn around(path: &Path) -> Option<(Project, PathBuf)> {
    let folder = path.ancestors().skip(1).find(|folder| folder.join(FILE).is_file())?;
    let (project, problems) = read(&folder.join(FILE), &mut Sources::default()).ok()?;
    (!any_error(&problems)).then(|| (project, folder.to_owned()))
}

/// The schemas of the folder's project whose language it says, as their extensions need not tell it.
pub fn with_format(folder: &Path) -> Vec<String> {
    let Ok((project, problems)) = read(&folder.join(FILE), &mut Sources::default()) else { return Vec::new() };
    let entries = project.schemas.iter().filter(|entry| entry.format.is_some() && !any_error(&problems));
    let paths = entries.flat_map(|entry| paths::files(&entry.files, folder, &Seen::default(), &mut Vec::new()));
    paths.filter_map(|path| plain(&folder.join(path)).to_str().map(str::to_owned)).collect()
}

impl Loaded {
    /// Shows problems of the project's file; fails where one of them is an error.
    pub fn tell(&self, problems: &[Diagnostic], output: &Output) -> Outcome {
        output.diagnostics(problems, &self.sources, Stream::Err)?;
        if any_error(problems) {
            output.tally(problems);
            return Err(Failure::Shown);
        }
        Ok(())
    }

    /// A path of the project as it is named from the current folder.
    pub fn path(&self, within: &str) -> PathBuf {
        plain(&self.folder.join(within))
    }
}
