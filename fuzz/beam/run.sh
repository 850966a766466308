#!/bin/sh
# Mutated messages of every wire form into generated decoders of Erlang and Elixir: run.sh [COUNT], 100,000 a form unless given.
# A finding is printed shrunk, with its bytes, and the exit code is 1. ALDIS is the command; it is built when not given.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
count=${1:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "${ALDIS:-}" ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" -p aldis
    ALDIS=${CARGO_TARGET_DIR:-$root/target}/debug/aldis
fi
export ALDIS_RUNTIME="$root/runtime"

# mutate SCHEMA FORM…: the schema's testees, honest messages of each form, and their mutations.
mutate() {
    schema=$1
    shift
    stem=$(basename "${schema%.*}" | tr - _)
    folder=$work/$stem
    for language in erlang elixir; do
        "$ALDIS" gen "$root/$schema" --lang "$language" --testee --out "$folder/$language" 2>"$work/log" &&
            "$folder/$language/build" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
    done
    erlang=$(basename "$folder"/erlang/*_testee.erl .erl)
    elixir=$(sed -n 's/^defmodule \(.*\.Testee\) do/Elixir.\1/p' "$folder"/elixir/*_testee.ex)
    names=$(erl -noinput -boot no_dot_erlang -pa "$folder/erlang/ebin" \
        -eval "[io:format(\"~ts~n\", [Name]) || {Name, _, _, true} <- $erlang:messages()], halt().")
    for form in "$@"; do
        mkdir -p "$folder/honest/$form"
        for name in $names; do
            "$ALDIS" random "$root/$schema" "$name" --form "$form" --count 40 --to hex >"$folder/honest/$form/$name"
        done
    done
    echo "$schema"
    elixir --erl '-noinput -boot no_dot_erlang' -pa "$work" -pa "$folder/erlang/ebin" -pa "$folder/elixir/ebin" \
        -e ":mutated.main([~c($folder/honest), ~c($count), ~c($erlang), ~c($elixir)])"
}

erlc -Wall -Werror -o "$work" mutated.erl
mutate conformance/vectors/fbe/extra.fbe fbe fbe-final
mutate conformance/vectors/sbe/be-all.xml sbe
mutate conformance/schemas/market.capnp capnp capnp-packed
