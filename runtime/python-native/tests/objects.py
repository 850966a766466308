"""Generated classes by the engine, by the careful reader and writer and by the interpreter: whole, cut and damaged messages of several
schemas and forms, streams of them, and values that are none.

    python objects.py ROOT [DAMAGED]     so many damaged messages a form (1000)
"""

import copy
import dataclasses
import gc
import importlib
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import threading
from itertools import chain
from pathlib import Path

import aldis
from aldis.fast import ODD, Odd
from aldis.form import Codec
from aldis.framing import framing_of
from aldis.objects import frames, readers
from aldis.streams import Lying, Messages, Receiver, StreamError

ROOT = Path(sys.argv[1])
DAMAGED = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
SCHEMAS = [
    "conformance/schemas/market.xml",
    "conformance/schemas/sbe/market-data.xml",
    "conformance/schemas/sbe/corners.xml",
    "conformance/schemas/sbe/latin1.xml",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/vectors/fbe/extra.fbe",
    "conformance/vectors/sbe/be-all.xml",
    "conformance/schemas/addressbook.capnp",
    "conformance/schemas/capnp/empties.capnp",
    "conformance/schemas/capnp/lone-unions.capnp",
    "conformance/schemas/capnp/needed.capnp",
    "conformance/schemas/capnp/nulls.capnp",
    "conformance/schemas/capnp/values.capnp",
    "conformance/schemas/capnp/words.capnp",
]
WHOLE = 20
"""Random messages of each kind."""
STREAMS = 40
"""Streams of each form."""


def command(*words):
    return subprocess.run([sys.executable, "-m", "aldis", *map(str, words)], capture_output=True, check=True).stdout


def verdict(act):
    """The result of an act, or its fault, which shows nothing of how it was found."""
    try:
        return act()
    except aldis.CodecError as fault:
        assert fault.__context__ is None, repr(fault.__context__)
        return fault.code, fault.offset, fault.path


def damaged(rng, messages):
    message = bytearray(rng.choice(messages))
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        message[rng.randrange(len(message))] = rng.choice((0, 1, 2, 0x7F, 0x80, 0xFF, len(message) % 256, rng.randrange(256)))
    if rng.random() < 0.3:
        del message[rng.randrange(len(message)) :]
    if rng.random() < 0.3:
        message += rng.randbytes(rng.randrange(20))
    return bytes(message)


def compare(codec, interpreter, name, data):
    """Whether the engine took the message; its value and its faults are those of others."""
    careful = verdict(lambda: codec.form.careful(codec.message, data, 0, aldis.DEFAULT_LIMITS))
    try:
        taken = codec.usual(data, 0)
    except ODD:
        taken = None
    if taken is not None:
        assert repr(taken) == repr(careful) and type(taken[0]) is type(careful[0]), (name, data.hex(), taken, careful)
    wanted = verdict(lambda: interpreter.decode(data, name))
    found = verdict(lambda: codec.decode_from(data)[0])
    viewed(codec, data, careful)
    if isinstance(found, tuple):
        assert found == wanted, (name, data.hex(), found, wanted)
    else:
        assert taken is None or found.__class__ is codec.form.schema.classes[codec.record]
        written = verdict(lambda: aldis.engine.json.loads(codec.to_json(found)))
        # Texts that are none, and numbers that JSON has not, are faults that have a place in bytes alone.
        is_same = written[0] == wanted[0] if isinstance(written, tuple) else repr(written) == repr(wanted)
        assert is_same, (name, data.hex(), written, wanted)
    return taken is not None


def viewed(codec, data, careful):
    """A view has the fields that decoding gives, and the faults."""
    end, view = verdict(lambda: codec.verify(data)), verdict(lambda: codec.view(data))
    if isinstance(view, tuple):
        assert view == end == careful, (data.hex(), view, end, careful)
        return
    assert end == careful[1] and repr(view) == repr(careful[0]), (data.hex(), view, careful)


def viewed_in_place(codec, data):
    """The engine itself views each field of a whole message."""
    view = codec.form.viewers[codec.message](data, refused)
    value = codec.decode(data)
    for number, name in enumerate(value.__match_args__):
        assert repr(view.field(number)) == repr(getattr(value, name)), (name, data.hex())


def refused(*given):
    raise Odd


def outcome(act):
    """As a verdict; of other errors, which are of the value's own making, the class."""
    try:
        return verdict(act)
    except Exception as error:
        return type(error)


