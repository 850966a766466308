//! The standard imports that annotations and streams need, so that they work where no Cap'n Proto is installed.

/// The file of the struct that `-> stream` means.
pub(crate) const STREAM_FILE: &str = "/capnp/stream.capnp";

/// The text of the standard file that `import "/capnp/…"` names.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    match name {
        "/capnp/c++.capnp" => Some(include_str!("c++.capnp")),
        STREAM_FILE => Some(include_str!("stream.capnp")),
        "/capnp/compat/json.capnp" => Some(include_str!("json.capnp")),
        _ => None,
    }
}
