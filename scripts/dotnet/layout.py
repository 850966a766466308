"""Puts the runtime of a program that brings its own beside another: layout.py PROGRAM_FOLDER DOTNET_ROOT."""

import json
import shutil
import sys
from pathlib import Path

program, root = map(Path, sys.argv[1:])
PACK = "runtimepack."
# The program brings this part of the framework as a package of its own, which the runtime's list therefore leaves out; TLS needs it.
OWN_PACKAGE = "System.Formats.Asn1"

described = json.loads(next(program.glob("*.deps.json")).read_text())
target = described["targets"][described["runtimeTarget"]["name"]]
pack = next(name for name in target if name.startswith(PACK + "Microsoft.NETCore.App"))
version = pack.split("/")[1]
for name in target:
    if name.startswith(OWN_PACKAGE + "/"):
        files = target[name]["runtime"].items()
        target[pack]["runtime"].update((Path(file).name, about) for file, about in files)

framework = root / "shared/Microsoft.NETCore.App" / version
resolver = root / "host/fxr" / version
for folder in (framework, resolver):
    folder.mkdir(parents=True)
for file in [*target[pack]["runtime"], *target[pack]["native"], "libhostpolicy.so"]:
    shutil.copy(program / file, framework)
shutil.copy(program / "libhostfxr.so", resolver)

# `dotnet` lists a framework only with a description of its files.
name = pack[len(PACK) :]
runtime = ".NETCoreApp,Version=v" + ".".join(version.split(".")[:2])
own = {
    "runtimeTarget": {"name": runtime + "/linux-x64"},
    "targets": {runtime: {}, runtime + "/linux-x64": {name: target[pack]}},
    "libraries": {name: {"type": "package", "serviceable": True, "sha512": ""}},
}
(framework / "Microsoft.NETCore.App.deps.json").write_text(json.dumps(own))
