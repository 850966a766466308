#!/bin/sh
# SBE messages to JSON lines: `aldis decode` and sbe-tool's JsonPrinter, by turns, over the same stream. Aldis
# has one thread; the JVM may use as many as it likes.
#   bench/decode-json.sh [SCHEMA STREAM]     STREAM is u32le-framed; the market schema's random messages by default
#   ROUNDS=7 (by default)
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

work=target/bench-json
rm -rf "$work"
mkdir -p "$work"
build_aldis
if [ $# -eq 2 ]; then
    schema=$1
    single=$2
else
    schema=conformance/schemas/market.xml
    single=$work/market.stream
    market_stream "$schema" "$single"
fi
# At least 128 MiB, so that starting up weighs little on either side.
stream=$work/stream
while :; do
    cat "$single" >>"$stream"
    [ "$(wc -c <"$stream")" -lt 134217728 ] || break
done

peer=bench/peers/sbe-json
mvn -q -B -f "$peer/pom.xml" -DbuildDirectory="$PWD/$work/peer" compile dependency:build-classpath \
    -Dmdep.outputFile="$PWD/$work/classpath" >"$work/maven.log" 2>&1 || {
    cat "$work/maven.log" >&2
    exit 1
}
classes=$peer/target/classes:$(cat "$work/classpath")
opens='--add-opens java.base/jdk.internal.misc=ALL-UNNAMED'

round=0
while [ "$round" -lt "${ROUNDS:-7}" ]; do
    begin=$(now)
    "$ALDIS" decode "$schema" "$stream" --framing u32le >/dev/null
    taken=$(($(now) - begin))
    # shellcheck disable=SC2086
    peer_row=$(java $opens -cp "$classes" SbeJson "$schema" "$stream" 2)
    printf 'aldis decode\t%s\t%s\n' "${peer_row% *}" "$taken" >>"$work/times"
    printf 'sbe-tool JsonPrinter\t%s\t%s\n' "${peer_row% *}" "${peer_row#* }" >>"$work/times"
    round=$((round + 1))
done
python3 bench/rates.py "$work/times" "$(wc -c <"$stream")"
