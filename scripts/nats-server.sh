#!/bin/sh
# Says where the program nats-server is, after it has built it from the Go module proxy where that is needed. Without Go, or where
# the proxy cannot be reached, it says why on standard error and fails.
set -eu
cd "$(dirname "$0")/.."
version=v2.15.2
folder=$(pwd)/target/nats-$version
if [ ! -x "$folder/nats-server" ]; then
    if ! command -v go >/dev/null 2>&1; then
        echo '  no Go, which builds nats-server' >&2
        exit 1
    fi
    mkdir -p "$folder"
    said=$(GOBIN="$folder" go install "github.com/nats-io/nats-server/v2@$version" 2>&1) || {
        echo "  nats-server cannot be built: $(echo "$said" | tail -1)" >&2
        exit 1
    }
fi
echo "$folder/nats-server"
