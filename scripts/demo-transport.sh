# shellcheck shell=sh
# The transport's part of the demo; demo.sh reads this file, whose variables and functions it uses.

# finish_server: ends its standard input, which tells it to drain and to say what it saw.
finish_server() {
    exec 3>&-
    wait "$server" || { echo "demo: the server failed; see $work/feed/server.out" >&2; exit 1; }
}

# erlang_runtime: compiles runtime/erlang as an application, with its native functions where C's compiler and headers are there,
# and sets runtime to the folder of its modules.
erlang_runtime() {
    application=$work/feed/aldis
    runtime=$application/ebin
    mkdir -p "$runtime" "$application/priv"
    # Behaviours first: the modules that implement them are checked against them.
    behaviours='runtime/erlang/src/transport/aldis_sink.erl runtime/erlang/src/transport/aldis_connection.erl'
    # shellcheck disable=SC2086
    erlc -pa "$runtime" -I runtime/erlang/include -o "$runtime" $behaviours
    erlc -pa "$runtime" -I runtime/erlang/include -o "$runtime" runtime/erlang/src/*.erl runtime/erlang/src/transport/*.erl
    cp runtime/erlang/src/aldis.app.src "$runtime/aldis.app"
    cp runtime/erlang/priv/status.html "$application/priv"
    runtime/erlang/c_src/build.sh "$PWD/$application/priv"
}

# transport NAME MODULE FEED: the feed from a C++ producer to a BEAM handler that decodes it with the generated module of
# $work/NAME, acknowledged when it is in the durable log. The feed's messages are behind their lengths as u32le.
transport() {
    name=$1 module=$2 feed=$3
    say "The transport: a C++ producer sends $feed to a BEAM handler that decodes it with $module, acked durable"
    mkdir -p "$work/feed/ebin"
    erlang_runtime
    erlc -Wall -Werror -pa "$runtime" -o "$work/feed/ebin" examples/transport/*.erl
    g++ -std=c++20 -O3 -DNDEBUG -pthread -I runtime/cpp/include -o "$work/feed/producer" examples/transport/producer.cpp
    mkfifo "$work/feed/stdin"
    : >"$work/feed/server.out"
    erl -noshell -pa "$work/$name/ebin" -pa "$runtime" -pa "$work/feed/ebin" -run feed_server main "$module" "$work/feed/log" \
        <"$work/feed/stdin" >"$work/feed/server.out" &
    server=$!
    exec 3>"$work/feed/stdin"
    until grep -q '^status' "$work/feed/server.out"; do
        kill -0 "$server" 2>/dev/null || { echo "demo: the server did not start; see $work/feed/server.out" >&2; exit 1; }
        sleep 0.1
    done
    echo "  while this runs, a browser on this machine shows it at $(sed -n 's/^status //p' "$work/feed/server.out")"
    "$work/feed/producer" "$(sed -n 's/^listening //p' "$work/feed/server.out")" "$feed" durable >"$work/feed/produced"
    read -r messages bytes took p50 p99 <"$work/feed/produced"
    rate_row "$name: C++ to BEAM, decoded, durable" "$messages" "$bytes" "$took" "$p50" "$p99" >>"$work/rows"
    if [ -t 0 ] && [ -t 1 ]; then
        printf '  press Enter to end the server and its page '
        read -r _
    fi
    finish_server
    sed -n 's/^record /  decoded in the handler: /p' "$work/feed/server.out"
    decoded=$(awk '$1 == "record" { sum += $3 } END { print sum + 0 }' "$work/feed/server.out")
    if [ "$decoded" -ne "$messages" ]; then
        echo "demo: $messages messages were sent and $decoded decoded" >&2
        exit 1
    fi
    rm -rf "$work/feed/log"
}
