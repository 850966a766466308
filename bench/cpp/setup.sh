#!/bin/sh
# Installs what only the bench of C++ needs; says nothing when everything is there.
set -eu

# A file, and the Debian package that brings it.
needed='/usr/bin/g++-12:g++-12
/usr/bin/clang++-14:clang-14
/usr/include/benchmark/benchmark.h:libbenchmark-dev
/usr/bin/protoc:protobuf-compiler
/usr/include/google/protobuf/message.h:libprotobuf-dev
/usr/bin/flatc:flatbuffers-compiler
/usr/include/flatbuffers/flatbuffers.h:libflatbuffers-dev
/usr/bin/capnp:capnproto
/usr/include/capnp/message.h:libcapnp-dev
/usr/include/rapidjson/document.h:rapidjson-dev
/usr/bin/java:default-jdk-headless
/usr/bin/mvn:maven'

missing=''
for pair in $needed; do
    [ -e "${pair%%:*}" ] || missing="$missing ${pair#*:}"
done
[ -n "$missing" ] || exit 0
root=''
[ "$(id -u)" -eq 0 ] || root='sudo'
echo "bench-cpp: installing$missing"
# shellcheck disable=SC2086
$root apt-get update -qq &&
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
    echo "bench-cpp: apt-get could not install$missing (see above); install them by hand and run this again" >&2
    exit 1
}
