#!/bin/sh
# Trades from generated Python over aldis/1 into generated Erlang, and as a plot:
#   scripts/examples-python.sh [PNG]    PNG is where the plot stays; it is drawn where matplotlib is
#   PLOT_PYTHON                         a Python with matplotlib
set -eu
cd "$(dirname "$0")/.."
aldis=${CARGO_TARGET_DIR:-target}/debug/aldis
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
"$aldis" gen conformance/schemas/market.xml --lang erlang --out "$folder/erl"
"$aldis" gen conformance/schemas/market.xml --lang python --out "$folder"
erlc -o "$folder/erl" runtime/erlang/src/transport/aldis_handler.erl runtime/erlang/src/transport/aldis_sink.erl
erlc -Wall -Werror -pa "$folder/erl" -I runtime/erlang/include -o "$folder/erl" "$folder"/erl/*.erl runtime/erlang/src/*.erl \
    runtime/erlang/src/transport/*.erl examples/transport/*.erl
cp runtime/erlang/src/aldis.app.src "$folder/erl/aldis.app"
cp examples/python/*.py "$folder"

mkfifo "$folder/open"
erl -noshell -pa "$folder/erl" -run feed_server main market "$folder/log" <"$folder/open" >"$folder/said" &
server=$!
# The server goes on while its standard input is open.
exec 9>"$folder/open"
until port=$(sed -n 's/^listening //p' "$folder/said") && [ -n "$port" ]; do
    kill -0 "$server" || { cat "$folder/said"; exit 1; }
    sleep 0.1
done
PYTHONPATH=runtime/python python3 -W error "$folder/send.py" "$port" 600 "$folder/feed"
exec 9>&-
wait "$server"
server=
grep '^record ' "$folder/said"
[ "$(grep '^record ' "$folder/said" | awk '{ sum += $3 } END { print sum }')" -eq 600 ]

python=${PLOT_PYTHON:-python3}
if "$python" -c 'import matplotlib' 2>/dev/null; then
    PYTHONPATH=runtime/python "$python" "$folder/plot.py" "$folder/feed" "${1:-$folder/trades.png}"
else
    echo 'skipped: the plot of a feed (no matplotlib)'
fi
