#!/bin/sh
# Generated JavaScript against codecs by hand (bench/peers/js) and JSON of the same value, in Node, each in a process of
# its own, by turns. Prints a table, and writes it to docs/js.txt.
set -eu
cd "$(dirname "$0")/../.."
aldis="${CARGO_TARGET_DIR:-target}/debug/aldis"
cargo build --quiet --package aldis
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$aldis" gen conformance/vectors/fbe/proto.fbe --lang javascript --out "$folder"
"$aldis" gen conformance/schemas/market.xml --lang javascript --out "$folder"
"$aldis" random conformance/schemas/market.xml Trade --seed 3 --to bytes >"$folder/trade.bin"
cp conformance/vectors/fbe/proto_account_readme.std.bin "$folder/account.bin"
cp conformance/vectors/fbe/proto_account_readme.final.bin "$folder/final.bin"
echo '{ "type": "module" }' >"$folder/package.json"
mkdir -p "$folder/node_modules/@aldis"
ln -s "$PWD/runtime/javascript/codec" "$folder/node_modules/@aldis/codec"

row() {
    printf '%-24s %5s  %9s %8s  %8s %8s  %10s %8s  %11s %9s\n' "$@"
}

table() {
    row "$2" bytes generated median 'by hand' median "$3" median 'ours/hand' 'JSON/ours'
    for message in account final trade; do
        case $message in
        account) name='FBE account' ;;
        final) name='FBE Final account' ;;
        trade) name='SBE trade' ;;
        esac
        rm -f "$folder"/*.times
        for turn in 1 2 3 4 5 6 7; do
            for contestant in generated floor json; do
                node bench/js/one.js "$folder" $contestant $message "$1" >>"$folder/$contestant.times"
            done
        done
        for contestant in generated floor json; do
            sort -n "$folder/$contestant.times" | head -1
        done | awk -v name="$name" '
            { best[NR] = $1; median[NR] = $2; size = $3 }
            END { printf "%-24s %5d  %9.0f %8.0f  %8.0f %8.0f  %10.0f %8.0f  %11.2f %9.2f\n", name, size, best[1], median[1],
                best[2], median[2], best[3], median[3], best[1] / best[2], best[3] / best[1] }'
    done
}

# A table that ends early does not replace the one that is there.
{
    echo "Node $(node --version): nanoseconds a message, best of 7 processes of each contestant by turns, and the median of its 25 rounds"
    echo
    table decode Decoding JSON.parse
    echo
    table encode Encoding stringify
} >"$folder/table"
printf 'Load of the machine at the end: %s\n' "$(cut -d' ' -f1 /proc/loadavg)" >>"$folder/table"
cp "$folder/table" docs/js.txt
cat docs/js.txt
