package aldis.codec;

import aldis.AnyPointer;
import aldis.Code;
import aldis.CodecException;
import aldis.Decimal;
import aldis.Limits;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The state of reading a message: its bytes, where it begins and ends, and what may still be charged. */
public final class In {
    public byte[] b;
    public int start;
    public int end;
    /** Behind what was read last. */
    public int at;
    public int depth;
    long left;
    private boolean surcharge;
    /** The bytes were packed: faults have no place in what was given. */
    private boolean packed;
    /** The segments beside the first, from a place in the table on; none where there is but one. */
    private int[] bounds;
    private int lo;
    private int hi;
    /** The segment of the pointer that was read last, and the place that it counts from. */
    public int segment;
    int base;
    /** The list that was read last: bits from one element to the next, bits of an element that is no record. */
    public int count;
    public int stride;
    public int dataSize;
    public int pointersSize;
    public int bits;

    /** A state that {@link #of} makes that of a message. */
    public In() {}

    public In(byte[] bytes, int at, int length, Limits limits) {
        of(bytes, at, length, limits);
    }

    /** The state of a message that is to be read, which was that of another one. */
    public In of(byte[] bytes, int at, int length, Limits limits) {
        if ((at | length) < 0 || length > bytes.length - at) throw new IndexOutOfBoundsException("the message lies outside of the bytes");
        b = bytes;
        start = at;
        end = at + length;
        this.at = at;
        depth = limits.depth();
        surcharge = limits.surcharge();
        long factor = limits.budgetFactor(), more = limits.budgetBase();
        // The usual ones have 31 bits: what they make fits.
        left = (factor | more) >>> 31 == 0 ? factor * length + more : budget(factor, more, length);
        packed = false;
        return this;
    }

    private static long budget(long factor, long more, int length) {
        boolean fits = length == 0 || factor <= (Long.MAX_VALUE - more) / length;
        return fits ? factor * length + more : Long.MAX_VALUE;
    }

    /** The state of reading packed words, which are unpacked first. */
    public static In unpacked(byte[] bytes, int at, int length, Limits limits) {
        if ((at | length) < 0 || length > bytes.length - at) throw new IndexOutOfBoundsException("the message lies outside of the bytes");
        Segments.Unpacker words = new Segments.Unpacker(bytes, at, length);
        In made = new In(words.message(), 0, words.size(), limits);
        made.packed = true;
        return made;
    }

    /** Of the message, which was checked, views read as often as they like. */
    public void checked() {
        depth = Integer.MAX_VALUE;
        left = Long.MAX_VALUE;
        surcharge = false;
    }

    /** The budget, or as much of it as 31 bits say, for a glance at the message, which pays all charges; too little where some are not to be paid. */
    public long left() {
        return surcharge ? Math.min(left, Integer.MAX_VALUE) : -1;
    }

    /** Of the message, at which a glance was enough, the place behind it is what it gave. */
    public void glanced(long rest) {
        at = (int) rest;
    }

    /** A fault at a byte. */
    public CodecException fail(Code code, int place) {
        CodecException fault = new CodecException(code, place - start, "");
        return packed ? fault.at(-1) : fault;
    }

    /** Size and count are unsigned: what is below zero is more than there can be. */
    public void need(int at, long size) {
        if (size < 0 || size > end - at) throw fail(Code.TRUNCATED, at);
    }

    public void least(long size, long least, int place) {
        if (size >= 0 && size < least) throw fail(Code.BAD_VALUE, place);
    }

    public void head(int at, int size, Cut cut) {
        if (size > end - at) throw cut.head(this, at);
        charge(size, at);
    }

    public void run(int at, long size, Cut cut, long version) {
        if (size < 0 || size > end - at) throw cut.run(this, at, size, version);
        charge(size, at);
    }

    public void expect(long have, long want, boolean root, int place) {
        if (have != want) throw fail(root ? Code.UNKNOWN_MESSAGE : Code.BAD_VALUE, place);
    }

    public CodecException unknown(int place) {
        return fail(Code.UNKNOWN_MESSAGE, place);
    }

