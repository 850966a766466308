#!/bin/sh
# The transport's tiers against a plain C++ server, and what sending, a million producers and failover cost; writes docs/tcp.json,
# docs/tcp.svg and docs/tcp.txt. Some five minutes; ROUNDS=1 SECONDS_EACH=1 for a quick look. What is kept in JetStream needs Go and its
# module proxy and is left out without them; JETSTREAM=1 measures NATS JetStream's own client too.
set -eu
cd "$(dirname "$0")"
build=${TMPDIR:-/tmp}/aldis-bench-tcp.$$
trap 'rm -rf "$build"' EXIT
mkdir "$build"

make --silent
(cd ../../runtime/erlang && rebar3 compile >"$build/log" 2>&1) || { cat "$build/log" >&2; exit 1; }
# The library of native functions is found beside the modules.
cp -RL ../../runtime/erlang/_build/default/lib/aldis "$build/aldis"
erlc -pa "$build/aldis/ebin" -o "$build/aldis/ebin" tcp_server.erl tcp_server_message.erl client_cost.erl failover.erl \
    ../../torture/torture_producers.erl
nats=$(../../scripts/nats-server.sh) || nats=''

jetstream=''
if [ "${JETSTREAM:-0}" = 1 ]; then
    # Everything of Go's goes with the folder.
    export GOPATH="$build/go" GOFLAGS=-modcacherw
    (cd ../peers/jetstream && go build -o "$build/jetstream" .)
    jetstream="--jetstream $nats $build/jetstream"
fi
(cd ../.. && cargo build --quiet --release --package aldis-transport --example send_cost)
target=${CARGO_TARGET_DIR:-../../target}
python3 beside.py "$build/aldis/ebin" "$target/release/examples/send_cost" "$nats" >"$build/beside"
# shellcheck disable=SC2086
python3 run.py "$build/aldis/ebin" --rounds "${ROUNDS:-4}" --seconds "${SECONDS_EACH:-2}" $jetstream ${nats:+--nats "$nats"} --beside "$build/beside" \
    --json ../../docs/tcp.json --svg ../../docs/tcp.svg --text ../../docs/tcp.txt
