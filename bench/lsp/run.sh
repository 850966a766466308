#!/bin/sh
# How long after a key stroke `aldis lsp` tells what is wrong, in a release build.
#   bench/lsp/run.sh [SCHEMA]    the schema of the demo's market unless another is named
set -eu
cd "$(dirname "$0")/../.."
cargo build --release --quiet -p aldis
node bench/lsp/keystroke.mjs target/release/aldis "${1:-conformance/schemas/market.xml}"
