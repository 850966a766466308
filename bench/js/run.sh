#!/bin/sh
# Generated JavaScript against codecs by hand (bench/peers/js), JSON of the same value and other libraries, in Node and (where
# there is one) in Chromium, each in a process of its own, by turns. Prints tables; writes docs/js.txt and docs/js.svg.
set -eu
cd "$(dirname "$0")/../.."
turns=${TURNS:-5}
aldis="${CARGO_TARGET_DIR:-target}/debug/aldis"
cargo build --quiet --package aldis
[ -d bench/js/node_modules ] || (cd bench/js && npm ci --no-audit --no-fund --silent)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$aldis" gen conformance/vectors/fbe/proto.fbe --lang javascript --out "$folder"
"$aldis" gen conformance/schemas/market.xml --lang javascript --out "$folder"
"$aldis" gen conformance/schemas/addressbook.capnp --lang javascript --out "$folder"
"$aldis" random conformance/schemas/market.xml Trade --seed 3 --to bytes >"$folder/trade.bin"
cp conformance/vectors/fbe/proto_account_readme.std.bin "$folder/account.bin"
cp conformance/vectors/fbe/proto_account_readme.final.bin "$folder/final.bin"
node bench/js/people.js 50 | "$aldis" encode conformance/schemas/addressbook.capnp --message AddressBook >"$folder/book.bin"
echo '{ "type": "module" }' >"$folder/package.json"
mkdir -p "$folder/node_modules/@aldis" "$folder/es"
ln -s "$PWD/bench/js/node_modules/capnp-es" "$folder/node_modules/capnp-es"
cp conformance/schemas/addressbook.capnp "$folder/es"
(cd "$folder/es" && "$OLDPWD/bench/js/node_modules/.bin/capnp-es" addressbook.capnp -ojs >/dev/null)
ln -s "$PWD/runtime/javascript/codec" "$folder/node_modules/@aldis/codec"

engines=node
if command -v "${CHROMIUM:-chromium}" >/dev/null 2>&1; then
    engines='node chromium'
    cat >"$folder/entry.js" <<END
import * as market from "./market.js";
import * as proto from "./proto.js";
import * as addressbook from "./addressbook.js";
import * as marketView from "./market_view.js";
import * as protoView from "./proto_view.js";
import * as addressbookView from "./addressbook_view.js";
import { measure } from "$PWD/bench/js/contest.js";
const codecs = {
    market: { ...market, ...marketView },
    proto: { ...proto, ...protoView },
    addressbook: { ...addressbook, ...addressbookView },
    capnpEs: () => import("./es/addressbook.js"),
};
globalThis.measure = (...contest) => measure(codecs, ...contest);
END
    bench/js/node_modules/.bin/esbuild "$folder/entry.js" --bundle --format=iife --outfile="$folder/page.js" --log-level=error
fi

for turn in $(seq "$turns"); do
    for engine in $engines; do
        for way in decode encode verify; do
            for message in account final trade book; do
                contestants='generated floor'
                case "$way $message" in
                verify*) contestants="$contestants view" ;;
                *account) contestants="$contestants json model protobufjs protobuf-es" ;;
                *book) contestants="$contestants json capnp-es" ;;
                *) contestants="$contestants json" ;;
                esac
                for contestant in $contestants; do
                    node bench/js/one.js "$folder" "$engine" $contestant $message $way
                done
            done
        done
    done
done >"$folder/times"
node bench/js/report.js "$folder" "$turns" docs
