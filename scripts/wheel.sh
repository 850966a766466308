#!/bin/sh
# The wheel `aldis`: the pure package, and the engine and the command in one library.
#   scripts/wheel.sh         builds it in target/wheel, installs it into an empty environment, and uses it there; needs no network after
#                            `cargo fetch`, once maturin is there: its version is in runtime/python-native/pyproject.toml
#   scripts/wheel.sh quick   uses an engine that is compiled in less time, without a wheel
#   ALDIS_ENGINE             the engine that `quick` uses, which it else compiles
#   MESSAGES, PURE_MESSAGES  so many messages are decoded by the engine, and without it, while memory stays as it is (50000, 5000)
#   DAMAGED                  so many damaged messages a form are read into generated classes, and compared (1000)
#   ALDIS_COLUMNS_PYTHON     a Python with NumPy, pyarrow and duckdb, which then take the tables
#   ALDIS_SPARK_PYTHON       a Python with pyarrow and pyspark, which then reads files by the engine on two workers
set -eu
cd "$(dirname "$0")/.."
root=$PWD
check=$root/runtime/python-native/tests/check.py
objects=$root/runtime/python-native/tests/objects.py
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")

# Spark reads files by the package in that folder.
spark() {
    [ -z "${ALDIS_SPARK_PYTHON:-}" ] || PYTHONPATH=$1 "$ALDIS_SPARK_PYTHON" "$root/runtime/python-native/tests/spark.py" "$root"
}

# Memory stays as it is while messages are decoded, good and bad, by the engine of the package in that folder and without it.
memory() (
    generated=$(mktemp -d)
    trap 'rm -rf "$generated"' EXIT
    PYTHONPATH=$1 python3 -m aldis gen "$root/conformance/vectors/fbe/proto.fbe" --lang python --out "$generated"
    cp "$root/conformance/vectors/fbe/proto_account_readme.std.bin" "$generated/account.bin"
    for choice in "require ${MESSAGES:-50000}" "0 ${PURE_MESSAGES:-5000}"; do
        ALDIS_NATIVE=${choice% *} ALDIS_LIBRARY=$1 python3 "$root/bench/python/memory.py" "$generated" "${choice#* }"
    done
)

if [ "${1:-}" = quick ]; then
    [ -n "${ALDIS_ENGINE:-}" ] || cargo build --quiet --package aldis-python-native --features engine
    runtime=$(mktemp -d)
    trap 'rm -rf "$runtime"' EXIT
    folder=$runtime/python
    mkdir "$folder"
    cp -r runtime/python/aldis "$folder"
    cp "${ALDIS_ENGINE:-$target/debug/lib_native.so}" "$folder/aldis/_native.abi3.so"
    for schema in conformance/vectors/fbe/proto.fbe conformance/schemas/market.xml conformance/schemas/addressbook.capnp; do
        ALDIS_RUNTIME=$runtime PYTHONPATH=$folder python3 -m aldis conform "$schema" --lang python-native --exact --count 3 --no-limits
    done
    cd "$folder"
    PYTHONPATH=$folder "${ALDIS_COLUMNS_PYTHON:-python3}" -W error "$check" "$root"
    PYTHONPATH=$folder python3 -W error "$objects" "$root"
    memory "$folder"
    spark "$folder"
    exit
fi

# The version of maturin that the wheel is built with, as the project's file says it.
wanted=$(sed -n 's/^requires = \["\(maturin==.*\)"\]/\1/p' runtime/python-native/pyproject.toml)
tool=$target/tools/maturin
[ "$("$tool/bin/maturin" --version 2>/dev/null | tr ' ' '=')" = "$(echo "$wanted" | sed s/==/=/)" ] || {
    echo "  installs $wanted"
    python3 -m venv "$tool" && "$tool/bin/pip" install --quiet --disable-pip-version-check "$wanted"
}
out=$target/wheel
rm -rf "$out"
# Maturin packs modules only from below its own folder, and follows no links out of it.
trap 'rm -rf "$root/runtime/python-native/python"' EXIT
mkdir -p runtime/python-native/python
cp -r runtime/python/aldis runtime/python-native/python
find runtime/python-native/python -name __pycache__ -prune -exec rm -rf {} +
(cd runtime/python-native && "$tool/bin/maturin" build --profile small --offline --quiet --out "$out")
wheel=$(echo "$out"/aldis-*.whl)
size=$(wc -c <"$wheel")
echo "  $(basename "$wheel"): $((size / 1000)) kB"
[ "$size" -le 9000000 ] || { echo '  the wheel may have 9 MB' >&2; exit 1; }

python3 -m venv "$out/venv"
"$out/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$wheel"
cd "$out"
venv/bin/aldis --version
venv/bin/python -W error "$check" "$root"
venv/bin/python -W error "$objects" "$root" "${DAMAGED:-1000}"
if [ -n "${ALDIS_COLUMNS_PYTHON:-}" ]; then
    PYTHONPATH=$(echo "$out"/venv/lib/python3*/site-packages) "$ALDIS_COLUMNS_PYTHON" "$check" "$root"
fi
memory "$(echo "$out"/venv/lib/python3*/site-packages)"
spark "$(echo "$out"/venv/lib/python3*/site-packages)"
