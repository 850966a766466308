#!/bin/sh
# All packages of a release, from one version number, in target/release-VERSION: what cannot be made on this machine is said.
# release.sh [PART…] makes some of them again; scripts/release-try.sh installs each in a clean place and uses it.
set -eu
cd "$(dirname "$0")/.."

scripts/version.py check
version=$(scripts/version.py)
out=$PWD/target/release-$version
target=x86_64-unknown-linux-musl
command=target/$target/release/aldis
# Files in archives have the time of the last commit, so that the same commit gives the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

has() {
    command -v "$1" >/dev/null 2>&1
}

skipped() {
    echo "  skipped: $1"
}

# archive NAME FOLDER: a folder of the stage as NAME.tar.gz.
archive() {
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$stage" -c "$2" | gzip -n9 >"$out/$1.tar.gz"
}

# A command that needs no library of the system, its pages and completions, and a file to make a container image of it.
part_command() {
    has musl-gcc || { skipped 'the static command: there is no musl-gcc (apt-get install musl-tools)'; return 0; }
    rustup target add $target >/dev/null 2>&1 || { skipped "the static command: rustup cannot install $target"; return 0; }
    cargo build --quiet --locked --release --target $target --package aldis
    folder=$stage/aldis-$version
    mkdir -p "$folder/completions" "$folder/man"
    cp "$command" LICENSE README.md CHANGELOG.md release/Containerfile "$folder"
    "$command" man --out "$folder/man"
    for shell in bash zsh fish; do "$command" completions $shell >"$folder/completions/aldis.$shell"; done
    archive "aldis-$version-x86_64-linux" "aldis-$version"
}

