#!/bin/sh
# Runs every fuzz target for a time (seconds each, 300 unless given). Needs cargo-fuzz and a nightly toolchain.
# New inputs go to target/corpus, so the checked-in corpus stays small; a finding stops the run.
set -eu
cd "$(dirname "$0")"
seconds=${1:-300}
for target in fbe_schema sbe_schema fbe_decode sbe_decode json_read; do
    mkdir -p "target/corpus/$target"
    cargo +nightly fuzz run "$target" "target/corpus/$target" "corpus/$target" -- \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 -verbosity=0
done
