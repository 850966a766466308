#!/bin/sh
# Damaged messages of every wire form into generated JavaScript in Node: run.sh [COUNT], 100,000 a form unless given. What it says
# of each must be what the interpreter says: a value, or a fault with its code, offset and path. ALDIS is the command; it is
# built when not given.
set -eu
cd "$(dirname "$0")/../.."
count=${1:-100000}
if [ -z "${ALDIS:-}" ]; then
    cargo build --quiet -p aldis
    ALDIS=${CARGO_TARGET_DIR:-target}/debug/aldis
fi
values=50
for schema in conformance/schemas/market.xml conformance/vectors/sbe/be-all.xml conformance/vectors/fbe/extra.fbe \
    conformance/schemas/market.capnp conformance/vectors/capnp/schema/shaped.capnp; do
    list=$(printf '1\tlist\n' | "$ALDIS" testee "$schema" | cut -f 3)
    messages=$(node -e 'console.log(Buffer.from(process.argv[1], "hex").toString().trim().split("\n").length)' "$list")
    damages=$(((count + values * messages - 1) / (values * messages)))
    "$ALDIS" conform "$schema" --lang javascript --exact=javascript --count "$values" --damages "$damages" --no-limits
done
