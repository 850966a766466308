#!/bin/sh
# Reading and writing of terms on the BEAM against JSON: prints tables, and with Node draws docs/etf-beam.svg. Two minutes.
#
#   bench/etf-beam/run.sh          on this machine's OTP, against the JSON libraries that it has (jiffy is Debian's erlang-jiffy)
#   bench/etf-beam/run.sh trixie   on OTP 27 and Elixir 1.18 of Debian's trixie, against jiffy, OTP's json and Elixir's JSON:
#                                  what docs/etf-beam.json and docs/etf-beam.svg are made by. As root: see scripts/with-otp.sh
#
# Names of loads behind that measure those alone, and write nothing to docs.
set -eu
cd "$(dirname "$0")"
build=${TMPDIR:-/tmp}/aldis-etf-beam.$$
trap 'rm -rf "$build"' EXIT
mkdir "$build"

if [ "${1:-}" = trixie ]; then
    shift
    ../../scripts/with-otp.sh trixie 27 1.18 bench/etf-beam/run.sh "$@" >"$build/said" || { cat "$build/said"; exit 1; }
    sed '/^{/,$d' "$build/said"
    [ "$#" -eq 0 ] || exit 0
    sed -n '/^{/,$p' "$build/said" >../../docs/etf-beam.json
    if command -v node >/dev/null 2>&1; then node plot.js; fi
    exit 0
fi

(cd ../../runtime/elixir && MIX_ENV=prod MIX_BUILD_ROOT="$build" mix compile >"$build/log" 2>&1) || { cat "$build/log" >&2; exit 1; }
aldis=$build/prod/lib/aldis/ebin
elixirc --ignore-module-conflict -pa "$aldis" -o "$build" structs.ex
elixir -pa "$aldis" -pa "$build" consolidate.exs "$build/consolidated" "$aldis" "$build"
erlc -o "$build" etf_loads.erl etf_peers.erl ../beam/race.erl etf_report.erl etf_bench.erl
# The last folder is the first that the VM looks in.
elixir -pa "$aldis" -pa "$build" -pa "$build/consolidated" -e ':etf_bench.main(Enum.map(System.argv(), &to_charlist/1))' -- "$@"
