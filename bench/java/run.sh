#!/bin/sh
# Generated Java against codecs by hand (bench/peers/java), in one JVM, by turns. Prints a table; writes docs/java.txt. SLICES says how
# many turns, JAVA_HOME which JVM.
set -eu
cd "$(dirname "$0")/../.."
aldis="${CARGO_TARGET_DIR:-target}/debug/aldis"
cargo build --quiet --package aldis
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for schema in vectors/fbe/proto.fbe:proto ../bench/beam/schemas/flat.xml:flat ../bench/beam/schemas/ints.capnp:ints; do
    "$aldis" gen "conformance/${schema%:*}" --lang java --option "package=com.example.${schema#*:}" --out "$folder/src"
done
find "$folder/src" runtime/java/src/main/java/aldis -name '*.java' >"$folder/sources"
javac --release 17 -nowarn -proc:none -d "$folder/classes" bench/java/*.java bench/peers/java/*.java "@$folder/sources"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
{
    echo "Nanoseconds an operation, best and median of interleaved slices of a millisecond, and bytes allocated; ratios are of the best."
    "$java" -version 2>&1 | head -1
    echo
    "$java" -XX:+UseSerialGC -Dslices="${SLICES:-600}" -cp "$folder/classes" Bench conformance/vectors/fbe/proto_account_readme.std.bin
} | tee "$folder/java.txt"
cp "$folder/java.txt" docs/java.txt
