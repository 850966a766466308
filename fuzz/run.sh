#!/bin/sh
# Runs fuzz targets for a time: run.sh [SECONDS [TARGET…]], 300 seconds each and all of them unless given. Needs
# cargo-fuzz and a nightly toolchain.
# New inputs go to target/corpus, so the checked-in corpus stays small; a finding stops the run.
set -eu
cd "$(dirname "$0")"
seconds=${1:-300}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- fbe_schema sbe_schema fbe_decode sbe_decode json_read \
    capnp_schema capnp_request capnp_framing capnp_packed capnp_decode explain transport_frame capture columns
for target in "$@"; do
    mkdir -p "target/corpus/$target"
    cargo +nightly fuzz run "$target" "target/corpus/$target" "corpus/$target" -- \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 -verbosity=0
done
