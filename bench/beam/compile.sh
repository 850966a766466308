#!/bin/sh
# The cost of compiling generated code: time and memory of `aldis gen`; CPU, peak memory and the slowest module of the
# compiler; files and lines of code.
#   bench/beam/compile.sh [ROW…]     all rows unless told otherwise: fields-500 messages-100 messages-2000
# SCHEMAS, paths with spaces between them, adds rows of other schemas. ALDIS is the command to measure; it is built when not
# given. LANGUAGES is "erlang elixir" unless told otherwise, OPTIONS goes to `aldis gen` (such as --option without=json,view).
# With CHECK=1 it fails where a row of Erlang is over its budget.
set -eu
cd "$(dirname "$0")/../.."
runtime=$PWD/runtime
if [ -z "${ALDIS:-}" ]; then
    cargo build --release --quiet -p aldis
    ALDIS=${CARGO_TARGET_DIR:-$PWD/target}/release/aldis
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
over=0

# Kinds of fields that follow one another in every schema of the bench.
kinds_sbe='uint32 int64 uint16 uint8 double int32 uint64 Side char12 uint32'
kinds_fbe='uint32 int64 uint16 byte double int32 uint64 bool string uint32'
kinds_capnp='UInt32 Int64 UInt16 UInt8 Float64 Int32 UInt64 Bool Text UInt32'

# schema FORMAT MESSAGES FIELDS: a schema to standard output.
schema() {
    awk -v format="$1" -v messages="$2" -v fields="$3" -v kinds="$4" 'BEGIN {
        split(kinds, kind, " ")
        if (format == "sbe") {
            print "<?xml version=\"1.0\"?><sbe:messageSchema xmlns:sbe=\"http://fixprotocol.io/2016/sbe\" package=\"bench\" id=\"1\" version=\"0\" byteOrder=\"littleEndian\">"
            print "<types><composite name=\"messageHeader\"><type name=\"blockLength\" primitiveType=\"uint16\"/><type name=\"templateId\" primitiveType=\"uint16\"/><type name=\"schemaId\" primitiveType=\"uint16\"/><type name=\"version\" primitiveType=\"uint16\"/></composite>"
            print "<type name=\"char12\" primitiveType=\"char\" length=\"12\"/><enum name=\"Side\" encodingType=\"uint8\"><validValue name=\"buy\">0</validValue><validValue name=\"sell\">1</validValue></enum></types>"
        }
        if (format == "fbe") print "package bench\n"
        if (format == "capnp") print "@0xbf5147cbbecf40c1;"
        for (m = 1; m <= messages; m++) {
            if (format == "sbe") printf "<sbe:message name=\"Message%d\" id=\"%d\">\n", m, m
            if (format == "fbe") printf "struct Message%d(%d)\n{\n", m, m
            if (format == "capnp") printf "struct Message%d {\n", m
            for (f = 1; f <= fields; f++) {
                k = kind[(f - 1) % 10 + 1]
                if (format == "sbe") printf "<field name=\"field%d\" id=\"%d\" type=\"%s\"/>\n", f, f, k
                if (format == "fbe") printf "    %s field%d;\n", k, f
                if (format == "capnp") printf "  field%d @%d :%s;\n", f, f - 1, k
            }
            print (format == "sbe" ? "</sbe:message>" : "}")
        }
        if (format == "sbe") print "</sbe:messageSchema>"
    }'
}

