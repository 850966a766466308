package aldis.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The entries of a BATCH or PUSH: {@code size u32, bytes}, one behind the other. */
final class Entries {
    /** Bytes of an entry's size. */
    static final int HEAD = 4;

    private Entries() {}

    /** Copies of those behind the first ones that are skipped; null where the bytes are not exactly {@code count} entries. */
    static List<byte[]> of(ByteBuffer bytes, long count, long skip) {
        ByteBuffer left = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        // Before memory is taken for so many.
        if (count * HEAD > left.remaining()) return null;
        List<byte[]> found = new ArrayList<>((int) Math.max(count - skip, 0));
        for (long i = 0; i < count; i++) {
            if (left.remaining() < HEAD) return null;
            int size = left.getInt();
            if (size < 0 || size > left.remaining()) return null;
            if (i < skip) {
                left.position(left.position() + size);
                continue;
            }
            byte[] entry = new byte[size];
            left.get(entry);
            found.add(entry);
        }
        return left.hasRemaining() ? null : found;
    }
}
