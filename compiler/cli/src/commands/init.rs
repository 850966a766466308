//! `aldis init`: a project's file from what there is.

use crate::args::ReadingArgs;
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::output::{count, Output};
use crate::project::is_of_tools;
use crate::registry::FORMATS;
use aldis_diagnostics::any_error;
use aldis_project::FILE;
use clap::Args;
use ignore::WalkBuilder;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Write aldis.toml for the schemas below the current folder.
///
/// Nothing is asked. The languages are those of the builds that are there (rebar.config, mix.exs, package.json,
/// CMakeLists.txt); what git ignores is left out. A file that is there already stays as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis init
  aldis init && aldis check")]
pub struct InitArgs {}

/// The languages of builds, by a file in the current folder, with the folder that their code usually goes to.
const BUILDS: [(&str, &str, &str); 4] = [
    ("rebar.config", "erlang", "src"),
    ("mix.exs", "elixir", "lib"),
    ("package.json", "javascript", "src"),
    ("CMakeLists.txt", "cpp", "include"),
];

pub fn run(_: &InitArgs, output: &Output) -> Outcome {
    let current = env::current_dir().map_err(|error| Failure::file("the current folder", &error))?;
    let found = schemas();
    if found.is_empty() {
        let extensions = FORMATS.iter().flat_map(|format| format.extensions());
        let extensions: Vec<String> = extensions.map(|extension| format!(".{extension}")).collect();
        let text = format!(
            "{}: there is no schema in this folder or below it ({}); go where they are",
            current.display(),
            extensions.join(", ")
        );
        return Err(Failure::Input(text));
    }
    let imports = imports(&found);
    let builds: Vec<_> = BUILDS.iter().filter(|(file, ..)| Path::new(file).is_file()).collect();
    write(&text(&found, &imports, &builds))?;
    let mut said = format!("{FILE}: {}", count(found.len(), "schema"));
    for (file, language, folder) in &builds {
        // Writing to a string cannot fail, here and below.
        let _ = write!(said, ", code in {language} to {folder} as there is {file}");
    }
    if builds.is_empty() {
        said += ", no outputs yet: the file shows how they are written";
    }
    output.print(&format!("{said}\nnext: aldis check\n"))
}

fn write(text: &str) -> Outcome {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Input(format!("{FILE}: it is there already; nothing was changed")),
        _ => Failure::file(FILE, &error),
    };
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(FILE).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}

/// The schemas below the current folder that are neither hidden, ignored by git nor of tools.
fn schemas() -> Vec<String> {
    let is_own = |entry: &ignore::DirEntry| !is_of_tools(entry.file_name());
    let walk = WalkBuilder::new(".").sort_by_file_name(Ord::cmp).filter_entry(is_own).require_git(false).build();
    let paths = walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    let paths = paths.map(ignore::DirEntry::into_path);
    paths.filter_map(|path| found(path.strip_prefix(".").unwrap_or(&path))).collect()
}

fn found(path: &Path) -> Option<String> {
    compile::format_of(path, None).ok()?;
    // Much is XML that is no schema.
    let is_xml = path.extension().is_some_and(|extension| extension == "xml");
    if is_xml && !fs::read_to_string(path).is_ok_and(|text| text.contains("messageSchema")) {
        return None;
    }
    Some(path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/"))
}

/// The folders without which schemas do not find what they import.
fn imports(found: &[String]) -> Vec<String> {
    let folders: BTreeSet<&str> = found.iter().map(|path| folder_of(path)).collect();
    let good = |path: &str, folders: &[String]| {
        let import_dirs = folders.iter().map(|folder| PathBuf::from(if folder.is_empty() { "." } else { folder }));
        let reading = ReadingArgs { import_dirs: import_dirs.collect(), ..ReadingArgs::default() };
        let read = compile::read(Path::new(path), &reading);
        read.is_ok_and(|compilation| !any_error(&compilation.diagnostics))
    };
    let mut needed: Vec<String> = Vec::new();
    for schema in found {
        if good(schema, &needed) {
            continue;
        }
        let with = |folder: &&str| [needed.as_slice(), &[(*folder).to_owned()]].concat();
        let first = folders.iter().map(with).find(|with| good(schema, with));
        needed = first.unwrap_or(needed);
    }
    needed
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn text(found: &[String], imports: &[String], builds: &[&(&str, &str, &str)]) -> String {
    let mut text =
        String::from("# The project's schemas and what is done with them; docs/project.md of Aldis has all keys.\n");
    let _ = writeln!(text, "schemas = {}", list(&patterns(found)));
    if !imports.is_empty() {
        let imports = imports.iter().map(|folder| if folder.is_empty() { "." } else { folder });
        let _ = writeln!(text, "imports = {}", list(&imports.map(str::to_owned).collect::<Vec<_>>()));
    }
    for (_, language, folder) in builds {
        let _ = write!(text, "\n[[outputs]]\nlanguage = \"{language}\"\nfolder = \"{folder}\"\n");
    }
    if builds.is_empty() {
        text += "\n# What `aldis gen` writes:\n# [[outputs]]\n# language = \"erlang\"\n# folder = \"src\"\n";
    }
    text += "\n# What `aldis breaking` asks of changes since the lock of a schema, or since git's HEAD where it has none:\n";
    text += "# B, new programs read what old ones wrote; F, old programs read what new ones write.\n";
    text += "[breaking]\nmust = \"BF\"\n";
    text
}

/// A pattern for each kind of schema in a folder.
fn patterns(found: &[String]) -> Vec<String> {
    let mut kinds: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for path in found {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        kinds.entry((folder_of(path), extension)).or_default().push(path);
    }
    let mut patterns = Vec::new();
    for ((folder, extension), paths) in kinds {
        // Other files may be XML too.
        if paths.len() == 1 || extension == "xml" {
            patterns.extend(paths.into_iter().map(literal));
        } else {
            patterns.push(format!("{}{}*.{extension}", literal(folder), if folder.is_empty() { "" } else { "/" }));
        }
    }
    patterns
}

/// A pattern of this path alone, whatever letters it has.
fn literal(path: &str) -> String {
    let mut pattern = String::from(if path.starts_with('!') { "./" } else { "" });
    for letter in path.chars() {
        match letter {
            '*' | '?' | '[' | '{' | '}' => pattern.extend(['[', letter, ']']),
            _ => pattern.push(letter),
        }
    }
    pattern
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| serde_json::Value::from(text.as_str()).to_string()).collect();
    format!("[{}]", quoted.join(", "))
}
