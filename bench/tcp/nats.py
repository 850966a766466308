"""NATS servers with JetStream in a folder of their own, for the sink `aldis_sink_jetstream`."""
import os
import socket
import subprocess
import tempfile
import time

from processes import Processes


# Bytes of a message at most, of which NATS advises no more than 8 MiB: batches that wait leave together in one.
PAYLOAD = 4 << 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster(Processes):
    """So many servers; with `sync` each writes to its disk before it answers."""

    def __init__(self, program, count, sync):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="aldis-bench-nats-")
        self.ports = [free_port() for _ in range(count)]
        routes = [free_port() for _ in range(count)]
        for number in range(count):
            path = os.path.join(self.folder.name, f"n{number}")
            others = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
            with open(f"{path}.conf", "w", encoding="ascii") as file:
                file.write(f'server_name: n{number}\nlisten: "127.0.0.1:{self.ports[number]}"\nmax_payload: {PAYLOAD}\n'
                           f'jetstream {{ store_dir: "{path}"{", sync_interval: always" if sync else ""} }}\n')
                if count > 1:
                    file.write(f'cluster {{ name: bench, listen: "127.0.0.1:{routes[number]}", routes: [{others}] }}\n')
            self.processes.append(subprocess.Popen([program, "-c", f"{path}.conf"], stderr=subprocess.DEVNULL))
        for port in self.ports:
            self.wait_for(port)

    @staticmethod
    def wait_for(port):
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("bench-tcp: nats-server did not start")

    def close(self):
        super().close()
        self.folder.cleanup()
