# shellcheck shell=sh
# Functions that the scripts share: the command, streams to work on, and a table of rates.

# Builds the command in release mode and sets ALDIS to it; Cargo shows what it does, which takes some minutes the first time.
build_aldis() {
    cargo build --release --package aldis
    ALDIS="${CARGO_TARGET_DIR:-target}/release/aldis"
}

# market_stream SCHEMA OUT: a million messages as a feed has them, most of them trades and quotes, each behind a
# u32le length; a thousand different ones, again and again.
market_stream() {
    "$ALDIS" random "$1" Trade Quote Trade Quote Trade Quote Trade Quote OrderBook Account \
        --seed 2024 --count 1000 --to bytes --framing u32le >"$2.1"
    for copy in 10 100 1000; do
        before=$((copy / 10))
        one="$2.$before"
        cat "$one" "$one" "$one" "$one" "$one" "$one" "$one" "$one" "$one" "$one" >"$2.$copy"
        rm "$one"
    done
    mv "$2.1000" "$2"
}

# Nanoseconds of the clock.
now() {
    date +%s%N
}

# rate_row NAME MESSAGES BYTES NANOSECONDS [P50 P99]: a row for rate_table; the latencies are microseconds.
rate_row() {
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:-}" "${6:-}"
}

# Reads rows and prints them aligned, with rates.
rate_table() {
    awk -F '\t' '
        function milliseconds(us) { return us == "" ? "" : sprintf("%.1f", us / 1e3) }
        BEGIN {
            row = "  %-36s %11s %9s %8s %11s %8s %8s %8s\n"
            printf row, "what", "messages", "MB", "seconds", "messages/s", "MB/s", "p50 ms", "p99 ms"
        }
        {
            seconds = $4 / 1e9
            printf row, $1, $2, sprintf("%.1f", $3 / 1e6), sprintf("%.2f", seconds), sprintf("%d", $2 / seconds),
                sprintf("%.1f", $3 / 1e6 / seconds), milliseconds($5), milliseconds($6)
        }'
}
