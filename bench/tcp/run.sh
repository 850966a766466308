#!/bin/sh
# The transport's tiers against a plain C++ server; writes docs/tcp.json, docs/tcp.svg and docs/tcp.txt. Some six minutes;
# ROUNDS=1 SECONDS_EACH=1 for a quick look. JETSTREAM=1 measures NATS JetStream too (needs Go and the module proxy).
set -eu
cd "$(dirname "$0")"
build=${TMPDIR:-/tmp}/aldis-bench-tcp.$$
trap 'rm -rf "$build"' EXIT
mkdir "$build"

make --silent
(cd ../../runtime/erlang && rebar3 compile >"$build/log" 2>&1) || { cat "$build/log" >&2; exit 1; }
# The library of native functions is found beside the modules.
cp -RL ../../runtime/erlang/_build/default/lib/aldis "$build/aldis"
erlc -pa "$build/aldis/ebin" -o "$build/aldis/ebin" tcp_server.erl tcp_server_message.erl

jetstream=''
if [ "${JETSTREAM:-0}" = 1 ]; then
    GOBIN=$build go install github.com/nats-io/nats-server/v2@v2.15.2
    (cd ../peers/jetstream && go build -o "$build/jetstream" .)
    jetstream="--jetstream $build/nats-server $build/jetstream"
fi
# shellcheck disable=SC2086
python3 run.py "$build/aldis/ebin" --rounds "${ROUNDS:-5}" --seconds "${SECONDS_EACH:-2}" $jetstream \
    --json ../../docs/tcp.json --svg ../../docs/tcp.svg --text ../../docs/tcp.txt
