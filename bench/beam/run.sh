#!/bin/sh
# Generated Erlang against the VM's own terms and against hand-written code, and generated Elixir against generated Erlang:
# prints tables, and writes them and their figures to docs/beam.txt and docs/beam.json. About two minutes.
#   bench/beam/run.sh [NAME…]     only messages whose names begin so; writes nothing to docs
# FEED and SCHEMA, files of a recorded feed (u32 little endian lengths) and of its schema, add the feed that
# bench/peers/beam/mktdata_peer.erl reads. ALDIS is the command to measure; it is built when not given.
set -eu
FEED=${FEED:+$(realpath "$FEED")}
SCHEMA=${SCHEMA:+$(realpath "$SCHEMA")}
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
build=${TMPDIR:-/tmp}/aldis-bench-beam.$$
trap 'rm -rf "$build"' EXIT
mkdir "$build"

if [ -z "${ALDIS:-}" ]; then
    cargo build --release --quiet --manifest-path "$root/Cargo.toml" -p aldis
    ALDIS=${CARGO_TARGET_DIR:-$root/target}/release/aldis
fi

for schema in schemas/* "$root/conformance/vectors/fbe/proto.fbe" "$root/conformance/schemas/addressbook.capnp" ${SCHEMA:+"$SCHEMA"}; do
    for language in erlang elixir; do
        "$ALDIS" gen "$schema" --lang "$language" --out "$build" 2>"$build/log" || { cat "$build/log" >&2; exit 1; }
    done
done
peers=$(ls ../peers/beam/*.erl)
if [ -z "$FEED" ] || [ -z "$SCHEMA" ]; then
    echo 'no feed: FEED and SCHEMA are not set'
    FEED=
    peers=$(echo "$peers" | grep -v mktdata_peer)
elif [ ! -f "$build/mktdata.hrl" ]; then
    echo "bench-beam: $SCHEMA is not of the feed that bench/peers/beam/mktdata_peer.erl reads: its package has to be mktdata" >&2
    exit 2
fi
# shellcheck disable=SC2086
erlc -I "$build" -o "$build" "$build"/*.erl "$root"/runtime/erlang/src/*.erl $peers ./*.erl
elixirc -pa "$build" -o "$build" "$root"/runtime/elixir/lib/aldis/error.ex "$root"/runtime/elixir/lib/aldis/runtime.ex \
    "$root"/runtime/elixir/lib/aldis/sizes.ex "$root"/runtime/elixir/lib/aldis/values.ex \
    "$build"/car.ex "$build"/flat.ex "$build"/proto.ex "$build"/addressbook.ex "$build"/texts.ex \
    ../peers/beam/structs_peer.ex
elixir=$(elixir -e 'IO.write(:code.lib_dir(:elixir))')

out=$root/docs/beam
names=
for name in "$@"; do
    names="$names${names:+,}\"$name\""
    out=$build/beam
done
erl -noshell -pa "$build" "$elixir/ebin" -eval "beam_bench:main(\"$out\", \"$FEED\", [$names]), halt()."
# The plot of all names.
[ -n "$names" ] || python3 "$root/bench/plots.py" write
