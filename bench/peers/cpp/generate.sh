#!/bin/sh
# Generates the code of the libraries that Aldis is compared with: generate.sh FOLDER. Needs protoc, flatc, capnp, Java and
# Maven, which gets sbe-tool in the version of ../sbe-json/pom.xml.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(realpath "$1")
cd "$here/schemas"
protoc --cpp_out="$out" account.proto
flatc --cpp --gen-object-api -o "$out" account.fbs
capnp compile -oc++:"$out" account.capnp
capnp compile -oc++:"$out" --src-prefix=../../../beam/schemas ../../../beam/schemas/ints.capnp
capnp compile -oc++:"$out" --src-prefix=../../../../conformance/schemas ../../../../conformance/schemas/addressbook.capnp

mvn -q -B -f ../../sbe-json/pom.xml dependency:build-classpath -Dmdep.outputFile="$out/classpath" >"$out/maven.log" 2>&1 || {
    cat "$out/maven.log" >&2
    exit 1
}
sbe() {
    java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED -cp "$(cat "$out/classpath")" -Dsbe.target.language=Cpp \
        -Dsbe.target.namespace="$1" -Dsbe.output.dir="$out" uk.co.real_logic.sbe.SbeTool "$2" 2>"$out/sbe.log" || {
        cat "$out/sbe.log" >&2
        exit 1
    }
}
sbe sbe_tool_account account.xml
sbe sbe_tool_car ../../../beam/schemas/car.xml
