#!/bin/sh
# Builds the native functions in the folder given, where there is a C compiler and Erlang's headers. Without them everything
# works, slower, so nothing here fails a build. ALDIS_NATIVE=0 in the environment leaves them out.
set -u
cd "$(dirname "$0")"
priv=${1:-../priv}

# built NAME: whether the library is there and newer than all that it may be made from.
built() {
    [ -f "$priv/$1.so" ] && [ -z "$(find . -newer "$priv/$1.so" 2>/dev/null)" ]
}

# build NAME: the library may be in use, so a new file takes its place; two builds may do so at a time.
build() {
    # shellcheck disable=SC2086
    $compiler -std=c11 -O3 -fPIC -Wall -Wextra ${CFLAGS:-} $link -I "$include" -o "$priv/$1.so.$$" "$1.c" &&
        mv "$priv/$1.so.$$" "$priv/$1.so" ||
        echo "aldis: $1 could not be built; doing without" >&2
}

libraries='aldis_etf_nif aldis_scan_nif aldis_lock_nif aldis_front_nif aldis_file_nif'
if [ "${ALDIS_NATIVE:-1}" = 0 ]; then
    for library in $libraries; do rm -f "$priv/$library.so"; done
    exit 0
fi
missing=''
for library in $libraries; do built "$library" || missing="$missing $library"; done
[ -n "$missing" ] || exit 0
compiler=${CC:-cc}
command -v "${compiler%% *}" >/dev/null 2>&1 || exit 0
include=$(erl -noshell -eval 'io:format("~ts/erts-~s/include", [code:root_dir(), erlang:system_info(version)]), halt().') || exit 0
[ -f "$include/erl_nif.h" ] || include=${include%/erts-*}/usr/include
[ -f "$include/erl_nif.h" ] || exit 0
case $(uname) in
Darwin) link='-bundle -undefined dynamic_lookup' ;;
# Asking the VM goes without a table of jumps.
*) link='-shared -fno-plt' ;;
esac
mkdir -p "$priv"
for library in $missing; do build "$library"; done
exit 0
