# shellcheck shell=sh
# The tests of Erlang and Elixir that scripts/test.sh and scripts/otp-tests.sh run. ALDIS is the command's path.

# rebar3 colours its output wherever it goes: plain COMMAND… takes the colours out.
plain() {
    said=$(mktemp)
    "$@" >"$said" 2>&1
    code=$?
    sed 's/\x1b\[[0-9;]*m//g' "$said"
    rm -f "$said"
    return $code
}

erlang_eunit() {
    (cd runtime/erlang && plain rebar3 eunit)
}

# Users compile it as a dependency, where a new compiler's warnings must not matter; here they do.
rebar3_example() {
    (cd examples/rebar3 && plain rebar3 eunit)
}

# As users compile it, without the libraries that the tests have stand-ins for.
elixir_tests() {
    (cd runtime/elixir && mix compile --force --warnings-as-errors && mix test) && (cd examples/elixir && mix test)
}

# conform_all LANGUAGES FURTHER [EXTENSION]: every schema (of a format) that has vectors, the markets, those of FBE, nulls and words in
# the languages; every other schema of ours in those that are named FURTHER. Where JavaScript, Java or C# is among them, its faults must have
# the places too. Only what fails is shown. Erlang's runtime is compiled once for all testees.
conform_all() {
    work=$(mktemp -d)
    agreed=0
    failed=''
    mkdir "$work/ebin"
    erlc -Wall ${ALDIS_STRICT:+-Werror} +debug_info -o "$work/ebin" runtime/erlang/src/*.erl || failed=' runtime/erlang'
    for schema in conformance/vectors/*/*.fbe conformance/vectors/*/*.xml conformance/vectors/*/schema/*.capnp \
        conformance/vectors/text/*/text.* conformance/schemas/*.fbe conformance/schemas/*/*.fbe conformance/schemas/*.capnp \
        conformance/schemas/*/*.capnp conformance/schemas/*.xml conformance/schemas/*/*.xml \
        conformance/schemas/*/*/main.xml conformance/features/capnp_*.capnp; do
        [ "${schema##*.}" = "${3:-${schema##*.}}" ] || continue
        case $schema in
        conformance/schemas/capnp/*) vectors='-I conformance/schemas/capnp/imports' ;;
        conformance/vectors/*/schema/*) vectors="--vectors $(dirname "$(dirname "$schema")")" ;;
        conformance/vectors/*) vectors="--vectors $(dirname "$schema")" ;;
        *) vectors='' ;;
        esac
        case $schema in
        conformance/vectors/* | conformance/schemas/market.* | conformance/schemas/fbe/* | \
            */header-*.xml | */nulls.capnp | */words.*) languages=$1 ;;
        *) languages=$2 ;;
        esac
        # shellcheck disable=SC2086
        if ALDIS_EBIN="$work/ebin" "$ALDIS" conform "$schema" --lang $languages --exact=javascript,java,csharp --count 20 $vectors \
            >"$work/said" 2>&1; then
            agreed=$((agreed + 1))
        else
            cat "$work/said"
            failed="$failed $schema"
        fi
    done
    rm -rf "$work"
    echo "  $agreed schemas: no difference"
    [ -z "$failed" ] || { echo "  failed:$failed"; return 1; }
}

beam_conformance() {
    conform_all interpreter,erlang,elixir interpreter,erlang
}
