#!/bin/sh
# Installs each package of target/release-VERSION in a clean place, and uses it there: the programs are those of the book's first pages.
# A package that was not made is said; the exit code is 1 when one that was made does not work. REPORT=FILE keeps what was said, when all work.
set -u
cd "$(dirname "$0")/.."

root=$PWD
version=$(scripts/version.py)
made=$PWD/target/release-$version
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
schema=$PWD/conformance/schemas/market.xml
# The command that generates: the package's own, where it was made.
aldis=$PWD/target/debug/aldis
status=0

# say NAME VERDICT FILE
say() {
    printf '%-16s %-14s %s\n' "$1" "$2" "$3" | tee -a "$place/report"
}

# try NAME FILE: try_NAME, in a folder of its own, where the file was made.
try() {
    [ -e "$made/$2" ] || { say "$1" 'was not made' "$2"; return; }
    mkdir "$place/$1"
    # In a condition the shell would not stop at the first command that fails.
    (set -e; cd "$place/$1"; "try_$1" "$made/$2") >"$place/said" 2>&1
    if [ $? -eq 0 ]; then
        say "$1" works "$2"
    else
        say "$1" 'does not work' "$2"
        sed 's/^/  /' "$place/said"
        status=1
    fi
}

# program PAGE NAME: the file that a page of the book begins with a comment of its name.
program() {
    awk -v name="$2" '/^```/ { on = 0; first = 1; next } first { first = 0; on = ($NF == name && NF == 2) } on' \
        "$root/docs/book/$1.md" >"$2"
    test -s "$2"
}

says() {
    grep -qF '52 bytes: {"sequence":1' "$1"
}

try_command() {
    tar xzf "$1"
    cd "aldis-$version"
    if ldd ./aldis 2>/dev/null | grep -q '=>'; then return 1; fi
    env -i ./aldis random "$schema" Quote --seed 1 >quote.json
    env -i ./aldis encode "$schema" quote.json >quote.bin
    env -i ./aldis decode "$schema" quote.bin | grep -q market.Quote
    test -s man/aldis.1
    test -s completions/aldis.bash
    cp aldis "$place/aldis"
}

# The sums are of all files but their own, and one that is changed is found.
try_checksums() {
    cd "$(dirname "$1")"
    sha256sum --check --quiet --strict SHA256SUMS
    [ "$(find . -type f ! -name SHA256SUMS | wc -l)" -eq "$(wc -l <SHA256SUMS)" ]
    file=$(sed -n '1s/^[^ ]*  //p' SHA256SUMS)
    cp "$file" "$place/checksums/$file"
    cp SHA256SUMS "$place/checksums"
    cd "$place/checksums"
    echo >>"$file"
    ! head -n 1 SHA256SUMS | sha256sum --check --status
}

# It names the command with this version, and each crate that the command is compiled from, with its version and licence.
try_sbom() {
    (cd "$root" && cargo tree --quiet --offline --locked --package aldis --edges normal,build --prefix none --format '{p}') |
        cut -d' ' -f1,2 | sort -u >crates
    python3 - "$1" "$version" <<'END'
import json, sys
bill = json.load(open(sys.argv[1]))
assert bill["bomFormat"] == "CycloneDX", bill["bomFormat"]
own = bill["metadata"]["component"]
assert (own["name"], own["version"]) == ("aldis", sys.argv[2]), own
parts = {f'{part["name"]} v{part["version"]}' for part in bill["components"]} | {f'aldis v{sys.argv[2]}'}
crates = {line.strip() for line in open("crates") if line.strip()}
assert len(crates) > 50 and crates <= parts, crates - parts
assert all(part.get("licenses") for part in bill["components"]), [part["name"] for part in bill["components"] if not part.get("licenses")]
END
}

# Where nothing builds images its file is followed by hand: an empty root with what it copies, and its entry point there.
try_container() {
    tar xzf "$1"
    cd "aldis-$version"
    for tool in podman buildah docker; do
        command -v $tool >/dev/null 2>&1 && ! $tool info >/dev/null 2>&1 && continue
        command -v $tool >/dev/null 2>&1 || continue
        $tool build --quiet --tag "aldis-try:$version" --file Containerfile . && $tool run --rm "aldis-try:$version" --version
        return
    done
    [ "$(grep -c '^FROM ' Containerfile)" = 1 ] && grep -q '^FROM scratch$' Containerfile
    entry=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' Containerfile)
    mkdir image
    sed -n 's/^COPY //p' Containerfile | while read -r from to; do
        mkdir -p "image$(dirname "$to")"
        cp "$from" "image$to"
    done
    cp "$schema" image/market.xml
    unshare --user --map-root-user chroot image "$entry" check /market.xml
    unshare --user --map-root-user chroot image "$entry" --version | grep -qF "$version"
}

