//! Files by patterns of their paths.

use crate::args::Seen;
use crate::files::plain;
use aldis_diagnostics::Diagnostic;
use aldis_project::{codes, Pattern, Patterns};
use ignore::{DirEntry, WalkBuilder};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Folders of tools, which hold what builds make and copies of what others wrote.
const OF_TOOLS: [&str; 5] = ["node_modules", "target", "_build", "_checkouts", "deps"];

/// Whether a folder with this name belongs to tools, so that no schemas are looked for in it.
pub fn is_of_tools(name: &OsStr) -> bool {
    OF_TOOLS.iter().any(|other| name == *other)
}

/// The paths of the files below `folder` that the patterns are of, each with `/` between its folders.
pub fn files(patterns: &Patterns, folder: &Path, seen: &Seen, problems: &mut Vec<Diagnostic>) -> Vec<String> {
    let mut all = Vec::new();
    for pattern in &patterns.taken {
        seen.add(&folder.join(&pattern.base));
        let found = of_pattern(pattern, folder);
        if found.is_empty() {
            let what = if pattern.is_plain { "there is no file" } else { "there are no files" };
            let message = format!("{what} {}", pattern.text.value);
            problems.push(Diagnostic::error(codes::NO_FILE, message, pattern.text.span, ""));
        }
        all.extend(found.into_iter().filter(|path| !patterns.leaves_out(path)));
    }
    all
}

fn of_pattern(pattern: &Pattern, folder: &Path) -> Vec<String> {
    if pattern.is_plain {
        let is_file = folder.join(&pattern.base).is_file();
        return is_file.then(|| pattern.base.clone()).into_iter().collect();
    }
    let base = Path::new(&pattern.base);
    let start = plain(&folder.join(base));
    let start = if start.as_os_str().is_empty() { PathBuf::from(".") } else { start };
    // Folders whose names begin with a dot belong to tools.
    let mut walk = WalkBuilder::new(&start);
    walk.standard_filters(false).hidden(true).sort_by_file_name(Ord::cmp);
    let is_own =
        |entry: &DirEntry| entry.file_type().is_none_or(|kind| !kind.is_dir()) || !is_of_tools(entry.file_name());
    let walk = walk.filter_entry(is_own).build();
    let entries = walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()));
    let paths = entries.filter_map(|entry| {
        let within = base.join(entry.path().strip_prefix(&start).ok()?);
        Some(within.to_str()?.replace(std::path::MAIN_SEPARATOR, "/"))
    });
    paths.filter(|path| pattern.has(path)).collect()
}
