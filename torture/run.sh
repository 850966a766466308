#!/bin/sh
# run.sh [ROUNDS [SEED [SECONDS]]]: the torture test with every producer that can be built here. See README.md.
# SINK=jetstream in the environment: the log is a stream in JetStream.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-10} seed=${2:-} seconds=${3:-4}
build=${TMPDIR:-/tmp}/aldis-torture-build.$$
trap 'rm -rf "$build"' EXIT
mkdir -p "$build"

(cd runtime/erlang && rebar3 compile >"$build/log" 2>&1) || { cat "$build/log" >&2; exit 1; }
cp -RL runtime/erlang/_build/default/lib/aldis "$build/aldis"
ebin=$build/aldis/ebin
erlc -Wall -Werror -pa "$ebin" -o "$ebin" torture/*.erl
erlc -pa "$ebin" -o "$ebin" runtime/erlang/test/aldis_failing_files.erl
g++ -std=c++20 -O1 -Wall -Wextra -Wconversion -Werror -pthread -I runtime/cpp/include -o "$build/producer-cpp" torture/producer.cpp
cargo build --quiet --package aldis-transport --example torture_producer

# Java and C# where they can be compiled.
java=''
if command -v javac >/dev/null 2>&1; then
    mkdir "$build/java"
    javac -d "$build/java" runtime/java/transport/src/main/java/aldis/transport/*.java torture/Producer.java
    java="java -XX:TieredStopAtLevel=1 -Xshare:auto -cp $build/java Producer"
fi
sharp=''
if scripts/dotnet.sh ready 2>/dev/null; then
    scripts/dotnet.sh compile 9 "$build/producer.dll" -langversion:9 -nullable -warnaserror runtime/csharp/transport/src/*.cs torture/Producer.cs
    sharp="$PWD/scripts/dotnet.sh run 9 $build/producer.dll"
fi

nats=''
if [ "${SINK:-}" = jetstream ]; then
    nats=$(scripts/nats-server.sh)
fi
python3 torture/torture.py --ebin "$ebin" --rounds "$rounds" ${seed:+--seed "$seed"} --seconds "$seconds" ${nats:+--nats "$nats"} --producers \
    "python3 torture/producer.py" \
    "erl -noshell -pa $ebin -run torture_producer main" \
    "$build/producer-cpp" \
    "${CARGO_TARGET_DIR:-target}/debug/examples/torture_producer" \
    "node torture/producer.mjs" \
    "python3 torture/client.py" ${java:+"$java"} ${sharp:+"$sharp"}
