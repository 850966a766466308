"""Messages as objects of generated classes by the engine of the wheel, where it is installed, in the place of the printed functions for usual
messages: it takes older and newer ones too. In the environment ``ALDIS_NATIVE=0`` leaves it out, and with ``require`` it must be there."""

from __future__ import annotations

import os

from .fast import Flags, Odd, decimal_of, uuid_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .form import Form

    Read = Callable[[bytes, int], tuple[Any, int]]


def readers(form: Form) -> list[Read] | None:
    """The functions that read a form's messages; none where there is no engine, or it does not read the form: Cap'n Proto."""
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
    if data["container"] is not None or form.strict_text:
        return None
    given = {
        "form": data,
        "types": schema.types,
        "classes": schema.classes,
        "literals": [schema.literal(literal) for literal in data["literals"]],
        "flags": Flags,
        "uuid_of": uuid_of,
        "decimal_of": decimal_of,
        "collection": form.collection,
        "odd": Odd,
    }
    found = readers(given)
    return None if found is None else [reader.read for reader in found]
