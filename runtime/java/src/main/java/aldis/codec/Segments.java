package aldis.codec;

import aldis.Code;
import aldis.CodecException;
import java.util.Arrays;

/**
 * Messages of segments of 8-byte words, and what is not usual in the pointers between them (Cap'n Proto encoding specification,
 * "Pointers", "Serialization Over a Stream"). The compiler's operations say what each checks and charges.
 */
final class Segments {
    static final int WORD = 8;
    static final int EMPTY_ELEMENT = 8;
    static final int LINK = 24;
    private static final int MOST = 511;

    private Segments() {}

    /** Bits of an element by its code; those of pointers are pointers. */
    static int bits(int code) {
        return code < 2 ? code : code < 6 ? 4 << code - 1 : code == 6 ? 64 : 0;
    }

    /** The first byte of each segment, and the first behind it; nothing for a single one, which the state notes. */
    static int[] table(In f) {
        int all = f.end - f.start;
        if (all < 4) throw f.fail(Code.TRUNCATED, f.end);
        long last = Wire.u32(f.b, f.start);
        if (last >= MOST) throw f.fail(Code.BAD_COUNT, f.start);
        int count = (int) last + 1;
        int from = f.start + (count / 2 + 1) * WORD;
        if (from > f.end) throw f.fail(Code.TRUNCATED, f.end);
        if (count == 1) {
            long size = Wire.u32(f.b, f.start + 4) * WORD;
            if (size > f.end - from) throw f.fail(Code.TRUNCATED, f.start + 4);
            f.one(from, from + (int) size);
            return null;
        }
        int[] bounds = new int[2 * count];
        for (int i = 0; i < count; i++) {
            int place = f.start + 4 * (i + 1);
            long size = Wire.u32(f.b, place) * WORD;
            if (size > f.end - from) throw f.fail(Code.TRUNCATED, place);
            bounds[2 * i] = from;
            from += (int) size;
            bounds[2 * i + 1] = from;
        }
        return bounds;
    }

    /** The target of a far pointer: the word in its pad, or the tag behind it; the state notes where it counts from. */
    static long far(In f, long word, int at) {
        boolean twice = (word & 4) != 0;
        int pad = land(f, word, at, twice ? 2 : 1);
        long found = Wire.i64(f.b, pad);
        if (!twice) {
            if ((found & 3) == 2) throw f.fail(Code.BAD_VALUE, pad);
            known(f, found, pad);
            f.charge(WORD, at);
            f.base = pad + WORD;
            return found == 0 ? 4 : found;
        }
        if ((found & 7) != 2) throw f.fail(Code.BAD_VALUE, pad);
        int body = land(f, found, pad, 0);
        long tag = Wire.i64(f.b, pad + WORD);
        if ((tag & 3) == 2) throw f.fail(Code.BAD_VALUE, pad + WORD);
        known(f, tag, pad + WORD);
        f.charge(2 * WORD, at);
        f.base = body;
        long bare = (tag & 3) == 3 ? tag : tag & 0xffffffff00000003L;
        // An empty record behind a far pointer is no null.
        return bare == 0 ? 4 : bare;
    }

    static void known(In f, long word, int at) {
        if ((word & 3) == 3 && (int) word != 3) throw f.fail(Code.BAD_VALUE, at);
    }

    private static int land(In f, long word, int at, int words) {
        long segment = word >>> 32;
        if (segment >= f.segments()) throw f.fail(Code.BAD_POINTER, at);
        f.segment = (int) segment;
        long offset = (word >>> 3 & 0x1fffffff) * WORD;
        int from = f.from(f.segment);
        if (offset + (long) words * WORD > f.to(f.segment) - from) throw f.fail(Code.BAD_POINTER, at);
        return from + (int) offset;
    }

    /** Copies objects that no schema describes behind what is written, an object's own words before what its pointers lead to. */
    static final class Copier {
        private final In f;
        private final Out o;
        /** Sections end with their last word that is not zero. */
        private final boolean canonical;

        Copier(In f, Out o, boolean canonical) {
            this.f = f;
            this.o = o;
            this.canonical = canonical;
        }

