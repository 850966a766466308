#!/bin/sh
# Every test of every language, two steps at a time: most of them use one core. All of them run, the output of each is printed
# when it ends, and the exit code is 1 when any failed. LANES=1 runs them one after another.
# shellcheck disable=SC2086  # $all is several words
set -u
cd "$(dirname "$0")/.."
. scripts/steps.sh
. scripts/beam.sh

# A test that fails says its line without debug information: the compiler works less, and writes half as much.
CARGO_PROFILE_DEV_DEBUG=none
export CARGO_PROFILE_DEV_DEBUG

# All crates with the same features everywhere, or what they share would be compiled again in other steps. `make test-quick` builds the
# command by itself.
all='--workspace --features aldis-python-native/engine,aldis-playground/languages'

# Scripts that would build the command, or the engine of Python's wheel, take these.
ALDIS=$(realpath -m "${CARGO_TARGET_DIR:-target}")/debug/aldis
ALDIS_ENGINE=$(dirname "$ALDIS")/lib_native.so
export ALDIS ALDIS_ENGINE

# Warnings of what testees are built from are errors here.
ALDIS_STRICT=1
export ALDIS_STRICT

erlang_runtime() {
    erlang_eunit && (cd runtime/erlang && plain rebar3 dialyzer)
}

# The C++ streams and client with AddressSanitizer and UBSan, then with ThreadSanitizer, and its package in another project.
cpp_runtime() {
    build=$(mktemp -d)
    status=0
    for sanitize in address,undefined thread; do
        cmake -S runtime/cpp -B "$build/$sanitize" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSANITIZE=$sanitize \
            -DCMAKE_INSTALL_PREFIX="$build/installed" >/dev/null &&
            cmake --build "$build/$sanitize" -j2 -- --quiet &&
            "$build/$sanitize/tests/stream_test" --gtest_brief=1 &&
            "$build/$sanitize/tests/transport_test" --gtest_brief=1 || status=1
    done
    cmake --install "$build/thread" >/dev/null && cpp_package "$build" || status=1
    rm -rf "$build"
    return $status
}

# A project that finds the package installed in a folder; its codecs are made again when a schema that theirs imports changes.
cpp_package() {
    cp -r runtime/cpp/tests/package "$1/project" &&
        cmake -S "$1/project" -B "$1/package" -DCMAKE_PREFIX_PATH="$1/installed" \
            -DALDIS_COMMAND="$ALDIS" >/dev/null &&
        cmake --build "$1/package" -- --quiet && seen=$("$1/package/app") && [ "$seen" = 5 ] &&
        sed -i 's/depth = 5/depth = 6/' "$1/project/shared schemas/level.fbe" &&
        cmake --build "$1/package" -- --quiet && seen=$("$1/package/app") && [ "$seen" = 6 ]
}

# Generated code, its testees and the client once more, compiled by clang.
cpp_clang() {
    CXX=clang++-14
    export CXX
    build=$(mktemp -d)
    status=0
    cargo test --quiet $all --test cpp_codecs --test cpp_streams || status=1
    for schema in fbe/proto.fbe sbe/be-all.xml; do
        "$ALDIS" conform "conformance/vectors/$schema" --lang cpp --count 20 \
            --vectors "$(dirname "conformance/vectors/$schema")" || status=1
    done
    cmake -S runtime/cpp -B "$build" -DCMAKE_BUILD_TYPE=Debug >/dev/null && cmake --build "$build" -j2 -- --quiet &&
        "$build/tests/stream_test" --gtest_brief=1 && "$build/tests/transport_test" --gtest_brief=1 || status=1
    rm -rf "$build"
    unset CXX
    return $status
}

# conform EXTENSION: the schemas of a format in all languages; those that say less only where no compiler takes long.
conform() {
    conform_all interpreter,erlang,cpp,elixir,javascript interpreter,erlang,javascript "$1"
}

