"""Measures contestants by turns over one stream of framed messages; see run.sh.

All times are of the processor, user and system, so that others on the machine do not count; each contestant may use one core.
"""
import argparse
import json
import os
import platform
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import report

# Columns in memory, and the JVM, are measured over so many bytes of the stream, as both keep all of it.
PART = 64_000_000
# The payload of a datagram is at most so large, where more than one message is in it.
DATAGRAM = 1400
OPENS = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"


def frames(stream):
    """The messages of a stream, each with its length in front.

    >>> list(frames(bytes.fromhex("01000000aa02000000bbcc")))
    [b'\\x01\\x00\\x00\\x00\\xaa', b'\\x02\\x00\\x00\\x00\\xbb\\xcc']
    """
    at = 0
    while at < len(stream):
        (length,) = struct.unpack_from("<I", stream, at)
        yield stream[at : at + 4 + length]
        at += 4 + length


def payloads(stream):
    """The same bytes as payloads of datagrams, whole messages in each."""
    payload = b""
    for frame in frames(stream):
        if payload and len(payload) + len(frame) > DATAGRAM:
            yield payload
            payload = b""
        payload += frame
    yield payload


def packet(payload):
    """A packet of a capture: its record's head, Ethernet, IPv4, UDP."""
    udp = struct.pack(">HHHH", 4000, 5000, 8 + len(payload), 0)
    address = bytes([10, 0, 0, 1, 224, 0, 31, 1])
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + 8 + len(payload), 0, 0, 64, 17, 0) + address
    bytes_ = bytes(12) + b"\x08\x00" + ip + udp + payload
    return struct.pack("<IIII", 1_700_000_000, 0, len(bytes_), len(bytes_)) + bytes_


def repeated(path, head, once, size):
    """Writes what is repeated behind a head, until there are so many bytes; gives how often."""
    times = max(1, round(size / len(once)))
    with open(path, "wb") as out:
        out.write(head)
        for _ in range(times):
            out.write(once)
    return times


class Inputs:
    """The files that are read: the stream raw, the same in captured packets, and a part of it."""

    def __init__(self, options):
        once = Path(options.stream).read_bytes()
        self.raw, self.capture, self.part = (options.work / name for name in ("raw", "pcap", "part"))
        times = repeated(self.raw, b"", once, options.size)
        messages = sum(1 for _ in frames(once))
        self.messages = times * messages
        head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
        repeated(self.capture, head, b"".join(map(packet, payloads(once))), options.size)
        repeated(self.part, b"", once, min(PART, options.size))


def anonymous(pid):
    """The anonymous memory of a process, in bytes."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon")), 0)
    except (FileNotFoundError, ProcessLookupError):
        return 0


def one_core():
    """Keeps this process to the last core that it may use."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def run(command):
    """Runs a command to its end; gives its nanoseconds of the processor and the most anonymous memory that was seen."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=one_core)
    most = 0
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        most = max(most, anonymous(process.pid))
        time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}")
    return round((usage.ru_utime + usage.ru_stime) * 1e9), most


class Race:
    """Rounds of all contestants, and what they took."""

    def __init__(self, options, inputs):
        self.options, self.inputs = options, inputs
        self.rates, self.memory = {}, {}

    def add(self, name, messages, nanoseconds):
        self.rates.setdefault(name, []).append(messages * 1e9 / nanoseconds)

    def aldis(self, name, *arguments):
        options = self.options
        out = options.work / "tables"
        # Times as they are stored: those of random messages may be beyond what a timestamp can be.
        folder = ["--times", "integers", "--out", str(out)] if arguments[0] == "convert" else []
        took, memory = run([options.aldis, *arguments, "--schema", options.schema, "--framing", "u32le", *folder])
        shutil.rmtree(out, ignore_errors=True)
        self.add(name, self.inputs.messages, took)
        self.memory[name] = max(memory, self.memory.get(name, 0))

    def said(self, command):
        return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, preexec_fn=one_core).stdout.splitlines()

    def round(self):
        options, inputs = self.options, self.inputs
        raw, capture, part = str(inputs.raw), str(inputs.capture), str(inputs.part)
        self.aldis("stats", "stats", raw)
        self.aldis("verify", "stats", raw, "--verify")
        self.aldis("stats, pcap", "stats", capture, "--input", "pcap")
        self.aldis("parquet", "convert", raw)
        self.aldis("parquet, pcap", "convert", capture, "--input", "pcap")
        for line in self.said([options.rates, options.schema, part, "1"])[1:]:
            name, messages, nanoseconds = line.split("\t")
            self.add(name, int(messages), int(nanoseconds))
        for way in ("walk", "values"):
            java = ["java", OPENS, "-XX:+UseSerialGC", "-cp", options.classes, "SbeOtf", options.schema, part, "4", way]
            messages, nanoseconds = map(int, self.said(java)[0].split())
            self.add(f"otf, {way}", messages, nanoseconds)


def cpu():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        models = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    return models[0] if models else platform.machine()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("schema")
    parser.add_argument("stream")
    for name in ("--aldis", "--rates", "--classes"):
        parser.add_argument(name, required=True)
    for name in ("--work", "--out"):
        parser.add_argument(name, type=Path, required=True)
    for name in ("--rounds", "--size"):
        parser.add_argument(name, type=int, required=True)
    options = parser.parse_args()
    inputs = Inputs(options)
    race = Race(options, inputs)
    for _ in range(options.rounds):
        race.round()
    result = {
        "machine": cpu(),
        "load": os.getloadavg()[0],
        "schema": Path(options.schema).name,
        "bytes": inputs.raw.stat().st_size,
        "messages": inputs.messages,
        "rounds": options.rounds,
        "rates": race.rates,
        "memory": race.memory,
    }
    written = {"json": json.dumps(result, indent=1), "txt": report.text(result), "svg": report.svg(result)}
    for ending, text in written.items():
        (options.out / f"captures.{ending}").write_text(text + "\n", encoding="utf-8")
    print(written["txt"])


if __name__ == "__main__":
    main()
