#!/bin/sh
# Licences, duplicates, sources and known faults of the dependencies, as deny.toml allows them.
#   scripts/deny.sh           all of it; cargo-deny is installed if need be, which takes some minutes the first time
#   scripts/deny.sh offline   what needs no network; nothing where cargo-deny is not installed
set -eu
cd "$(dirname "$0")/.."
version=0.20.2

if ! command -v cargo-deny >/dev/null 2>&1; then
    if [ "${1:-}" = offline ]; then
        echo '  skipped: cargo-deny is not installed (make deny installs it)'
        exit 0
    fi
    echo "deny: cargo-deny $version is compiled once, which takes some minutes"
    cargo install --locked "cargo-deny@$version"
fi
if [ "${1:-}" != offline ]; then
    cargo fetch --locked
elif ! cargo metadata --offline --locked --all-features --format-version 1 >/dev/null 2>&1; then
    echo '  skipped: crates of other platforms are not here (make deny fetches them)'
    exit 0
fi
cargo deny --offline check licenses bans sources
[ "${1:-}" = offline ] || cargo deny check advisories || {
    echo 'deny: advisories come from https://github.com/rustsec/advisory-db; without that place they are not checked' >&2
    exit 1
}
