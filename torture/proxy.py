"""A proxy that is bad weather for the connections through it: what passes is cut to pieces down to single bytes, held up,
and ends in the middle of anything. Which of it, follows from the seed and the connection's number.

    proxy.py LISTEN_PORT SERVER_PORT[,SERVER_PORT] SEED"""
import asyncio
import random
import socket
import struct
import sys


# Bytes that are cut into small pieces, and seconds that are waited, in each direction of a connection: after that it is
# fast, so that what was kept back meanwhile gets through.
SMALL_PIECES = 50_000
DELAYS = 1.0


class Weather:
    """The fate of one direction of a connection."""

    def __init__(self, chance):
        kind = chance.random()
        # Bytes until the end: anywhere in the first frames, or much later.
        self.cut_after = int(2 ** chance.uniform(0, 21)) if kind < 0.5 else None
        self.cut_hard = chance.random() < 0.5
        # Single bytes are slow, so only so many of them.
        self.single_bytes = chance.choice([0, 0, 100, 3000])
        self.largest = int(2 ** chance.uniform(3, 17))
        self.delay = chance.choice([0, 0, 0, 0.001, 0.02])
        self.delays = DELAYS
        self.chance = chance
        self.passed = 0

    def piece(self, data):
        """How many bytes of `data` pass next; 0 when the connection ends here."""
        size = len(data)
        if self.passed < self.single_bytes:
            size = 1
        elif self.passed < SMALL_PIECES:
            size = min(size, self.chance.randint(1, self.largest))
        if self.cut_after is not None:
            size = min(size, self.cut_after - self.passed)
        self.passed += size
        return size

    async def pause(self):
        if self.delay and self.delays > 0 and self.chance.random() < 0.2:
            wait = self.chance.uniform(0, self.delay)
            self.delays -= wait
            await asyncio.sleep(wait)
        else:
            await asyncio.sleep(0)


def reset(writer):
    """Ends a connection at once, by RST."""
    sock = writer.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def pump(reader, writer, weather):
    """Passes bytes on until the stream ends or the weather ends it: whether hard."""
    while data := await reader.read(65536):
        while data:
            size = weather.piece(data)
            if size == 0:
                return weather.cut_hard
            writer.write(data[:size])
            await writer.drain()
            data = data[size:]
            await weather.pause()
    return False


async def serve(reader, writer, server_ports, chance):
    try:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", chance.choice(server_ports))
    except OSError:
        writer.close()
        return
    for side in (writer, server_writer):
        side.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    directions = [
        asyncio.ensure_future(pump(reader, server_writer, Weather(chance))),
        asyncio.ensure_future(pump(server_reader, writer, Weather(chance))),
    ]
    done, pending = await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    hard = any(task.exception() is None and task.result() for task in done)
    for side in (writer, server_writer):
        reset(side) if hard else side.close()


async def main():
    listen_port, servers, seed = sys.argv[1:]
    server_ports = [int(port) for port in servers.split(",")]
    count = 0

    async def accepted(reader, writer):
        nonlocal count
        count += 1
        await serve(reader, writer, server_ports, random.Random(f"{seed}/{count}"))

    server = await asyncio.start_server(accepted, "127.0.0.1", int(listen_port))
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
