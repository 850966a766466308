package aldis.codec;

import java.nio.charset.StandardCharsets;

/** Text of bytes that need not be UTF-8: each byte of an invalid sequence is the lone surrogate U+DC80 to U+DCFF that stands for it. */
final class Text {
    private Text() {}

    private static final int SHORT = 32;

    /** Whether a text is these bytes; only of short ones of ASCII is it asked. */
    static boolean isAscii(String text, byte[] b, int at, int size) {
        if (text == null || text.length() != size || size > SHORT) return false;
        for (int i = 0; i < size; i++) if (text.charAt(i) != b[at + i]) return false;
        return true;
    }

    /** Whether a short text, which is not of ASCII, is what the bytes say in UTF-8: it has fewer characters than bytes. */
    static boolean isWide(String text, byte[] b, int at, int size) {
        if (text == null || text.length() >= size || size > SHORT) return false;
        int stop = at + size;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int own = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            if (Character.isSurrogate(c) || own > stop - at) return false;
            if (own == 1 ? b[at] != c : own == 2 ? b[at] != two(c) : b[at] != three(c) || b[at + 1] != last(c >> 6)) return false;
            if (own > 1 && b[at + own - 1] != last(c)) return false;
            at += own;
        }
        return at == stop;
    }

    /** The bytes of a text from a character on, in UTF-8; below zero where half of a surrogate pair stands alone. */
    static long size(String text, int i) {
        long all = 0;
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            all += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            if (!Character.isSurrogate(c)) continue;
            if (Character.isLowSurrogate(c) || i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) return Long.MIN_VALUE;
            all++;
            i++;
        }
        return all;
    }

    /** Puts a text without lone surrogates from a character on, for which there is room. */
    static void put(String text, int i, byte[] b, int at) {
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                b[at++] = (byte) c;
                continue;
            }
            if (c < 0x800) {
                b[at++] = two(c);
            } else if (Character.isSurrogate(c)) {
                int point = text.codePointAt(i++);
                b[at++] = (byte) (0xf0 | point >> 18);
                b[at++] = last(point >> 12);
                b[at++] = last(point >> 6);
            } else {
                b[at++] = three(c);
                b[at++] = last(c >> 6);
            }
            b[at++] = last(text.charAt(i));
        }
    }

    /** The first byte of a character of two bytes, of one of three, and a byte behind. */
    private static byte two(int c) { return (byte) (0xc0 | c >> 6); }

    private static byte three(int c) { return (byte) (0xe0 | c >> 12); }

    private static byte last(int c) { return (byte) (0x80 | c & 0x3f); }

    static String read(byte[] b, int at, int size) {
        String text = new String(b, at, size, StandardCharsets.UTF_8);
        return text.indexOf('\uFFFD') < 0 ? text : lossless(b, at, at + size);
    }

    static boolean isUtf8(byte[] b, int at, int stop) {
        while (at < stop) {
            int size = sequence(b, at, stop);
            if (size == 0) return false;
            at += size;
        }
        return true;
    }

    private static String lossless(byte[] b, int at, int stop) {
        StringBuilder text = new StringBuilder(stop - at);
        while (at < stop) {
            int size = sequence(b, at, stop);
            if (size == 0) {
                text.append((char) (0xdc00 + (b[at++] & 0xff)));
            } else {
                text.append(new String(b, at, size, StandardCharsets.UTF_8));
                at += size;
            }
        }
        return text.toString();
    }

    /** How many bytes the sequence at a place has; 0 where there is none. */
    private static int sequence(byte[] b, int at, int stop) {
        int first = b[at] & 0xff;
        if (first < 0x80) return 1;
        int size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
        if (size == 0 || size > stop - at) return 0;
        int second = b[at + 1] & 0xff;
        int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if (second < least || second > most) return 0;
        for (int i = 2; i < size; i++) if ((b[at + i] & 0xc0) != 0x80) return 0;
        return size;
    }

    /** The bytes of a text, or null where a lone surrogate stands for no byte. */
    static byte[] bytes(String text) {
        if (isWellFormed(text)) return text.getBytes(StandardCharsets.UTF_8);
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream(text.length() + 16);
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            int next = i + Character.charCount(point);
            if (point >= 0xdc80 && point <= 0xdcff) out.write(point & 0xff);
            else if (point >= 0xd800 && point <= 0xdfff) return null;
            else out.writeBytes(text.substring(i, next).getBytes(StandardCharsets.UTF_8));
            i = next;
        }
        return out.toByteArray();
    }

    static boolean isWellFormed(String text) {
        return illFormedAt(text) < 0;
    }

    /** The place of the first lone surrogate, below zero if there is none. */
    static int illFormedAt(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0xd800 || c > 0xdfff) continue;
            if (c > 0xdbff || i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) return i;
            i++;
        }
        return -1;
    }
}
