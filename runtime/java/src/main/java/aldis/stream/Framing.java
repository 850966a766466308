package aldis.stream;

import aldis.stream.StreamException.Code;

/** How messages lie in a stream. It never changes. */
public abstract class Framing {
    Framing() {}

    /** A length before each message, not counting itself. */
    public static final Framing U16LE = prefix(2, false);
    public static final Framing U16BE = prefix(2, true);
    public static final Framing U32LE = prefix(4, false);
    public static final Framing U32BE = prefix(4, true);
    /** The FIX Simple Open Framing Header: a length that counts the header, and an encoding type: here SBE's, little-endian. */
    public static final Framing SOFH = new Length(0, 4, true, 6, 0, 0, 0xeb50, -1);
    /** The same for SBE of big-endian messages; receivers do not look at the encoding type. */
    public static final Framing SOFH_BE = new Length(0, 4, true, 6, 0, 0, 0x5be0, -1);
    /** Each message begins with its own length, as those of FBE do. */
    public static final Framing FBE = new Length(0, 4, false, 0, 0, 8, -1, -1);
    /** The same in one buffer of the reference's: where a message's record begins counts from the stream's first byte. */
    public static final Framing FBE_BUFFER = new Length(0, 4, false, 0, 0, 8, -1, 4);
    /** Each message begins with the table of its segments. */
    public static final Framing CAPNP = new Table();
    /** The same of packed messages. */
    public static final Framing CAPNP_PACKED = new Packed();

    /** Each message holds its own length, of so many bits at a byte, which counts the message and is `least` or more. */
    public static Framing length(int at, int bits, boolean bigEndian, int least) {
        if (at < 0 || bits != 8 && bits != 16 && bits != 32 && bits != 64) {
            throw new IllegalArgumentException("a length lies at a byte, and has 8, 16, 32 or 64 bits");
        }
        return new Length(at, bits / 8, bigEndian, 0, 0, least, -1, -1);
    }

    private static Framing prefix(int width, boolean big) {
        return new Length(0, width, big, width, width, 0, -1, -1);
    }

    /** The bytes of a frame's front that are no message. */
    int skip() {
        return 0;
    }

    /** The longest message that can be said. */
    long longest() {
        return Long.MAX_VALUE;
    }

    /** The place in a message of a number that counts from the stream's first byte; below zero where there is none. */
    int root() {
        return -1;
    }

    /** A reader that looks at one frame after another. */
    abstract Look look();

    void put(byte[] b, int at, long size) {}

    /** The size of a frame by its first bytes. */
    abstract static class Look {
        /** The bytes that the frame takes, where they are known; else how many are needed to say more. */
        long size;

        /** Whether the size is known. A frame that cannot be one is a fault. */
        abstract boolean isKnown(byte[] b, int at, int have, long offset, long most);

        void restart() {}

        /** The most bytes that room is kept for. */
        long room() {
            return size;
        }

        static boolean within(long size, long offset, long most) {
            if (size > most) throw new StreamException(Code.FRAME_TOO_LARGE, offset, size, most);
            return true;
        }
    }

    static long load(byte[] b, int at, int width, boolean big) {
        long value = 0;
        for (int i = 0; i < width; i++) value = value << 8 | b[big ? at + i : at + width - 1 - i] & 0xff;
        return value;
    }

    static void store(byte[] b, int at, int width, boolean big, long value) {
        for (int i = 0; i < width; i++) b[big ? at + width - 1 - i : at + i] = (byte) (value >>> 8 * i);
    }

    /** A length counts the frame but for `added` bytes of it; the first `skip` bytes are not the message's. */
    private static final class Length extends Framing {
        private final int at;
        private final int width;
        private final boolean big;
        private final int skip;
        private final int added;
        private final int head;
        private final int least;
        private final int encoding;
        private final int root;

        Length(int at, int width, boolean big, int skip, int added, int least, int encoding, int root) {
            this.at = at;
            this.width = width;
            this.big = big;
            this.skip = skip;
            this.added = added;
            this.encoding = encoding;
            this.root = root;
            head = Math.max(at + width, skip);
            this.least = Math.max(least, head);
        }

        @Override int skip() {
            return skip;
        }

        @Override int root() {
            return root;
        }

