"""The testee protocol: the generated codecs of a schema behind standard input and output."""

from __future__ import annotations

import re
import sys
import traceback
from typing import Any

from .faults import CodecError, path_text
from .form import Form

_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")


class _Refusal(Exception):
    pass


class _Malformed(Exception):
    pass


class Program:
    """``names`` are the messages' full names, ``records`` the numbers of their types, ``listed`` what ``list`` answers."""

    def __init__(self, names: tuple[str, ...], records: tuple[int, ...], listed: str, forms: dict[str, Form]) -> None:
        self.names = {name: i for i, name in enumerate(names)}
        self.records, self.listed, self.forms = records, listed, forms
        self.json = next(iter(forms.values())).json

    def reply(self, line: str) -> str:
        """The answer to one line."""
        fields = line.split("\t")
        try:
            return f"{fields[0]}\tok\t{self.result(fields).hex()}"
        except _Malformed as error:
            return f"-\terror\tbad-request\t-\t{error}"
        except _Refusal as error:
            return f"{fields[0]}\tunsupported\t{error}"
        except CodecError as error:
            path = path_text(error.path)
            words = re.sub("[\t\r\n]", " ", f"{path + ': ' if path else ''}{error.detail or error.code}")
            words = words.encode("utf-8", "backslashreplace").decode()
            return f"{fields[0]}\terror\t{error.code}\t{'-' if error.offset is None else error.offset}\t{words}"
        except Exception:
            return f"{fields[0]}\terror\tescaped\t-\t{' '.join(traceback.format_exc().split())}"

    def result(self, fields: list[str]) -> bytes:
        if len(fields) == 2 and fields[1] == "list":
            return self.listed.encode()
        if len(fields) != 6 or fields[1] not in ("convert", "view"):
            raise _Malformed("expected ID list, or ID convert|view MESSAGE FROM TO HEX, between TABs")
        _, _, name, source, target, digits = fields
        if not _HEX.fullmatch(digits):
            raise _Malformed("HEX is not an even number of hex digits")
        for form in (source, target):
            if form != "json" and form not in self.forms:
                raise _Refusal(f"this schema has no form {form}")
        data = bytes.fromhex(digits)
        if name == "-" and source == "json":
            raise _Refusal("JSON does not say which message it is")
        message = self.forms[source].identify(data) if name == "-" else self.names.get(name)
        if message is None:
            raise CodecError("unknown-message", None, (), f"the schema has no message {name}")
        return self.converted(message, source, target, data)

    def converted(self, message: int, source: str, target: str, data: bytes) -> bytes:
        record = self.records[message]
        value = self.json.read(record, data) if source == "json" else self.forms[source].decode(message, data)
        if target == "json":
            return self.json.write(record, value).encode("utf-8", "backslashreplace")
        form = self.forms[target]
        header: Any = None
        # Forms with heads of their own have no other form to be converted to.
        if form.head is not None and source != "json" and form.head[0] != message:
            header = form.decode(form.head[0], data)
        return form.encode(message, value, header)


def answer(program: Program) -> None:
    """Answers requests until standard input ends."""
    for line in sys.stdin.buffer:
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        sys.stdout.buffer.write(program.reply(text).encode() + b"\n")
        sys.stdout.buffer.flush()
