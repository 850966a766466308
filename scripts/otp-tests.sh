#!/bin/sh
# The command that scripts/with-otp.sh runs: the tests of Erlang and Elixir, and conformance of
# both. All run, and the exit code is 1 when any failed. What another release has built is thrown away first.
set -u
cd "$(dirname "$0")/.."
. scripts/beam.sh
ALDIS=$(pwd)/target/debug/aldis
PATH=$(pwd)/target/debug:$PATH
ALDIS_STRICT=1
export ALDIS PATH ALDIS_STRICT
rm -rf runtime/*/_build examples/*/_build examples/elixir/deps runtime/erlang/priv/*.so

failed=''
part() {
    echo "== $1"
    "$2" || failed="$failed $2"
}

part 'Erlang runtime: eunit' erlang_eunit
part 'the example of rebar3' rebar3_example
part 'Elixir: ExUnit' elixir_tests
part 'conformance of Erlang and Elixir' beam_conformance
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
echo 'all passed'
