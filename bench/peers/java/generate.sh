#!/bin/sh
# Generates the code of the libraries that generated Java is compared with: generate.sh FOLDER. Their code is in FOLDER/peers, and their
# class path in FOLDER/classpath. Needs protoc, Java and Maven, which gets the libraries in the versions of pom.xml.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath "$1")
mkdir -p "$out/peers"
mvn -q -B -f "$here/pom.xml" dependency:build-classpath -Dmdep.outputFile="$out/classpath" >"$out/maven.log" 2>&1 || {
    cat "$out/maven.log" >&2
    exit 1
}
protoc --proto_path="$here/../cpp/schemas" --java_out="$out/peers" account.proto
for schema in flat car; do
    java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED -cp "$(cat "$out/classpath")" -Dsbe.target.language=Java \
        -Dsbe.java.generate.dtos=true -Dsbe.output.dir="$out/peers" -Dsbe.target.namespace="peer.$schema" \
        uk.co.real_logic.sbe.SbeTool "$here/../../beam/schemas/$schema.xml" 2>"$out/sbe.log" || {
        cat "$out/sbe.log" >&2
        exit 1
    }
done