        /** Copies what the pointer at a place leads to; the word at `slot` points to the copy. */
        void pointer(int at, int segment, int slot) {
            long aim = f.aim(at, segment);
            int own = f.segment;
            int kind = (int) aim & 3;
            if (aim == 0) return;
            if (kind == 3) {
                if (canonical) throw f.fail(Code.BAD_VALUE, at);
                Wire.i64(o.b, slot, aim);
                return;
            }
            if (f.depth == 0) throw f.fail(Code.TOO_DEEP, at);
            f.depth--;
            int code = (int) (aim >>> 32) & 7;
            if (kind == 0) record(aim, at, own, slot);
            else if (code == 7) records(aim, at, own, slot);
            else scalars(aim, at, own, slot, code);
            f.depth++;
        }

        /** Room for an object, to which `slot` points; an empty record is nowhere. */
        private int object(int slot, long words, int kind, long upper) {
            int at = o.reserve(words * WORD);
            int away = kind == 0 && words == 0 ? -1 : (at - slot) / WORD - 1;
            Wire.i64(o.b, slot, (long) (away << 2 | kind) & 0xffffffffL | upper << 32);
            return at;
        }

        /** Copies words of data, then what the pointers behind them lead to. */
        private void words(int at, int data, int pointersAt, int pointers, int to, int segment) {
            System.arraycopy(f.b, at, o.b, to, data * WORD);
            for (int i = 0; i < pointers; i++) pointer(pointersAt + i * WORD, segment, to + (data + i) * WORD);
        }

        /** So many words are left of a section in canonical form. */
        private int trimmed(int at, int words) {
            while (canonical && words > 0 && Wire.i64(f.b, at + (words - 1) * WORD) == 0) words--;
            return words;
        }

        private void record(long aim, int at, int segment, int slot) {
            int data = (int) Wire.dataSize(aim);
            long size = data + Wire.pointersSize(aim);
            int from = f.body(aim, at, size);
            f.charge(size, at);
            int dataWords = trimmed(from, data / WORD);
            int pointers = trimmed(from + data, (int) (size - data) / WORD);
            int to = object(slot, dataWords + pointers, 0, dataWords | (long) pointers << 16);
            words(from, dataWords, from + data, pointers, to, segment);
        }

        private void scalars(long aim, int at, int segment, int slot, int code) {
            long count = aim >>> 35;
            long bits = count * bits(code);
            long words = bits + 63 >>> 6;
            int from = f.body(aim, at, words * WORD);
            f.charge((code == 0 ? count : words) * WORD, at);
            int to = object(slot, words, 1, code | count << 3);
            if (code == 6) {
                words(from, 0, from, (int) count, to, segment);
                return;
            }
            int whole = (int) (bits >>> 3);
            System.arraycopy(f.b, from, o.b, to, whole);
            if ((bits & 7) != 0) o.b[to + whole] = (byte) (f.b[from + whole] & (1 << (bits & 7)) - 1);
        }

        private void records(long aim, int at, int segment, int slot) {
            long words = aim >>> 35;
            int start = f.body(aim, at, (words + 1) * WORD);
            f.charge((words + 1) * WORD, at);
            long tag = f.tag(start, words);
            int count = (int) tag >>> 2 & 0x1fffffff;
            int data = (int) Wire.dataSize(tag) / WORD;
            int stride = data + (int) Wire.pointersSize(tag) / WORD;
            if (stride == 0) f.charge((long) count * WORD, at);
            int first = start + WORD;
            int ownData = data;
            int ownPointers = stride - data;
            // All are as long as the longest.
            if (canonical) {
                ownData = 0;
                ownPointers = 0;
                for (int i = 0; stride > 0 && i < count; i++) {
                    int from = first + i * stride * WORD;
                    ownData = Math.max(ownData, trimmed(from, data));
                    ownPointers = Math.max(ownPointers, trimmed(from + data * WORD, stride - data));
                }
            }
            int own = ownData + ownPointers;
            int to = object(slot, 1 + (long) count * own, 1, 7 | (long) count * own << 3);
            Wire.i64(o.b, to, (long) count << 2 | (long) ownData << 32 | (long) ownPointers << 48);
            for (int i = 0; own > 0 && i < count; i++) {
                int from = first + i * stride * WORD;
                words(from, ownData, from + data * WORD, ownPointers, to + WORD + i * own * WORD, segment);
            }
        }
    }

