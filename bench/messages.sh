#!/bin/sh
# The messages that benches of Java and C# read, in a folder: messages.sh ALDIS FOLDER.
set -eu
cd "$(dirname "$0")/.."
cp conformance/vectors/fbe/proto_account_readme.std.bin "$2/account.bin"
cp conformance/vectors/fbe/proto_account_readme.final.bin "$2/final.bin"
"$1" encode bench/beam/schemas/car.xml --message Car <bench/java/car.json >"$2/car.bin"
node bench/js/people.js 50 | "$1" encode conformance/schemas/addressbook.capnp --message AddressBook >"$2/book.bin"
