//! Schema files as they were at a commit.

use crate::failure::{Failure, Outcome};
use crate::files::plain;
use aldis_diagnostics::Files;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Reads files of a commit through the command `git`.
pub struct Revision {
    reference: String,
    import_dirs: Vec<PathBuf>,
}

impl Revision {
    /// For the commit that `reference` names in the repository that holds `schema`.
    pub fn new(reference: &str, import_dirs: &[PathBuf], schema: &Path) -> Outcome<Self> {
        if reference.is_empty() || reference.starts_with('-') {
            return Err(Failure::Usage("--against git:REF takes a commit, branch or tag".into()));
        }
        let folder = existing(schema);
        let asked = git(&folder, &["rev-parse", "--verify", "--quiet", &format!("{reference}^{{commit}}")]);
        match asked {
            Ok(output) if output.status.success() => {
                Ok(Self { reference: reference.to_owned(), import_dirs: import_dirs.to_vec() })
            }
            Ok(output) => {
                let (schema, said) = (schema.display(), String::from_utf8_lossy(&output.stderr));
                let said = said.lines().next().map(|line| format!(" (git says: {line})")).unwrap_or_default();
                Err(Failure::Input(format!("{schema}: there is no commit `{reference}` in a git repository around it{said}; name the older version with --against, or write a lock with aldis lock")))
            }
            Err(error) => Err(Failure::file("git", &error)),
        }
    }

    /// A file as git names it: its folder, and its name from there.
    fn name(&self, path: &Path) -> (PathBuf, String) {
        let folder = existing(path);
        let rest = path.strip_prefix(&folder).unwrap_or(path).to_string_lossy().into_owned();
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        (folder, format!("{}:./{rest}", self.reference))
    }

    /// Whether the commit has the file.
    pub fn has(&self, path: &Path) -> bool {
        let (folder, name) = self.name(path);
        git(&folder, &["cat-file", "-e", &name]).is_ok_and(|output| output.status.success())
    }
}

impl Files for Revision {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let (folder, name) = self.name(Path::new(path));
        let output = git(&folder, &["show", &name])?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let text = format!("it is not in {}", self.reference);
        Err(io::Error::new(io::ErrorKind::NotFound, text))
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let beside = plain(&Path::new(from).parent().unwrap_or(Path::new("")).join(name));
        if self.has(&beside) {
            return Some(beside.to_string_lossy().into_owned());
        }
        self.resolve_in_directories(from, name)
    }

    fn resolve_in_directories(&self, _: &str, name: &str) -> Option<String> {
        let all = self.import_dirs.iter().map(|folder| plain(&folder.join(name)));
        all.into_iter().find(|path| self.has(path)).map(|path| path.to_string_lossy().into_owned())
    }
}

/// The variables by which hooks name their repository. The schema's folder names the one that is meant here.
const OF_HOOKS: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
];

fn git(folder: &Path, arguments: &[&str]) -> io::Result<Output> {
    let mut command = Command::new("git");
    for name in OF_HOOKS {
        command.env_remove(name);
    }
    command.arg("-C").arg(folder).args(arguments).output()
}

/// The nearest folder above a file that there is today; the file itself may be gone.
fn existing(path: &Path) -> PathBuf {
    let mut above = path.ancestors().skip(1);
    let found = above.find(|folder| folder.as_os_str().is_empty() || folder.is_dir());
    match found {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
