#!/bin/sh
# Reading and writing of terms on the BEAM against jiffy's JSON: prints tables, writes docs/etf-beam.json and, where there
# is Node, docs/etf-beam.svg. About a minute. Needs Debian's erlang-jiffy and elixir.
set -eu
cd "$(dirname "$0")"
build=${TMPDIR:-/tmp}/aldis-etf-beam.$$
trap 'rm -rf "$build"' EXIT
mkdir "$build"

(cd ../../runtime/elixir && MIX_ENV=prod MIX_BUILD_ROOT="$build" mix compile >"$build/log" 2>&1) || { cat "$build/log" >&2; exit 1; }
erlc -o "$build" etf_loads.erl ../beam/race.erl etf_report.erl etf_bench.erl

elixir -pa "$build/prod/lib/aldis/ebin" -pa "$build" -e ':etf_bench.main("../../docs/etf-beam.json")'
if command -v node >/dev/null 2>&1; then node plot.js; fi
