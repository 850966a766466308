package aldis.codec;

import aldis.AnyPointer;
import aldis.Code;
import aldis.CodecException;
import aldis.Decimal;
import aldis.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The state of writing a message: bytes, where it begins in them and ends by now, and the levels that are left. */
public final class Out {
    public byte[] b;
    public int at;
    public int depth = Limits.DEFAULT.depth();
    private int start;
    /** The caller's bytes, which do not grow. */
    private byte[] target;
    private long charged;

    public Out() {
        b = new byte[256];
        start = 0;
        target = null;
    }

    /** Writes into bytes of the caller's; what does not fit goes on elsewhere, to tell how much it is. */
    public Out(byte[] target, int at) {
        into(target, at);
    }

    /** Makes it empty, to write another message into the bytes that it has. */
    public Out reset() {
        // The caller's bytes are not written again.
        if (target != null && b == target) b = new byte[256];
        at = 0;
        start = 0;
        charged = 0;
        target = null;
        depth = Limits.DEFAULT.depth();
        return this;
    }

    /** Makes it empty, to write into bytes of the caller's. */
    public Out into(byte[] target, int at) {
        if (at < 0 || at > target.length) throw new IndexOutOfBoundsException("the message begins outside of the bytes");
        this.target = null;
        reset();
        b = target;
        this.at = at;
        start = at;
        this.target = target;
        return this;
    }

    public byte[] bytes() {
        return Arrays.copyOfRange(b, start, at);
    }

    /** How many bytes were written; below zero where the target had no room for them. */
    public int size() {
        int size = at - start;
        if (target == null || b == target) return size;
        if (size > target.length - start) return -size;
        System.arraycopy(b, start, target, start, size);
        return size;
    }

    /** So many bytes at the end, all zero; gives where they begin. */
    public int reserve(long size) {
        int from = at;
        room(size);
        at = from + (int) size;
        zero(b, from, (int) size);
        return from;
    }

    /** The same for sizes that are known. */
    public int reserve(int size) {
        int from = at;
        if (size > b.length - from) grow(size);
        at = from + size;
        zero(b, from, size);
        return from;
    }

    /** Most are a few words, the last of which may lie over the one before. Of a known size the compiler makes stores without a loop. */
    static void zero(byte[] b, int from, int size) {
        if (size > 64) {
            Arrays.fill(b, from, from + size, (byte) 0);
        } else if (size >= 8) {
            for (int i = 0; i < size - 8; i += 8) Wire.i64(b, from + i, 0);
            Wire.i64(b, from + size - 8, 0);
        } else if (size >= 4) {
            Wire.i32(b, from, 0);
            Wire.i32(b, from + size - 4, 0);
        } else {
            for (int i = 0; i < size; i++) b[from + i] = 0;
        }
    }

    private void room(long size) {
        if (size > b.length - at) grow(size);
    }

    private void grow(long size) {
        long least = at + size;
        if (size < 0 || least > Integer.MAX_VALUE - 16) throw fault(Code.OUT_OF_RANGE, "a message of more than 2 GiB");
        b = Arrays.copyOf(b, (int) Math.min(Math.max(least, 2L * b.length), Integer.MAX_VALUE - 16));
    }

    private static CodecException fault(Code code, String detail) {
        return new CodecException(code, -1, detail);
    }

    public static CodecException none() {
        return fault(Code.BAD_VALUE, "null, but the field must have a value");
    }

    public static void wrong() {
        throw fault(Code.BAD_VALUE, "the value cannot be written");
    }

    public void enter() {
        if (--depth < 0) throw fault(Code.TOO_DEEP, "records nest deeper than the limit");
    }

    public static void inRange(long number, long min, long max) {
        if (number < min || number > max) throw fault(Code.OUT_OF_RANGE, "too many elements or bytes, or too few");
    }

    public static int u8(int number) {
        return (number & ~0xff) == 0 ? number : (int) misfit(number);
    }

    public static int u16(int number) {
        return (number & ~0xffff) == 0 ? number : (int) misfit(number);
    }

    public static int u32(long number) {
        return (int) (number >>> 32 == 0 ? number : misfit(number));
    }

    private static long misfit(long number) {
        throw fault(Code.OUT_OF_RANGE, number + " does not fit the field's type");
    }

    public static void same(Object value, Object fixed) {
        if (!java.util.Objects.equals(fixed, value)) throw fault(Code.BAD_VALUE, "the schema fixes another value");
    }

    /** Of whole numbers, without objects of them. */
    public static void same(long value, long fixed) {
        if (value != fixed) throw fault(Code.BAD_VALUE, "the schema fixes another value");
    }

    /** Of a whole number that may be missing. */
    public static void same(Object value, long fixed) {
        if (!(value instanceof Number number)) throw fault(Code.BAD_VALUE, "the schema fixes another value");
        same(number.longValue(), fixed);
    }

    public static int count(Collection<?> list) {
        if (list == null) throw none();
        return list.size();
    }

