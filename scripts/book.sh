#!/bin/sh
# The pages of docs as a site in target/book, by mdBook from crates.io.
set -eu
cd "$(dirname "$0")/.."

version=0.4.52
tool=target/tools/mdbook-$version
if [ ! -x "$tool/bin/mdbook" ]; then
    echo "compiles mdBook $version, once: some minutes"
    cargo install --quiet --locked --root "$tool" --version "$version" mdbook
fi
"$tool/bin/mdbook" build --dest-dir "$PWD/target/book" docs/book
echo "target/book/index.html"