    public void counted(int from, long length, int blame) {
        if (length < 0 || length > end - from) throw fail(Code.BAD_COUNT, blame);
        charge(length, from);
    }

    public long fit(long count, long least, int at, int blame) {
        boolean fits = count == 0 || least == 0 || (count > 0 && least > 0 && Math.multiplyHigh(count, least) == 0 && Long.compareUnsigned(count * least, end - at) <= 0);
        if (!fits) throw fail(Code.BAD_COUNT, blame);
        // Elements without bytes may be more than a signed number says.
        return count < 0 ? Long.MAX_VALUE : count;
    }

    public int follow(int base, long offset, int place) {
        if (offset <= 0 || offset > end - base) throw fail(Code.BAD_POINTER, place);
        return base + (int) offset;
    }

    public int root(long offset, int start) {
        if (offset < 0 || offset > end - start) throw fail(Code.BAD_POINTER, start);
        return start + (int) offset;
    }

    public void bound(long size, int head, int place) {
        if (size < 0 || size > end - start) throw fail(Code.TRUNCATED, place);
        if (size < head) throw fail(Code.BAD_VALUE, place);
        end = start + (int) size;
    }

    public void same(long size, int stop, int place) {
        if (size != stop - start) throw fail(Code.BAD_VALUE, place);
    }

    public void refuse(int place) {
        throw fail(Code.BAD_VALUE, place);
    }

    public void enter(int at) {
        if (depth == 0) throw fail(Code.TOO_DEEP, at);
        depth--;
    }

    public void charge(long amount, int at) {
        if (amount < 0 || amount > left) throw fail(Code.TOO_LARGE, at);
        left -= amount;
    }

    public void charge(long times, long each, int at) {
        charge(times == 0 || each == 0 ? 0 : times < 0 || each < 0 || Math.multiplyHigh(times, each) != 0 ? -1 : times * each, at);
    }

    public void extra(long amount, int at) {
        if (surcharge) charge(amount, at);
    }

    public void extra(long times, long each, int at) {
        if (surcharge) charge(times, each, at);
    }

    /** Room for elements that are to come: no more than there are bytes. */
    public int room(long count) {
        return count < 0 ? 0 : (int) Math.min(count, Math.min(end - start, 1 << 16));
    }

    /** The number that tells messages apart, before anything else is known. */
    public long number(int from, int away, int size, boolean big) {
        if (away + size > end - start - from) throw fail(Code.TRUNCATED, start + from);
        long number = 0;
        for (int i = 0; i < size; i++) {
            number |= (b[start + from + away + i] & 0xffL) << 8 * (big ? size - 1 - i : i);
        }
        return number;
    }

    public Decimal decimal(int at) {
        int scale = b[at + 14] & 0xff;
        int sign = b[at + 15] & 0xff;
        if (b[at + 12] != 0 || b[at + 13] != 0 || scale > 28 || (sign != 0 && sign != 0x80)) throw fail(Code.BAD_VALUE, at);
        return decimalOf(b, at);
    }

    /** Of bytes that are known to be a decimal. */
    public static Decimal decimalOf(byte[] b, int at) {
        byte[] digits = new byte[12];
        for (int i = 0; i < 12; i++) digits[11 - i] = b[at + i];
        return new Decimal(b[at + 15] != 0, new BigInteger(1, digits), b[at + 14]);
    }

    public static byte[] octets(byte[] b, int at, int size, byte[] old) {
        if (old == null || old.length != size) return java.util.Arrays.copyOfRange(b, at, at + size);
        System.arraycopy(b, at, old, 0, size);
        return old;
    }

    public static String latin1(byte[] b, int at, int size, String old) {
        return Text.isAscii(old, b, at, size) ? old : new String(b, at, size, StandardCharsets.ISO_8859_1);
    }

    public static String utf8(byte[] b, int at, int size, String old) {
        return Text.isAscii(old, b, at, size) || Text.isWide(old, b, at, size) ? old : Text.read(b, at, size);
    }

    public String strictUtf8(int at, int size) {
        if (!Text.isUtf8(b, at, at + size)) throw fail(Code.BAD_TEXT, at);
        return new String(b, at, size, StandardCharsets.UTF_8);
    }

