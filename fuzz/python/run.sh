#!/bin/sh
# Damaged messages of every wire form into generated Python: run.sh [COUNT [LANGUAGE]], 100,000 a form into `python` unless given; or
# into `python-native`, which takes ALDIS_RUNTIME, a folder whose `python/aldis` has the engine in it. The answer to each must be the
# interpreter's: a value, or a fault with its code, offset and path. ALDIS is the command; it is built when not given. SCHEMAS are others.
set -eu
cd "$(dirname "$0")/../.."
count=${1:-100000}
language=${2:-python}
if [ -z "${ALDIS:-}" ]; then
    cargo build --quiet -p aldis
    ALDIS=${CARGO_TARGET_DIR:-target}/debug/aldis
fi
values=50
for schema in ${SCHEMAS:-conformance/schemas/market.xml conformance/vectors/sbe/be-all.xml conformance/vectors/fbe/extra.fbe \
    conformance/schemas/market.capnp conformance/vectors/capnp/schema/shaped.capnp}; do
    list=$(printf '1\tlist\n' | "$ALDIS" testee "$schema" | cut -f 3)
    messages=$(python3 -c 'import sys; print(len(bytes.fromhex(sys.argv[1]).splitlines()))' "$list")
    damages=$(((count + values * messages - 1) / (values * messages)))
    echo "$schema: $messages messages, $values values of each, $damages damaged messages of each value"
    "$ALDIS" conform "$schema" --lang "$language" --exact="$language" --count "$values" --damages "$damages" --no-limits
done
