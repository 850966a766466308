#!/bin/sh
# The account that FBE's own README measures, in every language: how long generated code takes to serialize, deserialize and verify it,
# as standard FBE, as Final and as JSON. Every language has processes of its own, by turns (TURNS). Prints three tables; writes
# docs/account.txt, docs/account.json and docs/account.svg. A language whose tools are missing is left out, with a word.
set -eu
cd "$(dirname "$0")/../.."
turns=${TURNS:-5}
languages=${LANGUAGES:-cpp java csharp javascript erlang elixir python}
aldis="${CARGO_TARGET_DIR:-target}/debug/aldis"
cargo build --quiet --package aldis
[ -d bench/js/node_modules ] || (cd bench/js && npm ci --no-audit --no-fund --silent)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
schema=conformance/vectors/fbe/proto.fbe
cp conformance/vectors/fbe/proto_account_readme.std.bin "$folder/standard.bin"
cp conformance/vectors/fbe/proto_account_readme.final.bin "$folder/final.bin"
"$aldis" decode "$schema" --message Account "$folder/standard.bin" >"$folder/account.json"

generate() {
    "$aldis" gen "$schema" --lang "$@"
}

# Each makes a program of a language, and runs it.
make_cpp() {
    generate cpp --out "$folder/cpp"
    "${CXX:-g++}" -std=c++20 -O3 -DNDEBUG -I runtime/cpp/include -I "$folder/cpp" -o "$folder/cpp/account" bench/account/account.cpp
}
run_cpp() { "$folder/cpp/account" "$folder"; }

make_java() {
    generate java --option package=com.example.proto --out "$folder/java"
    find "$folder/java" runtime/java/src/main/java/aldis -name '*.java' >"$folder/sources"
    javac --release 17 -nowarn -proc:none -d "$folder/classes" bench/account/Measured.java "@$folder/sources"
}
run_java() { java -XX:+UseSerialGC -cp "$folder/classes" Measured "$folder"; }

make_csharp() {
    generate csharp --out "$folder/csharp"
    library=$(scripts/dotnet.sh library 9 runtime/csharp)
    cp "$library" "$folder/csharp/Aldis.dll"
    scripts/dotnet.sh compile 9 "$folder/csharp/measured.dll" -optimize -langversion:9 -nullable -r:"$library" \
        bench/account/Measured.cs "$folder"/csharp/*.cs
}
run_csharp() { scripts/dotnet.sh run 9 "$folder/csharp/measured.dll" "$folder"; }

make_javascript() {
    generate javascript --out "$folder"
    echo '{ "type": "module" }' >"$folder/package.json"
    mkdir -p "$folder/node_modules/@aldis"
    ln -s "$PWD/runtime/javascript/codec" "$folder/node_modules/@aldis/codec"
}
run_javascript() { node bench/account/account.mjs "$folder"; }

make_erlang() {
    generate erlang --out "$folder/beam"
    erlc -I "$folder/beam" -o "$folder/beam" "$folder"/beam/*.erl runtime/erlang/src/*.erl bench/account/account.erl
}
run_erlang() {
    erl -noshell -pa "$folder/beam" -eval "account:measure(\"${1:-erlang}\", \"$folder\"), halt()."
}

# Elixir's module has another name than Erlang's, so both are there.
make_elixir() {
    [ -f "$folder/beam/account.beam" ] || make_erlang
    generate elixir --out "$folder/elixir"
    elixirc -pa "$folder/beam" -o "$folder/beam" runtime/elixir/lib/aldis/error.ex runtime/elixir/lib/aldis/runtime.ex \
        runtime/elixir/lib/aldis/sizes.ex runtime/elixir/lib/aldis/values.ex "$folder"/elixir/*.ex
    core=$(elixir -e 'IO.write(:code.lib_dir(:elixir))')
}
run_elixir() {
    ERL_LIBS=$(dirname "$core") run_erlang elixir
}

make_python() {
    generate python --out "$folder/python"
    cp "$folder"/*.bin "$folder/account.json" "$folder/python"
}
run_python() { python3 bench/account/account.py "$folder/python"; }

there=
for language in $languages; do
    if (set -e; "make_$language") >"$folder/log" 2>&1; then
        there="$there $language"
    else
        echo "$language is left out: $(tail -1 "$folder/log")" >&2
    fi
done
case $there in *elixir*) core=$(elixir -e 'IO.write(:code.lib_dir(:elixir))') ;; esac
for turn in $(seq "$turns"); do
    for language in $there; do
        "run_$language" | sed "s/^/$language /"
    done
done >"$folder/times"
node bench/js/accounts.js "$folder/times" "$turns" docs
