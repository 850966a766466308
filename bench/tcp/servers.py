"""The servers of the bench: the plain one in C++, and ours in a VM each."""
import os
import subprocess
import tempfile

from nats import Cluster
from processes import Processes, keep_to

HERE = os.path.dirname(os.path.abspath(__file__))


class Plain(Processes):
    """The C++ server, a process for each mode."""

    def __init__(self):
        super().__init__()
        self.ports = {}
        for mode in ("sync_ack", "request_reply"):
            process = subprocess.Popen([f"{HERE}/build/ack_server", mode], stdout=subprocess.PIPE, text=True)
            self.processes.append(process)
            self.ports[mode] = int(process.stdout.readline().split()[1])


class Ours:
    """A VM with a listener for each tier (tcp_server.erl)."""

    # Two schedulers that spin would take the time of the load generator's thread.
    FLAGS = ["+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none", "+Q", "65536", "+MBsbct", "16384", "+MBlmbcs", "65536"]

    def __init__(self, ebin, native, *words):
        self.folder = tempfile.TemporaryDirectory(prefix="aldis-bench-tcp-")
        command = ["erl", "-noshell", *self.FLAGS, "-aldis", "native", "true" if native else "false"]
        command += ["-pa", ebin, "-run", "tcp_server", "main", *(words or [self.folder.name])]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ports, self.versions = {}, None
        while not self.versions:
            line = self.process.stdout.readline()
            word, *rest = line.split(maxsplit=1) or [""]
            if word == "listening":
                name, port = rest[0].split()
                self.ports[name] = int(port)
            elif word == "ready":
                self.versions = rest[0].strip()
            else:
                raise SystemExit(f"bench-tcp: the server did not start: {line}")

    def keep_to(self, processors):
        keep_to(self.process.pid, processors)

    def pids(self):
        return [self.process.pid]

    def memory(self, listener):
        """Bytes that a connection of the listener takes as the VM sees it: process, port and binaries, on average."""
        self.process.stdin.write(listener + "\n")
        self.process.stdin.flush()
        connections, process, port, binaries = (int(word) for word in self.process.stdout.readline().split())
        return {"connections": connections, "process": process, "port": port, "binaries": binaries}

    def resident(self):
        """Bytes of memory that the whole VM has, as the kernel counts them."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


class Streamed(Ours):
    """A VM whose log is JetStream's, and its NATS servers."""

    def __init__(self, ebin, program, count, sync):
        self.cluster = Cluster(program, count, sync)
        ports = ",".join(str(port) for port in self.cluster.ports)
        super().__init__(ebin, True, "jetstream", ports, "synced" if sync else "written")

    def pids(self):
        return super().pids() + self.cluster.pids()

    def close(self):
        super().close()
        self.cluster.close()