def rewritten(codec, writer, name, value):
    """Whether the engine itself writes the value; its bytes and faults, and those of the whole package, are the careful writer's."""
    wanted = outcome(lambda: codec.form.encode(codec.message, value))
    try:
        own = writer.write(value)
    except ODD:
        own = None
    assert own is None or own == wanted, (name, own, wanted)
    found = outcome(lambda: codec.encode(value))
    # A value's own errors may come in one way of asking it, and not in another.
    assert found == wanted or isinstance(wanted, type), (name, found, wanted)
    return own is not None


class Number(int):
    """A number of a class of its own."""

    def __index__(self):
        raise RuntimeError

    __int__ = __index__


class Text(str):
    def encode(self, *given):
        raise UnicodeError

    def __len__(self):
        return 1 << 40


class Long(list):
    """A list that is not what it says."""

    def __len__(self):
        return 3


STRANGE = [
    None, aldis.MISSING, True, False, 0, -1, 1, 255, 256, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1, 1 << 64, -(1 << 63), 10**400, Number(7),
    0.0, -0.0, 1e300, float("nan"), float("inf"), "", "a", "\xe9", "\u20ac", "\ud800", "\udcff", "a" * 300, "\0", Text("x"), b"", b"\xff" * 300,
    bytearray(b"x"), memoryview(b"y"), [], [None], [1, 2], [True], ["x"], [b"x"], [[]], (1,), {}, {1: 2}, {"a": 1}, set(), {1}, frozenset(),
    Long(), object(), int, aldis.Opaque(b""), aldis.UnknownArm(3),
]  # fmt: skip


def places(value):
    """The places of a value that can be set: objects and their fields, lists and their elements."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield value, field.name
            yield from places(getattr(value, field.name, None))
    elif type(value) is list:
        for index, item in enumerate(value):
            yield value, index
            yield from places(item)


def misused(rng, value):
    """A copy of a value, some parts of which are what does not belong there."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2))):
        owner, place = rng.choice(list(places(value)) or [(value, None)])
        if place is None:
            return None
        strange = rng.choice(STRANGE)
        strange = strange[:] if type(strange) is list else strange
        if isinstance(place, int):
            owner[place] = strange
        elif rng.random() < 0.05 and hasattr(owner, place):
            delattr(owner, place)
        elif rng.random() < 0.05:
            inner = getattr(owner, place, None)
            if dataclasses.is_dataclass(inner) and not isinstance(inner, type):
                inner.__class__ = type(inner.__class__.__name__, (inner.__class__,), {"__slots__": ()})
        else:
            setattr(owner, place, strange)
    return value


def writing(all_messages, counts):
    """Values of messages, and such that are none, are written as the careful writer writes them."""
    form, rng = all_messages[0][0].form, random.Random(3)
    writers = readers(form, [refused] * len(form.engine))
    values = []
    for codec, name, messages in all_messages:
        for data in messages:
            value = codec.decode(data)
            counts[0] += rewritten(codec, writers[codec.message], name, value)
            counts[1] += 1
            values.append((codec, name, value))
    for _ in range(DAMAGED):
        codec, name, value = rng.choice(values)
        rewritten(codec, writers[codec.message], name, misused(rng, value))


def forms(package):
    """The codecs of each form that the engine reads."""
    found = {}
    for codec in vars(importlib.import_module(f"{package}._codec")).values():
        if isinstance(codec, Codec):
            assert codec.form.engine is not None, (package, codec.form.name)
            found.setdefault(codec.form.name, []).append(codec)
    return found


def check(path, folder):
    command("gen", path, "--lang", "python", "--out", folder)
    package = next(own.name for own in folder.iterdir() if own.is_dir() and own.name not in sys.modules and own.name != "__pycache__")
    seen = taken = 0
    counts = [0, 0]
    for index, (form, codecs) in enumerate(forms(package).items()):
        interpreter = aldis.load(path, form)
        all_messages = []
        for codec in codecs:
            name = interpreter.messages[codec.message]
            lines = command("random", path, name, "--form", form, "--count", WHOLE, "--to", "hex").split()
            messages = [bytes.fromhex(line.decode()) for line in lines]
            for data in messages:
                assert compare(codec, interpreter, name, data), (name, data.hex())
                viewed_in_place(codec, data)
            cuts = messages[0]
            for size in range(min(len(cuts), 200)):
                compare(codec, interpreter, name, cuts[:size])
            all_messages.append((codec, name, messages))
        rng = random.Random(form)
        for _ in range(DAMAGED):
            codec, name, messages = rng.choice(all_messages)
            taken += compare(codec, interpreter, name, damaged(rng, messages))
            seen += 1
        if index == 0:
            pickled(all_messages[0][0], all_messages[0][2][0])
        streams(all_messages)
        writing(all_messages, counts)
        if form == "capnp" and path.name == "addressbook.capnp":
            book = next(codec for codec, name, _ in all_messages if name == "AddressBook")
            bounded(book)
            entered_twice(book)
    return seen, taken, counts, all_messages


