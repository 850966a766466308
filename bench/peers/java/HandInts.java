/** Seven integers of Cap'n Proto by hand, in one segment: the floor of bench/java. */
final class HandInts {
    long a;
    long b;
    long c;
    int d;
    int e;
    short f;
    int g;

    int write(byte[] bytes, int at) {
        HandReading.LONG.set(bytes, at, 5L << 32);
        HandReading.LONG.set(bytes, at + 8, 4L << 32);
        HandReading.LONG.set(bytes, at + 16, a);
        HandReading.LONG.set(bytes, at + 24, b);
        HandReading.INT.set(bytes, at + 32, (int) c);
        HandReading.INT.set(bytes, at + 36, d);
        HandReading.SHORT.set(bytes, at + 40, (short) e);
        HandReading.SHORT.set(bytes, at + 42, f);
        HandReading.INT.set(bytes, at + 44, g & 255);
        return 48;
    }

    /** False where the bytes are wrong, or not as a writer of this schema writes them. */
    boolean read(byte[] bytes, int at, int end) {
        if (end - at < 16 || (int) HandReading.INT.get(bytes, at) != 0) return false;
        long words = (int) HandReading.INT.get(bytes, at + 4) & 0xffffffffL;
        if (words * 8 > end - at - 8 || words == 0) return false;
        long pointer = (long) HandReading.LONG.get(bytes, at + 8);
        int size = (int) (pointer >>> 32 & 0xffff) * 8;
        long from = at + 16 + 8L * ((int) pointer >> 2);
        long stop = at + 8 + words * 8;
        if ((pointer & 3) != 0 || size < 32 || from < at + 8 || size > stop - from) return false;
        int data = (int) from;
        a = (long) HandReading.LONG.get(bytes, data);
        b = (long) HandReading.LONG.get(bytes, data + 8);
        c = (int) HandReading.INT.get(bytes, data + 16) & 0xffffffffL;
        d = (int) HandReading.INT.get(bytes, data + 20);
        e = (short) HandReading.SHORT.get(bytes, data + 24) & 0xffff;
        f = (short) HandReading.SHORT.get(bytes, data + 26);
        g = bytes[data + 28] & 255;
        return true;
    }
}
