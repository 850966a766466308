#!/usr/bin/env python3
"""One version number for all packages: that of the workspace, in Cargo.toml.

version.py            prints it
version.py check      fails when a package has another one
version.py set X.Y.Z  writes it into all of them
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKSPACE = "Cargo.toml"
# The places of a version: the text before it and behind it.
PLACES = [
    (WORKSPACE, '\nversion = "', '"'),
    ("editors/vscode/package.json", '"version": "', '"'),
    ("examples/java/feed/pom.xml", "<artifactId>feed</artifactId>\n    <version>", "<"),
    ("examples/java/feed/pom.xml", "<artifactId>aldis-runtime</artifactId>\n            <version>", "<"),
    ("examples/java/pom.xml", "<version>", "<"),
    ("runtime/cpp/CMakeLists.txt", "project(aldis VERSION ", " "),
    ("runtime/csharp/Aldis.csproj", "<Version>", "<"),
    ("runtime/csharp/transport/Aldis.Transport.csproj", "<Version>", "<"),
    ("runtime/elixir/mix.exs", ' version: "', '"'),
    ("runtime/erlang/src/aldis.app.src", '{vsn, "', '"'),
    ("runtime/java/pom.xml", "<artifactId>aldis-runtime</artifactId>\n    <version>", "<"),
    ("runtime/java/transport/pom.xml", "<artifactId>aldis-transport</artifactId>\n    <version>", "<"),
    ("runtime/javascript/codec/package.json", '"version": "', '"'),
    ("runtime/javascript/etf/package.json", '"version": "', '"'),
    ("runtime/javascript/transport/package.json", '"version": "', '"'),
    ("runtime/python/pyproject.toml", '\nversion = "', '"'),
    # The numbers that generated code compares its own with.
    ("runtime/csharp/src/Codec/Json.cs", 'string Version = "', '"'),
    ("runtime/elixir/lib/aldis/runtime.ex", '@version "', '"'),
    ("runtime/erlang/src/aldis_runtime.erl", '-define(VERSION, "', '"'),
    ("runtime/java/src/main/java/aldis/codec/Version.java", 'VERSION = "', '"'),
    ("runtime/javascript/codec/src/version.js", 'version = "', '"'),
    ("runtime/python/aldis/version.py", 'VERSION = "', '"'),
]
# C++ has three numbers, and Cargo's locks follow the manifests.
CPP = "runtime/cpp/include/aldis/version.hpp"
LOCKED = [".", "fuzz", "playground/wasm"]


def split(place):
    """The text of a manifest before its version, the version, and the text behind it."""
    name, before, behind = place
    text = (ROOT / name).read_text()
    found = re.search(re.escape(before) + "([^\n]*?)" + re.escape(behind), text)
    if not found:
        sys.exit(f"{name}: there is no version behind {before.strip()!r}")
    return text[: found.start(1)], found[1], text[found.end(1) :]


def main(arguments):
    version = split(PLACES[0])[1]
    if not arguments:
        print(version)
    elif arguments == ["check"]:
        header = ".".join(re.findall(r"#define ALDIS_VERSION_[A-Z]+ (\d+)", (ROOT / CPP).read_text()))
        wrong = [(CPP, header)] if header != version else []
        wrong += [(place[0], split(place)[1]) for place in PLACES if split(place)[1] != version]
        for name, other in wrong:
            print(f"{name} has the version {other}, and the workspace {version}; scripts/version.py set {version} mends it")
        return bool(wrong)
    elif len(arguments) == 2 and arguments[0] == "set" and re.fullmatch(r"\d+\.\d+\.\d+", arguments[1]):
        for place in PLACES:
            before, _, behind = split(place)
            (ROOT / place[0]).write_text(before + arguments[1] + behind)
        header = (ROOT / CPP).read_text()
        for part, number in zip(("MAJOR", "MINOR", "PATCH"), arguments[1].split(".")):
            header = re.sub(rf"(#define ALDIS_VERSION_{part}) \d+", rf"\1 {number}", header)
        (ROOT / CPP).write_text(header)
        for folder in LOCKED:
            update = ["cargo", "update", "--quiet", "--workspace", "--offline"]
            subprocess.run(update, cwd=ROOT / folder, check=True)
    else:
        print(__doc__, file=sys.stderr)
        return 2


sys.exit(main(sys.argv[1:]))