part_debian() {
    [ -x "$command" ] && has dpkg-deb || { skipped 'the Debian package: it takes the static command, and dpkg-deb'; return 0; }
    root=$stage/debian
    share=$root/usr/share
    mkdir -p "$root/DEBIAN" "$root/usr/bin" "$share/man/man1" "$share/doc/aldis" "$share/bash-completion/completions" \
        "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
    cp "$command" "$root/usr/bin/aldis"
    "$command" man --out "$share/man/man1"
    gzip -n9 "$share/man/man1"/*
    "$command" completions bash >"$share/bash-completion/completions/aldis"
    "$command" completions zsh >"$share/zsh/vendor-completions/_aldis"
    "$command" completions fish >"$share/fish/vendor_completions.d/aldis.fish"
    cp LICENSE "$share/doc/aldis/copyright"
    gzip -n9c CHANGELOG.md >"$share/doc/aldis/changelog.gz"
    # In Debian's order of versions, what is behind ~ comes before the release.
    cat >"$root/DEBIAN/control" <<END
Package: aldis
Version: $(echo "$version" | sed 's/-/~/')
Architecture: amd64
Maintainer: Aldis <aldis@invalid>
Section: devel
Priority: optional
Description: compiler of binary message schemas (FBE, SBE, Cap'n Proto)
 Compiles schemas into codecs for Erlang, Elixir, C++, JavaScript, Java, C# and
 Python, and looks into bytes with them.
END
    dpkg-deb --root-owner-group --build "$root" "$out/aldis_${version}_amd64.deb" >/dev/null
}

# The parts that the command is made of.
part_sbom() {
    tool=target/tools/cyclonedx
    [ -x "$tool/bin/cargo-cyclonedx" ] || {
        echo '  compiles cargo-cyclonedx, once: some minutes'
        cargo install --quiet --locked --root "$tool" --version 0.5.9 cargo-cyclonedx
    }
    PATH="$PWD/$tool/bin:$PATH" cargo cyclonedx --quiet --manifest-path compiler/cli/Cargo.toml --format json --override-filename aldis-sbom
    mv compiler/cli/aldis-sbom.json "$out/aldis-$version.cdx.json"
    find . -path ./target -prune -o -name aldis-sbom.json -exec rm {} +
}

part_npm() {
    has npm || { skipped 'the packages for npm: there is no npm'; return 0; }
    for package in codec transport etf; do
        (cd runtime/javascript/$package && npm pack --silent --pack-destination "$out" >/dev/null)
    done
}

part_pypi() {
    python3 -m venv "$stage/venv" && "$stage/venv/bin/pip" install --quiet build==1.6.1 ||
        { skipped 'the package for PyPI: it takes python3 -m venv, and pip'; return 0; }
    cp -r runtime/python "$stage/python"
    cp LICENSE "$stage/python"
    "$stage/venv/bin/python" -m build --outdir "$out" "$stage/python" >"$stage/said" 2>&1 || { cat "$stage/said"; return 1; }
}

part_maven() {
    has mvn || { skipped 'the package for Maven: there is no mvn'; return 0; }
    cp -r runtime/java "$stage/java"
    (cd "$stage/java" && mvn -q -B package && mvn -q -B -f transport package -DskipTests)
    cp "$stage/java/target/aldis-runtime-$version"*.jar "$stage/java/transport/target/aldis-transport-$version"*.jar "$out"
    cp runtime/java/pom.xml "$out/aldis-runtime-$version.pom"
    cp runtime/java/transport/pom.xml "$out/aldis-transport-$version.pom"
}

# The client of the transport; the command is a program, and its crates are no libraries for others.
part_crates() {
    cargo package --quiet --locked --allow-dirty --no-verify --package aldis-transport
    cp "target/package/aldis-transport-$version.crate" "$out"
}

# One package for Erlang and Elixir, as Hex keeps it: Mix compiles both halves.
part_hex() {
    has mix && has rebar3 || { skipped 'the package for Hex: it takes mix, and rebar3'; return 0; }
    package=$stage/hex
    mkdir -p "$package/erlang/priv"
    cp -r LICENSE runtime/elixir/README.md runtime/elixir/lib runtime/elixir/mix.exs "$package"
    cp -r runtime/erlang/src runtime/erlang/include runtime/erlang/c_src "$package/erlang"
    cp runtime/erlang/priv/status.html "$package/erlang/priv"
    script=$PWD/scripts/hex.exs
    (cd "$package" && mix run --no-compile --no-start --no-deps-check "$script" pack "$out/aldis-$version.tar")
}

# With an SDK, for the frameworks that the projects name; else by the compiler of the tests, for those that it has.
part_nuget() {
    if has dotnet && [ -n "$(dotnet --list-sdks 2>/dev/null)" ]; then
        for project in Aldis.csproj transport/Aldis.Transport.csproj; do
            dotnet pack --configuration Release --output "$out" "runtime/csharp/$project"
        done
        return
    fi
    scripts/dotnet.sh ready || { skipped 'the packages for NuGet: there is no SDK of .NET here, and no compiler of the tests'; return 0; }
    echo '  without an SDK: for .NET 9 and .NET Core 3.1, not for .NET Standard 2.0 and .NET 8'
    nuget_package Aldis.csproj src
    nuget_package transport/Aldis.Transport.csproj transport/src
}

# nuget_package PROJECT SOURCES
nuget_package() {
    name=$(basename "$1" .csproj)
    for runtime in 9 3.1; do
        mkdir -p "$stage/nuget/$runtime"
        library=$stage/nuget/$runtime/$name.dll
        find "runtime/csharp/$2" -name '*.cs' | sort | xargs scripts/dotnet.sh compile $runtime "$library" -target:library -langversion:9 \
            -nullable -warnaserror -nowarn:CS1591 "-doc:${library%.dll}.xml"
    done
    scripts/nupkg.py "runtime/csharp/$1" "$out" "net9.0=$stage/nuget/9/$name.dll" "netcoreapp3.1=$stage/nuget/3.1/$name.dll"
}

# Headers and their CMake package.
part_cpp() {
    has cmake || { skipped 'the package of C++: there is no cmake'; return 0; }
    folder=$stage/aldis-cpp-$version
    cmake -S runtime/cpp -B "$stage/build" -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX="$folder" >/dev/null
    cmake --install "$stage/build" >/dev/null
    cp LICENSE runtime/cpp/README.md "$folder"
    archive "aldis-cpp-$version" "aldis-cpp-$version"
}

# Nothing of an older commit stays in a whole release.
[ $# -gt 0 ] || rm -rf "$out"
mkdir -p "$out"
for part in ${*:-command debian sbom npm pypi maven crates hex nuget cpp}; do
    echo "$part"
    "part_$part"
done
(cd "$out" && rm -f SHA256SUMS && sha256sum -- * >"$stage/sums" && mv "$stage/sums" SHA256SUMS)
ls -l "$out" | awk 'NR > 1 { printf "  %9d  %s\n", $5, $9 }'