# The streaming example on a thousand messages of each market schema, and the project that rebar3 builds.
examples() {
    status=0
    for format in fbe xml; do
        folder=$(mktemp -d)
        schema=conformance/schemas/market.$format
        "$ALDIS" gen "$schema" --lang erlang --out "$folder" &&
            "$ALDIS" random "$schema" --count 1000 --to bytes --framing u32le >"$folder/feed" &&
            erlc -Wall -Werror -o "$folder" "$folder"/*.erl runtime/erlang/src/*.erl examples/erlang-stream/stream.erl &&
            seen=$(erl -noshell -pa "$folder" -run stream main market "$folder/feed" u32le) &&
            echo "  $schema: messages, nanoseconds decoding, nanoseconds encoding: $seen" &&
            [ "${seen%% *}" -eq 1000 ] || status=1
        rm -rf "$folder"
    done
    cpp_example || status=1
    node_example || status=1
    browser_example || status=1
    pipe_example || status=1
    python_example || status=1
    # The hook in its rebar.config calls `aldis`.
    commands=$(dirname "$ALDIS")
    (PATH="$commands:$PATH" && export PATH && rebar3_example) || status=1
    return $status
}

# Generated C++ through CMake, on a thousand messages.
cpp_example() {
    folder=$(mktemp -d)
    schema=conformance/schemas/market.xml
    cmake -S examples/cpp-codecs -B "$folder" -DALDIS_COMMAND="$ALDIS" >/dev/null &&
        cmake --build "$folder" >/dev/null &&
        "$ALDIS" random "$schema" --count 1000 --to bytes --framing u32le >"$folder/feed" &&
        seen=$("$folder/quotes" <"$folder/feed" 2>/dev/null) &&
        echo "  $schema: messages and quotes through C++: $seen" &&
        [ "${seen%% *}" -eq 1000 ]
    result=$?
    rm -rf "$folder"
    return $result
}

# Generated JavaScript in Node, on a thousand messages and on a damaged one.
node_example() {
    folder=$(mktemp -d)
    schema=conformance/schemas/market.xml
    cp examples/node-codec/feed.js examples/node-codec/package.json "$folder" && mkdir -p "$folder/node_modules/@aldis" &&
        ln -s "$(realpath runtime/javascript/codec)" "$folder/node_modules/@aldis/codec" &&
        "$ALDIS" gen $schema --lang javascript --out "$folder/generated" &&
        "$ALDIS" random $schema --count 1000 --to bytes --framing u32le >"$folder/feed" &&
        seen=$(node "$folder/feed.js" <"$folder/feed" 2>&1 >"$folder/quotes") &&
        echo "  $schema: messages through JavaScript: $seen" &&
        quotes=$("$ALDIS" decode $schema --framing u32le <"$folder/quotes" | grep -c '"market.Quote"') &&
        echo "$seen" | grep -q "market.Trade $quotes;" &&
        counts=$(echo "${seen%%;*}" | tr -dc '0-9,' | tr ',' '+') && [ "$(($counts))" -eq 1000 ] &&
        ! printf '\010\000\000\000\065\000\001\000\107\000\002\000' | node "$folder/feed.js" 2>/dev/null
    result=$?
    rm -rf "$folder"
    return $result
}

# Generated JavaScript in a page of a browser, on a feed and on damaged messages.
browser_example() {
    schema=conformance/schemas/market.xml
    folder=examples/browser-codec
    "$ALDIS" gen $schema --lang javascript --out $folder/generated &&
        "$ALDIS" gen conformance/vectors/fbe/proto.fbe --lang javascript --out $folder/generated &&
        "$ALDIS" random $schema --count 1000 --to bytes --framing u32le >$folder/generated/feed &&
        (cd $folder && npm install --silent --no-audit --no-fund && npm test)
}

# maven ARG…: says only what failed; 3 where it is not here, or cannot have its plugins.
maven() {
    command -v mvn >/dev/null || {
        echo "  skipped: there is no Maven"
        return 3
    }
    said=$(mktemp)
    result=0
    mvn -q -B "$@" >"$said" 2>&1 || result=1
    if [ $result -eq 1 ] && grep -qE 'Could not transfer|Unknown host|Cannot access .* in offline mode' "$said"; then
        echo '  skipped: Maven reaches no repository, and has not all plugins'
        result=3
    elif [ $result -eq 1 ]; then
        cat "$said"
    fi
    rm -f "$said"
    return $result
}

# The client of the transport in Java: golden frames, a model of the session, servers that die, TLS; its packages.
java_transport() {
    maven -f runtime/java/transport verify
    result=$?
    [ $result -ne 3 ] || return 0
    return $result
}

# Generated Java by Maven, and the runtime with its sources and its documentation as Maven packages them.
java_example() {
    schema=conformance/schemas/market.xml
    maven -f examples/java package -Daldis="$ALDIS"
    result=$?
    [ $result -ne 3 ] || return 0
    [ $result -eq 0 ] || return 1
    folder=$(mktemp -d)
    classes=examples/java/feed/target/classes:runtime/java/target/aldis-runtime-$(scripts/version.py).jar
    ls runtime/java/target/aldis-runtime-$(scripts/version.py)-sources.jar runtime/java/target/aldis-runtime-$(scripts/version.py)-javadoc.jar >/dev/null &&
        "$ALDIS" random $schema --count 1000 --to bytes --framing u32le >"$folder/feed" &&
        seen=$(java -cp "$classes" feed.Feed <"$folder/feed" 2>&1 >"$folder/quotes") &&
        echo "  $schema: through Java: $seen" &&
        quotes=$("$ALDIS" decode $schema --framing u32le <"$folder/quotes" | grep -c '"market.Quote"') &&
        echo "$seen" | grep -q "^messages 1000, trades $quotes;" &&
        ! printf '\010\000\000\000\065\000\001\000\107\000\002\000' | java -cp "$classes" feed.Feed 2>/dev/null
    result=$?
    rm -rf "$folder"
    return $result
}

# From Python to Erlang over the transport, and into a plot where pip can bring matplotlib.
python_example() {
    folder=$PWD/target/tools/plot
    [ -d "$folder/lib" ] || { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet matplotlib==3.11.2; } >/dev/null 2>&1 || :
    PLOT_PYTHON=$folder/bin/python scripts/examples-python.sh 2>&1 | sed 's/^/  from Python: /' | tee "$folder.said" &&
        grep -q 'record Trade 600' "$folder.said" && grep -qE '600 trades|skipped' "$folder.said"
}

# Generated C++ and generated Erlang over a pipe.
pipe_example() {
    folder=$(mktemp -d)
    cmake -S examples/pipe -B "$folder" -DALDIS_COMMAND="$ALDIS" >/dev/null &&
        cmake --build "$folder" >/dev/null &&
        "$ALDIS" gen examples/pipe/desk.fbe --lang erlang --out "$folder" &&
        "$ALDIS" gen conformance/schemas/market.xml --lang erlang --out "$folder" &&
        "$ALDIS" gen conformance/schemas/addressbook.capnp --lang erlang --out "$folder" &&
        erlc -Wall -Werror -I "$folder" -o "$folder" "$folder"/*.erl runtime/erlang/src/*.erl examples/pipe/pipe.erl &&
        seen=$(erl -noshell -pa "$folder" -run pipe main "$folder/engine") &&
        echo "$seen" | sed 's/^/  over a pipe: /' &&
        [ "$seen" = '1000 orders: 900 filled, 90 refused, 10 that nobody knew of
1000 quotes: 500 trades
1000 address books: 9500 people in order' ]
    result=$?
    rm -rf "$folder"
    return $result
}

# The JavaScript packages: types, node:test and fast-check, and OTP's own terms.
javascript() {
    (cd runtime/javascript && npm ci --silent --no-audit --no-fund && npm test)
}

# Java, of every schema, with offsets and paths of faults.
java_exact() {
    conform_all java java
}

# Generated C#, with places of faults: a few schemas of each format, as a compilation takes seconds, and one on the oldest runtime.
csharp() {
    status=0
    scripts/dotnet.sh ready || status=$?
    [ "$status" -ne 3 ] || { echo '  skipped: C# cannot be compiled here'; return 0; }
    [ "$status" -eq 0 ] || return 1
    for schema in conformance/vectors/fbe/proto.fbe conformance/vectors/fbe/extra.fbe conformance/vectors/sbe/be-all.xml \
        conformance/vectors/capnp/schema/evolve.capnp conformance/vectors/capnp/schema/shaped.capnp \
        conformance/schemas/market.fbe conformance/schemas/market.xml; do
        "$ALDIS" conform "$schema" --lang csharp --exact --count 10 \
            --vectors "$(dirname "$schema" | sed 's,schemas$,features,; s,/schema$,,')" || status=1
    done
    ALDIS_FRAMEWORK=3.1 "$ALDIS" conform conformance/schemas/addressbook.capnp --lang csharp --exact \
        --count 10 || status=1
    csharp_example || status=1
    # The contestants of the bench agree; where it lacks a tool it says which.
    bench/csharp/run.sh check || [ $? -eq 3 ] || status=1
    return $status
}

# The client of the transport in C#, on the newest and the oldest runtime.
csharp_transport() {
    status=0
    scripts/dotnet.sh ready || status=$?
    [ "$status" -ne 3 ] || { echo '  skipped: C# cannot be compiled here'; return 0; }
    [ "$status" -eq 0 ] || return 1
    folder=$(mktemp -d)
    for runtime in 9 3.1; do
        scripts/dotnet.sh compile $runtime "$folder/tests.dll" -langversion:9 -nullable -warnaserror runtime/csharp/transport/src/*.cs \
            runtime/csharp/transport/tests/*.cs && scripts/dotnet.sh run $runtime "$folder/tests.dll" || status=1
    done
    rm -rf "$folder"
    return $status
}

# Generated C# on a thousand messages and on a damaged one.
csharp_example() {
    folder=$(mktemp -d)
    schema=conformance/schemas/market.xml
    "$ALDIS" gen $schema --lang csharp --out "$folder/generated" &&
        library=$(scripts/dotnet.sh library 9 runtime/csharp) && cp "$library" "$folder/Aldis.dll" &&
        scripts/dotnet.sh compile 9 "$folder/feed.dll" -langversion:9 -nullable -warnaserror -r:"$folder/Aldis.dll" \
            examples/csharp/Feed.cs "$folder"/generated/*.cs &&
        "$ALDIS" random $schema --count 1000 --to bytes --framing u32le >"$folder/feed" &&
        seen=$(scripts/dotnet.sh run 9 "$folder/feed.dll" <"$folder/feed" 2>&1 >"$folder/quotes") &&
        echo "  $schema: through C#: $seen" &&
        quotes=$("$ALDIS" decode $schema --framing u32le <"$folder/quotes" | grep -c '"market.Quote"') &&
        echo "$seen" | grep -q "^messages 1000, trades $quotes;" &&
        ! printf '\010\000\000\000\065\000\001\000\107\000\002\000' | scripts/dotnet.sh run 9 "$folder/feed.dll" 2>/dev/null
    result=$?
    rm -rf "$folder"
    return $result
}

# Generated Python walks routines, which takes long: a few schemas of each format, with offsets and paths of faults.
python() {
    said=$(mktemp)
    status=0
    for schema in conformance/vectors/fbe/proto.fbe conformance/vectors/sbe/dims.xml conformance/vectors/capnp/schema/evolve.capnp \
        conformance/schemas/market.* conformance/schemas/addressbook.capnp conformance/schemas/fbe/desk.fbe; do
        "$ALDIS" conform "$schema" --lang python --exact --count 3 --no-limits >"$said" || {
            echo "  $schema"
            cat "$said"
            status=1
        }
    done
    rm -f "$said"
    return $status
}

# The engine of the wheel, compiled in less time than for it: tables, and generated classes against the careful reader.
python_engine() {
    columns_python
    scripts/wheel.sh quick
}

# The Python client of the transport: golden frames, a server played frame by frame, and the real one, which is killed.
python_transport() {
    (cd runtime/python && PYTHONPATH=. python3 -W error -m unittest discover --start-directory tests)
}

# The Elixir package, and the project that uses its two ways to compile schemas.
elixir() {
    (cd runtime/elixir && mix format --check-formatted) && (cd examples/elixir && mix format --check-formatted) && elixir_tests
}

# The serializer with the real Phoenix client, in Node and in a browser.
browser() {
    (cd runtime/elixir && MIX_ENV=test mix compile && cd test/browser &&
        npm install --silent --no-audit --no-fund && npm test)
}

# The playground, built and then used by clicking in a browser, where WebAssembly can be compiled.
playground() {
    playground/build.sh
    status=$?
    [ "$status" -ne 3 ] || { echo '  skipped: the playground'; return 0; }
    [ "$status" -eq 0 ] && (cd playground && npm test)
}

# The book as a site, searched in a browser, where mdBook is.
book() {
    ls target/tools/mdbook-*/bin/mdbook >/dev/null 2>&1 || { echo '  skipped: the book in a browser; make book compiles mdBook'; return 0; }
    scripts/book.sh && (cd playground && npm ci --silent --no-audit --no-fund && node --test test/book.test.js)
}

