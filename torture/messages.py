"""The messages of the torture test: what one holds follows from its producer, epoch and sequence, so that whoever reads the
log can tell whether a message is the one that was sent."""
import struct

PATTERN = bytes((131 * i + 17 * (i >> 8)) & 0xFF for i in range(65536 + 256))


def filling(epoch, sequence):
    """How many bytes follow the identity of a message: mostly few, 1 time in 64 up to 64 KiB."""
    mixed = (sequence + 7919 * epoch) * 2654435761 & 0xFFFFFFFF
    kind = mixed >> 24
    if kind < 4:
        return mixed & 0xFFFF
    return mixed & (0x3F if kind < 128 else 0x3FF)


def message(producer, epoch, sequence):
    """The bytes of a message: producer (16), epoch u32, sequence u64, and a piece of the pattern."""
    start = sequence & 0xFF
    return producer + struct.pack("<IQ", epoch, sequence) + PATTERN[start : start + filling(epoch, sequence)]
