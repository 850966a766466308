#!/bin/sh
# Installs what is missing to build and test Aldis; says nothing when everything is there.
set -eu

# The command, and the Debian package that brings it.
needed='erl:erlang-base
erlc:erlang-base
dialyzer:erlang-dialyzer
rebar3:rebar3
mix:elixir
chromium:chromium
python3:python3
capnp:capnproto
cc:build-essential
cmake:cmake
clang++-14:clang-14
s390x-linux-gnu-g++:g++-s390x-linux-gnu
qemu-s390x:qemu-user'

# Erlang libraries that are packages of their own: the library's name, and its package.
libraries='eunit:erlang-eunit
tools:erlang-tools
proper:erlang-proper
crypto:erlang-crypto
ssl:erlang-ssl
inets:erlang-inets'

missing=''
add() {
    case " $missing " in
    *" $1 "*) ;;
    *) missing="$missing $1" ;;
    esac
}

for pair in $needed; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || add "${pair#*:}"
done
lib=$(command -v erl >/dev/null 2>&1 && readlink -f "$(command -v erl)" || true)
lib=${lib%/bin/erl}/lib
for pair in $libraries; do
    ls -d "$lib/${pair%%:*}-"* >/dev/null 2>&1 || add "${pair#*:}"
done
# The reference's own schemas, beside which its command finds what they import.
[ -e /usr/include/capnp/schema.capnp ] || add libcapnp-dev

# Headers of native functions, which the tests of the check in C need.
[ -f "$lib/../usr/include/erl_nif.h" ] || ls "$lib"/../erts-*/include/erl_nif.h >/dev/null 2>&1 || add erlang-dev

# What the C++ client's tests need, and sanitizers of clang.
[ -e /usr/include/gtest/gtest.h ] || add libgtest-dev
[ -e /usr/include/openssl/ssl.h ] || add libssl-dev
ls /usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.asan-*.a >/dev/null 2>&1 || add libclang-rt-14-dev

if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "setup: these are missing and there is no apt-get to install them:$missing" >&2
        echo "setup: install Erlang/OTP 25 or newer with eunit, dialyzer, tools and PropEr, rebar3, Cap'n Proto and a C compiler" >&2
        exit 1
    fi
    root=''
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "setup: as root, run: apt-get install --no-install-recommends$missing" >&2
            exit 1
        fi
        root='sudo'
    fi
    echo "setup: installing$missing"
    # shellcheck disable=SC2086
    $root apt-get update -qq &&
        $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
        echo "setup: apt-get could not install$missing (see above); install them by hand and run this again" >&2
        exit 1
    }
    # shellcheck disable=SC2086
    dpkg-query -W -f '  ${Package} ${Version}\n' $missing
fi

if ! command -v npm >/dev/null 2>&1; then
    echo "setup: Node.js with npm is missing; install Node.js 20 or newer" >&2
    exit 1
fi
if ! command -v cargo >/dev/null 2>&1; then
    echo "setup: Rust is missing; install it with rustup (https://rustup.rs), which reads rust-toolchain.toml" >&2
    exit 1
fi
