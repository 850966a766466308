#!/bin/sh
# Generated Python against codecs by hand and a model over a buffer (bench/peers/python), protobuf (upb) and pycapnp, which pip brings
# into a folder of its own where it can (ENV keeps it for the next time; ALDIS is a command that is built). With ALDIS_LIBRARY=FOLDER, where a
# wheel is installed, its engine is a contestant too. Prints tables; writes docs/python.txt.
set -eu
cd "$(dirname "$0")/../.."
turns=${TURNS:-40}
aldis=${ALDIS:-}
if [ -z "$aldis" ]; then
    aldis="${CARGO_TARGET_DIR:-target}/debug/aldis"
    cargo build --quiet --package aldis
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
env=${ENV:-$folder/env}
[ -x "$env/bin/python" ] || python3 -m venv "$env"
"$env/bin/pip" install --quiet --disable-pip-version-check -r bench/python/requirements.txt ||
    echo "libraries cannot be had: they are left out" >&2
for schema in conformance/vectors/fbe/proto.fbe conformance/schemas/market.xml conformance/schemas/addressbook.capnp bench/python/ticks.capnp; do
    "$aldis" gen "$schema" --lang python --out "$folder"
done
"$aldis" random conformance/schemas/market.xml Trade --seed 3 --to bytes >"$folder/trade.bin"
"$aldis" encode conformance/schemas/addressbook.capnp --message AddressBook bench/python/book.json >"$folder/book.bin"
"$aldis" random bench/python/ticks.capnp Tick --seed 3 --to bytes >"$folder/tick.bin"
cp conformance/vectors/fbe/proto_account_readme.std.bin "$folder/account.bin"
cp conformance/vectors/fbe/proto_account_readme.final.bin "$folder/final.bin"
{
    cat <<END
Nanoseconds a message: the best of $turns rounds of each contestant, by turns in one process, and the median. "Ours is" has the time of
generated code as a part of that by hand, and how many times as long the others take. The readers of protobuf and pycapnp read every
field; the model over a buffer is of our own writing, in the style of FBE's generated code. "Engine" is how many times as long others take as
the wheel's engine does, where it is there. $("$env/bin/python" --version).

END
    for message in account final trade tick book book50; do
        "$env/bin/python" bench/python/contest.py "$folder" $message "$turns"
    done
    echo
    export PYTHONPATH="$folder:runtime/python" PYTHONPYCACHEPREFIX="$folder/cache" PYTHONDONTWRITEBYTECODE=
    echo "Import of the market's package: $("$env/bin/python" bench/python/importing.py market) ms of processor time, the least of 15 processes beside an empty one."
    echo "Load of the machine at the end: $(cut -d' ' -f1 /proc/loadavg)"
} | tee "$folder/python.txt"
cp "$folder/python.txt" docs/python.txt
