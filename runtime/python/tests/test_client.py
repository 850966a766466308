"""The client of asyncio against a server in this process."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import tempfile
import unittest
from pathlib import Path
from time import monotonic
from typing import Any

from aldis.transport import AsyncClient, Options, SchemaId, Subscription, Tls, TransportError, Watermarks, Window, frames
from aldis.transport.errors import code_name, is_fatal
from fake import PATIENCE, Fake, WithFake


class Messages(WithFake):
    async def test_messages_are_batched_and_flush_says_why_it_waits(self) -> None:
        marks: list[Watermarks] = []
        client, peer = await self.fake.pair(linger=0.03, on_ack=marks.append)
        self.assertEqual([client.send(text) for text in (b"a", b"", b"c")], [1, 2, 3])
        self.assertEqual(await peer.batch(), (1, [b"a", b"", b"c"]))
        why = "3 messages are not acked: the server has not said yet that it has them"
        await self.fails("deadline", client.flush(0.001), why)
        second = asyncio.ensure_future(client.acked(2))
        peer.ack(3, durable=1, duplicates=5)
        await client.flush(PATIENCE)
        await second
        self.assertEqual(marks, [Watermarks(3, 3, 3, 1, 5)])
        self.assertEqual(client.watermarks, marks[0])
        client.close()
        await self.fails("closed", client.acked(4))

    async def test_another_server_is_tried_when_one_cannot_be_reached_or_is_lost(self) -> None:
        other = await Fake().listen()
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))
            gone = holder.getsockname()[1]
        others = [("127.0.0.1", self.fake.port), ("127.0.0.1", other.port)]
        connecting = self.fake.connecting(port=gone, others=others, durability="replicated")
        peer = await self.fake.accept()
        await peer.greet()
        client = await connecting
        client.send(b"a")
        self.assertEqual(await peer.batch(), (1, [b"a"]))
        peer.transport.abort()
        peer = await other.accept()
        await peer.greet()
        self.assertEqual(await peer.batch(), (1, [b"a"]))
        peer.ack(1)
        await client.flush(PATIENCE)
        await other.close()

    async def test_neither_flush_nor_big_batches_wait_for_the_linger(self) -> None:
        client, peer = await self.fake.pair(linger=3600, batch_bytes=40)
        for _ in range(5):
            client.send(b"0123456789")
        self.assertEqual(len((await peer.batch())[1]), 3)
        flushed = asyncio.ensure_future(client.flush())
        self.assertEqual(await peer.batch(), (4, [b"0123456789"] * 2))
        peer.ack(5)
        await flushed

    async def test_credit_is_kept_and_who_sends_waits_while_too_much_is_kept(self) -> None:
        credit = Window(3, 1000)
        client, peer = await self.fake.pair(welcome={"credit": credit}, max_kept_bytes=100, batch_bytes=10_000, linger=3600)

        async def send() -> None:
            for _ in range(50):
                await client.ready()
                client.send(b"0123456789")
            await client.flush()

        sending = asyncio.ensure_future(send())
        seen = acked = 0
        while seen < 50:
            first, batch = await peer.batch()
            self.assertEqual(first, seen + 1)
            seen += len(batch)
            self.assertLessEqual(seen - acked, 3)
            acked = min(seen, acked + 1 + seen % 3)
            peer.ack(acked, received=seen, durable=0, credit=credit)
        peer.ack(50)
        await sending
        while client.has_room:
            client.send(b"0123456789")
        await self.fails("full", lambda: client.send(b""))

    async def test_a_server_that_dies_at_random_loses_nothing_and_doubles_nothing(self) -> None:
        connecting = self.fake.connecting(batch_bytes=200)
        total, log, turn = 2000, list[bytes](), 0

        async def send() -> None:
            client = await connecting
            for i in range(total):
                client.send(b"%d" % i)
            await client.flush(60)

        sending = asyncio.ensure_future(send())
        while len(log) < total:
            peer = await self.fake.accept()
            await peer.greet(len(log))
            for step in range(turn % 13 + 1):
                if len(log) == total:
                    break
                first, batch = await peer.batch()
                self.assertLessEqual(first, len(log) + 1)
                log += batch[len(log) + 1 - first :]
                if step % 3 == 0:
                    peer.ack(len(log))
            if len(log) == total:
                peer.ack(total)
            else:
                peer.transport.close() if turn % 2 else peer.transport.abort()
            turn += 1
        await sending
        self.assertEqual(log, [b"%d" % i for i in range(total)])

    async def test_nacks_are_answered_from_where_they_say_and_the_ninth_ends_the_connection(self) -> None:
        client, peer = await self.fake.pair(batch_bytes=16)
        for _ in range(4):
            client.send(b"abcd")
        self.assertEqual([(await peer.batch())[0] for _ in range(2)], [1, 3])
        for _ in range(8):
            peer.send(frames.Nack(2, "gap", "again"))
            self.assertEqual([(await peer.batch())[0] for _ in range(2)], [2, 3])
        peer.send(frames.Nack(2, "bad-checksum", "again"))
        self.assertEqual(await peer.read(), frames.Close("bad-checksum", "again"))
        peer = await self.fake.accept()
        await peer.greet(2)
        self.assertEqual((await peer.batch())[0], 3)
        peer.ack(4)
        await client.flush(PATIENCE)

    async def test_a_refused_message_is_tried_again_or_ends_the_client(self) -> None:
        told: list[tuple[int, str]] = []
        client, peer = await self.fake.pair(least_backoff=0.02, most_backoff=0.05, on_refused=lambda *what: told.append(what))
        client.send(b"a")
        await peer.batch()
        for pause in (0.02, 0.04, 0.05):
            begin = monotonic()
            peer.send(frames.Nack(1, "refused", "not now"))
            self.assertEqual((await peer.batch())[0], 1)
            self.assertGreaterEqual(monotonic() - begin, pause - 0.001)
        self.assertEqual(told, [(1, "not now")] * 3)
        peer.ack(1)
        await client.flush(PATIENCE)
        strict, other = await self.fake.pair(retry_refused=False)
        strict.send(b"a")
        await other.batch()
        other.send(frames.Nack(1, "refused", "not today"))
        await self.fails("refused", strict.flush(), "message 1: not today")
        self.assertEqual(strict.state, "over")
        await self.fails("refused", lambda: strict.send(b"b"))


class Endings(WithFake):
    async def test_close_is_told_or_mended(self) -> None:
        client, peer = await self.fake.pair()
        client.send(b"a")
        codes = [code_name(number) for number in range(21)]
        for code in (code for code in codes if not is_fatal(code)):
            self.assertEqual((await peer.batch())[0], 1, code)
            peer.send(frames.Close(code, "later"))
            peer = await self.fake.accept()
            await peer.greet()
        for code in filter(is_fatal, codes):
            other, end = await self.fake.pair()
            other.send(b"a")
            end.send(frames.Close(code, "for good"))
            await self.fails(code, other.flush(), "for good")
            self.assertEqual((await other.over()).code, code)
        first = self.fake.connecting()
        refusing = await self.fake.accept()
        await refusing.read()
        refusing.send(frames.Close("unavailable", "come back later"))
        await self.fails("unavailable", first)
        await self.fails("disconnected", AsyncClient.connect(self.fake.options(port=1)))

    async def test_a_frame_that_a_server_may_not_say_ends_the_connection_with_a_word(self) -> None:
        client, peer = await self.fake.pair()
        for frame, code in [
            (frames.Ack(9, 9, 9, 0, Window(1, 1)), "protocol"),
            (frames.Nack(5, "gap", ""), "protocol"),
            (frames.Credit(1, 1, 1), "protocol"),
            (frames.Push(1, 1, 2, bytes(4)), "bad-count"),
        ]:
            peer.send(frame)
            self.assertEqual((await peer.read()).code, code)
            peer = await self.fake.accept()
            await peer.greet()
        peer.transport.write(b"\xff\xff\xff\xff\0")
        self.assertEqual((await peer.read()).code, "frame-too-large")
        peer = await self.fake.accept()
        await peer.read()
        peer.send(frames.Ping(1))
        self.assertEqual((await peer.read()).code, "protocol")
        peer = await self.fake.accept()
        await peer.greet(max_frame=63)
        self.assertEqual((await peer.read()).code, "protocol")
        peer = await self.fake.accept()
        await peer.greet(1)
        self.assertEqual((await peer.read()).code, "superseded")
        self.assertEqual((await client.over()).code, "superseded")

    async def test_a_welcome_that_grants_too_little_ends_the_client(self) -> None:
        refusals: list[tuple[dict[str, Any], dict[str, Any], str]] = [
            ({}, {"version": 2}, "version"),
            ({"durability": "durable"}, {"durability": "handled"}, "unsupported"),
            ({"checksum": False}, {"features": 0}, "unsupported"),
            ({"schema": SchemaId(1, 2)}, {"features": 0}, "unsupported"),
        ]
        for options, welcome, code in refusals:
            refused = self.fake.connecting(**options)
            peer = await self.fake.accept()
            await peer.greet(**welcome)
            await self.fails(code, refused)
            self.assertEqual((await peer.read()).code, code)

    async def test_a_server_that_has_lost_its_memory_gets_the_rest_in_a_new_epoch(self) -> None:
        client, peer = await self.fake.pair(epoch=3)
        client.send(b"a")
        await peer.batch()
        peer.ack(1)
        await client.flush(PATIENCE)
        client.send(b"b")
        await peer.batch()
        peer.transport.abort()
        peer = await self.fake.accept()
        await peer.greet(0)
        self.assertEqual((await peer.read()).code, "unavailable")
        peer = await self.fake.accept()
        self.assertEqual((await peer.greet(0)).epoch, 4)
        self.assertEqual(await peer.batch(), (1, [b"b"]))
        peer.ack(1)
        await client.acked(2)
        self.assertEqual((client.epoch, client.watermarks.acked), (4, 2))

    async def test_a_message_without_room_in_the_servers_frames_ends_the_client(self) -> None:
        client, peer = await self.fake.pair()
        await self.fails("frame-too-large", lambda: client.send(bytes(client.max_message + 1)))
        client.send(bytes(100))
        await peer.read()
        peer.transport.abort()
        peer = await self.fake.accept()
        await peer.greet(0, max_frame=64)
        self.assertEqual((await peer.read()).code, "frame-too-large")
        await self.fails("frame-too-large", client.flush())

    async def test_silence_is_asked_and_ends_the_connection(self) -> None:
        client, peer = await self.fake.pair(ping_after=0.4)
        self.assertEqual(await peer.read(), frames.Ping(0))
        peer.send(frames.Pong(0))
        self.assertIsInstance(await peer.read(), frames.Ping)
        self.assertEqual((await peer.read()).code, "idle")
        peer = await self.fake.accept()
        await peer.greet()
        peer.send(frames.Ping(7))
        self.assertEqual(await peer.read(), frames.Pong(7))
        client.close()
        self.assertEqual((await peer.read()).code, "normal")
        await self.fails("idle", self.fake.connecting(connect_timeout=0.03))

    async def test_draining_goes_both_ways(self) -> None:
        states: list[tuple[str, str | None]] = []
        client, peer = await self.fake.pair(on_state=lambda state, why: states.append((state, why and why.code)))
        peer.send(frames.Drain(500))
        self.assertEqual(await peer.read(), frames.Drain(500))
        client.send(b"a")
        peer.send(frames.Close("normal", ""))
        peer = await self.fake.accept()
        await peer.greet()
        await peer.batch()
        drained = asyncio.ensure_future(client.drain(PATIENCE))
        peer.ack(1)
        self.assertIsInstance(await peer.read(), frames.Drain)
        await self.fails("closed", lambda: client.send(b"b"))
        peer.send(frames.Close("normal", ""))
        await drained
        self.assertEqual((await client.over()).text, "drained")
        self.assertEqual(states, [("ready", None), ("draining", "draining"), ("connecting", "normal"), ("ready", None), ("over", "normal")])

    async def test_flush_says_that_there_is_no_connection(self) -> None:
        client, peer = await self.fake.pair()
        await self.fake.stop()
        peer.transport.abort()
        while client.state == "ready":
            await asyncio.sleep(0.001)
        client.send(b"a")
        await self.fails("deadline", client.flush(0.01), "1 messages are not acked: there is no connection")


class Asking(WithFake):
    async def test_requests_go_both_ways(self) -> None:
        async def answer(asked: bytes) -> bytes:
            if asked == b"no":
                raise TransportError("refused", "nö")
            if asked == b"boom":
                raise ValueError("boom")
            return bytes(1 << 20) if asked == b"long" else asked + b"!"

        client, peer = await self.fake.pair(on_request=answer)
        answered = asyncio.ensure_future(client.request(b"price?", 5))
        asked = await peer.read()
        self.assertEqual((asked.bytes, asked.deadline), (b"price?", 5000))
        peer.send(frames.Reply(asked.correlation, "normal", b"7"))
        self.assertEqual(await answered, b"7")
        refused = asyncio.ensure_future(client.request(b"?"))
        peer.send(frames.Reply((await peer.read()).correlation, "refused", "nö".encode()))
        await self.fails("refused", refused, "nö")
        await self.fails("deadline", client.request(b"?", 0.02))
        await peer.read()
        for question, code, text in [
            (b"a", "normal", "a!"),
            (b"no", "refused", "nö"),
            (b"boom", "handler", "boom"),
            (b"long", "frame-too-large", f"an answer of {1 << 20} bytes; a frame takes {(1 << 20) - 13}"),
        ]:
            peer.send(frames.Request(1 << 63, 0, question))
            self.assertEqual(await peer.read(), frames.Reply(1 << 63, code, text.encode()))
        pending = asyncio.ensure_future(client.request(b"?"))
        await peer.read()
        peer.transport.abort()
        await self.fails("disconnected", pending)
        await self.fails("disconnected", client.request(b"?"))

    async def test_subscriptions_outlive_connections_and_credit_is_granted_as_messages_come(self) -> None:
        client, peer = await self.fake.pair()
        got: list[tuple[int, bytes]] = []
        ended: list[str] = []
        asked = Subscription(
            "log", lambda first, messages: got.extend(enumerate(messages, first)), 5, 4, lambda why: ended.append(why.code)
        )
        id = client.subscribe(asked)
        self.assertEqual(await peer.read(), frames.Subscribe(id, 5, 4, "log"))
        peer.send(frames.Push(id, 5, 1, b"\1\0\0\0a"))
        peer.send(frames.Push(id, 6, 2, b"\1\0\0\0b\1\0\0\0c"))
        self.assertEqual(await peer.read(), frames.Credit(id, 7, 4))
        peer.transport.abort()
        peer = await self.fake.accept()
        await peer.greet()
        self.assertEqual((await peer.read()).begin, 8)
        peer.send(frames.Push(id, 7, 2, b"\1\0\0\0c\1\0\0\0d"))
        peer.send(frames.Unsubscribe(id, "refused", "no"))
        while not ended:
            await asyncio.sleep(0.001)
        self.assertEqual(got, [(5, b"a"), (6, b"b"), (7, b"c"), (8, b"d")])
        self.assertEqual(ended, ["refused"])

    async def test_a_server_that_does_not_read_its_answers_asks_no_more(self) -> None:
        total, size = 3000, 10_000
        asked = 0

        def answer(_: bytes) -> bytes:
            nonlocal asked
            asked += 1
            return bytes(size)

        _, peer = await self.fake.pair(on_request=answer)
        peer.transport.pause_reading()
        for i in range(total):
            peer.send(frames.Request(i, 0, bytes(size)))
        before = -1
        while asked != before:
            before = asked
            await asyncio.sleep(0.2)
        self.assertLess(asked, total * 3 // 4, "answers were made for nobody")
        peer.transport.resume_reading()
        for i in range(total):
            self.assertEqual((await peer.read()).correlation, i)


class Misuse(WithFake):
    async def test_a_wrong_option_is_told(self) -> None:
        wrong: list[dict[str, Any]] = [
            {"port": 0}, {"producer": b"abc"}, {"durability": "kept"}, {"auth_method": b"x" * 256}, {"linger": float("nan")},
            {"window": Window(-1, 0)}, {"schema": SchemaId(1, 1 << 32)}, {"host": ""}, {"epoch": -1}, {"others": [("a", 1.5)]},
            {"tls": Tls(authorities="/nowhere")}, {"tls": Tls(certificate=__file__)},
        ]  # fmt: skip
        for more in wrong:
            await self.fails("misused", lambda more=more: AsyncClient.connect(Options(**{"host": "localhost", "port": 1, **more})))

    async def test_a_wrong_question_is_told_at_once_and_leaves_the_client_as_it_was(self) -> None:
        client, peer = await self.fake.pair()
        for more in ({"begin": -1}, {"begin": 1 << 64}, {"credit": 0}, {"credit": 1 << 32}, {"topic": "x" * 1025}):
            asked: dict[str, Any] = {"topic": "log", "on_push": print, **more}
            await self.fails("misused", lambda asked=asked: client.subscribe(Subscription(**asked)))
        for timeout in (-1, float("nan")):
            await self.fails("misused", client.request(b"?", timeout))
            await self.fails("misused", client.flush(timeout))
            await self.fails("misused", client.drain(timeout))
        id = client.subscribe(Subscription("log", print, (1 << 64) - 1, (1 << 32) - 1))
        self.assertEqual(await peer.read(), frames.Subscribe(id, (1 << 64) - 1, (1 << 32) - 1, "log"))

    async def test_times_without_an_end_are_long_ones(self) -> None:
        endless = float("inf")
        client, peer = await self.fake.pair(ping_after=endless, most_backoff=endless, linger=2.0**40)
        drained = asyncio.ensure_future(client.drain(endless))
        self.assertEqual(await peer.read(), frames.Drain((1 << 32) - 1))
        peer.send(frames.Close("normal", ""))
        await drained


@unittest.skipUnless(shutil.which("openssl"), "there is no openssl here")
class Secure(WithFake):
    """The same client over TLS, with certificates on both sides."""

    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.folder = tempfile.TemporaryDirectory()
        self.key, self.certificate = self.identity("own", "DNS:localhost,DNS:feed.example,IP:127.0.0.1")

    async def asyncTearDown(self) -> None:
        self.folder.cleanup()
        # The server in these tests is told of handshakes that fail.
        self.unforeseen = [one for one in self.unforeseen if "incoming connection" not in one["message"]]
        await super().asyncTearDown()

    def identity(self, name: str, names: str) -> tuple[Path, Path]:
        """A key, and a certificate of its own for these names."""
        key, certificate = (Path(self.folder.name) / f"{name}.{kind}.pem" for kind in ("key", "certificate"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
             "-addext", f"subjectAltName={names}", "-keyout", key, "-out", certificate],
            check=True, capture_output=True,
        )  # fmt: skip
        return key, certificate

    async def serving(self, asks: bool) -> Fake:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        if asks:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.certificate)
        return await Fake().listen(context)

    async def test_batches_and_acks_go_over_tls_with_a_certificate_that_the_server_asks_for(self) -> None:
        fake = await self.serving(True)
        client, peer = await fake.pair(tls=Tls(self.certificate, self.certificate, self.key))
        client.send(b"a")
        self.assertEqual(await peer.batch(), (1, [b"a"]))
        peer.ack(1)
        await client.flush(PATIENCE)
        await self.fails("disconnected", fake.connecting(tls=Tls(self.certificate)))
        await fake.close()

    async def test_certificates_and_names_are_checked(self) -> None:
        fake = await self.serving(False)
        _, other = self.identity("other", "DNS:localhost")
        for tls in (Tls(), Tls(self.certificate, name="other.example"), Tls(self.certificate, name="127.0.0.2"), Tls(other)):
            with self.assertRaises(TransportError) as caught:
                await fake.connecting(tls=tls)
            self.assertEqual(caught.exception.code, "disconnected")
            self.assertIn("certificate", caught.exception.text.lower())
        await fake.pair(tls=Tls(self.certificate, name="feed.example"))
        await fake.pair(tls=Tls(self.certificate))
        await fake.close()

    async def test_a_server_that_does_not_shake_hands_is_left(self) -> None:
        await self.fails("disconnected", self.fake.connecting(tls=Tls(self.certificate), connect_timeout=0.05))


if __name__ == "__main__":
    unittest.main()
