#!/bin/sh
# Builds the libFuzzer targets of generated C++: build.sh OUT FORMAT; `runtime` for those that need no schema.
# Needs clang 14 and its sanitizers (Debian: clang-14, libclang-rt-14-dev), and `aldis` as ALDIS or in target/debug.
set -eu
cd "$(dirname "$0")/../.."
out=$1
format=$2
aldis=${ALDIS:-${CARGO_TARGET_DIR:-target}/debug/aldis}
case $format in
runtime) schemas='' ;;
fbe) schemas='proto.fbe extra.fbe' ;;
sbe) schemas='be-all.xml le-all.xml dims.xml evo-v3.xml' ;;
capnp) schemas='schema/edge.capnp schema/evolve.capnp schema/layout.capnp schema/shaped.capnp' ;;
*) echo "$0: no fuzz targets for $format" >&2; exit 2 ;;
esac

flags='-std=c++20 -O1 -g -fno-exceptions -fno-rtti -I runtime/cpp/include'
fuzzer='-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all'
if [ "$format" = runtime ]; then
    for target in stream transport; do
        # shellcheck disable=SC2086
        clang++-14 $flags $fuzzer -o "$out/cpp_$target" "fuzz/cpp/$target.cpp"
    done
    # The writer of terms of the runtime for Erlang, in C, with limits that small terms reach; needs Erlang's headers.
    include=$(erl -noshell -eval 'io:format("~ts/usr/include", [code:root_dir()]), halt().')
    # shellcheck disable=SC2086
    clang-14 -std=c11 -O1 -g -DFUZZ -DSHARED -DMOST_PARTS=200 -DLARGEST_FRAME=1024 $fuzzer -I runtime/erlang/c_src \
        -I "$include" -o "$out/c_terms" runtime/erlang/test/write_check.c
    exit
fi

rm -rf "${out:?}/$format"
mkdir -p "$out/$format"
sanitize='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'
{
    echo '#include "checks.hpp"'
    all=''
    for schema in $schemas; do
        name=$(basename "${schema%.*}" | tr '-' '_')
        folder=$out/$format/$name
        "$aldis" gen "conformance/vectors/$format/$schema" --lang cpp --testee --out "$folder"
        # The testees' functions go by names of their own, as all are in one program.
        # shellcheck disable=SC2086
        clang++-14 $flags $sanitize -Dmain="${name}_main" -Dcodecs="${name}_codecs" -c -o "$folder.o" "$folder"/*_testee.cpp
        echo "aldis::testee::program ${name}_codecs();"
        all="$all${all:+, }${name}_codecs()"
    done
    echo "std::vector<aldis::testee::program> programs() { return {$all}; }"
} >"$out/$format/programs.cpp"
for target in bytes json; do
    # shellcheck disable=SC2086
    clang++-14 $flags $fuzzer -I fuzz/cpp -o "$out/cpp_${format}_$target" "fuzz/cpp/$target.cpp" \
        "$out/$format/programs.cpp" "$out/$format"/*.o
done
