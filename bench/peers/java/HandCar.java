import java.util.ArrayList;

/** The SBE car (bench/beam/schemas/car.xml) by hand. A floor of bench/java. */
final class HandCar {
    static final class Fuel {
        int speed;
        float distance;
    }

    static final class Acceleration {
        int speed;
        float seconds;
    }

    static final class Performance {
        int octane;
        final ArrayList<Acceleration> acceleration = new ArrayList<>();
    }

    private static final int BLOCK = 45;

    long serial;
    int year;
    int available;
    int model;
    int[] numbers = new int[5];
    String code;
    int extras;
    int capacity;
    int cylinders;
    String engineMaker;
    final ArrayList<Fuel> fuel = new ArrayList<>();
    final ArrayList<Performance> performance = new ArrayList<>();
    String maker;
    String name;

    int write(byte[] b, int at) {
        HandReading.LONG.set(b, at, BLOCK | 1L << 16 | 82L << 32);
        int body = at + 8;
        HandReading.LONG.set(b, body, serial);
        HandReading.SHORT.set(b, body + 8, (short) year);
        b[body + 10] = (byte) available;
        b[body + 11] = (byte) model;
        for (int i = 0; i < 5; i++) HandReading.INT.set(b, body + 12 + 4 * i, numbers[i]);
        chars(b, body + 32, 6, code);
        b[body + 38] = (byte) extras;
        HandReading.SHORT.set(b, body + 39, (short) capacity);
        b[body + 41] = (byte) cylinders;
        chars(b, body + 42, 3, engineMaker);
        int end = body + BLOCK;
        int count = fuel.size();
        HandReading.INT.set(b, end, 6 | count << 16);
        end += 4;
        for (int i = 0; i < count; i++, end += 6) {
            Fuel one = fuel.get(i);
            HandReading.SHORT.set(b, end, (short) one.speed);
            HandReading.INT.set(b, end + 2, Float.floatToRawIntBits(one.distance));
        }
        end = performance(b, end);
        return HandReading.text(b, HandReading.text(b, end, maker), name);
    }

    private int performance(byte[] b, int end) {
        int count = performance.size();
        HandReading.INT.set(b, end, 1 | count << 16);
        end += 4;
        for (int i = 0; i < count; i++) {
            Performance one = performance.get(i);
            b[end] = (byte) one.octane;
            int inner = one.acceleration.size();
            HandReading.INT.set(b, end + 1, 6 | inner << 16);
            end += 5;
            for (int j = 0; j < inner; j++, end += 6) {
                Acceleration each = one.acceleration.get(j);
                HandReading.SHORT.set(b, end, (short) each.speed);
                HandReading.INT.set(b, end + 2, Float.floatToRawIntBits(each.seconds));
            }
        }
        return end;
    }

    private static void chars(byte[] b, int at, int width, String text) {
        int size = text.length();
        if (size > width) throw new IllegalArgumentException("text");
        for (int i = 0; i < width; i++) b[at + i] = i < size ? (byte) text.charAt(i) : 0;
    }

    /** False where the bytes are wrong. */
    boolean read(byte[] b, int at, int end) {
        if (end - at < 8) return false;
        long head = (long) HandReading.LONG.get(b, at);
        int block = (int) head & 0xffff;
        int body = at + 8;
        if ((head >>> 16 & 0xffffffffL) != (1L | 82L << 16) || block < BLOCK || end - body < block) return false;
        serial = (long) HandReading.LONG.get(b, body);
        year = (short) HandReading.SHORT.get(b, body + 8) & 0xffff;
        available = b[body + 10] & 255;
        model = b[body + 11] & 255;
        for (int i = 0; i < 5; i++) numbers[i] = (int) HandReading.INT.get(b, body + 12 + 4 * i);
        code = kept(b, body + 32, 6, code);
        extras = b[body + 38] & 255;
        capacity = (short) HandReading.SHORT.get(b, body + 39) & 0xffff;
        cylinders = b[body + 41] & 255;
        engineMaker = kept(b, body + 42, 3, engineMaker);
        int next = fuel(b, body + block, end);
        if (next >= 0) next = performance(b, next, end);
        if (next < 0 || !isText(b, next, end)) return false;
        int size = (short) HandReading.SHORT.get(b, next) & 0xffff;
        maker = HandReading.kept(b, next + 2, size, maker);
        next += 2 + size;
        if (!isText(b, next, end)) return false;
        name = HandReading.kept(b, next + 2, (short) HandReading.SHORT.get(b, next) & 0xffff, name);
        return true;
    }

    private static boolean isText(byte[] b, int at, int end) {
        return end - at >= 2 && ((short) HandReading.SHORT.get(b, at) & 0xffff) <= end - at - 2;
    }

    private static String kept(byte[] b, int at, int width, String old) {
        int size = 0;
        while (size < width && b[at + size] != 0) size++;
        return HandReading.kept(b, at, size, old);
    }

    private int fuel(byte[] b, int at, int end) {
        if (end - at < 4) return -1;
        int size = (short) HandReading.SHORT.get(b, at) & 0xffff;
        int count = (short) HandReading.SHORT.get(b, at + 2) & 0xffff;
        at += 4;
        if (size < 6 || count * size > end - at) return -1;
        for (int i = 0; i < count; i++, at += size) {
            if (i == fuel.size()) fuel.add(new Fuel());
            Fuel one = fuel.get(i);
            one.speed = (short) HandReading.SHORT.get(b, at) & 0xffff;
            one.distance = Float.intBitsToFloat((int) HandReading.INT.get(b, at + 2));
        }
        for (int last = fuel.size() - 1; last >= count; last--) fuel.remove(last);
        return at;
    }

    private int performance(byte[] b, int at, int end) {
        if (end - at < 4) return -1;
        int size = (short) HandReading.SHORT.get(b, at) & 0xffff;
        int count = (short) HandReading.SHORT.get(b, at + 2) & 0xffff;
        at += 4;
        if (size < 1) return -1;
        for (int i = 0; i < count; i++) {
            if (i == performance.size()) performance.add(new Performance());
            Performance one = performance.get(i);
            if (end - at < size) return -1;
            one.octane = b[at] & 255;
            at = acceleration(b, at + size, end, one.acceleration);
            if (at < 0) return -1;
        }
        for (int last = performance.size() - 1; last >= count; last--) performance.remove(last);
        return at;
    }

    private static int acceleration(byte[] b, int at, int end, ArrayList<Acceleration> list) {
        if (end - at < 4) return -1;
        int size = (short) HandReading.SHORT.get(b, at) & 0xffff;
        int count = (short) HandReading.SHORT.get(b, at + 2) & 0xffff;
        at += 4;
        if (size < 6 || count * size > end - at) return -1;
        for (int i = 0; i < count; i++, at += size) {
            if (i == list.size()) list.add(new Acceleration());
            Acceleration one = list.get(i);
            one.speed = (short) HandReading.SHORT.get(b, at) & 0xffff;
            one.seconds = Float.intBitsToFloat((int) HandReading.INT.get(b, at + 2));
        }
        for (int last = list.size() - 1; last >= count; last--) list.remove(last);
        return at;
    }
}
