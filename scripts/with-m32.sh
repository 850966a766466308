#!/bin/sh
# Generated C++ on a machine of 32 bits: conformance by g++ with -m32, where warnings are errors.
#
#   scripts/with-m32.sh [SCHEMA…]     a schema of each format unless given
#
# Debian's multilib packages and the compiler for s390x, which tests need too, cannot be installed side by side, so they are
# unpacked in target/m32, from the mirror that apt knows; nothing is installed. Programs are linked statically, and run
# without sanitizers. Needs a kernel that runs programs of 32 bits.
set -eu
cd "$(dirname "$0")/.."
[ "$#" -gt 0 ] || set -- conformance/schemas/market.fbe conformance/schemas/market.xml conformance/schemas/addressbook.capnp
work=$(pwd)/target/m32
version=$(g++ -dumpversion)
root=$work/root
if [ ! -f "$root/done" ]; then
    rm -rf "$work"
    mkdir -p "$work/packages" "$root"
    (cd "$work/packages" && apt-get download -qq libc6-dev-i386 "lib32gcc-$version-dev" "lib32stdc++-$version-dev")
    for package in "$work"/packages/*.deb; do
        dpkg -x "$package" "$root"
    done
    touch "$root/done"
fi
cat >"$work/g++" <<COMPILER
#!/bin/sh
lib="$root/usr/lib/gcc/x86_64-linux-gnu/$version" libc="$root/usr/lib32" include="$root/usr/include/x86_64-linux-gnu"
exec g++ -m32 -static -B "\$lib" -B "\$libc" -L "\$lib/32" -L "\$libc" -isystem "\$include/c++/$version/32" \\
    -isystem "\$include" -idirafter /usr/include/x86_64-linux-gnu "\$@"
COMPILER
chmod +x "$work/g++"
for schema in "$@"; do
    CXX=$work/g++ CXXFLAGS=-O1 ALDIS_STRICT=1 "${CARGO_TARGET_DIR:-target}/debug/aldis" conform "$schema" --lang cpp --exact --count 20
done