def events(receiver, chunks, seed):
    """What a receiver gives, with its places, and the fault that ends it. Now and then messages are left for the next call."""
    rng, found = random.Random(seed), []
    try:
        for chunk in chunks:
            for message in receiver.feed(chunk):
                found.append((repr(message), receiver.offset, receiver.rest))
                if rng.random() < 0.02:
                    break
            found.append((receiver.offset, receiver.rest))
        receiver.finish()
    except StreamError as fault:
        found.append((*fault.args, str(fault.__cause__)))
    return found


def streams(all_messages):
    """Messages of the engine are what printed functions give, whatever the stream is cut into."""
    rng = random.Random(7)
    form = all_messages[0][0].form
    codecs = {form.schema.classes[codec.record]: codec for codec, _, _ in all_messages}
    for turn in range(STREAMS):
        only = rng.choice([None, *codecs]) if form.dispatch is not None else rng.choice([*codecs])
        chosen = [messages for codec, _, messages in all_messages if only is None or codecs[only] is codec]
        parts = []
        for _ in range(rng.randrange(400)):
            messages = rng.choice(chosen)
            message = damaged(rng, messages) if rng.random() < 0.004 else rng.choice(messages)
            parts.append(len(message).to_bytes(4, "little") + message)
        stream = b"".join(parts) + rng.randbytes(rng.choice((0, 0, 3, 9)))
        cuts = sorted(rng.randrange(len(stream) + 1) for _ in range(rng.choice((0, 1, 5, 40))))
        chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)])]
        options = {"unknown": rng.choice(("stop", "skip", "keep")), "max_frame": rng.choice((1 << 20, 1 << 20, 300))}
        found = []
        for with_engine in (True, False):
            receiver = Receiver(Messages(form, codecs, "u32le", Lying()), None, only, **options)
            if not with_engine:
                receiver._is_ready = True
            found.append(events(receiver, chunks, turn))
            assert (receiver._engine is not None) == (with_engine and "packed" not in form.name), form.name
        assert found[0] == found[1], (form.name, turn)


def without_bytes(count):
    """A frame of an address book whose people have no bytes."""
    words = [3 << 32, 1 << 48, 7 << 32 | 1, count << 2]
    message = b"".join(word.to_bytes(8, "little") for word in words)
    return len(message).to_bytes(4, "little") + message


def bounded(codec):
    """Small messages that stand for much memory are there one at a time: here a list of many records without bytes."""
    count = 6_000
    frame = without_bytes(count)
    assert len(codec.usual(frame[4:], 0)[0].people) == count
    engine = frames(codec.form, codec.message, framing_of("u32le", Lying()), 1 << 20)
    messages = engine.read(frame * 100, 0)
    assert (messages.at, messages.last, messages.is_over) == (0, None, False)
    for index, message in enumerate(messages):
        assert len(message.people) == count
        # What is not asked for is not made.
        assert (messages.last, messages.at) == (len(frame) * index, len(frame) * (index + 1))
    assert index == 99 and messages.is_over
    messages = engine.read(frame * 2, 0)
    next(messages)
    messages.end()
    assert next(messages, None) is None and messages.at == len(frame)


def entered_twice(codec):
    """Who asks for a message while one is made, as the collector of garbage can, is refused, and loses nothing."""
    engine = frames(codec.form, codec.message, framing_of("u32le", Lying()), 1 << 20)
    refused = []

    class Asking:
        def __init__(self):
            self.own = self

        def __del__(self):
            try:
                next(messages, None)
            except ValueError as fault:
                refused.append(str(fault))

    usual = gc.get_threshold()
    gc.set_threshold(20, 2, 2)
    try:
        for _ in range(20):
            # The bytes, and the engine's iterator, are the chain's alone.
            messages = chain.from_iterable([engine.read(without_bytes(500) * 10, 0)])
            count = 0
            while Asking() and (message := next(messages, None)) is not None:
                assert len(message.people) == 500
                count += 1
            assert 0 < count <= 10, count
    finally:
        gc.set_threshold(*usual)
    assert "iterator already executing" in refused


