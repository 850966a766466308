#!/bin/sh
# Spark with two workers on this machine: `aldis.spark.read` over framed files, and a feed that `examples/captures/spark.py` converts in
# parts. PySpark is fetched into a folder of its own the first time.
set -eu
cd "$(dirname "$0")/.."

folder=$PWD/target/tools/spark
wanted='pyspark==4.3.0 pyarrow==26.0.1 pandas==2.3.3'
"$folder/bin/python" -c 'import pandas, pyarrow, pyspark' 2>/dev/null || {
    echo "  installs $wanted"
    # shellcheck disable=SC2086
    python3 -m venv "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check $wanted
}
ALDIS_SPARK_PYTHON=$folder/bin/python scripts/wheel.sh quick
said=$(ALDIS_COLUMNS_PYTHON=$folder/bin/python cargo test --quiet --package aldis --test command -- --nocapture parts::spark 2>&1) || {
    echo "$said" >&2
    exit 1
}
! echo "$said" | grep skipped >&2 || exit 1
echo '  Spark: parts of a feed, converted by two workers'
