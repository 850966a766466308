#!/bin/sh
# How fast the interpreter turns a million market messages into JSON lines and back, on one core.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

work=target/bench
rm -rf "$work"
mkdir -p "$work"
build_aldis
for format in fbe xml; do
    schema=conformance/schemas/market.$format
    stream=$work/market.$format.stream
    market_stream "$schema" "$stream"
    bytes=$(wc -c <"$stream")
    start=$(now)
    "$ALDIS" decode "$schema" "$stream" --framing u32le >"$work/lines"
    decoded=$(now)
    "$ALDIS" encode "$schema" "$work/lines" --framing u32le >"$work/again"
    encoded=$(now)
    cmp "$stream" "$work/again"
    rate_row "market.$format: bytes to JSON lines" 1000000 "$bytes" $((decoded - start)) >>"$work/rows"
    rate_row "market.$format: JSON lines to bytes" 1000000 "$bytes" $((encoded - decoded)) >>"$work/rows"
    rm "$stream" "$work/lines" "$work/again"
done
"$ALDIS" --version
rate_table <"$work/rows"
