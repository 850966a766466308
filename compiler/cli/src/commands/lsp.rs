//! `aldis lsp`: a language server over standard input and output.

use crate::args::frame_length;
use crate::failure::{Failure, Outcome};
use crate::files::DiskFiles;
use crate::project::{self, is_of_tools};
use crate::registry::{self, FORMATS};
use aldis_diagnostics::{Diagnostic, Files};
use aldis_lsp::{serve, Reading, Setup, Workspace};
use aldis_plan::Hints;
use aldis_project::FILE;
use clap::Args;
use lsp_server::Connection;
use std::io;
use std::path::{Path, PathBuf};

/// Serve an editor: diagnostics as one types, hover, definitions, renaming, completion, formatting.
///
/// Editors start this and speak the Language Server Protocol over standard input and output. Configurations for
/// Neovim, Helix and Visual Studio Code are in the folder `editors`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis lsp                                                 as an editor starts it
  aldis lsp -I common                                       with a folder for imports, beside those of aldis.toml")]
pub struct LspArgs {
    /// A folder to look in for imported files; may be given several times.
    #[arg(short = 'I', long = "import", value_name = "DIR")]
    import_dirs: Vec<PathBuf>,

    /// Standard input and output are the only way, so this changes nothing; some editors give it.
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn run(args: &LspArgs) -> Outcome {
    let here = std::env::current_dir().unwrap_or_default();
    let import_dirs = args.import_dirs.iter().map(|folder| here.join(folder)).collect();
    let workspace = Disk(DiskFiles { import_dirs, ..DiskFiles::default() });
    let keywords = registry::keywords();
    let setup =
        Setup { formats: FORMATS, keywords: &keywords, workspace: &workspace, version: env!("CARGO_PKG_VERSION") };
    let (connection, threads) = Connection::stdio();
    let is_good = serve(&connection, &setup).map_err(|error| Failure::Input(format!("the editor: {error}")))?;
    // The writing thread ends when nobody can send to it any more.
    drop(connection);
    threads.join().map_err(|error| Failure::Input(format!("the editor: {error}")))?;
    if is_good {
        return Ok(());
    }
    Err(Failure::Input("the editor: `exit` came before `shutdown`".into()))
}

/// Folders within folders, and files in all, that are looked at for schemas.
const MOST_LEVELS: usize = 16;
const MOST_FILES: usize = 10_000;

/// The files on disk.
struct Disk(DiskFiles);

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        self.0.resolve(from, name).or_else(|| in_project(from, name))
    }

    fn resolve_in_directories(&self, from: &str, name: &str) -> Option<String> {
        self.0.resolve_in_directories(from, name).or_else(|| in_project(from, name))
    }
}

/// The path of an import in the folders that the project of the importing file names.
fn in_project(from: &str, name: &str) -> Option<String> {
    let (project, folder) = project::around(Path::new(from))?;
    let import_dirs = project.imports.iter().map(|import| folder.join(&import.value)).collect();
    DiskFiles { import_dirs, ..DiskFiles::default() }.resolve_in_directories(from, name)
}

impl Workspace for Disk {
    fn reading(&self, path: &str) -> Reading {
        let Some((project, folder)) = project::around(Path::new(path)) else { return Reading::default() };
        let within = Path::new(path).strip_prefix(&folder).unwrap_or(Path::new(path)).to_string_lossy();
        let Some(entry) = project.entry(&within.replace(std::path::MAIN_SEPARATOR, "/")) else {
            return Reading::default();
        };
        // The text was checked when the file was read.
        let member = entry.frame_length.as_deref().and_then(|text| frame_length(text).ok());
        Reading { format: entry.format.clone(), hints: Hints { frame_length: member.unwrap_or_default() } }
    }

    fn wanted(&self, schema: &str, advice: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let levels = project::around(Path::new(schema)).map(|(project, _)| project.lint).unwrap_or_default();
        project::wanted(advice, &|rule| project::level(rule, &levels))
    }

    fn schemas(&self, folder: &str, extensions: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        collect(Path::new(folder), extensions, MOST_LEVELS, &mut found);
        let around = Path::new(folder).ancestors().find(|folder| folder.join(FILE).is_file());
        found.extend(around.into_iter().flat_map(project::with_format));
        found.sort();
        found.dedup();
        found
    }
}

/// Hidden folders, and those that hold what builds make, are passed over, as are links.
fn collect(folder: &Path, extensions: &[&str], levels: usize, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let passed_over = is_of_tools(&name) || name.to_string_lossy().starts_with('.');
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && levels > 0 && !passed_over {
            collect(&path, extensions, levels - 1, found);
        } else if kind.is_file() && name == FILE {
            found.extend(project::with_format(folder));
        } else if kind.is_file() && found.len() < MOST_FILES {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            if let Some(path) = path.to_str().filter(|_| extensions.contains(&&*extension)) {
                found.push(path.to_owned());
            }
        }
    }
}
