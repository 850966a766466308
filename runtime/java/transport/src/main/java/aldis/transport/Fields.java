package aldis.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the fields of a body from its front. Once something is missing or wrong it reads zeros, and is not exact. */
final class Fields {
    /** Bytes of a text, at most. */
    static final int MAX_TEXT = 1024;

    private static final byte[] MAGIC = "ALDIS".getBytes(StandardCharsets.US_ASCII);
    private static final Durability[] DURABILITIES = Durability.values();

    private final ByteBuffer left;
    private boolean ok = true;

    Fields(ByteBuffer body) {
        left = body.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** All was there and right, and nothing is left over. */
    boolean isExact() {
        return ok && !left.hasRemaining();
    }

    private boolean has(int count) {
        if (left.remaining() >= count) return true;
        wrong();
        return false;
    }

    private void wrong() {
        ok = false;
        left.position(left.limit());
    }

    int u8() {
        return has(1) ? left.get() & 0xFF : 0;
    }

    int u16() {
        return has(2) ? left.getShort() & 0xFFFF : 0;
    }

    int i32() {
        return has(4) ? left.getInt() : 0;
    }

    long u32() {
        return i32() & 0xFFFF_FFFFL;
    }

    long u64() {
        return has(8) ? left.getLong() : 0;
    }

    ByteBuffer bytes(int count) {
        if (!has(count)) return ByteBuffer.allocate(0);
        ByteBuffer taken = left.slice(left.position(), count);
        left.position(left.position() + count);
        return taken;
    }

    ByteBuffer rest() {
        return bytes(left.remaining());
    }

    static void writeMagic(Bytes out) {
        out.put(MAGIC, 0, MAGIC.length);
    }

    void magic() {
        ByteBuffer found = bytes(MAGIC.length);
        if (!found.equals(ByteBuffer.wrap(MAGIC))) wrong();
    }

    String text() {
        ByteBuffer bytes = bytes(u16());
        try {
            // A new decoder refuses what is not UTF-8.
            if (bytes.remaining() <= MAX_TEXT) return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException notUtf8) {
            // As a text that is too long.
        }
        wrong();
        return "";
    }

    Window window() {
        return new Window(u32(), u32());
    }

    /** A level that is not known is taken for wrong. */
    Durability durability() {
        int level = u8();
        if (level < DURABILITIES.length) return DURABILITIES[level];
        wrong();
        return Durability.RECEIVED;
    }

    /** Bytes that nobody else has. */
    static byte[] copy(ByteBuffer bytes) {
        int at = bytes.arrayOffset() + bytes.position();
        return Arrays.copyOfRange(bytes.array(), at, at + bytes.remaining());
    }
}
