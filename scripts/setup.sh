#!/bin/sh
# Installs what is missing; says nothing when everything is there. Packages are only added: an installation that would remove
# another package is not done.
#   scripts/setup.sh demo     what `make demo` needs: Rust, Erlang and a C++ compiler
#   scripts/setup.sh tests    what the tests and benches need besides (the default)
set -eu

wanted=${1:-tests}

# Each line: what shows that it is there (a command; `erlang LIBRARY`; a file, as a pattern), the Debian package that brings
# it, and what it is for.
demo='erl|erlang-base|runs the generated Erlang
erlang crypto|erlang-crypto|random values for the transport
erlang ssl|erlang-ssl|TLS for the transport
erlang inets|erlang-inets|status page of the transport
g++|g++|compiles the producer of the demo'

tests='cc|build-essential|native functions of the Erlang runtime
erlang eunit|erlang-eunit|tests of the Erlang runtime
erlang tools|erlang-tools|tests of the Erlang runtime
erlang proper|erlang-proper|property tests on the BEAM
dialyzer|erlang-dialyzer|types of the Erlang runtime
/usr/lib/erlang/usr/include/erl_nif.h|erlang-dev|native functions of the Erlang runtime
rebar3|rebar3|builds the Erlang runtime
git|git|older versions of schemas, and the tests of that
mix|elixir|generated Elixir
chromium|chromium|tests in a browser
python3|python3|generated Python, and tables of benches
capnp|capnproto|the reference of Cap'\''n Proto, to compare with
/usr/include/capnp/schema.capnp|libcapnp-dev|the schemas of the reference
cmake|cmake|builds C++
javac|openjdk-17-jdk-headless|compiles generated Java
clang++-14|clang-14|generated C++ by a second compiler
/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.asan-*.a|libclang-rt-14-dev|sanitizers of clang
/usr/include/gtest/gtest.h|libgtest-dev|tests of the C++ runtime
/usr/include/openssl/ssl.h|libssl-dev|TLS in the C++ client'

# The tests do without these where they cannot be had, and say so.
optional='s390x-linux-gnu-g++|g++-s390x-linux-gnu|C++ for a big-endian machine
qemu-s390x|qemu-user|runs it
nvim|neovim|the language server in a real editor
tshark|tshark|generated dissectors
parallel|parallel|parts of a capture, converted side by side
mcs|mono-mcs|compiles the first stage of the C# compiler
protoc|protobuf-compiler|peers of the benches of Java and C#
/usr/lib/mono/4.5/System.Core.dll|libmono-system-core4.0-cil|what that is compiled against'

# erlang_library NAME: whether the VM that is in the path has it.
erlang_library() {
    vm=$(command -v erl) || return 1
    vm=$(readlink -f "$vm")
    ls -d "${vm%/bin/erl}/lib/$1-"* >/dev/null 2>&1
}

# present WHAT: as the first column above says. A VM outside of Debian's places brings its headers itself.
present() {
    case $1 in
    'erlang '*) erlang_library "${1#erlang }" ;;
    */erl_nif.h) [ -e "$1" ] || ls "$(dirname "$(dirname "$(readlink -f "$(command -v erl || echo /none/none)")")")"/erts-*/include/erl_nif.h >/dev/null 2>&1 ;;
    # shellcheck disable=SC2086
    /*) ls $1 >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# lacking_signs TABLE: its lines whose first column is not there.
lacking_signs() {
    echo "$1" | while IFS='|' read -r sign package purpose; do
        present "$sign" || echo "$sign|$package|$purpose"
    done
}

# missing_of TABLE: the packages of these lines, and what they are for.
missing_of() {
    lacking_signs "$1" | cut -d'|' -f2-
}

# apt ARGUMENT…: apt-get with the rights that it needs; what it says is shown when it fails.
apt() {
    root=''
    [ "$(id -u)" -eq 0 ] || root='sudo'
    said=$(mktemp)
    # shellcheck disable=SC2086
    if ! $root env DEBIAN_FRONTEND=noninteractive apt-get "$@" >"$said" 2>&1; then
        cat "$said" >&2
        rm -f "$said"
        return 1
    fi
    rm -f "$said"
}

# install TABLE: all packages of the table at once.
install() {
    packages=$(echo "$1" | cut -d'|' -f1 | sort -u)
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "setup: there is no apt-get here; install these in your system's own way, then run this again:" >&2
        echo "$1" | sort -u | awk -F'|' '{ printf "  %-24s %s\n", $1, $2 }' >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        # shellcheck disable=SC2086
        echo "setup: as root, run: apt-get install --no-install-recommends --no-remove" $packages >&2
        return 1
    fi
    echo 'setup: these are missing and are installed now, by apt-get:'
    echo "$1" | sort -u | awk -F'|' '{ printf "  %-24s %s\n", $1, $2 }'
    # shellcheck disable=SC2086
    apt update -qq && apt install -y -qq --no-install-recommends --no-remove $packages || {
        echo "setup: apt-get could not install them (its own words are above)" >&2
        return 1
    }
    # shellcheck disable=SC2086
    dpkg-query -W -f '  ${Package} ${Version}\n' $packages
}

# provide TABLE: installs what is missing of it, then looks again. A package may be there without what was looked for: in
# another place, of another version, or hidden by something that comes first in the path.
provide() {
    missing=$(missing_of "$1")
    [ -n "$missing" ] || return 0
    install "$missing" || return 1
    still=$(lacking_signs "$1")
    [ -z "$still" ] || {
        echo 'setup: these are still not found, though apt-get installed their packages; see which come first in PATH:' >&2
        echo "$still" | awk -F'|' '{ printf "  %-24s of %-18s %s\n", $1, $2, $3 }' >&2
        return 1
    }
}

needed=$demo
[ "$wanted" = demo ] || needed="$demo
$tests"
provide "$needed" || exit 1

if [ "$wanted" != demo ]; then
    provide "$optional" ||
        echo 'setup: the tests go on without them: C++ is not tried on a big-endian machine, aldis lsp in Neovim, or C#'
    if ! command -v npm >/dev/null 2>&1; then
        echo 'setup: Node.js with npm is missing; install Node.js 20 or newer' >&2
        exit 1
    fi
fi
if ! command -v cargo >/dev/null 2>&1; then
    echo 'setup: Rust is missing; install it with rustup (https://rustup.rs), which reads rust-toolchain.toml' >&2
    exit 1
fi
