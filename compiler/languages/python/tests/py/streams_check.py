"""Messages in streams: what comes of them however their bytes are cut, what ends them, requests. The argument is the folder of streams
that FBE's own sender wrote."""

import asyncio
import importlib
import io
import pathlib
import socket
import sys

from aldis import CodecError
from aldis.streams import StreamError

VECTORS = pathlib.Path(sys.argv[1])
NAME = next(path.name for path in pathlib.Path(sys.path[1]).iterdir() if (path / "stream.py").exists())
package = importlib.import_module(NAME)
stream = importlib.import_module(f"{NAME}.stream")


def fails(code, run, *args):
    try:
        found = run(*args)
    except StreamError as error:
        assert error.code == code, error
        return error
    raise AssertionError(f"{code} was expected, not {found!r}")


def however_cut(octets, receiver, wanted):
    """The same messages come of the stream in chunks of any size, and a stream that is cut within one ends in a fault."""
    for size in (1, 2, 3, 7, 64, 4096):
        chunks = [octets[i : i + size] for i in range(0, len(octets), size)]
        assert list(receiver().read(chunks)) == wanted
    assert list(receiver().read(io.BytesIO(octets))) == wanted
    near, far = socket.socketpair()
    with near, far:
        near.sendall(octets)
        near.close()
        assert list(receiver().read(far)) == wanted
    fails("cut", list, receiver().read([octets[:-1]]))

    async def slowly():
        reader = asyncio.StreamReader()
        reader.feed_data(octets[:5])
        asyncio.get_running_loop().call_soon(reader.feed_data, octets[5:])
        asyncio.get_running_loop().call_soon(reader.feed_eof)
        return [message async for message in receiver().aread(reader)]

    assert asyncio.run(slowly()) == wanted


def again(octets, receiver, sender):
    """Reads a stream, and writes the same again."""
    seen = list(receiver().read([octets]))
    out = sender()
    for message in seen:
        out.send(message)
    assert out.size == len(octets) == out.offset
    assert out.take() == octets and out.size == 0
    however_cut(octets, receiver, seen)
    return seen


def proto():
    octets = (VECTORS / "stream_proto.stream.bin").read_bytes()
    seen = again(octets, stream.receiver, stream.sender)
    names = [type(message).__name__ for message in seen]
    assert names == ["OrderMessage", "BalanceMessage", "AccountMessage"], names
    assert seen[0].body.symbol == "EURUSD" and len(seen[2].body.orders) == 3
    again((VECTORS / "stream_proto_final.stream.bin").read_bytes(), stream.receiver_final, stream.sender_final)
    # The first message's size, then its type.
    strange = bytearray(octets)
    strange[int.from_bytes(octets[4:8], "little") + 4] ^= 0x55
    fault = fails("bad-message", list, stream.read([bytes(strange)]))
    assert isinstance(fault.__cause__, CodecError) and fault.__cause__.code == "unknown-message"
    ended = stream.read([bytes(strange), octets])
    fails("bad-message", list, ended)
    assert list(ended) == [], "nothing more is asked for after a fault"
    assert list(stream.read([bytes(strange)], unknown="skip")) == seen[1:]
    size = int.from_bytes(octets[:4], "little")
    assert list(stream.read([bytes(strange)], unknown="keep")) == [bytes(strange[:size]), *seen[1:]]
    receiver = stream.receiver(max_frame=64)
    fails("frame-too-large", list, receiver.feed(octets))
    fails("frame-too-large", receiver.feed, b"")
    fails("frame-too-small", list, stream.read([bytes(100)]))
    receiver = stream.receiver()
    first = next(receiver.feed(octets))
    assert [first, *receiver.feed(b"")] == seen and receiver.rest == b""


def market():
    messages = [package.Trade(sequence=1, aggressor=package.Side.buy), package.Quote(sequence=3), package.Trade(sequence=2)]
    for framing in ("u16le", "u16be", "u32le", "u32be", "sofh"):
        out = stream.sender(framing)
        for message in messages:
            out.send(message)
        octets = out.take()
        seen = again(octets, lambda: stream.receiver(framing), lambda: stream.sender(framing))
        assert [message.sequence for message in seen] == [1, 3, 2]
    for framing in ("fbe-final", "header", None):
        try:
            stream.receiver(framing)
        except ValueError:
            continue
        raise AssertionError(framing)
    try:
        stream.sender("u32le").send("text")
    except TypeError:
        return
    raise AssertionError("no message was sent")


def addressbook():
    people = [package.Person(id=i, name="x" * i) for i in range(6)]
    for receiver, sender in ((stream.receiver, stream.sender), (stream.receiver_packed, stream.sender_packed)):
        out = sender()
        for person in people:
            out.send(person)
        again(out.take(), lambda: receiver(package.Person), sender)
    fails("too-many-segments", list, stream.read([b"\xff\xff\0\0" * 9], package.Person))
    fails("bad-packing", list, stream.read_packed([b"\0\xff" * 9], package.Person))


def extra():
    octets = (VECTORS / "stream_extra_requests.stream.bin").read_bytes()

    async def client():
        out = stream.sender()
        desk = stream.requests(out)
        tasks, strays = [], 0
        for message in stream.read([octets]):
            if isinstance(message, package.Req):
                tasks.append(asyncio.create_task(desk.send(message)))
                await asyncio.sleep(0)
            elif not isinstance(message, package.Notice):
                strays += not desk.answer(message)
        got = await asyncio.gather(*tasks)
        assert [(type(answer), answer.code) for answer in got] == [(package.RespOk, 200)], got
        assert strays == 1 and len(desk) == 0
        written = out.take()
        assert octets.startswith(written) and written

        request = package.Req(id=got[0].id, what="late")
        waiting = asyncio.create_task(desk.send(request))
        await asyncio.sleep(0)
        for run, code in (
            (desk.send(request), "duplicate"),
            (desk.send(package.Req(id=type(request.id)(int=5)), timeout=0.01), "late"),
        ):
            try:
                await run
            except Exception as error:
                assert error.code == code, error
            else:
                raise AssertionError(code)
        assert len(desk) == 1
        assert desk.give_up(OSError("gone")) == 1
        try:
            await waiting
        except Exception as error:
            assert error.code == "given-up" and isinstance(error.__cause__, OSError)
        else:
            raise AssertionError("given-up")
        assert not desk.answer(package.RespOk(id=request.id))

    asyncio.run(client())


{"proto": proto, "market": market, "addressbook": addressbook, "extra": extra}[NAME]()