# The programs that judge the tables of benches, and what is made of their figures.
bench_scripts() {
    python3 -m doctest bench/figures.py bench/plots.py bench/goals.py bench/check.py bench/captures/report.py bench/captures/run.py &&
        bench/figures.py check && bench/plots.py check &&
        echo "  the limits of bench-check, the tables of bench-captures: as documented; the table in numbers and plots: as the figures say"
}

# Mutated messages of every wire form into generated Erlang and Elixir.
mutated() {
    fuzz/beam/run.sh 1000
}

# Ten short rounds: servers, clients and connections die, and nothing acknowledged is lost or doubled.
torture() {
    torture/run.sh 10 '' 3
}

# The sink in JetStream against real NATS servers, where Go can fetch them.
jetstream() {
    if server=$(scripts/nats-server.sh); then
        (cd runtime/erlang && ALDIS_NATS_SERVER=$server plain rebar3 eunit --module=aldis_jetstream_tests)
    else
        echo '  skipped: JetStream against real servers'
    fi
}

# Libraries that read what the command converts to; the tests say that they are skipped where pip cannot bring them.
columns_python() {
    folder=$PWD/target/tools/columns
    "$folder/bin/python" -c 'import duckdb, pyarrow' 2>/dev/null ||
        { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet pyarrow==26.0.1 duckdb==2.0.0; } >/dev/null 2>&1 || return 0
    ALDIS_COLUMNS_PYTHON=$folder/bin/python
    export ALDIS_COLUMNS_PYTHON
}

