"""Costs that are no load: what sending costs a client, a million producers, and how long a producer waits when its server is killed.

    beside.py EBIN RUST_SEND_COST [NATS_SERVER]

One line for each on standard output, the best of its runs, with what is asked of it."""
import os
import re
import subprocess
import sys
import time

from nats import Cluster, free_port
from servers import HERE

LONGEST = 120
QUIET = ["+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"]


def erl(ebin, *words):
    return ["erl", "-noshell", *QUIET, "-pa", ebin, "-run", *words]


def said(command):
    """The output of a command; nothing when it takes longer than any of these may."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST).stdout
    except subprocess.TimeoutExpired:
        return ""


def line(name, value, unit, most):
    if value is None:
        print(f"{name:40} not measured: it failed, or took longer than {LONGEST} s; at most {most} {unit}  <- missed")
    else:
        print(f"{name:40} {value:10.1f} {unit}; at most {most} {unit}{'' if value <= most else '  <- missed'}")


def best(text, pattern, scale=1.0):
    found = [float(number) * scale for number in re.findall(pattern, text)]
    return min(found) if found else None


def sending(ebin, rust):
    port = str(free_port())
    with subprocess.Popen(erl(ebin, "client_cost", "main", "server", port)) as server:
        try:
            Cluster.wait_for(int(port))
            cpp = said([f"{HERE}/build/send_cost", "127.0.0.1", port, "3000000"])
            line("C++ send, 32 B, in the caller", best(cpp, r"send +([\d.]+) ns in the caller"), "ns", 15)
            line("C++ message_batch, in the caller", best(cpp, r"message_batch +([\d.]+) ns in the caller"), "ns", 15)
            words = said([rust, f"127.0.0.1:{port}", "3000000"])
            line("Rust send, 32 B, in the caller", best(words, r"send +([\d.]+) ns in the caller"), "ns", 15)
            line("Rust MessageBatch, in the caller", best(words, r"message_batch +([\d.]+) ns in the caller"), "ns", 15)
            erlang = said(erl(ebin, "client_cost", "main", "client", port))
            line("Erlang send/2, all threads", best(erlang, r"send +([\d.]+) ns"), "ns", 500)
            line("Erlang send_many/2 of 1,000, all threads", best(erlang, r"send_many +([\d.]+) ns"), "ns", 60)
            line("Erlang aldis_client_batch, all threads", best(erlang, r"batch +([\d.]+) ns"), "ns", 500)
        finally:
            server.kill()


def producers(ebin):
    text = said(erl(ebin, "torture_producers", "main", "1000000"))
    line("a million producers announced", best(text, r"announced in (\d+) ms", 1e-3), "s", 20)
    line("a log with them starts again", best(text, r"started again in (\d+) ms", 1e-3), "s", 5)
    line("memory of each", best(text, r"(\d+) bytes of memory"), "bytes", 250)


def failover(ebin, program):
    cluster = Cluster(program, 3, True)
    running = []

    def start(*words):
        running.append(subprocess.Popen(erl(ebin, *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        return running[-1]

    try:
        ports = ",".join(str(port) for port in cluster.ports)
        servers = [start("tcp_server", "main", "jetstream", ports, "synced") for _ in range(2)]
        listening = [server.stdout.readline().split()[2] for server in servers]
        client = start("failover", "main", *listening)
        client.stdout.readline()
        time.sleep(2)
        servers[0].kill()
        # A client that fails says nothing more.
        line("failover: longest time without an ack", best(client.communicate(timeout=LONGEST)[0], r"(\d+)"), "ms", 2000)
    except (subprocess.TimeoutExpired, IndexError):
        line("failover: longest time without an ack", None, "ms", 2000)
    finally:
        for process in running:
            process.kill()
            process.wait()
        cluster.close()


def main():
    ebin = sys.argv[1]
    sending(ebin, sys.argv[2])
    producers(ebin)
    if len(sys.argv) > 3 and os.path.exists(sys.argv[3]):
        failover(ebin, sys.argv[3])


if __name__ == "__main__":
    main()