try_debian() {
    mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates
    touch root/var/lib/dpkg/status
    dpkg --root="$PWD/root" --force-not-root --log=/dev/null --install "$1"
    env -i root/usr/bin/aldis check "$schema"
    dpkg --root="$PWD/root" --force-not-root --log=/dev/null --purge aldis
    test ! -e root/usr/bin/aldis
}

try_npm_codec() {
    npm init --yes >/dev/null
    npm pkg set type=module
    npm install --silent --offline "$1"
    program start/javascript quote.js
    "$aldis" gen "$schema" --lang javascript --out src
    "$aldis" random "$schema" Quote --seed 15 --to bytes >quote.bin
    node quote.js | grep -q 'now 100, was'
}

try_npm_etf() {
    npm init --yes >/dev/null
    npm pkg set type=module
    npm install --silent --offline "$1"
    echo 'import { decode, encode } from "@aldis/etf"; console.log(decode(encode({ a: [1, "b"] })).a.join());' >use.js
    node use.js | grep -q '1,b'
}

try_pypi() {
    python3 -m venv venv
    venv/bin/pip install --quiet --no-index "$1"
    program start/python quote.py
    "$aldis" gen "$schema" --lang python --out .
    venv/bin/python quote.py >said
    says said
}

# The sources: a package is built of them as pip does it, without a network.
try_pypi_sources() {
    python3 -m venv venv
    venv/bin/python -c 'import setuptools, wheel' || venv/bin/pip install --quiet setuptools wheel
    venv/bin/pip install --quiet --no-index --no-build-isolation "$1"
    program start/python quote.py
    "$aldis" gen "$schema" --lang python --out .
    venv/bin/python quote.py >said
    says said
}

try_maven() {
    program start/java ShowQuote.java
    "$aldis" gen "$schema" --lang java --out src
    javac -cp "$1" -d classes $(find src -name '*.java') ShowQuote.java
    java -cp "classes:$1" ShowQuote >said
    says said
}

try_crates() {
    tar xzf "$1"
    cargo init --quiet --name sends
    printf 'aldis-transport = { path = "aldis-transport-%s" }\n' "$version" >>Cargo.toml
    echo 'fn main() { println!("{}", std::any::type_name::<aldis_transport::Client>()); }' >src/main.rs
    cargo run --quiet --offline | grep -q aldis_transport
}

# Unpacked as Hex does it, sums compared.
try_hex() {
    [ "$(elixir "$root/scripts/hex.exs" unpack "$1" "$place/aldis-hex")" = "aldis $version" ]
    program start/elixir mix.exs
    program start/elixir quote.exs
    sed -i "s,\.\./aldis/runtime/elixir,$place/aldis-hex," mix.exs
    "$aldis" gen "$schema" --lang elixir --out lib
    mix run quote.exs >said
    says said
}

# nuget_unpacked NAME: a package in the folder `packages`, by Debian's NuGet where that is; its libraries for each framework.
nuget_unpacked() {
    if command -v nuget >/dev/null 2>&1; then
        nuget install "$1" -Version "$version" -Source "$made" -OutputDirectory packages -NonInteractive
    else
        mkdir -p "packages/$1.$version"
        unzip -q "$made/$1.$version.nupkg" -d "packages/$1.$version"
    fi
    unzip -p "$made/$1.$version.nupkg" "$1.nuspec" | grep -qF "<version>$version</version>"
}

