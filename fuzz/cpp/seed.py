#!/usr/bin/env python3
"""Writes the seeds of the C++ targets from the golden vectors into a folder a target: seed.py OUT."""

import pathlib
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent.parent / "conformance" / "vectors"
LIMIT = 1500
# In the order of build.sh.
SCHEMAS = {"fbe": ["proto", "extra"], "sbe": ["be-all", "le-all", "dims", "evo-v3"]}
# Cap'n Proto's vectors do not say in their names which message they are: each is tried as several.
CAPNP = {"bin": 0, "packed": 1}


def schema_of(format_name, path):
    starts = [path.name.startswith(name) for name in SCHEMAS[format_name]]
    return starts.index(True) if True in starts else None


def write(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def main():
    out = pathlib.Path(sys.argv[1])
    for name in SCHEMAS:
        for vector in sorted(VECTORS.glob(f"{name}/*.bin")):
            schema = schema_of(name, vector)
            if schema is not None and vector.stat().st_size < LIMIT:
                form = 1 if ".final" in vector.name else 0
                write(out / f"cpp_{name}_bytes", vector.name, bytes([schema, form, 255]) + vector.read_bytes())
        for index, vector in enumerate(sorted(VECTORS.glob(f"{name}/*.json"))):
            schema = schema_of(name, vector)
            if schema is not None and vector.stat().st_size < LIMIT:
                write(out / f"cpp_{name}_json", vector.name, bytes([schema, 0, index % 32]) + vector.read_bytes())
    for suffix, form in CAPNP.items():
        for index, vector in enumerate(sorted(VECTORS.glob(f"capnp/*/*.{suffix}"))):
            if vector.stat().st_size < LIMIT:
                for schema in range(4):
                    message = (index * 4 + schema) % 32
                    write(out / "cpp_capnp_bytes", f"{schema}-{vector.name}", bytes([schema, form, message]) + vector.read_bytes())
    for index, vector in enumerate(sorted(VECTORS.glob("capnp/*/*.json"))):
        if vector.stat().st_size < LIMIT:
            write(out / "cpp_capnp_json", vector.name, bytes([index % 4, 0, index % 32]) + vector.read_bytes())


main()