    /** Packed words (Cap'n Proto encoding specification, "Packing"): tags tell which bytes of a word are not zero. */
    static final class Unpacker {
        private final byte[] packed;
        private final int stop;
        private int at;
        private final long most;
        private byte[] out;
        private int size;
        private int zeros;
        private int literal;

        Unpacker(byte[] packed, int at, int length) {
            this.packed = packed;
            this.at = at;
            stop = at + length;
            most = unpackedMost(length);
            out = new byte[(int) Math.min(most, Math.max(4096, 4L * length))];
        }

        /** The words of the message, whose number `size` tells. */
        byte[] message() {
            words(1);
            long last = Wire.u32(out, 0);
            if (last >= MOST) throw fault(Code.BAD_COUNT, (last + 1) + " segments; at most " + MOST + " are read");
            int table = (int) (last + 1) / 2 + 1;
            words(table);
            long content = 0;
            for (int i = 1; i <= last + 1; i++) content += Wire.u32(out, 4 * i);
            words(table + content);
            return out;
        }

        int size() {
            return size;
        }

        /** Goes on until there are so many words. */
        private void words(long total) {
            if (total > most / WORD) throw fault(Code.TOO_LARGE, total + " words are more than the packed bytes allow");
            int wanted = (int) total * WORD;
            while (size < wanted) {
                int left = (wanted - size) / WORD;
                if (zeros > 0) {
                    int run = Math.min(zeros, left);
                    grow(run * WORD);
                    zeros -= run;
                } else if (literal > 0) {
                    int run = Math.min(literal, left);
                    int from = take(run * WORD);
                    int to = grow(run * WORD);
                    System.arraycopy(packed, from, out, to, run * WORD);
                    literal -= run;
                } else {
                    word();
                }
            }
            if (zeros + literal > 0) throw fault(Code.BAD_VALUE, "a packed run of words goes beyond the end of the table or of the message");
        }

        private void word() {
            int tag = packed[take(1)] & 0xff;
            int from = take(Integer.bitCount(tag));
            int to = grow(WORD);
            for (int rest = tag; rest != 0; rest &= rest - 1) out[to + Integer.numberOfTrailingZeros(rest)] = packed[from++];
            if (tag == 0) zeros = packed[take(1)] & 0xff;
            if (tag == 0xff) literal = packed[take(1)] & 0xff;
        }

        private int take(int count) {
            int from = at;
            if (count > stop - at) throw fault(Code.TRUNCATED, "the packed bytes end within the message");
            at += count;
            return from;
        }

        private int grow(int count) {
            int from = size;
            size += count;
            if (size > out.length) out = Arrays.copyOf(out, (int) Math.max(size, Math.min(most, 2L * out.length)));
            return from;
        }

        /** A fault in packed bytes has no place in the message. */
        private static CodecException fault(Code code, String detail) {
            return new CodecException(code, 0, detail).at(-1);
        }
    }

    /** So many bytes may packed ones unpack to. */
    static long unpackedMost(long packed) {
        return Math.min(64 * packed + (16 << 20), Integer.MAX_VALUE - 16);
    }

    /** Packs the words between two places behind what is written. */
    static void pack(byte[] b, int at, int stop, Out o) {
        while (at < stop) {
            int tagged = o.reserve(1 + WORD);
            int size = tagged + 1;
            int tag = 0;
            for (int i = 0; i < WORD; i++) {
                byte value = b[at + i];
                if (value == 0) continue;
                tag |= 1 << i;
                o.b[size++] = value;
            }
            o.b[tagged] = (byte) tag;
            o.at = size;
            at += WORD;
            if (tag != 0 && tag != 0xff) continue;
            int from = at;
            int run = 0;
            while (at < stop && run < 255 && (tag == 0 ? Wire.i64(b, at) == 0 : zeros(b, at) < 2)) {
                run++;
                at += WORD;
            }
            int counted = o.reserve(1 + (tag == 0 ? 0 : run * WORD));
            o.b[counted] = (byte) run;
            if (tag != 0) System.arraycopy(b, from, o.b, counted + 1, run * WORD);
        }
    }

    private static int zeros(byte[] b, int at) {
        int count = 0;
        for (int i = 0; i < WORD; i++) if (b[at + i] == 0) count++;
        return count;
    }
}
