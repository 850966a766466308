//! Streams of messages of each format, cut anywhere, into the generated codecs.

mod common;

use common::{answers, build, plans, root};
use std::process::Command;

/// A market's codec, and the receiver, which no testee needs.
fn streams(schema: &str) {
    let folder = build(schema, &plans(schema));
    let receiver = root().join("runtime/erlang/src/aldis_stream.erl");
    assert!(Command::new("erlc")
        .arg("-o")
        .arg(folder.join("ebin"))
        .arg(receiver)
        .status()
        .expect("erlc starts")
        .success());
    answers(&folder, "streams_check", 500);
}

#[test]
fn fbe_messages_with_their_own_size() {
    streams("conformance/schemas/market.fbe");
}

#[test]
fn sbe_messages_in_every_framing() {
    streams("conformance/schemas/market.xml");
}

#[test]
fn segments_packed_and_not() {
    streams("conformance/schemas/market.capnp");
}