SCARCE = """
import gc, pathlib, resource, sys
import aldis.view, aldis.walk  # Python's own compiler gives a SystemError where it lacks memory for what is imported late.
import proto
few = proto.Account.decode(pathlib.Path(sys.argv[1]).read_bytes())
many = proto.Account(1, "", orders=few.orders * 10_000)
said = set()
junk = []

def do(more, work):
    gc.collect()
    used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (more << 20), -1))
    # So little may be left that Python has none for its own work before the call.
    try:
        work()
        said.add("done")
    except MemoryError:
        said.add("no memory")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))

def first_view():
    try:
        while True:
            junk.append(bytes(500))
    except MemoryError:
        del junk[-100:]
    proto.Account.view(data).orders[-1]

data = many.encode()
do(0, first_view)
del junk[:]
for encode, decode in (("encode", "decode"), ("encode_final", "decode_final"), ("encode", "view")):
    data = getattr(many, encode)()
    for more in (0, 1, 3, 6, 9, 400):
        do(more, lambda: getattr(proto.Account, decode)(data).orders[-1])
        do(more, lambda: getattr(many, encode)()[:0])
assert said == {"done", "no memory"}, said
"""


def scarce(folder):
    """A lack of memory is a MemoryError, whatever is done and however little there is, and no end of the process."""
    vector = ROOT / "conformance/vectors/fbe/proto_account_readme.std.bin"
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": path}
    child = subprocess.run([sys.executable, "-c", SCARCE, vector], capture_output=True, text=True, env=environment)
    assert child.returncode == 0, f"{child.returncode}: {child.stderr[-4000:]}"


WIDE = """
import pathlib, resource
import aldis.objects, wide._codec
form = wide._codec.M.form
form.schema
printed = [*form._fast()[1]]
form.data()
said = set()
junk = []

def do(more, work):
    used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (more << 20), -1))
    try:
        work()
        said.add("done")
    except MemoryError:
        said.add("no memory")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))

def fill(size):
    while True:
        junk.append(bytes(size))

# What the process had and does not use any more is no memory either.
for size in (100_000, 10_000, 1000):
    do(0, lambda: fill(size))
for more in (2, 4, 8, 16, 32, 400):
    do(more, lambda: aldis.objects.readers(form, printed))
assert said == {"done", "no memory"}, said
"""


def wide(folder):
    """A lack of memory for readers is a MemoryError too, also where few routines have many operations."""
    fields = "".join(f"  string s{at};\n" for at in range(1000))
    Path(folder, "wide.fbe").write_text(f"package wide\n\nstruct M(1)\n{{\n{fields}}}\n")
    made = [sys.executable, "-m", "aldis", "gen", f"{folder}/wide.fbe", "--lang", "python", "--out", folder]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)])}
    for words in (made, [sys.executable, "-c", WIDE]):
        child = subprocess.run(words, capture_output=True, text=True, env=environment)
        assert child.returncode == 0, f"{child.returncode}: {child.stderr[-4000:]}"


def pickled(codec, data):
    """Readers go to other processes as functions do, before and after the first message."""
    cls = codec.form.schema.classes[codec.record]
    value = cls.decode(data)
    assert type(vars(cls)["decode"].__func__).__name__ == "builtin_function_or_method"
    assert pickle.loads(pickle.dumps(cls.decode))(data) == value


def steady(codec, messages):
    """Memory stays as it is, whatever is decoded, by several threads too."""
    rng = random.Random(5)
    given = [damaged(rng, messages) for _ in range(500)] + messages

    def decode(times):
        for data in given * times:
            try:
                codec.usual(data, 0)
            except ODD:
                pass

    decode(10)
    gc.collect()
    before = len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    threads = [threading.Thread(target=decode, args=(40,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    grown = len(gc.get_objects()) - before[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before[1]
    assert grown[0] < 100 and grown[1] < 4000, grown


assert os.environ.get("ALDIS_NATIVE") != "0"
with tempfile.TemporaryDirectory() as folder:
    sys.path.insert(0, folder)
    for number, schema in enumerate(SCHEMAS):
        own = Path(folder, str(number))
        own.mkdir()
        sys.path.insert(0, str(own))
        seen, taken, counts, messages = check(ROOT / schema, own)
        steady(messages[0][0], messages[0][2])
        if schema.endswith("proto.fbe"):
            scarce(own)
            wide(own)
        print(f"  {schema}: {seen} damaged messages as the careful reader and the interpreter have them, {taken} of them values")
        print(f"    {counts[0]} of {counts[1]} values written by the engine, as the careful writer has them")
