"""Acknowledged messages a second of NATS JetStream, kept in files: as it comes, and with a sync before each ack.

    jetstream.py NATS_SERVER CLIENT"""
import os
import socket
import subprocess
import sys
import tempfile
import time

SECONDS, PAYLOAD, WINDOW = 3, 32, 4000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("bench-tcp: nats-server did not start")


def rate(server, client, sync):
    """One run on a new server: messages a second."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="aldis-jetstream-") as folder:
        config = os.path.join(folder, "nats.conf")
        with open(config, "w", encoding="ascii") as file:
            file.write(f'host: 127.0.0.1\nport: {port}\njetstream {{ store_dir: "{folder}/data"{sync} }}\n')
        with subprocess.Popen([server, "-c", config], stderr=subprocess.DEVNULL) as process:
            try:
                wait_for(port)
                words = [client, f"nats://127.0.0.1:{port}", str(SECONDS), str(PAYLOAD), str(WINDOW)]
                return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
            finally:
                process.terminate()


def rates(server, client):
    """Messages a second by what an ack means."""
    return {"written": rate(server, client, ""), "synced": rate(server, client, ", sync_interval: always")}


if __name__ == "__main__":
    print(rates(sys.argv[1], sys.argv[2]))
