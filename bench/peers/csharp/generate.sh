#!/bin/sh
# Generates the code of the libraries that generated C# is compared with: generate.sh FOLDER. Their code is in FOLDER/peers, and
# that of protobuf, with Google.Protobuf.dll, in FOLDER/protobuf. Needs protoc, Java and Maven, which gets sbe-tool in the version of pom.xml.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath "$1")
mkdir -p "$out/peers" "$out/protobuf"
mvn -q -B -f "$here/pom.xml" dependency:build-classpath -Dmdep.outputFile="$out/classpath" >"$out/maven.log" 2>&1 || {
    cat "$out/maven.log" >&2
    exit 1
}
for generator in CSharp CSharpDtos; do
    for schema in flat car; do
        java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED -cp "$(cat "$out/classpath")" \
            "-Dsbe.target.language=uk.co.real_logic.sbe.generation.csharp.$generator" \
            -Dsbe.output.dir="$out/peers" -Dsbe.target.namespace="peer.$schema" \
            uk.co.real_logic.sbe.SbeTool "$here/../../beam/schemas/$schema.xml" >"$out/sbe.log" 2>&1 || {
            cat "$out/sbe.log" >&2
            exit 1
        }
    done
done
protoc --proto_path="$here/../cpp/schemas" --csharp_out="$out/protobuf" account.proto
protoc --proto_path="$here" --csharp_out="$out/protobuf" book.proto
"$here/../../../scripts/dotnet.sh" protobuf "$out/protobuf"
