package aldis.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;

/**
 * The messages that a producer has sent and that are not yet acked: kept to be sent again. Sequences count from 1 over all that was
 * ever appended. Invariant: {@code acked < next <= appended + 1}, and {@code next} is the sequence at {@code nextPlace}.
 */
final class Outbox {
    /** Bytes that a chunk begins with; they double. */
    private static final int FIRST_ROOM = 4096;

    /** Entries in the order of their sequences; nothing changes them once the chunk is closed. */
    private static final class Chunk {
        final Bytes entries;
        int count;

        Chunk(int room) {
            entries = new Bytes(room);
        }

        Place after(Place place) {
            byte[] bytes = entries.array;
            int at = place.offset;
            int size = bytes[at] & 0xFF | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16 | bytes[at + 3] << 24;
            return new Place(place.chunk, at + Entries.HEAD + size, place.count + 1);
        }

        Place end(int chunk) {
            return new Place(chunk, entries.size, count);
        }

        /** The end of a chunk is the begin of the next. */
        Place normal(Place place) {
            return place.count == count ? new Place(place.chunk + 1, 0, 0) : place;
        }

        Place fitting(Place begin, long messages, long bytes) {
            Place end = begin;
            while (end.count < count && end.count - begin.count < messages) {
                Place after = after(end);
                if (after.offset - begin.offset > bytes) break;
                end = after;
            }
            return end;
        }
    }

    /** Before the entry number {@code count} of the chunk with that index, which begins at {@code offset}. */
    private record Place(int chunk, int offset, int count) {
        static final Place START = new Place(0, 0, 0);
    }

    /** The entries of one BATCH. */
    record Outgoing(long first, int count, ByteBuffer entries) {}

    private final int batchBytes;
    private final ArrayList<Chunk> chunks = new ArrayList<>();
    private Chunk open;
    private long appended;
    private long acked;
    private long next = 1;
    private Place ackedPlace = Place.START;
    private Place nextPlace = Place.START;
    private long keptBytes;
    private long sentBytes;

    /** A chunk is closed when it has {@code batchBytes} of entries. */
    Outbox(int batchBytes) {
        this.batchBytes = batchBytes;
    }

    /** The messages up to {@code last} are acked already. Only while empty. */
    void beginAfter(long last) {
        acked = appended = last;
        next = last + 1;
    }

    /** Takes a message and gives its sequence. */
    long append(byte[] bytes, int at, int size) {
        if (open == null) open = new Chunk(Math.min(batchBytes, FIRST_ROOM) + Entries.HEAD + size);
        open.entries.u32(size);
        open.entries.put(bytes, at, size);
        open.count++;
        keptBytes += Entries.HEAD + size;
        appended++;
        if (open.entries.size >= batchBytes) closeChunk();
        return appended;
    }

    /** Closes the chunk that is being filled, so that {@code next} gives it. */
    void closeChunk() {
        if (open == null) return;
        chunks.add(open);
        open = null;
    }

    /** Whether {@code next} has something to give, credit allowing. */
    boolean hasNext() {
        return nextPlace.chunk < chunks.size();
    }

    /** Whether messages wait in a chunk that is not closed. */
    boolean hasOpen() {
        return open != null;
    }

    long appended() {
        return appended;
    }

    long acked() {
        return acked;
    }

    /** The last sequence that {@code next} has given since the last rewind. */
    long sent() {
        return next - 1;
    }

    /** Bytes of entries that are kept, sizes included. */
    long keptBytes() {
        return keptBytes;
    }

    /** The next entries to send: of one chunk, as many as the credit and a frame's size allow; null when not even one. */
    Outgoing next(Window credit, int frameEntries) {
        if (!hasNext()) return null;
        Chunk chunk = chunks.get(nextPlace.chunk);
        Place begin = nextPlace;
        long outstanding = next - acked - 1;
        long messages = credit.messages() - outstanding;
        long bytes = Math.min(credit.bytes() - sentBytes, frameEntries);
        Place end = chunk.end(begin.chunk);
        if (end.count - begin.count > messages || end.offset - begin.offset > bytes) end = chunk.fitting(begin, messages, bytes);
        // A single entry may always be sent when nothing is outstanding.
        if (end.count == begin.count && outstanding == 0) end = chunk.after(begin);
        int count = end.count - begin.count;
        if (count == 0) return null;
        long first = next;
        sentBytes += end.offset - begin.offset;
        next += count;
        nextPlace = chunk.normal(end);
        return new Outgoing(first, count, ByteBuffer.wrap(chunk.entries.array, begin.offset, end.offset - begin.offset));
    }

    /** Forgets all up to {@code sequence}, which must be in closed chunks; less than before does nothing. */
    void ack(long sequence) {
        long left = sequence - acked;
        if (left <= 0) return;
        int gone = 0;
        while (left > 0 && gone < chunks.size()) {
            Chunk chunk = chunks.get(gone);
            int whole = chunk.count - ackedPlace.count;
            if (whole <= left) {
                left -= whole;
                forget(chunk.entries.size - ackedPlace.offset);
                ackedPlace = Place.START;
                gone++;
            } else {
                Place after = chunk.after(ackedPlace);
                forget(after.offset - ackedPlace.offset);
                ackedPlace = after;
                left--;
            }
        }
        chunks.subList(0, gone).clear();
        int chunk = nextPlace.chunk - gone;
        nextPlace = chunk < 0 ? Place.START : new Place(chunk, nextPlace.offset, nextPlace.count);
        acked = sequence;
        if (next <= sequence) restart();
    }

    /** Sends again from {@code sequence} on, or from what is not acked. */
    void rewind(long sequence) {
        if (sequence >= next) return;
        restart();
        while (next < sequence) {
            Chunk chunk = chunks.get(nextPlace.chunk);
            Place after = chunk.after(nextPlace);
            sentBytes += after.offset - nextPlace.offset;
            nextPlace = chunk.normal(after);
            next++;
        }
    }

    private void restart() {
        next = acked + 1;
        nextPlace = ackedPlace;
        sentBytes = 0;
    }

    private void forget(int bytes) {
        keptBytes -= bytes;
        sentBytes = Math.max(sentBytes - bytes, 0);
    }
}
