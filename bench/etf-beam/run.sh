#!/bin/sh
# Reading and writing of terms on the BEAM against jiffy's JSON: a table on standard output, about a minute.
# Needs Debian's erlang-jiffy and elixir.
set -eu
cd "$(dirname "$0")"
build=${TMPDIR:-/tmp}/aldis-etf-beam.$$
trap 'rm -rf "$build"' EXIT
mkdir "$build"

(cd ../../runtime/elixir && MIX_ENV=prod MIX_BUILD_ROOT="$build" mix compile >"$build/log" 2>&1) || { cat "$build/log" >&2; exit 1; }
erlc -o "$build" etf_loads.erl etf_bench.erl

elixir -pa "$build/prod/lib/aldis/ebin" -pa "$build" -e ':etf_bench.main()'
