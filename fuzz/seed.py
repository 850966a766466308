#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets from the golden vectors: small files, checked in."""

import gzip
import pathlib
import struct

ROOT = pathlib.Path(__file__).resolve().parent
VECTORS = ROOT.parent / "conformance" / "vectors"
LIMIT = 1500


def write(target, name, data):
    folder = ROOT / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def packet(protocol, transport, payload):
    """A packet of IPv4 over Ethernet."""
    ip = struct.pack(">BBHIBBH4s4s", 0x45, 0, 20 + len(transport + payload), 0x4000, 9, protocol, 0, b"\x0a\0\0\1", b"\xe0\0\x1f\1")
    return bytes(12) + b"\x08\0" + ip + transport + payload


def captures():
    """Captures of a datagram and of segments in another order."""
    udp = packet(17, struct.pack(">HHHH", 4000, 5000, 12, 0), b"data")
    flags = [(100, 0x02, b""), (105, 0x10, b"fgh"), (101, 0x10, b"abcdef"), (108, 0x11, b"ij")]
    tcp = [packet(6, struct.pack(">HHIIBBHHH", 1, 2, at, 0, 0x50, flag, 9, 0, 0), text) for at, flag, text in flags]
    pcap = struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    section = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
    pcapng = section + struct.pack("<IIHHII", 1, 20, 1, 0, 0, 20)
    for data in [udp, *tcp]:
        pcap += struct.pack("<IIII", 1, 2, len(data), len(data)) + data
        padding = bytes(-len(data) % 4)
        length = 32 + len(data + padding)
        pcapng += struct.pack("<IIIIIII", 6, length, 0, 0, 9, len(data), len(data)) + data + padding + struct.pack("<I", length)
    return {"pcap": pcap, "pcapng": pcapng, "pcap.gz": gzip.compress(pcap, mtime=0)}


def framed(messages):
    """Messages, each with a length of 16 bits in front."""
    return b"".join(struct.pack("<H", len(message)) + message for message in messages)


def columns():
    """Each message twice, and once cut, for each kind of columns and of files by turns. FBE's four forms come first, then SBE's schemas."""
    found = []
    for vector in sorted(VECTORS.glob("fbe/*.bin")):
        found.append((vector, 2 * ("proto" not in vector.name) + ("final" in vector.name)))
    for number, schema in enumerate(["be-all", "le-all", "dims", "evo-v3", "evo-v1"]):
        found += [(vector, 4 + number) for vector in sorted(VECTORS.glob(f"sbe/{schema}.*.bin"))]
    small = [(vector, form) for vector, form in found if vector.stat().st_size < LIMIT // 2]
    for index, (vector, form) in enumerate(small):
        if index % 4 == 0:
            data = vector.read_bytes()
            write("columns", vector.name, bytes([form, 255, index // 4 | (0 if index % 8 else 128)]) + framed([data, data[: len(data) // 2], data]))


def main():
    columns()
    for name, data in captures().items():
        write("capture", name, data)
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
