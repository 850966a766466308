"""The golden frames of conformance/vectors/transport, random bytes, and the outbox beside a plain list."""

from __future__ import annotations

import random
import re
import unittest
from pathlib import Path

from aldis.transport import SchemaId, TransportError, Window, frames
from aldis.transport.errors import code_name, code_number, is_fatal
from aldis.transport.outbox import Outbox

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "conformance/vectors/transport"

CREDIT = Window(100_000, 8_388_608)
ENTRIES = b"\3\0\0\0abc\0\0\0\0\5\0\0\0hello"
GOLDEN: dict[str, frames.Frame] = {
    "hello": frames.Hello(1, 1 | 4 | 8, bytes(range(0xA0, 0xB0)), 7, b"token", b"s3cret", "durable", Window(4000, 1 << 20)),
    "welcome": frames.Welcome(1, 4 | 8, 0x1122334455667788, 41, CREDIT, 1 << 20, "durable"),
    "batch": frames.Batch(42, 3, 0x3856039E, None, ENTRIES),
    "ack": frames.Ack(44, 43, 40, 2, CREDIT),
    "nack": frames.Nack(42, "gap", "42 is missing"),
    "request": frames.Request(9, 250, b"ping?"),
    "request-empty": frames.Request(10, 0, b""),
    "reply": frames.Reply(9, "normal", b"pong!"),
    "reply-refused": frames.Reply(10, "refused", "nö".encode()),
    "push": frames.Push(3, 1000, 2, b"\2\0\0\0p1\2\0\0\0p2"),
    "ping": frames.Ping(0xFEDCBA9876543210),
    "pong": frames.Pong(0xFEDCBA9876543210),
    "drain": frames.Drain(5000),
    "close": frames.Close("idle", "nothing came for 30 s"),
    "close-bare": frames.Close("normal", ""),
    "subscribe": frames.Subscribe(3, 1, 500, "log"),
    "unsubscribe": frames.Unsubscribe(3, "refused", "no topic logs"),
    "credit": frames.Credit(3, 1001, 500),
    "unknown-skipped": frames.Unknown(0xF0, b"later"),
}


def golden(path: Path) -> bytes:
    """Hexadecimal bytes; what follows ``#`` in a line is said to people."""
    return bytes.fromhex(re.sub("#.*", "", path.read_text()))


