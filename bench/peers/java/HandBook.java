import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** An address book of Cap'n Proto (conformance/schemas/addressbook.capnp) by hand, in one segment. A floor of bench/java. */
final class HandBook {
    static final class Phone {
        String number;
        int type;
    }

    static final class Person {
        long id;
        String name;
        String email;
        final ArrayList<Phone> phones = new ArrayList<>();
        /** Of work 0 and 3 have no name. */
        int work;
        String place;
    }

    final ArrayList<Person> people = new ArrayList<>();
    private byte[] b;
    private int end;

    int write(byte[] bytes, int start) {
        b = bytes;
        int count = people.size();
        put(start + 8, 1L << 48);
        put(start + 16, 1 | (7L | (long) count * 5 << 3) << 32);
        put(start + 24, (long) count << 2 | 1L << 32 | 4L << 48);
        end = start + 32 + 40 * count;
        for (int i = 0; i < count; i++) person(start + 32 + 40 * i, people.get(i));
        put(start, (long) (end - start - 8) / 8 << 32);
        return end - start;
    }

    private void put(int at, long word) {
        HandReading.LONG.set(b, at, word);
    }

    private void person(int at, Person v) {
        put(at, v.id | (long) v.work << 32);
        say(at + 8, v.name);
        say(at + 16, v.email);
        int count = v.phones.size();
        put(at + 24, ((end - at - 32 >> 3) << 2 | 1) & 0xffffffffL | (7L | (long) count * 2 << 3) << 32);
        put(end, (long) count << 2 | 1L << 32 | 1L << 48);
        int phone = end + 8;
        end = phone + 16 * count;
        for (int i = 0; i < count; i++, phone += 16) {
            Phone one = v.phones.get(i);
            put(phone, one.type);
            say(phone + 8, one.number);
        }
        if (v.work == 1 || v.work == 2) say(at + 32, v.place);
        else put(at + 32, 0);
    }

    private void say(int place, String text) {
        int size = text.length();
        int i = 0;
        for (; i < size; i++) {
            char c = text.charAt(i);
            if (c > 127) break;
            b[end + i] = (byte) c;
        }
        if (i < size) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            size = bytes.length;
            System.arraycopy(bytes, 0, b, end, size);
        }
        put(place, ((end - place - 8 >> 3) << 2 | 1) & 0xffffffffL | (2L | (long) (size + 1) << 3) << 32);
        int whole = size + 8 & ~7;
        for (i = size; i < whole; i++) b[end + i] = 0;
        end += whole;
    }

    private int lo;
    private int hi;

    /** Reads it into an object that may have been used; false where the bytes are wrong, or of several segments. */
    boolean read(byte[] bytes, int at, int stop) {
        if (stop - at < 16 || (int) HandReading.INT.get(bytes, at) != 0) return false;
        long words = (int) HandReading.INT.get(bytes, at + 4) & 0xffffffffL;
        if (words * 8 > stop - at - 8 || words == 0) return false;
        b = bytes;
        lo = at + 8;
        hi = lo + (int) words * 8;
        long root = word(lo);
        if ((root & 3) != 0 || root >>> 48 == 0) return false;
        int record = within(lo, root, ((root >>> 32 & 0xffff) + (root >>> 48)) * 8);
        return record >= 0 && people(record + (int) (root >>> 32 & 0xffff) * 8);
    }

    private long word(int at) {
        return (long) HandReading.LONG.get(b, at);
    }

    /** The place that a pointer leads to, where so many bytes are; below zero where they are not. */
    private int within(int place, long pointer, long size) {
        long from = place + 8 + 8L * ((int) pointer >> 2);
        return from < lo || from > hi || size > hi - from ? -1 : (int) from;
    }

    private boolean people(int place) {
        long pointer = word(place);
        if ((pointer & 0x700000003L) != 0x700000001L) return false;
        int tag = within(place, pointer, (pointer >>> 35) * 8 + 8);
        if (tag < 0) return false;
        long head = word(tag);
        int count = (int) head >>> 2;
        int data = (int) (head >>> 32 & 0xffff) * 8;
        int pointers = (int) (head >>> 48);
        int each = data + 8 * pointers;
        if ((head & 3) != 0 || (long) count * each > (pointer >>> 35) * 8 || data < 8 || pointers < 4) return false;
        for (int i = 0, at = tag + 8; i < count; i++, at += each) {
            if (i == people.size()) people.add(new Person());
            if (!person(at, data, people.get(i))) return false;
        }
        for (int last = people.size() - 1; last >= count; last--) people.remove(last);
        return true;
    }

    private boolean person(int at, int data, Person v) {
        long head = word(at);
        v.id = head & 0xffffffffL;
        v.work = (int) (head >>> 32 & 0xffff);
        if ((v.name = text(at + data, v.name)) == null || (v.email = text(at + data + 8, v.email)) == null) return false;
        if (v.work == 1 || v.work == 2) {
            if ((v.place = text(at + data + 24, v.place)) == null) return false;
        } else {
            v.place = null;
        }
        return phones(at + data + 16, v.phones);
    }

    private boolean phones(int place, ArrayList<Phone> phones) {
        long pointer = word(place);
        if ((pointer & 0x700000003L) != 0x700000001L) return false;
        int tag = within(place, pointer, (pointer >>> 35) * 8 + 8);
        if (tag < 0) return false;
        long head = word(tag);
        int count = (int) head >>> 2;
        int data = (int) (head >>> 32 & 0xffff) * 8;
        int each = data + 8 * (int) (head >>> 48);
        if ((head & 3) != 0 || (long) count * each > (pointer >>> 35) * 8 || data < 8 || each == data) return false;
        for (int i = 0, at = tag + 8; i < count; i++, at += each) {
            if (i == phones.size()) phones.add(new Phone());
            Phone phone = phones.get(i);
            phone.type = (int) word(at) & 0xffff;
            if ((phone.number = text(at + data, phone.number)) == null) return false;
        }
        for (int last = phones.size() - 1; last >= count; last--) phones.remove(last);
        return true;
    }

    private String text(int place, String old) {
        long pointer = word(place);
        long size = pointer >>> 35;
        if ((pointer & 0x700000003L) != 0x200000001L || size == 0) return null;
        int from = within(place, pointer, size + 7 & ~7L);
        if (from < 0 || b[from + (int) size - 1] != 0) return null;
        return HandReading.kept(b, from, (int) size - 1, old);
    }
}
