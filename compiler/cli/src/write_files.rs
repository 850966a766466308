//! Generated files on disk, and where the runtime packages are.

use crate::failure::{Failure, Outcome};
use aldis_emit::OutputFile;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes what is missing or differs below `folder`; gives the paths that were touched.
pub fn write(folder: &Path, files: &[OutputFile]) -> Outcome<Vec<PathBuf>> {
    fs::create_dir_all(folder).map_err(|error| Failure::file(&folder.display().to_string(), &error))?;
    let (mut paths, mut made) = (Vec::new(), BTreeSet::new());
    for (path, file) in differing(folder, files) {
        write_one(&path, file, &mut made).map_err(|error| Failure::file(&path.display().to_string(), &error))?;
        paths.push(path);
    }
    Ok(paths)
}

/// The paths of those files that are missing or hold something else.
pub fn stale(folder: &Path, files: &[OutputFile]) -> Vec<PathBuf> {
    differing(folder, files).map(|(path, _)| path).collect()
}

/// The files that are missing or hold something else, with their paths.
fn differing<'f>(folder: &'f Path, files: &'f [OutputFile]) -> impl Iterator<Item = (PathBuf, &'f OutputFile)> {
    let differs = |path: &Path, file: &OutputFile| {
        fs::read(path).map_or(true, |held| held != file.text.as_bytes()) || executable(path) != file.executable
    };
    files.iter().map(move |file| (folder.join(&file.path), file)).filter(move |(path, file)| differs(path, file))
}

/// Writes a file; `made` are the folders that are known to be there.
fn write_one(path: &Path, file: &OutputFile, made: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !made.contains(*folder)) {
        fs::create_dir_all(folder)?;
        made.insert(folder.to_owned());
    }
    fs::write(path, &file.text)?;
    set_executable(path, file.executable)
}

/// Puts these bytes into the file, which is there already, in one step: whoever reads it finds the old bytes or the new.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let path = fs::canonicalize(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = fs::OpenOptions::new().write(true).create_new(true).open(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.set_permissions(fs::metadata(&path)?.permissions())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, &path)).inspect_err(|_| {
        // The problem is told; that this file is left behind besides is not worth more words.
        let _ = fs::remove_file(&beside);
    })
}

#[cfg(unix)]
fn executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}

#[cfg(unix)]
fn set_executable(path: &Path, wanted: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = fs::metadata(path)?.permissions();
    let mode = permissions.mode();
    let set = if wanted { mode | 0o111 } else { mode & !0o111 };
    if set == mode {
        return Ok(());
    }
    permissions.set_mode(set);
    fs::set_permissions(path, permissions)
}

#[cfg(not(unix))]
fn executable(_: &Path) -> bool {
    false
}

#[cfg(not(unix))]
fn set_executable(_: &Path, _: bool) -> io::Result<()> {
    Ok(())
}

/// The folder of the runtime packages, one folder a language: `ALDIS_RUNTIME`, else `runtime` beside or above the
/// command itself, else in the source tree that it was built from.
pub fn runtime_dir() -> Option<String> {
    if let Some(folder) = std::env::var_os("ALDIS_RUNTIME") {
        return Some(folder.to_string_lossy().into_owned());
    }
    let command = std::env::current_exe().ok()?;
    let source_tree = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let mut folders = command.ancestors().chain([source_tree]).map(|folder| folder.join("runtime"));
    let found = folders.find(|folder| folder.join("erlang").is_dir())?;
    Some(found.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::{stale, write};
    use aldis_emit::OutputFile;

    #[test]
    fn only_what_changed_is_written() {
        let folder = std::env::temp_dir().join(format!("aldis-write-{}", std::process::id()));
        let file = |path: &str, text: &str| OutputFile { path: path.into(), text: text.into(), executable: false };
        let mut files = vec![file("a/b.txt", "one"), file("c.txt", "two")];
        assert_eq!(write(&folder, &files).unwrap().len(), 2);
        assert!(stale(&folder, &files).is_empty());
        files[1].text = "three".into();
        assert_eq!(write(&folder, &files).unwrap(), vec![folder.join("c.txt")]);
        files[0].executable = cfg!(unix);
        assert_eq!(stale(&folder, &files).len(), usize::from(cfg!(unix)));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