    public static void exactly(int count, int wanted, boolean inRun) {
        if (count != wanted) {
            throw fault(inRun ? Code.OUT_OF_RANGE : Code.BAD_VALUE, "a list of " + wanted + " elements belongs here");
        }
    }

    public static int count(boolean[] list) {
        if (list == null) throw none();
        return list.length;
    }

    public static int count(byte[] list) {
        if (list == null) throw none();
        return list.length;
    }

    public static int count(char[] list) {
        if (list == null) throw none();
        return list.length;
    }

    public static int count(short[] list) {
        if (list == null) throw none();
        return list.length;
    }

    public static int count(int[] list) {
        if (list == null) throw none();
        return list.length;
    }

    public static int count(long[] list) {
        if (list == null) throw none();
        return list.length;
    }

    public static int count(float[] list) {
        if (list == null) throw none();
        return list.length;
    }

    public static int count(double[] list) {
        if (list == null) throw none();
        return list.length;
    }

    /** The elements of a set in order, of equals the first. */
    public static <T> List<T> sortedSet(Collection<T> set, Comparator<? super T> order) {
        if (set == null) throw none();
        java.util.TreeSet<T> sorted = new java.util.TreeSet<>(order);
        sorted.addAll(set);
        return new java.util.ArrayList<>(sorted);
    }

    public static <K, V> List<Map.Entry<K, V>> sortedMap(Map<K, V> map, Comparator<? super K> order) {
        if (map == null) throw none();
        List<Map.Entry<K, V>> entries = new java.util.ArrayList<>(map.entrySet());
        entries.sort(Map.Entry.comparingByKey(order));
        return entries;
    }

