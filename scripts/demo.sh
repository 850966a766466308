#!/bin/sh
# Aldis at work on a million messages: our own market schemas, or FEED=FILE SCHEMA=FILE FRAMING=u32le.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh
. scripts/demo-transport.sh

work=target/demo
rm -rf "$work"
mkdir -p "$work"
build_aldis

say() {
    printf '\n\033[1m%s\033[0m\n' "$*" | if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi
}

# one NAME SCHEMA FEED FRAMING: checks and compiles the schema, then sends the feed through everything.
one() {
    name=$1 schema=$2 feed=$3 framing=$4
    code=$work/$name
    say "$schema: check it, generate Erlang, compile that"
    "$ALDIS" check "$schema" >"$work/$name.check" || { cat "$work/$name.check"; exit 1; }
    warnings=$(grep -c '^warning' "$work/$name.check" || true)
    "$ALDIS" gen "$schema" --lang erlang --out "$code" 2>/dev/null
    mkdir -p "$code/ebin"
    erlc -Wall -Werror -o "$code/ebin" "$code"/*.erl
    erlc -Wall -Werror -o "$code/ebin" runtime/erlang/src/*.erl examples/erlang-stream/stream.erl
    # The names of all other modules begin with that of the one which programs call.
    module=$(basename -s .erl "$code"/*.erl | awk 'NR == 1 || length($0) < length(least) { least = $0 } END { print least }')
    echo "  $warnings warnings; $(cat "$code"/*.erl | wc -l) lines of Erlang behind module $module"

    say "$schema: the feed through the interpreter and through the generated Erlang"
    bytes=$(wc -c <"$feed")
    start=$(now)
    messages=$("$ALDIS" decode "$schema" "$feed" --framing "$framing" 2>/dev/null | wc -l)
    json=$(($(now) - start))
    rate_row "$name: interpreter, bytes to JSON" "$messages" "$bytes" "$json" >>"$work/rows"
    erl -noshell -pa "$code/ebin" -run stream main "$module" "$feed" "$framing" >"$work/$name.erlang"
    read -r seen decode encode <"$work/$name.erlang"
    rate_row "$name: Erlang, bytes to records" "$seen" "$bytes" "$decode" >>"$work/rows"
    rate_row "$name: Erlang, records to bytes" "$seen" "$bytes" "$encode" >>"$work/rows"
    if [ "$seen" -ne "$messages" ]; then
        echo "demo: the interpreter found $messages messages and Erlang $seen" >&2
        exit 1
    fi
    echo "  $seen messages; decoded and encoded again, every one of them is the same byte for byte"
}

if [ -n "${FEED:-}" ]; then
    if [ -z "${SCHEMA:-}" ] || [ -z "${FRAMING:-}" ]; then
        echo "demo: FEED needs SCHEMA=FILE and FRAMING=u16le|u16be|u32le|u32be|sofh|fbe too" >&2
        exit 2
    fi
    one feed "$SCHEMA" "$FEED" "$FRAMING"
    if [ "$FRAMING" = u32le ]; then transport feed "$module" "$FEED"; fi
    shown_schema=$SCHEMA shown_feed=$FEED shown_framing=$FRAMING
else
    say "Two market schemas of our own, and a stream of a million messages for each"
    for format in fbe xml; do
        market_stream "conformance/schemas/market.$format" "$work/market.$format.stream"
    done
    ls -l "$work"/*.stream | awk '{ printf "  %s  %.1f MB\n", $NF, $5 / 1e6 }'
    one fbe conformance/schemas/market.fbe "$work/market.fbe.stream" u32le
    one sbe conformance/schemas/market.xml "$work/market.xml.stream" u32le
    transport sbe "$module" "$work/market.xml.stream"
    shown_schema=conformance/schemas/market.xml shown_feed=$work/market.xml.stream shown_framing=u32le
fi

# The longest of the first messages that still fits a screen.
index=$("$ALDIS" decode "$shown_schema" "$shown_feed" --framing "$shown_framing" 2>/dev/null | head -n 50 |
    awk 'length($0) < 700 && length($0) > most { most = length($0); index_ = NR - 1 } END { print index_ + 0 }')
page=$work/message.html
say "Message $index of the feed, explained (as a page for a browser: $page)"
explain() {
    "$ALDIS" explain "$shown_schema" "$shown_feed" --framing "$shown_framing" --index "$index" "$@" 2>/dev/null
}
explain
explain --html "$page"

say "What was done"
rate_table <"$work/rows"
rm -f "$work"/*.stream