    private static int length(byte[] b, int at, int width) {
        int size = 0;
        while (size < width && b[at + size] != 0) size++;
        return size;
    }

    public static String utf8Chars(byte[] b, int at, int width, String old) {
        return utf8(b, at, length(b, at, width), old);
    }

    /** Text of a run's value, to which the path leads. */
    public String strictUtf8Chars(int at, int width, Object... path) {
        try {
            return strictUtf8(at, length(b, at, width));
        } catch (CodecException fault) {
            for (int i = path.length - 1; i >= 0; i--) fault.within(path[i]);
            throw fault;
        }
    }

    public static String latin1Chars(byte[] b, int at, int width, String old) {
        return latin1(b, at, length(b, at, width), old);
    }

    public static byte[] i8s(byte[] b, int at, int count, int step, byte[] old) {
        if (step == 1) return octets(b, at, count, old);
        byte[] array = old != null && old.length == count ? old : new byte[count];
        for (int i = 0; i < count; i++) array[i] = b[at + step * i];
        return array;
    }

    public static int[] u8s(byte[] b, int at, int count, int step, int[] old) {
        int[] array = old != null && old.length == count ? old : new int[count];
        for (int i = 0; i < count; i++) array[i] = b[at + step * i] & 0xff;
        return array;
    }

    public static boolean[] bools(byte[] b, int at, int count, int step, boolean[] old) {
        boolean[] array = old != null && old.length == count ? old : new boolean[count];
        for (int i = 0; i < count; i++) array[i] = b[at + step * i] != 0;
        return array;
    }

    public static char[] chars(byte[] b, int at, int count, int step, char[] old) {
        char[] array = old != null && old.length == count ? old : new char[count];
        for (int i = 0; i < count; i++) array[i] = (char) (b[at + step * i] & 0xff);
        return array;
    }

    public static short[] i16s(byte[] b, int at, int count, int step, short[] old) {
        short[] array = old != null && old.length == count ? old : new short[count];
        for (int i = 0; i < count; i++) array[i] = Wire.i16(b, at + step * i);
        return array;
    }

    public static short[] i16sbe(byte[] b, int at, int count, int step, short[] old) {
        short[] array = old != null && old.length == count ? old : new short[count];
        for (int i = 0; i < count; i++) array[i] = Wire.i16be(b, at + step * i);
        return array;
    }

    public static int[] u16s(byte[] b, int at, int count, int step, int[] old) {
        int[] array = old != null && old.length == count ? old : new int[count];
        for (int i = 0; i < count; i++) array[i] = Wire.u16(b, at + step * i);
        return array;
    }

    public static int[] u16sbe(byte[] b, int at, int count, int step, int[] old) {
        int[] array = old != null && old.length == count ? old : new int[count];
        for (int i = 0; i < count; i++) array[i] = Wire.u16be(b, at + step * i);
        return array;
    }

    public static int[] i32s(byte[] b, int at, int count, int step, int[] old) {
        int[] array = old != null && old.length == count ? old : new int[count];
        for (int i = 0; i < count; i++) array[i] = Wire.i32(b, at + step * i);
        return array;
    }

    public static int[] i32sbe(byte[] b, int at, int count, int step, int[] old) {
        int[] array = old != null && old.length == count ? old : new int[count];
        for (int i = 0; i < count; i++) array[i] = Wire.i32be(b, at + step * i);
        return array;
    }

    public static long[] u32s(byte[] b, int at, int count, int step, long[] old) {
        long[] array = old != null && old.length == count ? old : new long[count];
        for (int i = 0; i < count; i++) array[i] = Wire.u32(b, at + step * i);
        return array;
    }

    public static long[] u32sbe(byte[] b, int at, int count, int step, long[] old) {
        long[] array = old != null && old.length == count ? old : new long[count];
        for (int i = 0; i < count; i++) array[i] = Wire.u32be(b, at + step * i);
        return array;
    }

    public static long[] i64s(byte[] b, int at, int count, int step, long[] old) {
        long[] array = old != null && old.length == count ? old : new long[count];
        for (int i = 0; i < count; i++) array[i] = Wire.i64(b, at + step * i);
        return array;
    }

