#!/bin/sh
# Generated C++ against hand-written C++ and other libraries: prints a table for each compiler and writes docs/cpp.*.
#   bench/cpp/run.sh [FILTER]     FILTER: a regular expression of benchmark names; nothing is written then
set -eu
cd "$(dirname "$0")/../.."
. scripts/lib.sh
bench/cpp/setup.sh

work=target/bench-cpp
rm -rf "$work"
mkdir -p "$work"
build_aldis
for schema in conformance/vectors/fbe/proto.fbe bench/cpp/lists.fbe bench/beam/schemas/car.xml \
    bench/peers/cpp/schemas/account.xml bench/beam/schemas/ints.capnp conformance/schemas/addressbook.capnp; do
    "$ALDIS" gen "$schema" --lang cpp --out "$work"
done
"$ALDIS" gen bench/peers/cpp/schemas/account.capnp --lang cpp --name account_in_capnp --out "$work"
bench/peers/cpp/generate.sh "$work/peers"

filter=${1:-.}
for compiler in g++-12 clang++-14; do
    flags='-std=c++20 -O3 -DNDEBUG'
    # shellcheck disable=SC2086
    {
        for source in account libraries car capnp main; do
            "$compiler" $flags -Wall -Wextra -Wconversion -Werror -I runtime/cpp/include -I "$work" -isystem "$work/peers" \
                -c -o "$work/$source.o" "bench/cpp/$source.cpp"
        done
        for source in account.pb.cc account.capnp.c++ ints.capnp.c++ addressbook.capnp.c++; do
            "$compiler" $flags -x c++ -I "$work/peers" -c -o "$work/$source.o" "$work/peers/$source"
        done
    }
    "$compiler" -o "$work/bench-$compiler" "$work"/*.o -lbenchmark -lprotobuf -lcapnp -lkj -lpthread
    "$work/bench-$compiler" conformance/vectors/fbe --benchmark_filter="$filter" --benchmark_repetitions=15 \
        --benchmark_min_time=0.02 --benchmark_enable_random_interleaving=true \
        --benchmark_out="$work/$compiler.json" --benchmark_out_format=json >"$work/$compiler.log" 2>&1 ||
        { cat "$work/$compiler.log" >&2; exit 1; }
done
if [ "$filter" = . ]; then
    python3 bench/cpp/report.py "$work" --json docs/cpp.json | tee docs/cpp.txt
    python3 bench/plots.py write
else
    python3 bench/cpp/report.py "$work"
fi