    /** Text behind a head of so many bytes, which comes next. Gives how many bytes it has. */
    public int utf8(String text, int head) {
        if (text == null) throw none();
        int size = text.length();
        room((long) head + size);
        int from = at + head;
        byte[] bytes = b;
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c > 127) return wide(text, i, head);
            bytes[from + i] = (byte) c;
        }
        return size;
    }

    /** Text that is of ASCII before a character, and put so far. */
    private int wide(String text, int i, int head) {
        long size = i + Text.size(text, i);
        if (size < i) return octets(bytesOf(text), head);
        room(head + size);
        Text.put(text, i, b, at + head + i);
        return (int) size;
    }

    private static byte[] bytesOf(String text) {
        if (text == null) throw none();
        byte[] bytes = Text.bytes(text);
        if (bytes == null) throw fault(Code.BAD_VALUE, "half of a surrogate pair stands for no byte");
        return bytes;
    }

    public int latin1(String text, int head) {
        if (text == null) throw none();
        room(head + (long) text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 255) throw beyond();
            b[at + head + i] = (byte) c;
        }
        return text.length();
    }

    private static CodecException beyond() {
        return fault(Code.OUT_OF_RANGE, "a character beyond U+00FF in one-byte text");
    }

    public int octets(byte[] bytes, int head) {
        if (bytes == null) throw none();
        room(head + (long) bytes.length);
        System.arraycopy(bytes, 0, b, at + head, bytes.length);
        return bytes.length;
    }

    public void utf8Chars(int place, int width, String text) {
        if (text == null) throw none();
        int size = text.length();
        if (size > width) {
            within(place, width, bytesOf(text));
            return;
        }
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c > 127) {
                Arrays.fill(b, place, place + i, (byte) 0);
                within(place, width, bytesOf(text));
                return;
            }
            b[place + i] = (byte) c;
        }
    }

    public void latin1Chars(int place, int width, String text) {
        if (text == null) throw none();
        int size = text.length();
        for (int i = 0; i < size; i++) if (text.charAt(i) > 255) throw beyond();
        if (size > width) throw longer(size, width);
        for (int i = 0; i < size; i++) b[place + i] = (byte) text.charAt(i);
    }

    private static CodecException longer(int size, int width) {
        return fault(Code.OUT_OF_RANGE, "text of " + size + " bytes in a field of " + width);
    }

    private void within(int place, int width, byte[] text) {
        if (text.length > width) throw longer(text.length, width);
        System.arraycopy(text, 0, b, place, text.length);
    }

    public void bit(int place, int bit, boolean turned, boolean value) {
        Quick.bit(b, place, bit, turned, value);
    }

    /** Zeros again in bytes that may have been stored into. */
    public void erase(int place, int width) {
        zero(b, place, width);
    }

    public void eraseBit(int place, int bit) {
        Quick.eraseBit(b, place, bit);
    }

    public void decimal(int place, Decimal value) {
        Quick.decimal(b, place, value);
    }

    public void uuid(int place, UUID value) {
        Quick.uuid(b, place, value);
    }

    /** Elements without bytes, for which reading charges all the same. */
    public void unpaid(long elements) {
        charged += 8 * elements;
    }

    /** A routine that reads. */
    public interface Reader {
        Object read(In f);
    }

    /** Whether what is written can be read: where there are too many elements without bytes it cannot. */
    public void readable(Reader reader) {
        if (charged <= Limits.DEFAULT.budgetBase()) return;
        try {
            reader.read(new In(b, start, at - start, Limits.DEFAULT));
        } catch (CodecException fault) {
            if (fault.code() == Code.TOO_LARGE) throw fault(Code.TOO_LARGE, "more elements without bytes than decoding reads");
            throw fault;
        }
    }

    public long total() {
        return at - start;
    }

    public static long framed(long length, int width) {
        if (width < 8 && length >>> 8 * width != 0) throw fault(Code.OUT_OF_RANGE, "a message of " + length + " bytes is too long for its frame");
        return length;
    }

    /** A header value was written behind the message: its bytes go to where the message has them. */
    public void header(int from, int[] spans) {
        for (int i = 0; i < spans.length; i += 2) System.arraycopy(b, from + spans[i], b, start + spans[i], spans[i + 1]);
        at = from;
    }

    // Segments: there is one.

    private static final long MOST = (1 << 29) - 1;

    public static int tag(Choice union) {
        if (union == null) throw none();
        return union.tag();
    }

    /** Leaves room for the table in front. */
    public void openTable() {
        reserve(Segments.WORD);
        start = at;
    }

    /** Puts into the word at a place the pointer to an object. */
    public void point(int place, int to, int kind, long upper) {
        Quick.point(b, place, to, kind, upper);
    }

    /** Room for a list of elements of so many bits, and the pointer to it. */
    public int list(int place, long count, int code, int bits) {
        if (count > MOST) throw fault(Code.OUT_OF_RANGE, "a list of 2^29 elements or more");
        int to = reserve((count * bits + 63 >>> 6) * Segments.WORD);
        point(place, to, 1, code | count << 3);
        return to;
    }

    /** The same for records of so many words, behind their tag. */
    public int records(int place, long count, int data, int pointers) {
        long words = count * (data + pointers);
        if (count > MOST || words > MOST) throw fault(Code.OUT_OF_RANGE, "a list of 2^29 elements or words, or more");
        int tag = reserve((1 + words) * Segments.WORD);
        point(place, tag, 1, 7 | words << 3);
        Wire.i64(b, tag, count << 2 | (long) data << 32 | (long) pointers << 48);
        return tag + Segments.WORD;
    }

    /** A text with a zero byte behind it, and the pointer to it. */
    public void text(int place, String text) {
        behind(place, utf8(text, 0), 1);
    }

    public void data(int place, byte[] bytes) {
        behind(place, octets(bytes, 0), 0);
    }

    /** Takes the bytes that were put at the end. */
    private void behind(int place, int size, int zeros) {
        long count = (long) size + zeros;
        if (count > MOST) throw fault(Code.OUT_OF_RANGE, "2^29 bytes or more");
        point(place, at, 1, 2 | count << 3);
        int whole = (int) (count + 7) & ~7;
        room(whole);
        Arrays.fill(b, at + size, at + whole, (byte) 0);
        at += whole;
    }

    public void bits(int place, boolean[] list) {
        Quick.bits(b, place, list);
    }

    /** A copy of what the root of a flat message leads to, and the pointer to it. */
    public void plant(int place, AnyPointer value) {
        byte[] message = value == null ? new byte[0] : value.bytes();
        if (message.length < Segments.WORD) throw none();
        int before = at;
        long paid = copy(message, message.length, depth, place, false);
        charged += Math.max(0, paid - (at - before));
    }

    /** Copies a message's root, as faults without a place; gives what it was charged. */
    private long copy(byte[] message, int size, int levels, int slot, boolean canonical) {
        In in = new In(message, 0, size, new Limits(levels, 0, Long.MAX_VALUE, true));
        in.open(false);
        try {
            new Segments.Copier(in, this, canonical).pointer(0, 0, slot);
        } catch (CodecException fault) {
            throw fault.at(-1);
        }
        return Long.MAX_VALUE - in.left;
    }

    /** The one segment is complete. */
    public void finish(boolean table, boolean canonical) {
        int whole = at - start;
        if (whole / Segments.WORD > MOST) throw fault(Code.OUT_OF_RANGE, "2^29 words or more");
        if (canonical) {
            byte[] words = bytes();
            at = start;
            reserve(Segments.WORD);
            copy(words, whole, Limits.DEFAULT.depth(), start, true);
            charged += 8L * (whole - (at - start));
        }
        if (!table) return;
        start -= Segments.WORD;
        Wire.i64(b, start, (long) whole / Segments.WORD << 32);
    }

    /** Packs what is written, table and segment each by itself, if it can be read again. */
    public void pack(Reader reader) {
        byte[] words = bytes();
        Out packed = new Out();
        Segments.pack(words, 0, Segments.WORD, packed);
        Segments.pack(words, Segments.WORD, words.length, packed);
        if (charged > Limits.DEFAULT.budgetBase() && words.length > Segments.unpackedMost(packed.at)) {
            throw fault(Code.TOO_LARGE, "packed, the message is too small for what it would be unpacked to");
        }
        readable(reader);
        at = start;
        int to = reserve(packed.at);
        System.arraycopy(packed.b, 0, b, to, packed.at);
    }
}