# row NAME SCHEMA LANGUAGE CPU MEMORY: generates and compiles a schema, and prints the row. CPU and MEMORY are what the compiler
# may take, in seconds and MB; 0 for no limit.
row() {
    out=$folder/out
    rm -rf "$out"
    mkdir -p "$out/ebin"
    # shellcheck disable=SC2086
    /usr/bin/time -f '%U %S %M' -o "$folder/gen" "$ALDIS" gen "$2" --lang "$3" --out "$out" ${OPTIONS:-} 2>"$folder/log" ||
        { cat "$folder/log" >&2; exit 1; }
    case $3 in
    erlang) set -- "$@" '*.erl' ;;
    *) set -- "$@" '*.ex' ;;
    esac
    files=$(find "$out" -type f -name '*.*' | wc -l)
    lines=$(find "$out" -type f -name '*.*' -exec cat {} + | wc -l)
    if [ "$3" = erlang ]; then
        find "$out" -name '*.erl' >"$folder/list"
        /usr/bin/time -f '%U %S %M' -o "$folder/erlc" timeout "${LIMIT:-900}" xargs erlc +debug_info -o "$out/ebin" <"$folder/list"
    else
        find "$out" -name '*.ex' >"$folder/list"
        /usr/bin/time -f '%U %S %M' -o "$folder/erlc" timeout "${LIMIT:-900}" \
            xargs elixirc -pa "$folder/base" -o "$out/ebin" <"$folder/list" >"$folder/log" 2>&1 || { tail -5 "$folder/log" >&2; exit 1; }
    fi
    awk -v name="$1" -v language="$3" -v cpu="$4" -v memory="$5" -v files="$files" -v lines="$lines" '
        FNR == NR { gen = $1 + $2; held = $3 / 1000; next }
        {
            took = $1 + $2; peak = $3 / 1000
            over = cpu > 0 && (took > cpu || peak > memory)
            printf "%-22s %-7s %7.2f %7.0f %8.2f %7.0f %6d %8d%s\n", name, language, gen, held, took, peak, files, lines, over ? "  over its budget" : ""
            exit over
        }' "$folder/gen" "$folder/erlc" || over=1
}

base() {
    mkdir -p "$folder/base"
    erlc -o "$folder/base" "$runtime"/erlang/src/aldis*.erl
    (cd "$runtime/elixir/lib" && elixirc -pa "$folder/base" -o "$folder/base" aldis/error.ex aldis/runtime.ex aldis/sizes.ex aldis/values.ex >/dev/null)
}

each() {
    name=$1 format=$2
    shift 2
    for language in ${LANGUAGES:-erlang elixir}; do
        cpu=0 memory=0
        if [ "$language" = erlang ]; then cpu=$1 memory=$2; fi
        row "$name $format" "$folder/bench.$format" "$language" "$cpu" "$memory"
    done
}

case ${LANGUAGES:-elixir} in *elixir*) base ;; esac
printf '%-22s %-7s %7s %7s %8s %7s %6s %8s\n' 'schema' 'in' 'gen, s' 'MB' 'CPU, s' 'MB' 'files' 'lines'
[ $# -gt 0 ] || set -- fields-500 messages-100 messages-2000
for wanted in "$@"; do
    case $wanted in
    messages-2000) formats=sbe ;;
    *) formats='sbe fbe capnp' ;;
    esac
    for format in $formats; do
        case $format in
        sbe) suffix=xml kinds=$kinds_sbe ;;
        fbe) suffix=fbe kinds=$kinds_fbe ;;
        *) suffix=capnp kinds=$kinds_capnp ;;
        esac
        case $wanted in
        fields-*) schema "$format" 1 "${wanted#fields-}" "$kinds" >"$folder/bench.$suffix" && each "$wanted" "$suffix" 6 400 ;;
        messages-*) schema "$format" "${wanted#messages-}" 10 "$kinds" >"$folder/bench.$suffix"
            case $wanted in
            messages-100) each "$wanted" "$suffix" 8 400 ;;
            *) each "$wanted" "$suffix" 0 0 ;;
            esac ;;
        *) echo "compile.sh: a row is fields-NUMBER or messages-NUMBER, not $wanted" >&2; exit 2 ;;
        esac
    done
done
for given in ${SCHEMAS:-}; do
    for language in ${LANGUAGES:-erlang elixir}; do
        row "$(basename "$given" | cut -c1-22)" "$given" "$language" 0 0
    done
done
[ "${CHECK:-0}" = 0 ] || exit $over
