#!/bin/sh
# The engine of the wheel under AddressSanitizer: asan.sh [SECONDS [SEED]], ten minutes unless given. A finding ends it with the sanitizer's
# report. The engine is built with instructions of the sanitizer, which the pinned compiler has behind RUSTC_BOOTSTRAP, in a target folder
# of its own (ASAN_TARGET); Python itself is not, so the sanitizer's library of gcc (libasan8) is loaded before it, and memory that Python
# leaks at its end is no finding. Python's own allocator is left out, so that each object is a piece of memory that the sanitizer knows.
# ALDIS is the command where one is built, which saves minutes before the first message.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
seconds=${1:-600}
target=${ASAN_TARGET:-fuzz/target/python}
triple=$(rustc -vV | sed -n 's/^host: //p')
library=$(gcc -print-file-name=libasan.so)
[ -f "$library" ] || { echo 'libasan is not there: apt install libasan8 gcc' >&2; exit 1; }
RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=$target \
    cargo build --quiet --package aldis-python-native --features engine --target "$triple"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r runtime/python/aldis "$folder"
cp "$target/$triple/debug/lib_native.so" "$folder/aldis/_native.abi3.so"
[ -z "${ALDIS:-}" ] || { ALDIS=$(realpath "$ALDIS") && export ALDIS; }
cd "$folder"
LD_PRELOAD=$(realpath "$library") ASAN_OPTIONS=detect_leaks=0:halt_on_error=1 PYTHONMALLOC=malloc PYTHONPATH=$folder \
    python3 "$root/fuzz/python/engine.py" "$root" "$seconds" "${2:-1}"
