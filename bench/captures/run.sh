#!/bin/sh
# Framed messages as Parquet, as columns in memory and as statistics, raw and from captured packets, beside the time that the crates
# take for ready batches and sbe-tool's decoding on the fly. Prints a table; writes docs/captures.json, .txt and .svg.
#   bench/captures/run.sh [SCHEMA STREAM]     STREAM is u32le-framed; the market schema's random messages by default
#   ROUNDS=5 SIZE=1000000000 (bytes) by default; some five minutes
#   OUT=docs (by default) is where the figures go
set -eu
cd "$(dirname "$0")/../.."
. scripts/lib.sh

work=target/bench-captures
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
build_aldis
cargo build --release --package aldis-columns --example rates
schema=${1:-conformance/schemas/market.xml}
stream=${2:-}
if [ -z "$stream" ]; then
    stream=$work/market.stream
    market_stream "$schema" "$stream"
fi
peer=bench/peers/sbe-json
mvn -q -B -f "$peer/pom.xml" compile dependency:build-classpath -Dmdep.outputFile="$PWD/$work/classpath" >"$work/maven.log" 2>&1 || {
    cat "$work/maven.log" >&2
    exit 1
}
python3 bench/captures/run.py "$schema" "$stream" --work "$work" --aldis "$ALDIS" --rates "$(dirname "$ALDIS")/examples/rates" \
    --classes "$peer/target/classes:$(cat "$work/classpath")" --rounds "${ROUNDS:-5}" --size "${SIZE:-1000000000}" --out "${OUT:-docs}"
