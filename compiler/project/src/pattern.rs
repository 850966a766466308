//! Patterns of paths.

use crate::At;
use globset::{GlobBuilder, GlobMatcher};

/// A pattern of paths below the project's folder.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub text: At<String>,
    /// The folder that all paths of the pattern are in; the whole path where the pattern is plain.
    pub base: String,
    /// Whether the pattern is the path of one file.
    pub is_plain: bool,
    matcher: GlobMatcher,
}

/// Patterns, and those that take paths away again.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    pub taken: Vec<Pattern>,
    pub left_out: Vec<Pattern>,
}

impl Pattern {
    /// # Errors
    /// The words of the library about a pattern that is not well formed.
    pub(crate) fn new(text: At<String>) -> Result<Self, String> {
        let pattern = text.value.trim_start_matches('!').trim_start_matches("./");
        let is_special = |part: &str| part.contains(['*', '?', '[', '{']);
        let parts: Vec<&str> = pattern.split('/').collect();
        let plain = parts.iter().take_while(|part| !is_special(part)).count();
        let glob =
            GlobBuilder::new(pattern).literal_separator(true).build().map_err(|error| error.kind().to_string())?;
        Ok(Self {
            base: parts[..plain].join("/"),
            is_plain: plain == parts.len(),
            matcher: glob.compile_matcher(),
            text,
        })
    }

    /// Whether the pattern is that of `path`, which has `/` between its folders.
    pub fn has(&self, path: &str) -> bool {
        self.matcher.is_match(path)
    }
}

impl Patterns {
    /// Whether one of the patterns is that of `path`, and none takes it away.
    pub fn has(&self, path: &str) -> bool {
        self.taken.iter().any(|pattern| pattern.has(path)) && !self.leaves_out(path)
    }

    pub fn leaves_out(&self, path: &str) -> bool {
        self.left_out.iter().any(|pattern| pattern.has(path))
    }
}
