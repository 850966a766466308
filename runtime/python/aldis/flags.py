"""Flags of signed numbers."""

from __future__ import annotations

from enum import IntFlag
from typing import Any


class SignedFlag(IntFlag):
    """Flags whose number may be negative, and stays what it is."""

    @classmethod
    def _missing_(cls, value: object) -> Any:
        if not isinstance(value, int) or value >= 0:
            return super()._missing_(value)
        found = int.__new__(cls, value)
        found._name_, found._value_ = None, value
        return found