# The checkers of generated Python's types; the tests say that they are skipped where pip and npm cannot bring them.
python_types() {
    folder=$PWD/target/tools/mypy
    if [ -x "$folder/bin/mypy" ] || { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet mypy==2.4.1; } >/dev/null 2>&1; then
        MYPY=$folder/bin/mypy
        export MYPY
    fi
    folder=$PWD/target/tools/pyright
    if [ -x "$folder/node_modules/.bin/pyright" ] || npm install --silent --prefix "$folder" pyright@1.1.414 >/dev/null 2>&1; then
        PYRIGHT=$folder/node_modules/.bin/pyright
        export PYRIGHT
    fi
}

# Tests on a big-endian machine need its emulator and a compiler, which not every system can have beside its own.
cargo_tests() {
    columns_python
    python_types
    if command -v s390x-linux-gnu-g++ >/dev/null 2>&1 && command -v qemu-s390x >/dev/null 2>&1; then
        cargo test $all --no-fail-fast
    else
        echo '  skipped: C++ on a big-endian machine (no s390x-linux-gnu-g++, or no qemu-s390x)'
        cargo test $all --no-fail-fast -- --skip on_big_endian_hosts
    fi
}

# Licences and duplicates of what is compiled in.
dependencies() {
    scripts/deny.sh offline
}

