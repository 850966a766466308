#!/bin/sh
# Runs libFuzzer on generated C++, and as the format `runtime` on streams, the transport's client and, in C, the writer of
# terms: run.sh [SECONDS [FORMAT…]], 300 seconds for each target and all formats unless given. What build.sh needs, it needs too. TIMEOUT: seconds for
# one input (10), more where the machine may stop the run. New inputs go to fuzz/target/corpus; a finding stops the run and is in
# fuzz/target/found.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-300}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- fbe sbe capnp runtime
out=fuzz/target/cpp
mkdir -p "$out" fuzz/target/found
python3 fuzz/cpp/seed.py "$out/seeds"
for format in "$@"; do
    fuzz/cpp/build.sh "$out" "$format"
    case $format in
    runtime) targets='cpp_stream cpp_transport c_terms' ;;
    *) targets="cpp_${format}_bytes cpp_${format}_json" ;;
    esac
    for target in $targets; do
        mkdir -p "fuzz/target/corpus/$target"
        # No single allocation may be larger than 64 × the input + 16 MiB.
        "$out/$target" "fuzz/target/corpus/$target" "$out/seeds/$target" -max_total_time="$seconds" -timeout="${TIMEOUT:-10}" \
            -rss_limit_mb=1024 -malloc_limit_mb=17 -max_len=8192 -artifact_prefix="fuzz/target/found/$target-" \
            -print_final_stats=1 -verbosity=0
    done
done
