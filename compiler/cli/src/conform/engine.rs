//! Python's testee in two ways: with its pure package, and with the engine that the wheel has beside it.

use crate::write_files::runtime_dir;
use std::path::Path;

/// The name of the second one.
pub const NATIVE: &str = "python-native";
const PURE: &str = "python";
/// The variable by which the package chooses between them.
const CHOICE: &str = "ALDIS_NATIVE";

/// The language of a testee's name.
pub fn language_of(name: &str) -> &str {
    if name == NATIVE {
        PURE
    } else {
        name
    }
}

/// The variable that a testee is run with.
pub fn variable(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        PURE => Some((CHOICE, "0")),
        NATIVE => Some((CHOICE, "require")),
        _ => None,
    }
}

/// Whether the engine lies in the folder of the packages that testees are run with.
pub fn is_there() -> bool {
    runtime_dir().is_some_and(|folder| Path::new(&folder).join("python/aldis/_native.abi3.so").is_file())
}
