#!/bin/sh
# Generated Java against codecs by hand and other libraries (bench/peers/java), in one JVM, by turns. Prints a table and writes
# docs/java.*. SLICES says how many turns; JAVA_HOME which JVM; JAVA_25 is
# the home of another one, whose figures stand beside: one of version 25, where there is one.
set -eu
cd "$(dirname "$0")/../.."
aldis="${CARGO_TARGET_DIR:-target}/debug/aldis"
cargo build --quiet --package aldis
command -v protoc >/dev/null || { echo "bench-java: there is no protoc here (apt-get install protobuf-compiler)" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for schema in ../conformance/vectors/fbe/proto.fbe:proto beam/schemas/flat.xml:flat beam/schemas/car.xml:car \
    beam/schemas/ints.capnp:ints ../conformance/schemas/addressbook.capnp:book; do
    "$aldis" gen "bench/${schema%:*}" --lang java --option "package=com.example.${schema#*:}" --out "$folder/src"
done
bench/messages.sh "$(realpath "$aldis")" "$folder"
bench/peers/java/generate.sh "$folder"

classpath=$(cat "$folder/classpath")
find "$folder/src" "$folder/peers" runtime/java/src/main/java/aldis -name '*.java' >"$folder/sources"
javac --release 17 -nowarn -proc:none -cp "$classpath" -d "$folder/classes" bench/java/*.java bench/peers/java/*.java "@$folder/sources"
# race HOME: what the JVM is called, then the rows.
race() {
    java=${1:+$1/bin/}java
    "$java" -version 2>&1 | head -1
    "$java" -XX:+UseSerialGC -Xms256m --add-opens java.base/jdk.internal.misc=ALL-UNNAMED -Dslices="${SLICES:-300}" \
        -cp "$folder/classes:$classpath" Bench "$folder"
}
race "${JAVA_HOME:-}" >"$folder/rows"
java_25=${JAVA_25-$(find /usr/lib/jvm -maxdepth 1 -name '*-25-*' 2>/dev/null | head -1)}
if [ -n "$java_25" ]; then
    race "$java_25" >"$folder/beside"
    python3 bench/goals.py java "$folder/rows" "$folder/beside"
else
    python3 bench/goals.py java "$folder/rows"
fi
python3 bench/plots.py write