# The command, which the other steps need, is built before they begin, and so are the tests: both cores are busy with it.
if ! cargo build $all --all-targets; then
    echo 'failed: the crates cannot be built'
    exit 1
fi

queue first
step 'formatting' cargo fmt --all --check
step 'one version number' scripts/version.py check
step 'lints' cargo clippy $all --all-targets --quiet -- -D warnings
step 'dependencies, where cargo-deny is' dependencies
step 'cargo test' cargo_tests
step 'C++ by clang' cpp_clang
queue shared
step 'conformance: FBE' conform fbe
step 'conformance: SBE' conform xml
step "conformance: Cap'n Proto" conform capnp
step 'Erlang runtime: eunit, dialyzer' erlang_runtime
also 'Transport: torture' torture
also 'Transport: JetStream' jetstream
step 'C++ runtime: sanitizers, package' cpp_runtime
step 'Elixir: format, ExUnit' elixir
also 'Phoenix client, Node and browser' browser
step 'mutated messages on the BEAM' mutated
step 'examples' examples
step 'bench scripts' bench_scripts
step 'JavaScript: types, node:test' javascript
step 'playground' playground
also "book, where mdBook is" book
step 'Java: conformance with places of faults' java_exact
step 'Java: by Maven' java_example
also 'Java: client of the transport' java_transport
step 'C#: conformance with places of faults' csharp
also 'C#: client of the transport' csharp_transport
step 'Python: conformance with places of faults' python
step 'Python: the engine' python_engine
step 'Python: transport' python_transport
run_steps
