package aldis.codec;

/**
 * Pointers of messages of one segment, for quick readers (Cap'n Proto encoding specification, "Structs", "Lists"). A place below zero
 * stands for what is unusual: a careful reader says what is wrong, if anything is.
 */
public final class Near {
    private static final int UNUSUAL = -1;
    private static final int COMPOSITE = 7;

    private Near() {}

    /** Where the one segment ends that a table says. */
    public static int end(byte[] b, int start, int end) {
        if (end - start < 2 * Segments.WORD || Wire.i32(b, start) != 0) return UNUSUAL;
        int words = Wire.i32(b, start + 4);
        return words <= 0 || words > (end - start >> 3) - 1 ? UNUSUAL : start + (words + 1) * Segments.WORD;
    }

    /** The first byte of an object of so many bytes. */
    private static int body(long aim, int at, int low, int end, long size) {
        if (size == 0) return low;
        long first = at + Segments.WORD + (long) Segments.WORD * ((int) aim >> 2);
        return first < low || first > end || size > end - first ? UNUSUAL : (int) first;
    }

    /** A record's data. */
    public static int record(long aim, int at, int low, int end) {
        return (aim & 3) != 0 ? UNUSUAL : body(aim, at, low, end, Wire.dataSize(aim) + Wire.pointersSize(aim));
    }

    /** The bytes of a list of bytes, and those that it takes. */
    public static long length(long aim) { return aim >>> 35; }
    public static long padded(long length) { return length + 7 & ~7L; }

    public static int octets(byte[] b, long aim, int at, int low, int end) {
        return (aim & 0x700000003L) != 0x200000001L ? UNUSUAL : body(aim, at, low, end, padded(length(aim)));
    }

    /** A text, whose last byte is zero. */
    public static int text(byte[] b, long aim, int at, int low, int end) {
        int from = octets(b, aim, at, low, end);
        return from < 0 || length(aim) == 0 || b[from + (int) length(aim) - 1] != 0 ? UNUSUAL : from;
    }

    private static int code(long aim) { return (int) (aim >>> 32) & 7; }

    private static int elements(long tag) { return (int) tag >>> 2 & 0x1fffffff; }

    private static long bytes(long aim) {
        int code = code(aim);
        return code == COMPOSITE ? (length(aim) + 1) * Segments.WORD : length(aim) * Segments.bits(code) + 63 >>> 6 << 3;
    }

    /** A list's first element. */
    public static int list(byte[] b, long aim, int at, int low, int end) {
        int first = body(aim, at, low, end, bytes(aim));
        if (first < 0 || code(aim) != COMPOSITE) return first;
        long tag = Wire.i64(b, first);
        long each = Wire.dataSize(tag) + Wire.pointersSize(tag);
        boolean isWrong = (tag & 3) != 0 || elements(tag) * each > length(aim) * Segments.WORD;
        return isWrong ? UNUSUAL : first + Segments.WORD;
    }

    /** The tag of a list of records; of another list, its elements as the tag of as many records. */
    public static long tag(byte[] b, long aim, int first) {
        int code = code(aim);
        if (code == COMPOSITE) return Wire.i64(b, first - Segments.WORD);
        return length(aim) << 2 | (code == 6 ? 1L << 48 : 0);
    }

    public static long count(long aim, long tag) { return elements(tag); }

    /** Bits of an element that is no record and no pointer. */
    public static long bits(long aim, long tag) {
        int code = code(aim);
        return code >= 6 ? 0 : Segments.bits(code);
    }

    public static long dataSize(long aim, long tag) {
        return bits(aim, tag) > 0 ? bits(aim, tag) >> 3 : Wire.dataSize(tag);
    }

    public static long pointersSize(long aim, long tag) { return Wire.pointersSize(tag); }

    /** Bits from one element to the next. */
    public static long stride(long aim, long tag) {
        return bits(aim, tag) > 0 ? bits(aim, tag) : 8 * (Wire.dataSize(tag) + Wire.pointersSize(tag));
    }

    /** What a list costs: its words, elements without bytes, and pointers. */
    public static long cost(long aim, long tag) {
        long each = stride(aim, tag) == 0 ? Segments.EMPTY_ELEMENT : Wire.pointersSize(tag) / Segments.WORD * Segments.LINK;
        return bytes(aim) + elements(tag) * each;
    }
}
