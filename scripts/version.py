#!/usr/bin/env python3
"""One version number for all packages: that of the workspace, in Cargo.toml.

version.py            prints it
version.py check      fails when a package has another one
version.py set X.Y.Z  writes it into all of them
"""

import pathlib
import re
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
    ("runtime/elixir/mix.exs", ' version: "', '"'),
    ("runtime/erlang/src/aldis.app.src", '{vsn, "', '"'),
    ("runtime/java/pom.xml", "<artifactId>aldis-runtime</artifactId>\n    <version>", "<"),
    ("runtime/javascript/codec/package.json", '"version": "', '"'),
    ("runtime/javascript/etf/package.json", '"version": "', '"'),
    ("runtime/javascript/transport/package.json", '"version": "', '"'),
    ("runtime/python/pyproject.toml", '\nversion = "', '"'),
]


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
        wrong = [(place[0], split(place)[1]) for place in PLACES if split(place)[1] != version]
        for name, other in wrong:
            print(f"{name} has the version {other}, and the workspace {version}; scripts/version.py set {version} mends it")
        return bool(wrong)
    elif len(arguments) == 2 and arguments[0] == "set" and re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?", arguments[1]):
        for place in PLACES:
            before, _, behind = split(place)
            (ROOT / place[0]).write_text(before + arguments[1] + behind)
    else:
        print(__doc__, file=sys.stderr)
        return 2


sys.exit(main(sys.argv[1:]))
