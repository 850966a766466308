"""A producer of aldis/1, written from docs/protocol.md alone and as simple as that allows.

    producer.py PORT PRODUCER EPOCH JOURNAL

Sends the messages of `messages.py`, durable, until its standard input ends; then it waits until all are acknowledged, and
ends with 0. PRODUCER is 32 hexadecimal digits. The journal is a text file that only grows: `sending N` before messages up to
N leave, `acked N` after their acknowledgement came. Connections that end are made again; the server says where to go on."""
import random
import select
import socket
import struct
import sys
import time
import zlib

from messages import message

HELLO, WELCOME, BATCH, ACK, NACK, PING, PONG, CLOSE = 1, 2, 3, 4, 5, 9, 10, 12
DURABLE = 2
WINDOW = 2000
# Seconds between batches, so that a round's log stays small.
PACE = 0.002
# Codes of CLOSE after which connecting again is of no use: protocol, frame-too-large, version, unauthorized, bad-count,
# credit, stale-epoch, unsupported.
FATAL = {1, 2, 3, 4, 11, 14, 15, 17}
CONNECT_PATIENCE = 60
SILENCE = 5


class Lost(Exception):
    """The connection ended; the next one goes on."""


def frame(kind, body):
    return struct.pack("<IB", 1 + len(body), kind) + body


class Journal:
    def __init__(self, path):
        self.file = open(path, "ab", buffering=0)
        self.sent = 0
        self.acked = 0

    def sending(self, upto):
        if upto > self.sent:
            self.sent = upto
            self.file.write(b"sending %d\n" % upto)

    def ack(self, upto):
        if upto > self.acked:
            self.acked = upto
            self.file.write(b"acked %d\n" % upto)


class Connection:
    """One connection, from HELLO until it ends."""

    def __init__(self, port, producer, epoch, journal):
        self.producer, self.epoch, self.journal = producer, epoch, journal
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        self.outgoing = bytearray()
        self.next = None
        self.unacked = []
        self.heard = time.monotonic()
        self.socket.sendall(self.hello())
        self.socket.setblocking(False)

    def hello(self):
        wanted = struct.pack("<BHB", 0, 0, DURABLE) + struct.pack("<II", WINDOW, 1 << 20)
        return frame(HELLO, b"ALDIS" + struct.pack("<BI", 1, 0) + self.producer + struct.pack("<I", self.epoch) + wanted)

    def run(self, more):
        """Until no more messages are wanted and all are durable."""
        try:
            while self.next is None or more() or self.unacked or self.outgoing:
                if self.next is not None and not self.outgoing and more():
                    self.fill()
                    time.sleep(PACE)
                self.wait()
            self.socket.close()
        except (OSError, EOFError) as why:
            raise Lost(str(why)) from why

    def fill(self):
        """One batch, as far as the credit goes."""
        room = min(self.credit - (self.next - 1 - self.journal.acked), random.randint(1, 60))
        entries, size = [], 0
        for sequence in range(self.next, self.next + max(0, room)):
            payload = message(self.producer, self.epoch, sequence)
            outstanding = self.bytes_outstanding(size + 4 + len(payload))
            if (outstanding > self.credit_bytes or size > self.max_frame // 2) and (entries or self.unacked):
                break
            entries.append(struct.pack("<I", len(payload)) + payload)
            size += 4 + len(payload)
        if not entries:
            return
        self.unacked.append((self.next + len(entries) - 1, size))
        first, count, body = self.next, len(entries), b"".join(entries)
        crc = zlib.crc32(body, zlib.crc32(struct.pack("<QI", first, count)))
        self.journal.sending(first + count - 1)
        self.outgoing += frame(BATCH, struct.pack("<QII", first, count, crc) + body)
        self.next = first + count

    def bytes_outstanding(self, more):
        return more + sum(size for _, size in self.unacked)

    def wait(self):
        readable, writable, _ = select.select([self.socket], [self.socket] if self.outgoing else [], [], 0.05)
        if readable or writable:
            self.heard = time.monotonic()
        elif time.monotonic() - self.heard > SILENCE:
            raise Lost(f"nothing came for {SILENCE} s")
        if writable:
            del self.outgoing[: self.socket.send(self.outgoing[:65536])]
        if readable:
            came = self.socket.recv(65536)
            if not came:
                raise EOFError("closed")
            self.received += came
            self.frames()

    def frames(self):
        while len(self.received) >= 5:
            length, kind = struct.unpack_from("<IB", self.received)
            if len(self.received) < 4 + length:
                return
            body, self.received = self.received[5 : 4 + length], self.received[4 + length :]
            self.handle(kind, body)

    def handle(self, kind, body):
        if kind == WELCOME:
            _, _, _, last, self.credit, self.credit_bytes, self.max_frame, _ = struct.unpack("<BIQQIIIB", body)
            self.unacked = []
            self.next = last + 1
            self.journal.ack(last)
        elif kind == ACK:
            _, _, durable, _, self.credit, self.credit_bytes = struct.unpack("<QQQQII", body)
            self.unacked = [(upto, size) for upto, size in self.unacked if upto > durable]
            self.journal.ack(durable)
        elif kind == NACK:
            expected, code = struct.unpack_from("<QH", body)
            raise SystemExit(f"producer: NACK {code} for {expected}, though every batch is what it should be")
        elif kind == PING:
            self.outgoing += frame(PONG, body)
        elif kind == CLOSE:
            code, size = struct.unpack_from("<HH", body)
            text = body[4 : 4 + size].decode()
            if code in FATAL:
                raise SystemExit(f"producer: CLOSE {code}: {text}")
            raise Lost(f"CLOSE {code}: {text}")
        else:
            raise SystemExit(f"producer: a frame of kind {kind} came")


def wanted():
    """Whether standard input is still open; nothing is ever written to it."""
    return not select.select([sys.stdin], [], [], 0)[0]


def main():
    port, producer, epoch, journal = int(sys.argv[1]), bytes.fromhex(sys.argv[2]), int(sys.argv[3]), Journal(sys.argv[4])
    deadline = time.monotonic() + CONNECT_PATIENCE
    while True:
        before = journal.acked
        try:
            return Connection(port, producer, epoch, journal).run(wanted)
        except (Lost, OSError) as why:
            if journal.acked > before:
                deadline = time.monotonic() + CONNECT_PATIENCE
            if time.monotonic() > deadline:
                raise SystemExit(f"producer: no progress for {CONNECT_PATIENCE} s: {why}") from why
            time.sleep(random.uniform(0.01, 0.1))


if __name__ == "__main__":
    main()
