#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets from the golden vectors: small files, checked in."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent
VECTORS = ROOT.parent / "conformance" / "vectors"
LIMIT = 1500


def write(target, name, data):
    folder = ROOT / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def main():
    for schema in sorted(VECTORS.glob("fbe/*.fbe")):
        write("fbe_schema", schema.name, schema.read_bytes())
    for schema in sorted(VECTORS.glob("sbe/*.xml")):
        write("sbe_schema", schema.name, schema.read_bytes())
    for schema in sorted([*VECTORS.glob("capnp/schema/*.capnp"), *VECTORS.glob("../schemas/capnp/*.capnp")]):
        write("capnp_schema", schema.name, schema.read_bytes())
    for index, vector in enumerate(sorted(VECTORS.glob("fbe/*.bin"))):
        if vector.stat().st_size < LIMIT and index % 3 == 0:
            form = (0 if "proto" in vector.name else 2) + (".final" in vector.name or "_final" in vector.name)
            write("fbe_decode", vector.name, bytes([form, 255]) + vector.read_bytes())
            if index % 9 == 0:
                write("explain", vector.name, bytes([0, form, 0, 50]) + vector.read_bytes())
    for index, vector in enumerate(sorted(VECTORS.glob("sbe/*.bin"))):
        if vector.stat().st_size < LIMIT and index % 3 == 0:
            schemas = ["be-all", "le-all", "dims", "evo-v3", "evo-v1", "evo-v2"]
            form = schemas.index(vector.name.split(".")[0]) % 5
            write("sbe_decode", vector.name, bytes([form, 255]) + vector.read_bytes())
            if index % 9 == 0:
                write("explain", vector.name, bytes([1, form, index, 50]) + vector.read_bytes())
    for index, vector in enumerate(sorted(VECTORS.glob("capnp/m*/*.bin"))):
        if vector.stat().st_size < LIMIT and index % 3 == 0:
            write("capnp_decode", vector.name, bytes([0, index]) + vector.read_bytes())
            write("capnp_framing", vector.name, bytes([0, index, 7]) + vector.read_bytes())
    for index, vector in enumerate(sorted(VECTORS.glob("capnp/*/*.packed"))):
        if vector.stat().st_size < LIMIT and index % 3 == 0:
            write("capnp_packed", vector.name, bytes([0, index]) + vector.read_bytes())
    for index, vector in enumerate(sorted(VECTORS.glob("fbe/*.json"))):
        if vector.stat().st_size < LIMIT and index % 3 == 0:
            write("json_read", vector.name, bytes([0 if "proto" in vector.name else 2, index]) + vector.read_bytes())
    for vector in sorted(VECTORS.glob("transport/*.hex")):
        lines = [line.split("#")[0] for line in vector.read_text().splitlines()]
        write("transport_frame", vector.stem, bytes([7]) + bytes.fromhex("".join(lines)))
    write("capnp_request", "small.cgr", (VECTORS / "capnp/cgr/small.092.cgr").read_bytes())


if __name__ == "__main__":
    main()
