#!/bin/bash
# Generated C# against codecs by hand and other libraries (bench/peers/csharp), in one process, by turns, on .NET 9 and beside it on Core 3.1.
# Prints a table and writes docs/csharp.*. SLICES says how many turns.
#   bench/csharp/run.sh          runs it
#   bench/csharp/run.sh check    only compiles it, and fails where its contestants do not agree
set -euo pipefail
cd "$(dirname "$0")/../.."
aldis=${ALDIS:-${CARGO_TARGET_DIR:-target}/debug/aldis}
[ -n "${ALDIS:-}" ] || cargo build --quiet --package aldis
for tool in protoc mvn node; do
    command -v $tool >/dev/null || { echo "bench-csharp: there is no $tool here" >&2; exit 3; }
done
scripts/dotnet.sh ready
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for schema in ../conformance/vectors/fbe/proto.fbe:Proto beam/schemas/flat.xml:Flat beam/schemas/car.xml:Cars \
    beam/schemas/ints.capnp:Numbers ../conformance/schemas/addressbook.capnp:Book; do
    "$aldis" gen "bench/${schema%:*}" --lang csharp --option "namespace=Example.${schema#*:}" --out "$folder/src"
done
bench/messages.sh "$(realpath "$aldis")" "$folder"
bench/peers/csharp/generate.sh "$folder"

# compiled RUNTIME ARG…: the program, beside what it needs.
compiled() {
    local runtime=$1 library
    shift
    mkdir "$folder/$runtime"
    library=$(scripts/dotnet.sh library "$runtime" runtime/csharp)
    cp "$library" "$folder/protobuf/Google.Protobuf.dll" "$folder/$runtime"
    mapfile -t sources < <(find bench/csharp bench/peers/csharp "$folder/src" "$folder/peers" -name '*.cs')
    scripts/dotnet.sh compile "$runtime" "$folder/$runtime/bench.dll" -target:exe -unsafe -langversion:9 -nowarn:1591,1701,8632,8981 \
        "-r:$library" "${sources[@]}" "$@"
}
# race RUNTIME: what the runtime is called, then the rows.
race() {
    DOTNET_TieredPGO=1 scripts/dotnet.sh run "$1" "$folder/$1/bench.dll" "$folder" "${SLICES:-300}"
}
compiled 9 -define:NET5_0_OR_GREATER "-r:$folder/protobuf/Google.Protobuf.dll" "$folder"/protobuf/*.cs
# Google.Protobuf asks for .NET 5.
compiled 3.1
if [ "${1:-}" = check ]; then
    for runtime in 9 3.1; do scripts/dotnet.sh run $runtime "$folder/$runtime/bench.dll" "$folder" 0; done
    exit
fi
race 9 >"$folder/rows"
race 3.1 >"$folder/beside"
python3 bench/goals.py csharp "$folder/rows" "$folder/beside"
python3 bench/plots.py write