    public static long[] i64sbe(byte[] b, int at, int count, int step, long[] old) {
        long[] array = old != null && old.length == count ? old : new long[count];
        for (int i = 0; i < count; i++) array[i] = Wire.i64be(b, at + step * i);
        return array;
    }

    public static long[] u64s(byte[] b, int at, int count, int step, long[] old) {
        long[] array = old != null && old.length == count ? old : new long[count];
        for (int i = 0; i < count; i++) array[i] = Wire.u64(b, at + step * i);
        return array;
    }

    public static long[] u64sbe(byte[] b, int at, int count, int step, long[] old) {
        long[] array = old != null && old.length == count ? old : new long[count];
        for (int i = 0; i < count; i++) array[i] = Wire.u64be(b, at + step * i);
        return array;
    }

    public static float[] f32s(byte[] b, int at, int count, int step, float[] old) {
        float[] array = old != null && old.length == count ? old : new float[count];
        for (int i = 0; i < count; i++) array[i] = Wire.f32(b, at + step * i);
        return array;
    }

    public static float[] f32sbe(byte[] b, int at, int count, int step, float[] old) {
        float[] array = old != null && old.length == count ? old : new float[count];
        for (int i = 0; i < count; i++) array[i] = Wire.f32be(b, at + step * i);
        return array;
    }

    public static double[] f64s(byte[] b, int at, int count, int step, double[] old) {
        double[] array = old != null && old.length == count ? old : new double[count];
        for (int i = 0; i < count; i++) array[i] = Wire.f64(b, at + step * i);
        return array;
    }

    public static double[] f64sbe(byte[] b, int at, int count, int step, double[] old) {
        double[] array = old != null && old.length == count ? old : new double[count];
        for (int i = 0; i < count; i++) array[i] = Wire.f64be(b, at + step * i);
        return array;
    }

