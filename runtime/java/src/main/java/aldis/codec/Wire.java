package aldis.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Numbers in bytes, in either order, and lists of numbers as arrays. The calls are checked against the array's bounds. */
public final class Wire {
    private static final VarHandle SHORT = little(short[].class);
    private static final VarHandle CHAR = little(char[].class);
    private static final VarHandle INT = little(int[].class);
    private static final VarHandle LONG = little(long[].class);
    private static final VarHandle FLOAT = little(float[].class);
    private static final VarHandle DOUBLE = little(double[].class);
    private static final VarHandle SHORT_BE = big(short[].class);
    private static final VarHandle CHAR_BE = big(char[].class);
    private static final VarHandle INT_BE = big(int[].class);
    private static final VarHandle LONG_BE = big(long[].class);
    private static final VarHandle FLOAT_BE = big(float[].class);
    private static final VarHandle DOUBLE_BE = big(double[].class);

    private Wire() {}

    private static VarHandle little(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    private static VarHandle big(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    public static short i16(byte[] b, int at) { return (short) SHORT.get(b, at); }
    public static int u16(byte[] b, int at) { return (char) CHAR.get(b, at); }
    public static int i32(byte[] b, int at) { return (int) INT.get(b, at); }
    public static long u32(byte[] b, int at) { return (int) INT.get(b, at) & 0xffffffffL; }
    public static long i64(byte[] b, int at) { return (long) LONG.get(b, at); }
    public static long u64(byte[] b, int at) { return (long) LONG.get(b, at); }
    public static float f32(byte[] b, int at) { return (float) FLOAT.get(b, at); }
    public static double f64(byte[] b, int at) { return (double) DOUBLE.get(b, at); }
    public static short i16be(byte[] b, int at) { return (short) SHORT_BE.get(b, at); }
    public static int u16be(byte[] b, int at) { return (char) CHAR_BE.get(b, at); }
    public static int i32be(byte[] b, int at) { return (int) INT_BE.get(b, at); }
    public static long u32be(byte[] b, int at) { return (int) INT_BE.get(b, at) & 0xffffffffL; }
    public static long i64be(byte[] b, int at) { return (long) LONG_BE.get(b, at); }
    public static long u64be(byte[] b, int at) { return (long) LONG_BE.get(b, at); }
    public static float f32be(byte[] b, int at) { return (float) FLOAT_BE.get(b, at); }
    public static double f64be(byte[] b, int at) { return (double) DOUBLE_BE.get(b, at); }

    /** Bytes of data and of pointers in the record that a pointer leads to. */
    public static long dataSize(long aim) { return aim >>> 29 & 0x7fff8; }
    public static long pointersSize(long aim) { return aim >>> 48 << 3; }

    /** Whether so many bytes, an unsigned number, are more than there is room for: a room below zero has none. */
    public static boolean isBeyond(long size, int room) { return size < 0 || size > room; }

    /** Whether a distance leads nowhere, or beyond the room. */
    public static boolean isAway(long distance, int room) { return distance <= 0 || distance > room; }

    /** Whether a number has more than 31 bits. */
    public static boolean isHuge(long number) { return number < 0 || number > Integer.MAX_VALUE; }

    /** The place in what a glance at bytes gave, beside what it left of the budget. */
    public static int low(long rest) { return (int) rest; }

    /** Whether so many elements, of so many bytes or more, are sure to lie in a room. */
    public static boolean fits(long count, long least, int room) {
        return count == 0 || (count > 0 && least > 0 && count <= room && least <= room && count * least <= room);
    }

    /** Whether scale, sign and spare bytes of a decimal are within bounds. */
    public static boolean isDecimal(byte[] b, int at) {
        int scale = b[at + 14] & 0xff, sign = b[at + 15] & 0xff;
        return b[at + 12] == 0 && b[at + 13] == 0 && scale <= 28 && (sign == 0 || sign == 0x80);
    }

    /** The difference in charge between an element without bytes and one of so many bits. */
    public static long shortOf(long bits) { return bits == 0 ? 0 : Math.max(0, 8 - bits / 8); }

    public static UUID uuid(byte[] b, int at) { return new UUID(i64be(b, at), i64be(b, at + 8)); }

    public static void i16(byte[] b, int at, short v) { SHORT.set(b, at, v); }
    public static void i32(byte[] b, int at, int v) { INT.set(b, at, v); }
    public static void i64(byte[] b, int at, long v) { LONG.set(b, at, v); }
    public static void i16be(byte[] b, int at, short v) { SHORT_BE.set(b, at, v); }
    public static void i32be(byte[] b, int at, int v) { INT_BE.set(b, at, v); }
    public static void i64be(byte[] b, int at, long v) { LONG_BE.set(b, at, v); }

    /** Floats have one NaN. */
    public static void f32(byte[] b, int at, float v) { INT.set(b, at, Float.floatToIntBits(v)); }
    public static void f64(byte[] b, int at, double v) { LONG.set(b, at, Double.doubleToLongBits(v)); }
    public static void f32be(byte[] b, int at, float v) { INT_BE.set(b, at, Float.floatToIntBits(v)); }
    public static void f64be(byte[] b, int at, double v) { LONG_BE.set(b, at, Double.doubleToLongBits(v)); }

    /** A list that may grow. */
    @SafeVarargs
    public static <T> List<T> list(T... items) {
        ArrayList<T> list = new ArrayList<>(items.length);
        for (T item : items) list.add(item);
        return list;
    }

    /** A value whose fields have other values, in order. */
    public static <T extends Structure> T with(T value, Object[] fields) {
        value.assign(fields);
        return value;
    }

    public static <T> List<T> nulls(int count) {
        return new ArrayList<>(Collections.nCopies(count, null));
    }

    public static boolean[] booleans(List<Boolean> items) {
        boolean[] array = new boolean[items.size()];
        for (int i = 0; i < array.length; i++) array[i] = items.get(i);
        return array;
    }

    public static byte[] bytes(List<Byte> items) {
        byte[] array = new byte[items.size()];
        for (int i = 0; i < array.length; i++) array[i] = items.get(i);
        return array;
    }

    public static char[] chars(List<Character> items) {
        char[] array = new char[items.size()];
        for (int i = 0; i < array.length; i++) array[i] = items.get(i);
        return array;
    }

    public static short[] shorts(List<Short> items) {
        short[] array = new short[items.size()];
        for (int i = 0; i < array.length; i++) array[i] = items.get(i);
        return array;
    }

    public static int[] ints(List<Integer> items) {
        int[] array = new int[items.size()];
        for (int i = 0; i < array.length; i++) array[i] = items.get(i);
        return array;
    }

    public static long[] longs(List<Long> items) {
        long[] array = new long[items.size()];
        for (int i = 0; i < array.length; i++) array[i] = items.get(i);
        return array;
    }

    public static float[] floats(List<Float> items) {
        float[] array = new float[items.size()];
        for (int i = 0; i < array.length; i++) array[i] = items.get(i);
        return array;
    }

    public static double[] doubles(List<Double> items) {
        double[] array = new double[items.size()];
        for (int i = 0; i < array.length; i++) array[i] = items.get(i);
        return array;
    }

    /** The list that was there before, if it is one that grows, for other elements. */
    public static <T> ArrayList<T> used(List<T> old, int room) {
        return old instanceof ArrayList<T> list ? list : new ArrayList<>(room);
    }

    public static <T> T at(ArrayList<T> list, int index) {
        return index < list.size() ? list.get(index) : null;
    }

    public static <T> void put(ArrayList<T> list, int index, T item) {
        if (index >= list.size()) list.add(item);
        else if (list.get(index) != item) list.set(index, item);
    }

    /** Puts an entry into a map, which keeps the first of equal keys. */
    public static <K, V> void putFirst(Map<K, V> map, K key, V value) {
        int size = map.size();
        // A null that was there has gone now, as the library takes it for nothing.
        if (map.putIfAbsent(key, value) == null && map.size() == size) map.put(key, null);
    }

    /** A number without sign, or as much of it as one with a sign says. */
    public static long capped(long number) {
        return number < 0 ? Long.MAX_VALUE : number;
    }

    /** Leaves so many elements. */
    public static void cut(ArrayList<?> list, long count) {
        for (int last = list.size() - 1; last >= count; last--) list.remove(last);
    }

    /** Room for elements that were paid for: a list grows where they are more. */
    public static int roomFor(long count) {
        return (int) Math.min(count, 1 << 16);
    }
}
