#!/bin/sh
# Generated Elixir against generated Erlang on the same messages, in one run: prints a table. About a minute.
# ALDIS is the command to measure; it is built when not given.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
build=${TMPDIR:-/tmp}/aldis-bench-elixir.$$
trap 'rm -rf "$build"' EXIT
mkdir "$build"

if [ -z "${ALDIS:-}" ]; then
    cargo build --release --quiet --manifest-path "$root/Cargo.toml" -p aldis
    ALDIS=${CARGO_TARGET_DIR:-$root/target}/release/aldis
fi

for schema in schemas/* "$root/conformance/vectors/fbe/proto.fbe" "$root/conformance/schemas/addressbook.capnp"; do
    for language in erlang elixir; do
        "$ALDIS" gen "$schema" --lang "$language" --out "$build" 2>"$build/log" || { cat "$build/log" >&2; exit 1; }
    done
done
# shellcheck disable=SC2046
erlc -I "$build" -o "$build" "$build"/*.erl "$root"/runtime/erlang/src/*.erl \
    $(ls ../peers/beam/*.erl | grep -v mktdata_peer) ./*.erl
elixirc -pa "$build" -o "$build" "$root"/runtime/elixir/lib/aldis/error.ex "$root"/runtime/elixir/lib/aldis/values.ex \
    "$build"/car.ex "$build"/flat.ex "$build"/proto.ex "$build"/addressbook.ex "$build"/texts.ex \
    ../peers/beam/structs_peer.ex
elixir -pa "$build" -e ':elixir_bench.main()'
