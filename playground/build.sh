#!/bin/sh
# Builds the playground into target/playground: `index.html`, one file that opens from the disk, and `site`, the same for a server.
#   playground/build.sh
# Exit code 3: it cannot be built here, and why is said on the error output.
set -eu
cd "$(dirname "$0")/.."
out=$(pwd)/target/playground
triple=wasm32-unknown-unknown

if ! rustup target list --installed 2>/dev/null | grep -qx "$triple" && ! rustup target add "$triple" >/dev/null 2>&1; then
    echo "playground: the target $triple cannot be installed (is rustup here, and its server reachable?); nothing was built" >&2
    exit 3
fi

# compiled NAME FEATURES: the module, as NAME.wasm.
compiled() {
    name=$1
    echo "playground: compiling $name.wasm; the first time takes minutes" >&2
    # Without the linker's room for longer addresses, which is a tenth of the code.
    cargo rustc --quiet --manifest-path playground/wasm/Cargo.toml --release --target "$triple" --target-dir "$out/build" --features "$2" \
        -- -C link-arg=--compress-relocations
    cp "$out/build/$triple/release/aldis_playground_wasm.wasm" "$out/$name.wasm"
}

mkdir -p "$out/site"
compiled aldis fbe,sbe,messages
compiled aldis-capnp capnp,messages
compiled aldis-languages fbe,sbe,capnp,breaking,languages
(cd playground && npm ci --silent --no-audit --no-fund)
node playground/pack.js "$out"
