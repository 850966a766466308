#!/bin/sh
# Builds aldis_etf_nif.so in the folder given, where there is a C compiler and Erlang's headers. Without it everything
# works, slower, so nothing here fails a build. ALDIS_NATIVE=0 in the environment leaves it out.
set -u
cd "$(dirname "$0")"
priv=${1:-../priv}
library=$priv/aldis_etf_nif.so

if [ "${ALDIS_NATIVE:-1}" = 0 ]; then
    rm -f "$library"
    exit 0
fi
if [ -z "$(find . -newer "$library" 2>/dev/null)" ] && [ -f "$library" ]; then
    exit 0
fi
compiler=${CC:-cc}
command -v "${compiler%% *}" >/dev/null 2>&1 || exit 0
include=$(erl -noshell -eval 'io:format("~ts/erts-~s/include", [code:root_dir(), erlang:system_info(version)]), halt().') || exit 0
[ -f "$include/erl_nif.h" ] || include=${include%/erts-*}/usr/include
[ -f "$include/erl_nif.h" ] || exit 0
case $(uname) in
Darwin) link='-bundle -undefined dynamic_lookup' ;;
*) link=-shared ;;
esac
mkdir -p "$priv"
# The library may be in use: a new file takes its place.
# shellcheck disable=SC2086
$compiler -std=c11 -O3 -fPIC -Wall -Wextra ${CFLAGS:-} $link -I "$include" -o "$library.new" aldis_etf_nif.c &&
    mv "$library.new" "$library" ||
    echo "aldis: the native check of terms could not be built; doing without" >&2
exit 0
