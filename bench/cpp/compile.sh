#!/bin/sh
# The time and memory that it takes to compile a file which uses one message of a schema with 10, 100 and 1,000 messages, and to
# generate all of the last, and how much code FBE and JSON of the account are; fails where any is over its budget.
#   bench/cpp/compile.sh [CXX]    g++ unless told otherwise
set -eu
cd "$(dirname "$0")/../.."
. scripts/lib.sh
build_aldis
cxx=${1:-g++}
work=target/bench-compile
rm -rf "$work"
mkdir -p "$work"
failed=0

# measured NAME SECONDS MEGABYTES COMMAND…: CPU of the command and its peak of memory, which may be no more.
measured() {
    what=$1 most_seconds=$2 most_megabytes=$3
    shift 3
    /usr/bin/time -f '%U %S %M' -o "$work/time" "$@"
    awk -v name="$what" -v seconds="$most_seconds" -v megabytes="$most_megabytes" '{
        over = $1 + $2 > seconds || $3 / 1000 > megabytes
        printf "%-40s %6.2f s of %4.1f  %5d MB of %d%s\n", name, $1 + $2, seconds, $3 / 1000, megabytes, over ? "  OVER" : ""
        exit over
    }' "$work/time" || failed=1
}

# used FORMAT HEADERS…: a program that decodes and encodes one message.
used() {
    format=$1
    shift
    for header in "$@"; do echo "#include \"many/$header.hpp\""; done
    cat <<'PROGRAM'
bool use(std::span<const std::byte> in, many::Message1& value, aldis::buffer& out) {
    return static_cast<bool>(many::decode(in, value)) && static_cast<bool>(many::encode(value, out));
}
PROGRAM
    [ $# = 1 ] || cat <<'PROGRAM'
bool view(std::span<const std::byte> in) { return static_cast<bool>(many::verify<many::Message1>(in)); }
std::string text(const many::Message1& value) { return *many::to_json(value); }
PROGRAM
}

for budget in 10:1.5:150 100:1.6:160 1000:2.5:300; do
    count=${budget%%:*} limits=${budget#*:}
    seconds=${limits%:*} megabytes=${limits#*:}
    for format in fbe sbe capnp; do
        schema=$work/many$count.$(echo $format | sed s/sbe/xml/)
        bench/cpp/many.py "$count" $format >"$schema"
        out=$work/$format$count
        if [ "$count" = 1000 ]; then
            measured "gen, $format, $count messages" 2 300 "$ALDIS" gen "$schema" --lang cpp --name many --out "$out"
        else
            "$ALDIS" gen "$schema" --lang cpp --name many --out "$out"
        fi
        used $format message1 >"$out/one.cpp"
        used $format message1 message1_view message1_json >"$out/more.cpp"
        flags="-std=c++20 -O2 -I runtime/cpp/include -I $out -o $out/one.o -c"
        # shellcheck disable=SC2086
        {
            measured "one message, $format of $count" "$seconds" "$megabytes" "$cxx" $flags "$out/one.cpp"
            double=$(echo "$seconds" | awk '{ print 2 * $1 }')
            measured "with view and JSON, $format of $count" "$double" $((2 * megabytes)) "$cxx" $flags "$out/more.cpp"
        }
    done
done

# All that a program with the account's FBE and JSON has of them, with what it has of the standard library.
out=$work/account
"$ALDIS" gen conformance/vectors/fbe/proto.fbe --lang cpp --out "$out"
cat >"$out/account.cpp" <<'PROGRAM'
#include "proto/account_json.hpp"
#include "proto/forms.hpp"
#include "proto/forms_json.hpp"
bool decode(std::span<const std::byte> in, proto::Account& value) { return proto::decode(in, value).ok(); }
bool encode(const proto::Account& value, aldis::buffer& out) { return proto::encode(value, out).ok(); }
bool write(const proto::Account& value, std::string& out) { return proto::to_json(value, out).ok(); }
bool read(std::string_view text, proto::Account& value) { return proto::from_json(text, value).ok(); }
PROGRAM
"$cxx" -std=c++20 -O2 -DNDEBUG -I runtime/cpp/include -I "$out" -o "$out/account.o" -c "$out/account.cpp"
size "$out/account.o" | awk 'NR == 2 {
    over = $1 > 25000
    printf "%-40s %6d bytes of 25000%s\n", "code of the account, FBE and JSON", $1, over ? "  OVER" : ""
    exit over
}' || failed=1
exit $failed
