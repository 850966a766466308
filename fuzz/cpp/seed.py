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


def hex_bytes(path):
    """The bytes of a golden frame, without what is said to people."""
    return bytes.fromhex("".join(line.split("#")[0] for line in path.read_text().splitlines()))


def write_frames(out):
    """Streams of aldis/1: WELCOME and one frame behind it each, and all frames one behind the other."""
    folder = VECTORS / "transport"
    frames = {path.stem: hex_bytes(path) for path in sorted([*folder.glob("*.hex"), *folder.glob("malformed/*.hex")])}
    for name, frame in frames.items():
        write(out / "cpp_transport", name, bytes([0, 6]) + frames["welcome"] + frame)
        write(out / "cpp_stream", f"transport-{name}", bytes([2, 20, 6]) + frame)
    write(out / "cpp_transport", "all", bytes([4, 255]) + b"".join(frames.values()))


def write_streams(out):
    """Two messages in each framing of stream.cpp: with a length in front, or saying themselves how long they are."""
    message = b"a message"
    heads = ["0900", "0009", "09000000", "00000009", "0000000f50eb", "0000000fe05b"]
    for framing, head in enumerate(bytes.fromhex(head) for head in heads):
        write(out / "cpp_stream", f"framing-{framing}", bytes([framing, 10, 3]) + 2 * (head + message))
    for framing, pattern in {6: "fbe/*.bin", 7: "capnp/*/*.bin", 8: "capnp/*/*.packed"}.items():
        for vector in sorted(VECTORS.glob(pattern)):
            if vector.stat().st_size < LIMIT:
                write(out / "cpp_stream", vector.name, bytes([framing, 20, 30]) + 2 * vector.read_bytes())


def write_terms(out):
    """Rows of data, whose keys come again, in lists and maps; numbers; nested maps. As term_to_binary/1 writes them."""
    text = b"m\0\0\0\2ab"
    row = b"t\0\0\0\3" + text + b"F\x3f\xf8\0\0\0\0\0\0" + b"w\1a" + b"b\0\1\0\0" + b"a\0" + b"h\2w\5bytesm\0\0\0\1\xff"
    rows = b"l\0\0\0\x0c" + 12 * row + b"j"
    for name, term in {
        "row": row,
        "rows": rows,
        "map": b"t\0\0\0\1" + text + rows,
        "numbers": b"l\0\0\0\x40" + 64 * b"n\5\1\1\2\3\4\5" + b"j",
        "bytes": b"k\0\4abcd",
        "nested": 100 * b"t\0\0\0\1a\0" + b"w\3nil",
    }.items():
        write(out / "c_terms", name, b"\x83" + term)


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
    write_frames(out)
    write_streams(out)
    write_terms(out)


main()
