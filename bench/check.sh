#!/bin/sh
# The time and memory that `aldis check` takes for many schemas, in a release build.
#   bench/check.sh [FILES]    1,000 FBE files of a project unless told otherwise, and a tenth of them
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet -p aldis
aldis="$PWD/target/release/aldis"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
files=${1:-1000}
for count in $((files / 10)) "$files"; do
    mkdir "$folder/$count"
    number=0
    while [ "$number" -lt "$count" ]; do
        number=$((number + 1))
        sed "s/^package .*/package market$number/" conformance/schemas/market.fbe >"$folder/$count/market$number.fbe"
    done
    echo 'schemas = "*.fbe"' >"$folder/$count/aldis.toml"
    echo "$count files:"
    (cd "$folder/$count" && /usr/bin/time -f '  %e s, %M KiB at most' "$aldis" check)
done
