#!/bin/sh
# Generated C++ against hand-written C++: prints a table for each compiler that there is.
set -eu
cd "$(dirname "$0")/../.."
. scripts/lib.sh

work=target/bench-cpp
mkdir -p "$work"
build_aldis
"$ALDIS" gen conformance/vectors/fbe/proto.fbe --lang cpp --out "$work"
"$ALDIS" gen bench/cpp/lists.fbe --lang cpp --out "$work"
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -std=c++20 -O3 -DNDEBUG -Wall -Wextra -Wconversion -Werror -I runtime/cpp/include -I "$work" \
        -o "$work/account-$compiler" bench/cpp/account.cpp
    "$compiler" --version | head -1
    "$work/account-$compiler" conformance/vectors/fbe
done