        @Override long longest() {
            return skip == 0 ? Long.MAX_VALUE : (1L << 8 * width) - 1 - skip + added;
        }

        @Override Look look() {
            return new Look() {
                @Override boolean isKnown(byte[] b, int from, int have, long offset, long most) {
                    size = head;
                    if (have < head) return false;
                    size = load(b, from + at, width, big) + added;
                    // A length beyond 63 bits is longer than any frame.
                    if (size < 0) size = Long.MAX_VALUE;
                    if (size < least) throw new StreamException(Code.FRAME_TOO_SMALL, offset, size, least);
                    return within(size, offset, most);
                }
            };
        }

        @Override void put(byte[] b, int place, long size) {
            if (skip == 0) return;
            store(b, place, width, big, size + skip - added);
            if (encoding >= 0) store(b, place + 4, 2, true, encoding);
        }
    }

    private static final int MOST_SEGMENTS = 511;

    private static long segments(byte[] b, int at, long offset) {
        long segments = load(b, at, 4, false) + 1;
        if (segments > MOST_SEGMENTS) throw new StreamException(Code.TOO_MANY_SEGMENTS, offset, segments, MOST_SEGMENTS);
        return segments;
    }

    /** Words of the table and of all segments, going by the table. */
    private static long words(byte[] b, int at, long segments) {
        long words = segments / 2 + 1;
        for (int i = 1; i <= segments; i++) words += load(b, at + 4 * i, 4, false);
        return words;
    }

    private static final class Table extends Framing {
        @Override Look look() {
            return new Look() {
                @Override boolean isKnown(byte[] b, int at, int have, long offset, long most) {
                    size = 4;
                    if (have < 4) return false;
                    long segments = segments(b, at, offset);
                    size = 8 * (segments / 2 + 1);
                    if (have < size) return false;
                    size = 8 * words(b, at, segments);
                    return within(size, offset, most);
                }
            };
        }
    }

    private static final class Packed extends Framing {
        @Override Look look() {
            return new Walk();
        }
    }

    /** Goes through packed words as they come, and keeps those of the table. */
    private static final class Walk extends Look {
        private final byte[] table = new byte[8 * (MOST_SEGMENTS / 2 + 2)];
        private int at;
        private long words;
        private long wanted = 1;
        private int stage;

        /** The size is only that of the next step. */
        @Override long room() {
            return Integer.MAX_VALUE - 16;
        }

        @Override void restart() {
            at = 0;
            words = 0;
            wanted = 1;
            stage = 0;
        }

        @Override boolean isKnown(byte[] b, int from, int have, long offset, long most) {
            for (;;) {
                while (words < wanted) if (!step(b, from, have, offset)) return false;
                if (stage == 2) {
                    size = at;
                    return true;
                }
                long segments = segments(table, 0, offset);
                wanted = stage == 0 ? segments / 2 + 1 : words(table, 0, segments);
                // A message is as large as it is unpacked.
                if (stage == 1) within(8 * wanted, offset, most);
                stage++;
            }
        }

        /** Takes a tag with what belongs to it, if all of it has come. */
        private boolean step(byte[] b, int from, int have, long offset) {
            size = at + 1L;
            if (have < size) return false;
            int tag = b[from + at] & 0xff;
            int bits = Integer.bitCount(tag);
            boolean isRun = tag == 0 || tag == 0xff;
            size = at + 1L + bits + (isRun ? 1 : 0);
            if (have < size) return false;
            int run = isRun ? b[from + at + 1 + bits] & 0xff : 0;
            // Words of a run end with the table, and with the message.
            if (run > wanted - words - 1) throw new StreamException(Code.BAD_PACKING, offset, 0, 0);
            int literal = tag == 0xff ? 8 * run : 0;
            size += literal;
            if (have < size) return false;
            if (stage < 2) keep(b, from + at + 1, tag, run);
            at = (int) size;
            words += 1 + run;
            return true;
        }

        private void keep(byte[] b, int from, int tag, int run) {
            int to = (int) words * 8;
            for (int i = 0; i < 8 && to + i < table.length; i++) table[to + i] = (tag >> i & 1) != 0 ? b[from++] : 0;
            if (tag == 0xff) from++;
            for (int i = 8; i < 8 * (1 + run) && to + i < table.length; i++) table[to + i] = tag == 0 ? 0 : b[from++];
        }
    }
}
