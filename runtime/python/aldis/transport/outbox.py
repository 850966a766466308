"""Messages that wait for their acks."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from .frames import ENTRY_HEAD, Window


class _Chunk:
    """Entries in the order of their sequences."""

    __slots__ = ("memory", "ends")

    def __init__(self) -> None:
        self.memory = bytearray()
        self.ends: array[int] = array("Q")

    def push(self, message: bytes) -> None:
        self.memory += len(message).to_bytes(ENTRY_HEAD, "little")
        self.memory += message
        self.ends.append(len(self.memory))

    def offset(self, count: int) -> int:
        """The byte behind so many entries."""
        return self.ends[count - 1] if count > 0 else 0


class Outbox:
    """The messages that a producer has sent and that are not yet acked: kept to be sent again. Sequences count from 1 over all that was
    ever appended. Invariant: ``acked < next <= appended + 1``, and ``next`` is the sequence at ``next_place``. A place is a chunk by its
    index and the number of entries in it that lie before."""

    def __init__(self, batch_bytes: int) -> None:
        self._batch_bytes = batch_bytes
        self._chunks: list[_Chunk] = []
        self._open: _Chunk | None = None
        self._next: int = 1
        # The entries of the first chunk that are acked.
        self._acked_count = 0
        self._next_place: tuple[int, int] = (0, 0)
        self._sent_bytes = 0
        self.appended = self.acked = 0
        self.kept_bytes = 0
        """Bytes of entries that are kept, sizes included."""

    def begin_after(self, last: int) -> None:
        """The messages up to ``last`` are acked already. Only while empty."""
        self.acked = self.appended = last
        self._next = last + 1

    def append(self, message: bytes) -> int:
        """Takes a message and gives its sequence. A chunk is closed when it has as many bytes as a batch."""
        chunk = self._open = self._open or _Chunk()
        chunk.push(message)
        self.kept_bytes += ENTRY_HEAD + len(message)
        self.appended += 1
        if len(chunk.memory) >= self._batch_bytes:
            self.close_chunk()
        return self.appended

    def close_chunk(self) -> None:
        """Closes the chunk that is being filled, so that ``next`` gives it."""
        if self._open is not None:
            self._chunks.append(self._open)
            self._open = None

    @property
    def has_next(self) -> bool:
        """Whether ``next`` has something to give, credit allowing."""
        return self._next_place[0] < len(self._chunks)

    @property
    def has_open(self) -> bool:
        """Whether messages wait in a chunk that is not closed."""
        return self._open is not None

    @property
    def sent(self) -> int:
        """The last sequence that ``next`` has given since the last rewind."""
        return self._next - 1

    def next(self, credit: Window, frame_entries: int) -> tuple[int, int, bytes] | None:
        """The first sequence, number and bytes of the next entries to send: of one chunk, as many as the credit and a frame's size allow."""
        if not self.has_next:
            return None
        index, begin = self._next_place
        chunk = self._chunks[index]
        start = chunk.offset(begin)
        outstanding = self._next - self.acked - 1
        room = min(credit.bytes - self._sent_bytes, frame_entries)
        end = min(bisect_right(chunk.ends, start + room, begin), begin + max(credit.messages - outstanding, 0))
        # A single entry may always be sent when nothing is outstanding.
        if end == begin and outstanding == 0:
            end += 1
        if end == begin:
            return None
        first = self._next
        stop = chunk.offset(end)
        self._sent_bytes += stop - start
        self._next += end - begin
        self._next_place = (index + 1, 0) if end == len(chunk.ends) else (index, end)
        return first, end - begin, bytes(memoryview(chunk.memory)[start:stop])

    def ack(self, sequence: int) -> None:
        """Forgets all up to ``sequence``, which must be in closed chunks; less than before does nothing."""
        left = sequence - self.acked
        if left <= 0:
            return
        gone = 0
        count = self._acked_count
        while left > 0:
            chunk = self._chunks[gone]
            taken = min(left, len(chunk.ends) - count)
            self._forget(chunk.offset(count + taken) - chunk.offset(count))
            left -= taken
            count += taken
            if count == len(chunk.ends):
                gone, count = gone + 1, 0
        self._acked_count = count
        del self._chunks[:gone]
        index, before = self._next_place
        self._next_place = (index - gone, before) if index >= gone else (0, 0)
        self.acked = sequence
        if self._next <= sequence:
            self._restart()

    def rewind(self, sequence: int) -> None:
        """Sends again from ``sequence`` on, or from the first that is not acked."""
        if sequence >= self._next:
            return
        self._restart()
        left = sequence - self._next
        while left > 0:
            index, begin = self._next_place
            chunk = self._chunks[index]
            taken = min(left, len(chunk.ends) - begin)
            self._sent_bytes += chunk.offset(begin + taken) - chunk.offset(begin)
            self._next_place = (index + 1, 0) if begin + taken == len(chunk.ends) else (index, begin + taken)
            self._next += taken
            left -= taken

    def _restart(self) -> None:
        self._next = self.acked + 1
        self._next_place = (0, self._acked_count)
        self._sent_bytes = 0

    def _forget(self, size: int) -> None:
        self.kept_bytes -= size
        self._sent_bytes = max(self._sent_bytes - size, 0)
