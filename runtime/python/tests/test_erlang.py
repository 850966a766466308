"""The blocking client against the real server, which is killed and started again behind connections that are cut."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from aldis.transport import Client, Options, Subscription, TransportError

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60


def until(is_so: object, what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():  # type: ignore[operator]
        if time.monotonic() > end:
            raise AssertionError(what)
        time.sleep(0.002)


class Server:
    """A server with a durable log, once it listens."""

    def __init__(self, ebin: Path, folder: Path, port: int) -> None:
        self.violations = folder / "violations"
        words = ["erl", "-noshell", "-pa", ebin, "-run", "torture_server", "main", str(port), folder / "log", self.violations]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if b"listening" in line:
                return
        raise AssertionError("the server ended")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Weather:
    """A port in front of another one; ``cut`` ends what goes through it."""

    def __init__(self, port: int) -> None:
        self._far = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._sockets: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._far))
            except OSError:
                near.close()
                continue
            self._sockets |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while chunk := one.recv(65536):
                other.sendall(chunk)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self) -> None:
        for one in list(self._sockets):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut()
        for one in self._sockets:
            one.close()


def free_port() -> int:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        port: int = holder.getsockname()[1]
        return port


@unittest.skipUnless(shutil.which("erlc"), "there is no Erlang here")
class Erlang(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.ebin = cls.folder / "ebin"
        cls.ebin.mkdir()
        source = ROOT / "runtime/erlang/src"
        modules = [file for folder in (source, source / "transport", ROOT / "torture") for file in folder.glob("*.erl")]
        modules.append(ROOT / "runtime/erlang/test/aldis_failing_files.erl")
        subprocess.run(["erlc", "-I", ROOT / "runtime/erlang/include", "-o", cls.ebin, *modules], check=True)
        shutil.copy(source / "aldis.app.src", cls.ebin / "aldis.app")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.temporary.cleanup()

    def server(self, port: int) -> Server:
        server = Server(self.ebin, self.folder, port)
        self.addCleanup(server.kill)
        return server

    def test_messages_acked_as_durable_are_in_the_log_once_in_order_whatever_dies(self) -> None:
        port = free_port()
        server = self.server(port)
        weather = Weather(port)
        self.addCleanup(weather.close)
        total = 5000
        options = Options("127.0.0.1", weather.port, durability="durable", least_backoff=0.005, most_backoff=0.1, batch_bytes=500)
        with Client.connect(options) as client:
            for i in range(1, total + 1):
                self.assertEqual(client.send(b"%d" % i), i)
                if i % 50 == 0:
                    time.sleep(0.001)
                if i % 500 == 0:
                    weather.cut()
                if i % 2000 == 0:
                    client.acked(i - 200)
                    server.kill()
                    server = self.server(port)
            client.flush(PATIENCE)
            self.assertEqual((client.epoch, client.watermarks.acked), (1, total))
        self.assertEqual(client.state, "over")

        read: list[bytes] = []
        with Client.connect(Options("127.0.0.1", port)) as reader:
            reader.subscribe(Subscription("log", lambda _, messages: read.extend(messages), begin=1))
            until(lambda: len(read) >= total, "the log has not all")
        self.assertEqual(read, [b"%d" % i for i in range(1, total + 1)])
        self.assertFalse(server.violations.exists())

    def test_threads_send_and_wait_and_functions_that_wait_are_refused(self) -> None:
        port = free_port()
        self.server(port)
        refused: list[str] = []

        def told(_: object) -> None:
            try:
                client.flush()
            except TransportError as error:
                refused.append(error.code)

        client = Client.connect(Options("127.0.0.1", port, durability="durable", max_kept_bytes=2000, on_ack=told))
        sequences: list[int] = []

        def send() -> None:
            sequences.extend(client.send(bytes(100)) for _ in range(200))

        threads = [threading.Thread(target=send) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        client.flush(PATIENCE)
        self.assertEqual(sorted(sequences), list(range(1, 801)))
        self.assertEqual(client.watermarks.durable, 800)
        until(lambda: refused, "no ack was told")
        self.assertEqual(set(refused), {"misused"})
        waiting = threading.Thread(target=lambda: refused.append(str(client.over())))
        waiting.start()
        self.assertIsNone(client.over(0.01))
        client.close()
        waiting.join()
        self.assertEqual(refused[-1], "closed: the client is closed")
        client.close()
        for late in (lambda: client.send(b""), client.flush, lambda: client.request(b"")):
            with self.assertRaises(TransportError) as caught:
                late()
            self.assertEqual(caught.exception.code, "closed")

    def test_without_a_server_connecting_fails_and_leaves_no_thread(self) -> None:
        before = threading.active_count()
        with self.assertRaises(TransportError) as caught:
            Client.connect(Options("127.0.0.1", free_port()))
        self.assertEqual(caught.exception.code, "disconnected")
        self.assertEqual(threading.active_count(), before)


if __name__ == "__main__":
    unittest.main()