    public static List<UUID> uuids(byte[] b, int at, int count, int step) {
        ArrayList<UUID> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) list.add(Wire.uuid(b, at + step * i));
        return list;
    }

    public static List<UUID> uuidsbe(byte[] b, int at, int count, int step) {
        return uuids(b, at, count, step);
    }

    // Segments and pointers.

    /** The begin of the first segment; the message's end is that of the last. */
    public int open(boolean table) {
        int words = table && end - start >= 2 * Segments.WORD && Wire.i32(b, start) == 0 ? Wire.i32(b, start + 4) : 0;
        // One segment is usual, and few sizes are wrong.
        if (words <= 0 || words > (end - start) / Segments.WORD - 1) return openAny(table);
        bounds = null;
        lo = start + Segments.WORD;
        hi = lo + words * Segments.WORD;
        end = hi;
        return lo;
    }

    private int openAny(boolean table) {
        one(start, end - (end - start) % Segments.WORD);
        bounds = table ? Segments.table(this) : null;
        if (bounds != null) one(bounds[0], bounds[1]);
        if (hi - lo < Segments.WORD) throw fail(Code.TRUNCATED, lo);
        end = bounds != null ? bounds[bounds.length - 1] : hi;
        return lo;
    }

    void one(int from, int to) {
        lo = from;
        hi = to;
    }

    int segments() {
        return bounds == null ? 1 : bounds.length / 2;
    }

    int from(int segment) {
        return segment == 0 ? lo : bounds[2 * segment];
    }

    int to(int segment) {
        return segment == 0 ? hi : bounds[2 * segment + 1];
    }

    /** The pointer at a place, as one that is near: its kind and upper half; where it counts from is noted. Zero is null. */
    public long aim(int at, int segment) {
        long word = Wire.i64(b, at);
        this.segment = segment;
        base = at + Segments.WORD;
        if ((word & 2) == 0) return word;
        if ((word & 3) == 2) return Segments.far(this, word, at);
        Segments.known(this, word, at);
        return word;
    }

    /** The first byte of an object of so many bytes. */
    int body(long aim, int at, long size) {
        int from = from(segment);
        if (size == 0) return from;
        int to = to(segment);
        long first = base + (long) Segments.WORD * ((int) aim >> 2);
        if (first < from || first > to) throw fail(Code.BAD_POINTER, at);
        if (size > to - first) throw fail((aim & 3) == 1 ? Code.BAD_COUNT : Code.BAD_POINTER, at);
        return (int) first;
    }

    /** A record's data, behind which its pointers are. */
    public int record(long aim, int at) {
        if ((aim & 3) != 0) throw fail(Code.BAD_VALUE, at);
        if (depth == 0) throw fail(Code.TOO_DEEP, at);
        long size = Wire.dataSize(aim) + Wire.pointersSize(aim);
        int from = body(aim, at, size);
        charge(size, at);
        return from;
    }

    private int octetsOf(long aim, int at) {
        if ((aim & 0x700000003L) != 0x200000001L) throw fail(Code.BAD_VALUE, at);
        long size = (aim >>> 35) + 7 & ~7L;
        int from = body(aim, at, size);
        charge(size, at);
        return from;
    }

    public byte[] data(long aim, int at, byte[] old) {
        return octets(b, octetsOf(aim, at), (int) (aim >>> 35), old);
    }

    private int textOf(long aim, int at) {
        int from = octetsOf(aim, at);
        int size = (int) (aim >>> 35);
        if (size == 0 || b[from + size - 1] != 0) throw fail(Code.BAD_VALUE, at);
        return from;
    }

    public String text(long aim, int at, String old) {
        return utf8(b, textOf(aim, at), (int) (aim >>> 35) - 1, old);
    }

    public void isData(long aim, int at) {
        octetsOf(aim, at);
    }

    public void isText(long aim, int at) {
        textOf(aim, at);
    }

    public String strictText(long aim, int at) {
        return strictUtf8(textOf(aim, at), (int) (aim >>> 35) - 1);
    }

    public void isList(long aim, int at) {
        if ((aim & 3) != 1) throw fail(Code.BAD_VALUE, at);
    }

    /** The tag of a list of records, behind which so many words are there. */
    long tag(int at, long words) {
        long tag = Wire.i64(b, at);
        if ((tag & 3) != 0) throw fail(Code.BAD_VALUE, at);
        long each = Wire.dataSize(tag) + Wire.pointersSize(tag);
        if (((int) tag >>> 2 & 0x1fffffff) * each > words * Segments.WORD) throw fail(Code.BAD_COUNT, at);
        return tag;
    }

    /** A list's first element; the rest is noted. */
    public int list(long aim, int at) {
        int code = (int) (aim >>> 32) & 7;
        long size = aim >>> 35;
        int first;
        if (code == 7) {
            first = body(aim, at, (size + 1) * Segments.WORD);
            charge((size + 1) * Segments.WORD, at);
            long tag = tag(first, size);
            first += Segments.WORD;
            count = (int) tag >>> 2 & 0x1fffffff;
            dataSize = (int) Wire.dataSize(tag);
            pointersSize = (int) Wire.pointersSize(tag);
            bits = 0;
            stride = 8 * (dataSize + pointersSize);
        } else {
            stride = Segments.bits(code);
            long words = size * stride + 63 >>> 6;
            first = body(aim, at, words * Segments.WORD);
            charge(words * Segments.WORD, at);
            count = (int) size;
            pointersSize = code == 6 ? Segments.WORD : 0;
            bits = code == 6 ? 0 : stride;
            dataSize = bits >> 3;
        }
        if (stride == 0) charge((long) count * Segments.EMPTY_ELEMENT, at);
        if (pointersSize > 0) extra((long) count * (pointersSize / Segments.WORD), Segments.LINK, at);
        return first;
    }

    /** Booleans side by side. */
    public static boolean[] bitRow(byte[] b, int at, int count, boolean[] old) {
        boolean[] array = old != null && old.length == count ? old : new boolean[count];
        for (int i = 0; i < count; i++) array[i] = (b[at + (i >> 3)] >> (i & 7) & 1) != 0;
        return array;
    }

    /** A flat message of what a pointer leads to, copied whole. */
    public AnyPointer keep(int at, int segment) {
        Out out = new Out();
        out.reserve(Segments.WORD);
        new Segments.Copier(this, out, false).pointer(at, segment, 0);
        return new AnyPointer(out.bytes());
    }
}
