#!/bin/sh
# Names that C and C++ headers have taken, and generated C++ must not use.
#
#   scripts/cpp-names.sh macros COMPILER     macros of the headers, one a line; those that take arguments end with `()`
#   scripts/cpp-names.sh globals COMPILER    names in the global namespace that no namespace can have
#   scripts/cpp-names.sh update COMPILER...  adds what these compilers say to the lists in compiler/languages/cpp/data
#
# The headers are those that generated code and the runtime include, all of the C library, and those of POSIX that programs have
# beside them. OpenSSL is left out: its 12,000 macros have prefixes of their own. So are names that begin with an underscore,
# which are never made.
set -eu
cd "$(dirname "$0")/.."
data=compiler/languages/cpp/data

headers() {
    {
        grep -rhoE '^#include <[a-z_0-9/.]+>' runtime/cpp/include compiler/languages/cpp/golden |
            grep -vE '<(aldis|openssl)/|immintrin'
        for name in cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal cstdarg cstddef cstdio \
            cstdlib cstring ctime cwchar cwctype arpa/inet.h dirent.h netinet/in.h sched.h strings.h sys/ioctl.h sys/mman.h \
            sys/param.h sys/resource.h sys/select.h sys/stat.h sys/time.h sys/types.h sys/wait.h syslog.h termios.h; do
            echo "#include <$name>"
        done
    } | sort -u
}

macros() {
    for dialect in c++20 gnu++20; do
        headers | "$1" -std=$dialect -dM -E -x c++ -
    done | sed -nE 's/^#define ([A-Za-z][A-Za-z0-9_]*)(\()?.*/\1\2/p' | sed 's/($/()/' | LC_ALL=C sort -u
}

# Every identifier of the headers is tried as a namespace; the compiler says which are something else. Keywords are not tried, as it
# would not find the next line behind them.
globals() {
    tries=$(mktemp -d)
    case $1 in *clang*) all=-ferror-limit=0 ;; *) all=-fmax-errors=0 ;; esac
    headers >"$tries/headers"
    sed -n '/const KEYWORDS/,/^];/s/^ *"\(.*\)",/\1/p' compiler/languages/cpp/src/reserved.rs >"$tries/keywords"
    "$1" -std=gnu++20 -E -P -x c++ "$tries/headers" | grep -oE '\b[A-Za-z][A-Za-z0-9_]*\b' | grep -vxFf "$tries/keywords" |
        LC_ALL=C sort -u >"$tries/names"
    {
        cat "$tries/headers"
        echo '#line 1 "tries"'
        sed 's/.*/namespace & {}/' "$tries/names"
    } | "$1" -std=gnu++20 -fsyntax-only -w $all -x c++ - 2>&1 | sed -nE 's/^tries:([0-9]+):[0-9]+: error: .*/\1p/p' |
        sort -u >"$tries/refused"
    sed -n -f "$tries/refused" "$tries/names"
    rm -r "$tries"
}

update() {
    list=$1
    shift
    mkdir -p $data
    {
        cat "$data/$list.txt" 2>/dev/null || true
        for compiler in "$@"; do "$list" "$compiler"; done
    } | LC_ALL=C sort -u >"$data/$list.new"
    mv "$data/$list.new" "$data/$list.txt"
}

case $1 in
    macros | globals) "$1" "$2" ;;
    update)
        shift
        update macros "$@"
        update globals "$@"
        ;;
esac
