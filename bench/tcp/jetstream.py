"""Acknowledged messages a second of NATS JetStream, kept in files: as it comes, and with a sync before each ack.

    jetstream.py NATS_SERVER CLIENT"""
import subprocess
import sys

from nats import Cluster

SECONDS, PAYLOAD, WINDOW = 3, 32, 4000


def rate(server, client, sync):
    """One run on a new server: messages a second."""
    cluster = Cluster(server, 1, sync)
    try:
        words = [client, f"nats://127.0.0.1:{cluster.ports[0]}", str(SECONDS), str(PAYLOAD), str(WINDOW)]
        return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    finally:
        cluster.close()


def rates(server, client):
    """Messages a second by what an ack means."""
    return {"written": rate(server, client, False), "synced": rate(server, client, True)}


if __name__ == "__main__":
    print(rates(sys.argv[1], sys.argv[2]))
