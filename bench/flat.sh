#!/bin/sh
# SBE messages by the flat program of their routines, by the plain evaluator, and by the interpreter, by turns, in one thread.
#   bench/flat.sh [SCHEMA]     a schema in the manner of exchanges by default
#   ROUNDS=51 (by default), short ones: the best is what a busy machine leaves alone
set -eu
cd "$(dirname "$0")/.."

work=target/bench-flat
mkdir -p "$work"
cargo build --release --package aldis-routine --example rates
"${CARGO_TARGET_DIR:-target}/release/examples/rates" "${1:-conformance/schemas/sbe/market-data.xml}" "${ROUNDS:-51}" >"$work/rows"
sed 1d "$work/rows" >"$work/times"
python3 bench/rates.py "$work/times" "$(head -n 1 "$work/rows")"
