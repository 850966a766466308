//! `aldis lsp`, asked as editors ask it.

mod client;
mod diagnostics;
mod editors;
mod neovim;
mod questions;

use std::path::PathBuf;

/// A new, empty folder.
fn folder(name: &str) -> PathBuf {
    aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), &format!("lsp-{name}"))
}
