"""A producer of the torture test by the package `aldis`; torture/producer.py says what it takes and does.
    python3 client.py PORT PRODUCER EPOCH JOURNAL
"""
import os
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runtime/python"))
from aldis.transport import Client, Options, TransportError
from messages import message

PATIENCE = 60


def connected(options):
    """The first connection may be cut like any other."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return Client.connect(options)
        except TransportError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def main():
    port, name, epoch, path = sys.argv[1:]
    producer, epoch = bytes.fromhex(name), int(epoch)
    journal = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def note(what, upto):
        # A line goes out in one write, so that a kill never leaves half of an earlier one.
        os.write(journal, f"{what} {upto}\n".encode())

    client = connected(
        Options(
            "127.0.0.1",
            int(port),
            producer=producer,
            epoch=epoch,
            durability="durable",
            max_kept_bytes=1 << 20,
            most_backoff=0.2,
            ping_after=2,
            on_ack=lambda marks: note("acked", marks.acked),
        )
    )
    sequence = client.watermarks.acked
    note("acked", sequence)
    enough = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), enough.set()), daemon=True).start()
    batch = 1
    while not enough.is_set():
        batch = batch * 31 % 61
        note("sending", sequence + batch)
        for _ in range(batch):
            sequence += 1
            given = client.send(message(producer, epoch, sequence))
            if given != sequence:
                sys.exit(f"producer: message {sequence} got the number {given}")
        time.sleep(0.002)
    client.flush(PATIENCE)
    if client.epoch != epoch:
        sys.exit("producer: the server has forgotten this producer")
    client.close()


if __name__ == "__main__":
    main()