class Frames(unittest.TestCase):
    def test_every_kind_is_as_the_golden_files_have_it(self) -> None:
        names = {path.stem for path in FOLDER.glob("*.hex")}
        self.assertEqual(names, {*GOLDEN, "batch-schema", "batch-no-checksum"})
        for name, frame in GOLDEN.items():
            data = golden(FOLDER / f"{name}.hex")
            self.assertEqual(frames.decode(data[4], data[5:]), frame, name)
            self.assertEqual(frames.encode(frame), data, name)
        self.assertEqual(frames.checksum(42, 3, None, ENTRIES), 0x3856039E)
        for name in ("batch-schema", "batch-no-checksum"):
            data = golden(FOLDER / f"{name}.hex")
            batch = frames.decode(data[4], data[5:], name == "batch-schema")
            assert isinstance(batch, frames.Batch)
            self.assertEqual(frames.encode(batch), data)
            if name == "batch-schema":
                self.assertEqual(frames.checksum(batch.first, batch.count, batch.schema, batch.entries), batch.crc)
                self.assertIsInstance(batch.schema, SchemaId)

    def test_a_frame_that_cannot_be_understood_is_a_fault_of_the_protocol(self) -> None:
        for path in (FOLDER / "malformed").iterdir():
            with self.assertRaises(TransportError, msg=path.name) as caught:
                frames.Inbox().add(golden(path), frames.decode)  # type: ignore[arg-type]
            self.assertEqual(caught.exception.code, "protocol", path.name)
        with self.assertRaises(TransportError) as caught:
            frames.Inbox().add(b"\0\0\0\xff", lambda kind, body: None)
        self.assertEqual(caught.exception.code, "frame-too-large")

    def test_any_bytes_are_a_frame_or_a_fault_and_a_frame_is_written_as_it_was(self) -> None:
        rng = random.Random(1)
        whole = 0
        for _ in range(30_000):
            kind = rng.choice([rng.randrange(256), rng.randrange(16)])
            body = rng.randbytes(rng.randrange(80)) if rng.random() < 0.5 else bytes(rng.randrange(60))
            try:
                frame = frames.decode(kind, body)
            except TransportError:
                continue
            whole += 1
            self.assertEqual(frames.encode(frame)[4:], bytes([kind]) + body)
        self.assertGreater(whole, 1000)

    def test_frames_come_whole_however_they_are_cut_and_texts_are_cut_between_characters(self) -> None:
        stream = b"".join(frames.encode(frame) for frame in GOLDEN.values())
        for size in (1, 2, 7, 64, len(stream)):
            inbox, found = frames.Inbox(), list[frames.Frame]()
            for at in range(0, len(stream), size):
                inbox.add(stream[at : at + size], lambda kind, body: found.append(frames.decode(kind, body)))
            self.assertEqual(found, list(GOLDEN.values()))
        long = frames.encode(frames.Close("normal", "x" * 1023 + "ö"))
        self.assertEqual(frames.decode(long[4], long[5:]), frames.Close("normal", "x" * 1023))

    def test_entries_are_exactly_so_many(self) -> None:
        self.assertEqual(frames.entries_of(ENTRIES, 3), [b"abc", b"", b"hello"])
        for count in (2, 4, 2**32 - 1):
            self.assertIsNone(frames.entries_of(ENTRIES, count))
        self.assertIsNone(frames.entries_of(ENTRIES[:-1], 3))

    def test_codes_have_the_numbers_names_and_ends_of_the_protocol(self) -> None:
        page = (ROOT / "docs/protocol.md").read_text()
        for number in range(20):
            self.assertEqual(code_number(code_name(number)), number)
            self.assertIn(f"| {number} | {code_name(number)} |", page)
        self.assertEqual(code_number("code 77"), 77)
        rows = [line for line in page.splitlines() if line.startswith("| CLOSE ") and "with a code" not in line]

        def codes(what: str) -> list[str]:
            return [code for row in rows if row.endswith(what) for code in row[8 : -len(what)].split(", ")]

        again, over = codes(" | connects again |"), codes(" | is over |")
        self.assertEqual(len(again) + len(over), 20)
        self.assertFalse(any(map(is_fatal, [*again, "code 99"])))
        self.assertTrue(all(map(is_fatal, over)))


class Plain(unittest.TestCase):
    def test_an_outbox_agrees_with_a_plain_list(self) -> None:
        """Credit is kept, nothing is lost, doubled or out of order."""
        for seed in range(300):
            self._walk(random.Random(seed))

    def _walk(self, rng: random.Random) -> None:
        outbox = Outbox(rng.randrange(1, 200))
        kept: list[bytes] = []
        sent = acked = 0
        for _ in range(200):
            step = rng.choices(("append", "close", "next", "ack", "rewind"), (4, 2, 2, 2, 1))[0]
            if step == "append":
                kept.append(rng.randbytes(rng.randrange(30)))
                self.assertEqual(outbox.append(kept[-1]), len(kept))
            elif step == "close":
                outbox.close_chunk()
            elif step == "next":
                credit = Window(rng.randrange(1, 20), rng.randrange(1, 300))
                outgoing = outbox.next(credit, 100)
                if outgoing is not None:
                    first, count, entries = outgoing
                    self.assertEqual(first, sent + 1)
                    self.assertEqual(frames.entries_of(entries, count), kept[sent : sent + count])
                    sent += count
                    size = sum(len(message) + 4 for message in kept[acked:sent])
                    self.assertTrue(sent - acked == 1 or (sent - acked <= credit.messages and size <= credit.bytes))
            elif step == "ack":
                acked = min(sent, acked + rng.randrange(20))
                outbox.ack(acked)
            else:
                sent = max(acked, sent - rng.randrange(20))
                outbox.rewind(sent + 1)
            self.assertEqual((outbox.sent, outbox.acked), (sent, acked))
            self.assertEqual(outbox.kept_bytes, sum(len(message) + 4 for message in kept[acked:]))


if __name__ == "__main__":
    unittest.main()