# With an SDK, a project that refers to the package by its name; else a program beside each of its libraries.
try_nuget() {
    program start/csharp ShowQuote.cs
    if command -v dotnet >/dev/null 2>&1 && [ -n "$(dotnet --list-sdks)" ]; then
        dotnet new console --output quote >/dev/null
        mv ShowQuote.cs quote/Program.cs
        "$aldis" gen "$schema" --lang csharp --out quote/Generated
        (cd quote && dotnet add package Aldis --version "$version" --source "$made" && dotnet run) >said
        says said
        return
    fi
    nuget_unpacked Aldis
    "$aldis" gen "$schema" --lang csharp --out Generated
    for runtime in 9:net9.0 3.1:netcoreapp3.1; do
        mkdir "${runtime%:*}"
        cp "packages/Aldis.$version/lib/${runtime#*:}"/* "${runtime%:*}"
        "$root/scripts/dotnet.sh" compile "${runtime%:*}" "${runtime%:*}/show.dll" -langversion:9 -nullable -warnaserror \
            "-r:${runtime%:*}/Aldis.dll" ShowQuote.cs Generated/*.cs
        "$root/scripts/dotnet.sh" run "${runtime%:*}" "${runtime%:*}/show.dll" >said
        says said
    done
}

# trades COUNT COMMAND…: the program says that so many trades are there by now.
trades() {
    count=$1
    shift
    "$@" >said
    [ "$(cat said)" = "$count in all; offset $count is number 100" ]
}

# The server out of the package for Hex, and the clients' programs of the book, each with its own package.
try_transport() {
    ebin=$place/hex/_build/dev/lib/aldis/ebin
    # A project that Mix has compiled needs Elixir's own applications beside it.
    elixir=$(elixir -e 'IO.write(Path.dirname(:code.lib_dir(:elixir)))')
    page=clients
    program $page totals.erl
    erlc -pa "$ebin" totals.erl
    timeout 600 erl -noshell -pa "$ebin" "$elixir"/*/ebin . -run totals start &
    server=$!
    trap 'kill $server' EXIT
    until [ -e ready ]; do kill -0 $server; sleep 0.1; done

    cp "$schema" .
    program $page trades.py
    "$aldis" gen market.xml --lang python --out .
    trades 100 "$place/pypi/venv/bin/python" -W error trades.py

    npm init --yes >/dev/null
    npm pkg set type=module
    npm install --silent --offline "$made/aldis-codec-$version.tgz" "$1"
    program $page trades.js
    "$aldis" gen market.xml --lang javascript --out src
    trades 200 node trades.js

    program $page Trades.java
    jars=$made/aldis-runtime-$version.jar:$made/aldis-transport-$version.jar
    "$aldis" gen market.xml --lang java --out java
    javac -cp "$jars" -d classes $(find java -name '*.java') Trades.java
    trades 300 java -cp "classes:$jars" Trades

    program $page trades.cpp
    "$aldis" gen market.xml --lang cpp --out include
    c++ -std=c++20 -pthread -I include -I "$place/cpp/aldis-cpp-$version/include" trades.cpp -o trades_cpp
    trades 400 ./trades_cpp

    [ -e "$made/Aldis.Transport.$version.nupkg" ] || return 0
    nuget_unpacked Aldis
    nuget_unpacked Aldis.Transport
    cp packages/*/lib/net9.0/*.dll .
    program $page Trades.cs
    "$aldis" gen market.xml --lang csharp --out Generated
    "$root/scripts/dotnet.sh" compile 9 trades.dll -langversion:9 -nullable -warnaserror -r:Aldis.dll -r:Aldis.Transport.dll Trades.cs Generated/*.cs
    trades 500 "$root/scripts/dotnet.sh" run 9 trades.dll
}

try_cpp() {
    tar xzf "$1"
    cp -r "$root/runtime/cpp/tests/package" project
    cmake -S project -B build -DCMAKE_PREFIX_PATH="$PWD/aldis-cpp-$version" -DALDIS_COMMAND="$aldis" >/dev/null
    cmake --build build -- --quiet
    [ "$(build/app)" = 5 ]
}

try command "aldis-$version-x86_64-linux.tar.gz"
[ ! -x "$place/aldis" ] || aldis=$place/aldis
[ -x "$aldis" ] || cargo build --quiet --package aldis
try container "aldis-$version-x86_64-linux.tar.gz"
try checksums SHA256SUMS
try sbom "aldis-$version.cdx.json"
try debian "aldis_${version}_amd64.deb"
try npm_codec "aldis-codec-$version.tgz"
try npm_etf "aldis-etf-$version.tgz"
try pypi "aldis-$version-py3-none-any.whl"
try pypi_sources "aldis-$version.tar.gz"
try maven "aldis-runtime-$version.jar"
try crates "aldis-transport-$version.crate"
try hex "aldis-$version.tar"
try nuget "Aldis.$version.nupkg"
try cpp "aldis-cpp-$version.tar.gz"
try transport "aldis-transport-$version.tgz"
[ $status -ne 0 ] || [ -z "${REPORT:-}" ] || { date +%F && cat "$place/report"; } >"$REPORT"
exit $status
