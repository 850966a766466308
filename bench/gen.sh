#!/bin/sh
# The time and memory that `aldis gen` takes for schemas of 1,000 messages, plain ones and those of bench/cpp/many.py as they are:
# seconds as they pass, and of all cores together.
#   bench/gen.sh [LANGUAGE…]     all languages that are printed from routines unless told otherwise
#   MESSAGES=1000 (by default)
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh
build_aldis

# Nothing is removed between the turns: a file system that has just lost files takes longer to make new ones.
mkdir -p target
work=$(mktemp -d target/bench-gen.XXXXXX)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- javascript java csharp python
printf '%-12s %-6s %-6s %6s %6s %6s %6s\n' language format kind s 'CPU s' MB 'MB of code'
for language in "$@"; do
    for format in sbe fbe capnp; do
        for kind in plain full; do
            schema=$work/many.$(echo $format | sed s/sbe/xml/)
            out=$work/$language.$format.$kind
            bench/cpp/many.py "${MESSAGES:-1000}" $format $kind >"$schema"
            /usr/bin/time -f '%e %U %S %M' -o "$work/time" "$ALDIS" gen "$schema" --lang "$language" --name many --out "$out" >/dev/null
            size=$(find "$out" -type f -printf '%s\n' | awk '{ all += $1 } END { print all }')
            awk -v row="$language $format $kind" -v size="$size" '{
                split(row, of)
                printf "%-12s %-6s %-6s %6.1f %6.1f %6d %6d\n", of[1], of[2], of[3], $1, $2 + $3, $4 / 1000, size / 1000000
            }' "$work/time"
        done
    done
done
