#!/bin/sh
# The time and memory that `aldis breaking` takes for two versions of a schema, in a release build.
#   bench/breaking.sh OLD NEW
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet -p aldis
for turn in 1 2 3 4 5; do
    # Exit code 1 says that something breaks.
    /usr/bin/time --quiet -f '  %e s, %M KiB at most' target/release/aldis breaking "$2" --against "$1" >/dev/null || [ $? -eq 1 ]
done
target/release/aldis breaking "$2" --against "$1" | tail -n 1
