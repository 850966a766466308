#!/bin/sh
# The Erlang and Elixir tests, and conformance in both languages, on the releases of OTP and Elixir that a Debian suite has.
#
#   scripts/with-otp.sh SUITE OTP ELIXIR [COMMAND…]     for example: scripts/with-otp.sh trixie 27 1.18
#
# The suite is installed once, by debootstrap, in target/otp/SUITE, from the mirror that this machine's apt takes Debian from.
# There the command runs (scripts/otp-tests.sh unless given) in this folder, mounted at its own path with a layer above it: what
# is written there is gone afterwards. OTP and ELIXIR are the releases that the suite must have. Needs root, and Debian's apt.
set -eu
cd "$(dirname "$0")/.."
if [ "$#" -lt 3 ]; then
    sed -n 's/^#   //p' scripts/with-otp.sh >&2
    exit 2
fi
if [ "$(id -u)" -ne 0 ]; then
    exec sudo env CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}" scripts/with-otp.sh "$@"
fi
suite=$1 otp=$2 elixir=$3
shift 3
[ "$#" -gt 0 ] || set -- scripts/otp-tests.sh
here=$(pwd)
root=$here/target/otp/$suite
aldis=$(realpath "${CARGO_TARGET_DIR:-target}/debug/aldis")
packages='erlang-base erlang-dev erlang-eunit erlang-tools erlang-crypto erlang-ssl erlang-inets erlang-proper rebar3 elixir
    gcc g++ libc6-dev make'
# The peer that a bench compares with. Not every suite has it.
peers='erlang-jiffy'

fail() {
    echo "with-otp: $*" >&2
    exit 1
}

# The mirror that has Debian's main component for this machine.
mirror() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(CREATED_BY) $(LABEL) $(COMPONENT) $(REPO_URI)' |
        sed -n 's/^Packages Debian main //p' | head -n 1
}

# apart SCRIPT ARGUMENT…: in namespaces of its own, so that no mount and no process outlives it. Neither unshare nor the first
# process of a namespace heeds SIGTERM or an interrupt: this script does, and ends both.
apart() {
    unshare --mount --pid --fork --kill-child sh -euc "$@" <&0 &
    apart=$!
    trap 'kill -KILL "$apart" 2>/dev/null; exit 143' TERM
    trap 'kill -KILL "$apart" 2>/dev/null; exit 130' INT
    code=0
    wait "$apart" || code=$?
    trap - TERM INT
    return "$code"
}

# in_root COMMAND…
in_root() {
    apart '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    ' in-root "$root" "$@"
}

install_suite() {
    command -v debootstrap >/dev/null 2>&1 || apt-get install -y -qq --no-remove --no-install-recommends debootstrap
    from=$(mirror)
    [ -n "$from" ] || fail "apt knows no mirror of Debian; this needs one in its sources"
    eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
    [ -z "${http_proxy:-}" ] || export http_proxy
    echo "with-otp: installing $suite in target/otp/$suite; this takes some minutes, and is done once"
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase "$suite" "$root" "$from" >"$root.log" 2>&1 || { tail -n 20 "$root.log"; fail 'debootstrap failed'; }
    echo '127.0.0.1 localhost' >"$root/etc/hosts"
}

# Also where the suite was installed for an older list of packages.
install_packages() {
    eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
    # A mirror may lag behind by more days than Debian's signatures of an unstable suite are good for.
    # shellcheck disable=SC2086
    in_root apt-get -qq -o Acquire::Check-Valid-Until=false ${http_proxy:+-o Acquire::http::Proxy="$http_proxy"} update &&
        in_root apt-get install -y -qq --no-install-recommends ${http_proxy:+-o Acquire::http::Proxy="$http_proxy"} $packages \
            >>"$root.log" 2>&1 || { tail -n 20 "$root.log"; fail "apt-get failed in $suite"; }
    # shellcheck disable=SC2086
    in_root apt-get install -y -qq --no-install-recommends ${http_proxy:+-o Acquire::http::Proxy="$http_proxy"} $peers \
        >>"$root.log" 2>&1 || echo "with-otp: $suite has no $peers; benches there do without it"
    echo "$packages" >"$root/installed"
}

# released WHAT WANTED FOUND: the suite has the release that these tests are for.
released() {
    case $3 in
    "$2" | "$2".*) echo "with-otp: $suite has $1 $3" ;;
    *) fail "$suite has $1 $3 where $2 was expected: it has moved on. When the tests pass there too, say $3 in the Makefile" ;;
    esac
}

[ -f "$root/installed" ] || install_suite
[ "$(cat "$root/installed" 2>/dev/null)" = "$packages" ] || install_packages
released OTP "$otp" "$(in_root erl -noshell -eval 'io:format("~s", [erlang:system_info(otp_release)]), halt().')"
released Elixir "$elixir" "$(in_root elixir -e 'IO.write(System.version())')"
apart '
    root=$1 here=$2 aldis=$3
    shift 3
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/tmp"
    layer=$(mktemp -d)
    mount -t tmpfs tmpfs "$layer"
    mkdir "$layer/upper" "$layer/work"
    mkdir -p "$root$here"
    mount -t overlay overlay -o "lowerdir=$here,upperdir=$layer/upper,workdir=$layer/work" "$root$here"
    mkdir -p "$root$here/target/debug"
    cp "$aldis" "$root$here/target/debug/aldis"
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 \
        sh -c "cd \"\$1\" && shift && exec \"\$@\"" in-checkout "$here" "$@"
' with-otp "$root" "$here" "$aldis" "$@"
