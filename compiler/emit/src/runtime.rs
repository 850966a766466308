//! The contract between generated code and the package that it calls.

/// The version of the runtime packages that generated code needs. Those of one minor version have the same functions, so code says this
/// much of the version, and fails with words where it meets another one: when it is compiled, or else when it is loaded.
pub const RUNTIME: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
