//! What several tests need.
#![allow(dead_code)]

pub mod text;
pub mod tree;

use std::path::{Path, PathBuf};

/// A folder of the repo's `conformance`.
pub fn conformance(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../conformance").join(folder)
}
