#!/bin/sh
# Every feature of a LiveView page in Chromium, by JSON, by terms and over long polling: joining, a form, an upload, a stream, a
# broadcast, presence, a view in a view, navigation, a reconnect. One command:
#
#   examples/liveview_rainbow/features/run.sh
#
# It gets Phoenix from Hex and runs this example. Where Hex cannot be reached it says so, and tries the same features
# (runtime/elixir/test/browser/features.js) with the same clients against the stand-in for Phoenix that the tests have. Needs
# Elixir, Node and Chromium (/usr/bin/chromium, or $CHROMIUM).
set -eu
cd "$(dirname "$0")/.."
browser=../../runtime/elixir/test/browser
log=$(mktemp)
trap 'rm -f "$log"' EXIT
[ -d $browser/node_modules ] || (cd $browser && npm install --no-audit --no-fund --silent)

# Installs the things that a fresh machine lacks; nothing waits for an answer, nor for a network that gives none.
get_phoenix() {
    timeout 120 mix local.hex --force --if-missing && timeout 120 mix local.rebar --force --if-missing &&
        timeout 600 mix setup && timeout 600 mix compile
}

if get_phoenix </dev/null >"$log" 2>&1; then
    echo "features: Phoenix is here; the example runs them"
    exec node --test features/features.test.js
fi
tail -n 5 "$log" | sed 's/^/  /'
echo "features: Phoenix could not be had from Hex (above is what mix said), so PHOENIX ITSELF IS NOT TRIED here."
echo "features: the same features now run against the stand-in for it, in $browser."
(cd ../../runtime/elixir && MIX_ENV=test mix compile) && cd $browser && exec node --test live.test.js
