import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A flat SBE message (bench/beam/schemas/flat.xml) by hand: the floor of bench/java. */
final class HandReading {
    static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BLOCK = 36;

    long time;
    int station;
    int temperature;
    int pressure;
    int humidity;
    int wind;
    int rain;
    String place;
    String sky;
    String observer;

    int write(byte[] b, int at) {
        LONG.set(b, at, BLOCK | 1L << 16 | 81L << 32);
        int body = at + 8;
        LONG.set(b, body, time);
        SHORT.set(b, body + 8, (short) station);
        INT.set(b, body + 10, temperature);
        INT.set(b, body + 14, pressure);
        INT.set(b, body + 18, humidity);
        INT.set(b, body + 22, wind);
        INT.set(b, body + 26, rain);
        int size = place.length();
        if (size > 6) throw new IllegalArgumentException("place");
        for (int i = 0; i < 6; i++) b[body + 30 + i] = i < size ? (byte) place.charAt(i) : 0;
        return text(b, text(b, body + BLOCK, sky), observer);
    }

    static int text(byte[] b, int at, String text) {
        int size = text.length();
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c > 127) return wide(b, at, text);
            b[at + 2 + i] = (byte) c;
        }
        SHORT.set(b, at, (short) size);
        return at + 2 + size;
    }

    private static int wide(byte[] b, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        SHORT.set(b, at, (short) bytes.length);
        System.arraycopy(bytes, 0, b, at + 2, bytes.length);
        return at + 2 + bytes.length;
    }

    /** False where the bytes are wrong. */
    boolean read(byte[] b, int at, int end) {
        if (end - at < 8) return false;
        long head = (long) LONG.get(b, at);
        if ((head >>> 16 & 0xffffffffL) != (1L | 81L << 16)) return false;
        int block = (int) head & 0xffff;
        int body = at + 8;
        if (block < BLOCK || end - body < block) return false;
        time = (long) LONG.get(b, body);
        station = (short) SHORT.get(b, body + 8) & 0xffff;
        temperature = (int) INT.get(b, body + 10);
        pressure = (int) INT.get(b, body + 14);
        humidity = (int) INT.get(b, body + 18);
        wind = (int) INT.get(b, body + 22);
        rain = (int) INT.get(b, body + 26);
        int size = 0;
        while (size < 6 && b[body + 30 + size] != 0) size++;
        place = kept(b, body + 30, size, place);
        int next = body + block;
        if (end - next < 2) return false;
        int length = (short) SHORT.get(b, next) & 0xffff;
        if (length > end - next - 2) return false;
        sky = kept(b, next + 2, length, sky);
        next += 2 + length;
        if (end - next < 2) return false;
        length = (short) SHORT.get(b, next) & 0xffff;
        if (length > end - next - 2) return false;
        observer = kept(b, next + 2, length, observer);
        return true;
    }

    static String kept(byte[] b, int at, int size, String old) {
        if (old != null && old.length() == size && size <= 32) {
            int i = 0;
            while (i < size && old.charAt(i) == b[at + i]) i++;
            if (i == size) return old;
        }
        return new String(b, at, size, StandardCharsets.UTF_8);
    }

    /** Checks the bytes and adds up the numbers of the block, in place; below zero where the bytes are wrong. */
    long sum(byte[] b, int at, int end) {
        if (end - at < 8) return -1;
        long head = (long) LONG.get(b, at);
        int block = (int) head & 0xffff;
        int body = at + 8;
        if ((head >>> 16 & 0xffffffffL) != (1L | 81L << 16) || block < BLOCK || end - body < block) return -1;
        int next = body + block;
        for (int i = 0; i < 2; i++) {
            if (end - next < 2) return -1;
            int length = (short) SHORT.get(b, next) & 0xffff;
            if (length > end - next - 2) return -1;
            next += 2 + length;
        }
        long sum = (long) LONG.get(b, body) + ((short) SHORT.get(b, body + 8) & 0xffff) + (int) INT.get(b, body + 10);
        return sum + (int) INT.get(b, body + 14) + (int) INT.get(b, body + 18) + (int) INT.get(b, body + 22) + (int) INT.get(b, body + 26);
    }
}
