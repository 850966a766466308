"""Messages as objects of generated classes, and those as messages, by the engine of the wheel, where it is installed, in the place of the printed
functions for usual messages: it takes older and newer ones too, and writes what it does not find odd. In the environment ``ALDIS_NATIVE=0``
leaves it out, and with ``require`` it must be there."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

from .fast import Flags, Odd, canonical_words, decimal_of, packed_words, uuid_of
from .values import MISSING, Opaque, UnknownArm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .form import Codec, Form
    from .framing import Length


def readers(form: Form, printed: list[Any]) -> list[Any] | None:
    """The engine's readers and writers of a form's messages; none where there is no engine, or it does not read the form. The
    functions ``printed`` write what is odd for its writers. Raises MemoryError where memory is short."""
    wanted = os.environ.get("ALDIS_NATIVE")
    if wanted == "0":
        return None
    try:
        from ._native import readers
    except ImportError:
        if wanted == "require":
            raise
        return None
    data, schema = form.data(), form.schema
    if form.strict_text:
        return None

    def literal_of(literal: int) -> Any:
        return schema.literal(data["literals"][literal])

    given: dict[str, object] = {
        "form": data,
        "types": schema.types,
        "classes": schema.classes,
        "literals": [schema.literal(literal) for literal in data["literals"]],
        "flags": Flags,
        "uuid_of": uuid_of,
        "decimal_of": decimal_of,
        "collection": form.collection,
        "literal_of": literal_of,
        "unknown_arm": UnknownArm,
        "opaque_of": Opaque,
        "odd": Odd,
        "missing": MISSING,
        "printed": printed,
        "finish": _finish(form),
    }
    found: list[Any] | None = readers(given)
    return found


def _finish(form: Form) -> Any:
    """The function that makes a message of words as the engine writes them."""
    if form.container is None:
        return None
    _, packed, canonical = form.container
    return _packed if packed else canonical_words if canonical else None


def _packed(words: bytes) -> bytes:
    return packed_words((len(words) >> 3 << 32).to_bytes(8, "little") + words)


def readings(form: Form, engine: list[Any]) -> list[Any]:
    """The functions that read the messages of a form by the engine."""
    if form.container is None or not form.container[1]:
        return [reader.read for reader in engine]
    return [_unpacked(reader.read) for reader in engine]


def _unpacked(read: Any) -> Any:
    """The function that reads a packed message."""
    from .packing import unpack

    def unpacked(data: bytes, at: int) -> tuple[Any, int]:
        words, end = unpack(data, at)
        return read(words, 0)[0], end

    return unpacked


def writings(form: Form, engine: list[Any], printed: list[Any]) -> list[Any]:
    """The functions that write the messages of a form: printed ones where a message is of a fixed size, which one call of ``struct`` makes in
    less time than the engine."""
    from .form import never

    data = form.data()
    return [
        writer.write if form.container is not None or own is never or _grows(data["routines"], routine, set()) else own
        for writer, routine, own in zip(engine, data["writers"], printed)
    ]


def _grows(routines: Any, routine: int, seen: set[int]) -> bool:
    """Whether a routine, or one that it calls, writes what has a size of its own."""
    if routine in seen:
        return False
    seen.add(routine)
    waiting: list[Any] = [routines[routine]]
    while waiting:
        part = waiting.pop()
        if part.__class__ is not tuple or not part:
            continue
        if part[0] in ("loop", "append") or (part[0] == "call" and _grows(routines, part[2], seen)):
            return True
        waiting.extend(part)
    return False


def put_decoder(codec: Codec[Any]) -> None:
    """Puts the engine's own function in the place of a message's printed ``decode``: a call less for each message. It gives messages
    that it refuses to the careful reader, and what it does not try to that function."""
    form, cls = codec.form, codec.form.schema.classes[codec.record]
    codecs = sys.modules.get(f"{cls.__module__}._codec")
    if form.engine is None or codecs is None or (form.container is not None and form.container[1]):
        return
    own = next((name for name, known in vars(codecs).items() if known is codec), "")
    name = "decode" + own[len(cls.__name__) :]
    printed: Any = cls.__dict__.get(name)
    # A function that a user put there stays.
    if own.startswith(cls.__name__) and printed.__class__ is staticmethod and printed.__func__.__module__ == cls.__module__:
        again = (_found, (cls, name))
        setattr(cls, name, staticmethod(form.engine[codec.message].decoder(printed.__func__, codec.careful, again).decode))


def _found(cls: type[Any], name: str) -> Any:
    """An object whose ``decode`` is a class's own: pickles of the engine's functions hold this call."""
    return SimpleNamespace(decode=getattr(cls, name))


def checkers(form: Form, engine: list[Any]) -> list[Any]:
    """The functions that tell where the messages of a form end."""
    if form.container is None or not form.container[1]:
        return [reader.check for reader in engine]
    from .packing import unpack

    def unpacked(check: Any) -> Any:
        def checked(data: bytes, at: int) -> int:
            words, end = unpack(data, at)
            check(words, 0)
            return end

        return checked

    return [unpacked(reader.check) for reader in engine]


def viewers(form: Form, engine: list[Any]) -> list[Any]:
    """The functions that check the messages that bytes begin with, for views. What they are given gives a field that is odd."""
    if form.container is None or not form.container[1]:
        return [_viewer(reader.view, None) for reader in engine]
    from .packing import unpack

    return [_viewer(reader.view, unpack) for reader in engine]


def _viewer(view: Any, unpack: Any) -> Any:
    def viewed(data: bytes, otherwise: Any) -> Any:
        return view(data if unpack is None else unpack(data, 0)[0], 0, otherwise)

    return viewed


def frames(form: Form, only: int | None, length: Length, max_frame: int) -> Any:
    """The engine's reader of many frames with a length each, of one message or of all that bytes tell; none where there is no engine."""
    is_packed = form.container is not None and form.container[1]
    if form.engine is None or is_packed or length.root is not None or (only is None and form.dispatch is None):
        return None
    if length.added < 0:
        return None
    from ._native import Frames

    given: dict[str, object] = {
        "at": length.at,
        "end": length.end,
        "order": length.order,
        "skip": length.skip,
        "added": length.added,
        "least": length.least,
        "most": min(int(max_frame), (1 << 64) - 1),
        "form": form.order,
        "dispatch": form.dispatch if only is None else None,
    }
    return Frames(form.engine[only or 0], given)
