"""The table of `make bench-tcp`: our server's tiers against a plain C++ server, by turns in one run.

    run.py EBIN [--rounds N] [--seconds S] [--json FILE] [--svg FILE] [--text FILE] [--jetstream SERVER CLIENT]

Everything runs on loopback with one connection; ratios are of medians."""
import argparse
import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import time

import jetstream
import report
from processes import processor_seconds
from servers import HERE, Ours, Plain, Streamed
from tiers import APART, LOADS, STREAMED

LOADER = f"{HERE}/build/loader"
IDLE = 10_000
# Connections to tell an idle one's memory from.
SAMPLE = 2000


@contextlib.contextmanager
def apart(server):
    """A processor for the load generator that the server's threads keep away from: what a child is to do before it begins."""
    everywhere = os.sched_getaffinity(0)
    mine = {max(everywhere)}
    server.keep_to(everywhere - mine or everywhere)
    try:
        yield lambda: os.sched_setaffinity(0, mine)
    finally:
        server.keep_to(everywhere)


def load(servers, name, seconds):
    """One run of a load: what the load generator says of it, and the server's processor time a message."""
    server, listener, words = (LOADS | STREAMED)[name]
    pids = servers[server].pids()
    before = processor_seconds(pids)
    words = words + ["--port", str(servers[server].ports[listener]), "--seconds", str(seconds), "--warmup", "0.5"]
    with apart(servers[server]) if name in APART else contextlib.nullcontext() as first:
        done = subprocess.run([LOADER, *words], capture_output=True, text=True, check=False, preexec_fn=first)
    if done.returncode != 0:
        raise SystemExit(f"bench-tcp: {name}: {done.stderr.strip()}")
    said = json.loads(done.stdout)
    said["server_ns"] = (processor_seconds(pids) - before) * 1e9 / max(1, said["sent"])
    return said


class Idle:
    """Connections that only are there, held by a process of their own."""

    def __init__(self, port, count):
        words = [LOADER, "idle", "--port", str(port), "--connections", str(count)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if not self.process.stdout.readline():
            raise SystemExit(f"bench-tcp: {count} idle connections could not be opened")

    def __enter__(self):
        time.sleep(1.5)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def crowd(servers, seconds, rounds):
    """The busy connection's rate alone and beside idle ones, by turns."""
    alone, beside = [], []
    for _ in range(rounds):
        alone.append(load(servers, "batch handled", seconds)["messages_per_second"])
        with Idle(servers["native"].ports["sync_ack"], IDLE):
            beside.append(load(servers, "batch handled", seconds)["messages_per_second"])
        time.sleep(1)
    return {"idle": IDLE, "alone": alone, "beside": beside}


def memory(servers):
    """Bytes that a connection takes: when nothing has come yet, and in the middle of the largest load."""
    server = servers["native"]
    before = server.resident()
    with Idle(server.ports["sync_ack"], SAMPLE):
        idle = server.memory("sync_ack")
        # The time of the driver, which the VM does not count, is in here.
        idle["resident"] = max(0, server.resident() - before) // SAMPLE
    return {"idle": idle, "busy": most_memory(server, "batch handled")}


def most_memory(server, name):
    """The most that the connection of a load takes while it runs."""
    _, listener, words = LOADS[name]
    words = words + ["--port", str(server.ports[listener]), "--seconds", "2", "--warmup", "0"]
    with subprocess.Popen([LOADER, *words], stdout=subprocess.DEVNULL) as process:
        samples = []
        while process.poll() is None:
            time.sleep(0.02)
            samples.append(server.memory(listener))
    seen = [sample for sample in samples if sample["connections"] == 1]
    return max(seen, key=lambda sample: sample["process"] + sample["port"] + sample["binaries"])


def cpu():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        models = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    return f"{len(os.sched_getaffinity(0))} x {models[0] if models else platform.machine()}"


def progress(what):
    """Tell a person who waits what is going on."""
    if sys.stderr.isatty():
        print(f"\r  {what:70}\r", end="", file=sys.stderr, flush=True)


def measure(options, servers):
    # First, while the VM has no memory to spare that new connections would go into.
    progress("memory")
    result = {"memory": memory(servers)}
    loads = [name for name in (LOADS | STREAMED) if name in LOADS or "one" in servers]
    runs = {name: [] for name in loads}
    for number in range(options.rounds):
        for name in loads:
            progress(f"round {number + 1} of {options.rounds}: {name}")
            runs[name].append(load(servers, name, options.seconds))
    progress("idle connections")
    result["crowd"] = crowd(servers, options.seconds, options.rounds)
    progress("")
    medians = {}
    for name, rounds in runs.items():
        medians[name] = {
            "rate": statistics.median(run["messages_per_second"] for run in rounds),
            "rates": [run["messages_per_second"] for run in rounds],
            "p50": statistics.median(run["latency_ns"]["p50"] for run in rounds),
            "p99": statistics.median(run["latency_ns"]["p99"] for run in rounds),
            "server_ns": statistics.median(run["server_ns"] for run in rounds),
            "best": max(run["messages_per_second"] for run in rounds),
        }
    result["loads"] = medians
    result["rounds"] = options.rounds
    result["machine"] = cpu()
    # The load of the machine; the bench itself makes two of it.
    result["load"] = os.getloadavg()[0]
    result["versions"] = servers["native"].versions
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ebin")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--jetstream", nargs=2, metavar=("SERVER", "CLIENT"), help="programs of NATS JetStream to compare with")
    parser.add_argument("--nats", metavar="SERVER", help="the program nats-server, for our sink in JetStream")
    parser.add_argument("--beside", metavar="FILE", help="lines of other measurements, as text and JSON show them behind")
    for name in ("--json", "--svg", "--text"):
        parser.add_argument(name, metavar="FILE")
    options = parser.parse_args()
    servers = {}
    try:
        servers |= {"cpp": Plain(), "native": Ours(options.ebin, True), "pure": Ours(options.ebin, False)}
        if options.nats:
            servers["one"] = Streamed(options.ebin, options.nats, 1, True)
            servers["three"] = Streamed(options.ebin, options.nats, 3, False)
        result = measure(options, servers)
    finally:
        for server in servers.values():
            server.close()
    if options.jetstream:
        result["jetstream"] = jetstream.rates(*options.jetstream)
    if options.beside:
        with open(options.beside, encoding="utf-8") as file:
            result["beside"] = file.read().splitlines()
    print(report.text(result))
    for path, made in ((options.json, json.dumps(result, indent=1)), (options.svg, report.svg(result)), (options.text, report.text(result))):
        if path:
            with open(path, "w", encoding="utf-8") as file:
                file.write(made + "\n")


if __name__ == "__main__":
    main()
