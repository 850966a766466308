//! Files by patterns of their paths.

use crate::args::Seen;
use crate::files::plain;
use aldis_diagnostics::Diagnostic;
use aldis_project::{codes, Pattern, Patterns};
use ignore::WalkBuilder;
use std::path::{Path, PathBuf};

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
    let walk = WalkBuilder::new(&start).standard_filters(false).hidden(true).sort_by_file_name(Ord::cmp).build();
    let entries = walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()));
    let paths = entries.filter_map(|entry| {
        let within = base.join(entry.path().strip_prefix(&start).ok()?);
        Some(within.to_str()?.replace(std::path::MAIN_SEPARATOR, "/"))
    });
    paths.filter(|path| pattern.has(path)).collect()
}
