#!/bin/sh
# ETF in JavaScript against JSON, MessagePack and other ETF packages, in Node and (where there is one) in Chromium.
# Prints tables; writes docs/etf-js.json and docs/etf-js.svg. Installs what package.json pins when it is missing.
set -eu
cd "$(dirname "$0")"

install() {
    [ -d "$1/node_modules" ] || (cd "$1" && npm ci --no-audit --no-fund --silent)
}

install ../../runtime/javascript
install .
node bench.js
