package aldis.codec;

import aldis.Decimal;
import java.util.Arrays;
import java.util.UUID;

/**
 * What quick writers put into bytes, whose room they have tested before. What appends gives how many bytes it put, or where they end, and a
 * number below zero where there is no room for it or it is unusual: a careful writer says what is wrong, if anything is.
 */
public final class Quick {
    private static final int UNUSUAL = -1;
    private static final long MOST = (1 << 29) - 1;

    private Quick() {}

    /** So many bytes from a place on, all zero. */
    public static void zero(byte[] b, int from, int size) {
        Out.zero(b, from, size);
    }

    public static int utf8(byte[] b, int at, String text) {
        if (text == null) return UNUSUAL;
        int size = text.length();
        if (size > b.length - at) return UNUSUAL;
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c > 127) return wide(b, at, text, i);
            b[at + i] = (byte) c;
        }
        return size;
    }

    /** Text that is of ASCII before a character, and put so far. */
    private static int wide(byte[] b, int at, String text, int i) {
        long size = i + Text.size(text, i);
        if (size < i || size > b.length - at) return UNUSUAL;
        Text.put(text, i, b, at + i);
        return (int) size;
    }

    public static int latin1(byte[] b, int at, String text) {
        if (text == null) return UNUSUAL;
        int size = text.length();
        if (size > b.length - at) return UNUSUAL;
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c > 255) return UNUSUAL;
            b[at + i] = (byte) c;
        }
        return size;
    }

    public static int octets(byte[] b, int at, byte[] bytes) {
        if (bytes == null || bytes.length > b.length - at) return UNUSUAL;
        System.arraycopy(bytes, 0, b, at, bytes.length);
        return bytes.length;
    }

    /** Puts text into so many bytes, with zeros behind it; false where it does not fit them, or is unusual otherwise. */
    public static boolean utf8Chars(byte[] b, int place, int width, String text) {
        if (text == null) return false;
        int size = text.length();
        if (size > width) return false;
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c > 127) {
                long wide = i + Text.size(text, i);
                if (wide < i || wide > width) return false;
                Text.put(text, i, b, place + i);
                return padded(b, place, (int) wide, width);
            }
            b[place + i] = (byte) c;
        }
        return padded(b, place, size, width);
    }

    public static boolean latin1Chars(byte[] b, int place, int width, String text) {
        if (text == null) return false;
        int size = text.length();
        if (size > width) return false;
        for (int i = 0; i < width; i++) {
            char c = i < size ? text.charAt(i) : 0;
            if (c > 255) return false;
            b[place + i] = (byte) c;
        }
        return true;
    }

    private static boolean padded(byte[] b, int place, int size, int width) {
        for (int i = size; i < width; i++) b[place + i] = 0;
        return true;
    }

    public static void bit(byte[] b, int place, int bit, boolean turned, boolean value) {
        if (value != turned) b[place] |= (byte) (1 << bit);
    }

    public static void bits(byte[] b, int place, boolean[] list) {
        for (int i = 0; i < list.length; i++) if (list[i]) b[place + (i >> 3)] |= (byte) (1 << (i & 7));
    }

    /** Zeros again in bytes that may have been stored into. */
    public static void erase(byte[] b, int place, int width) {
        Out.zero(b, place, width);
    }

    public static void eraseBit(byte[] b, int place, int bit) {
        b[place] &= (byte) ~(1 << bit);
    }

    public static void decimal(byte[] b, int place, Decimal value) {
        java.math.BigInteger coefficient = value.coefficient();
        Wire.i64(b, place, coefficient.longValue());
        Wire.i32(b, place + 8, coefficient.shiftRight(64).intValue());
        b[place + 14] = (byte) value.scale();
        b[place + 15] = (byte) (value.negative() ? 0x80 : 0);
    }

    public static void uuid(byte[] b, int place, UUID value) {
        Wire.i64be(b, place, value.getMostSignificantBits());
        Wire.i64be(b, place + 8, value.getLeastSignificantBits());
    }

    // Segments: there is one.

    /** Puts into the word at a place the pointer to an object. */
    public static void point(byte[] b, int place, int to, int kind, long upper) {
        // Bytes behind the pointer, shifted by one: words, shifted by two.
        Wire.i64(b, place, (to - place - Segments.WORD >> 1 | kind) & 0xffffffffL | upper << 32);
    }

    /** A list of elements of so many bits at the end, all zero, and the pointer to it. */
    public static int list(byte[] b, int end, int place, long count, int code, int bits) {
        long size = (count * bits + 63 >>> 6) * Segments.WORD;
        if (count > MOST || size > b.length - end) return UNUSUAL;
        Out.zero(b, end, (int) size);
        point(b, place, end, 1, code | count << 3);
        return end + (int) size;
    }

    /** The same for records of so many words, behind their tag. */
    public static int records(byte[] b, int end, int place, long count, int data, int pointers) {
        long words = count * (data + pointers);
        if (count > MOST || (1 + words) * Segments.WORD > b.length - end) return UNUSUAL;
        int size = (int) (1 + words) * Segments.WORD;
        Out.zero(b, end, size);
        point(b, place, end, 1, 7 | words << 3);
        Wire.i64(b, end, count << 2 | (long) data << 32 | (long) pointers << 48);
        return end + size;
    }

    /** A text with a zero byte behind it, and the pointer to it. */
    public static int text(byte[] b, int end, int place, String text) {
        if (text == null) return UNUSUAL;
        int size = text.length();
        int whole = (size & ~7) + Segments.WORD;
        if (whole < 0 || whole > b.length - end) return UNUSUAL;
        Wire.i64(b, end + whole - Segments.WORD, 0);
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c > 127) {
                int wide = wide(b, end, text, i);
                return wide < 0 ? UNUSUAL : behind(b, end, place, wide, 1);
            }
            b[end + i] = (byte) c;
        }
        point(b, place, end, 1, 2 | size + 1L << 3);
        return end + whole;
    }

    public static int data(byte[] b, int end, int place, byte[] bytes) {
        int size = octets(b, end, bytes);
        return size < 0 ? UNUSUAL : behind(b, end, place, size, 0);
    }

    /** Takes the bytes that were put at the end. */
    private static int behind(byte[] b, int end, int place, int size, int zeros) {
        long count = (long) size + zeros;
        long whole = count + 7 & ~7L;
        if (count > MOST || whole > b.length - end) return UNUSUAL;
        point(b, place, end, 1, 2 | count << 3);
        Arrays.fill(b, end + size, end + (int) whole, (byte) 0);
        return end + (int) whole;
    }

    /** The one segment is complete: the table in front of it says how many words it has. */
    public static void finish(byte[] b, int from, int end) {
        // Bytes, shifted by 29: words, shifted by 32.
        Wire.i64(b, from, (long) (end - from - Segments.WORD) << 29);
    }
}
