import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** FBE's account, written and read by hand: one check a block, no budget, no depth, no path. The floor of bench/java. */
final class HandAccount {
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle DOUBLE = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

    static final class Balance {
        String currency;
        double amount;
    }

    static final class Order {
        int id;
        String symbol;
        int side;
        int type;
        double price;
        double volume;
    }

    static final class Account {
        int id;
        String name;
        int state;
        Balance wallet;
        Balance asset;
        ArrayList<Order> orders = new ArrayList<>();
    }

    private HandAccount() {}

    /** Writes it from a place on, where there is room; gives where it ends. */
    static int write(byte[] b, int start, Account v) {
        int at = start + 8;
        int end = account(b, at, v);
        INT.set(b, start, end - start);
        INT.set(b, start + 4, 8);
        return end;
    }

    private static int account(byte[] b, int at, Account v) {
        int end = at + 30;
        INT.set(b, at, 30);
        INT.set(b, at + 4, 3);
        INT.set(b, at + 8, v.id);
        INT.set(b, at + 12, end - at);
        end = text(b, end, v.name);
        b[at + 16] = (byte) v.state;
        INT.set(b, at + 17, end - at);
        end = balance(b, end, v.wallet);
        if (v.asset == null) {
            b[at + 21] = 0;
            INT.set(b, at + 22, 0);
        } else {
            b[at + 21] = 1;
            INT.set(b, at + 22, end - at);
            INT.set(b, end, 4);
            end = balance(b, end + 4, v.asset);
        }
        INT.set(b, at + 26, end - at);
        int count = v.orders.size();
        INT.set(b, end, count);
        int cell = end + 4;
        end = cell + 4 * count;
        for (int i = 0; i < count; i++, cell += 4) {
            INT.set(b, cell, end - at);
            end = order(b, end, v.orders.get(i));
        }
        return end;
    }

    private static int balance(byte[] b, int at, Balance v) {
        INT.set(b, at, 20);
        INT.set(b, at + 4, 2);
        INT.set(b, at + 8, 20);
        DOUBLE.set(b, at + 12, v.amount);
        return text(b, at + 20, v.currency);
    }

    private static int order(byte[] b, int at, Order v) {
        INT.set(b, at, 34);
        INT.set(b, at + 4, 1);
        INT.set(b, at + 8, v.id);
        INT.set(b, at + 12, 34);
        b[at + 16] = (byte) v.side;
        b[at + 17] = (byte) v.type;
        DOUBLE.set(b, at + 18, v.price);
        DOUBLE.set(b, at + 26, v.volume);
        return text(b, at + 34, v.symbol);
    }

    static int text(byte[] b, int at, String text) {
        int size = text.length();
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c > 127) return wide(b, at, text);
            b[at + 4 + i] = (byte) c;
        }
        INT.set(b, at, size);
        return at + 4 + size;
    }

    private static int wide(byte[] b, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        INT.set(b, at, bytes.length);
        System.arraycopy(bytes, 0, b, at + 4, bytes.length);
        return at + 4 + bytes.length;
    }

    /** Reads it into an object that may have been used; false where the bytes are wrong. */
    static boolean read(byte[] b, int start, int end, Account v) {
        if (end - start < 8 || (int) INT.get(b, start) < 8 || (int) INT.get(b, start) > end - start) return false;
        end = start + (int) INT.get(b, start);
        int at = follow(start, (int) INT.get(b, start + 4), end);
        if (at < 0 || end - at < 30 || (int) INT.get(b, at) < 30 || (int) INT.get(b, at + 4) != 3) return false;
        v.id = (int) INT.get(b, at + 8);
        v.state = b[at + 16] & 255;
        if ((v.name = text(b, at, at + 12, end, v.name)) == null) return false;
        int wallet = follow(at, (int) INT.get(b, at + 17), end);
        if (v.wallet == null) v.wallet = new Balance();
        if (wallet < 0 || !balance(b, wallet, end, v.wallet)) return false;
        if (b[at + 21] == 0) {
            v.asset = null;
        } else {
            int cell = follow(at, (int) INT.get(b, at + 22), end);
            if (cell < 0 || end - cell < 4) return false;
            int asset = follow(cell, (int) INT.get(b, cell), end);
            if (v.asset == null) v.asset = new Balance();
            if (asset < 0 || !balance(b, asset, end, v.asset)) return false;
        }
        return orders(b, at, end, v.orders);
    }

    private static boolean orders(byte[] b, int at, int end, ArrayList<Order> orders) {
        int head = follow(at, (int) INT.get(b, at + 26), end);
        if (head < 0 || end - head < 4) return false;
        int count = (int) INT.get(b, head);
        int cell = head + 4;
        if (count < 0 || count > (end - cell) / 4) return false;
        for (int i = 0; i < count; i++, cell += 4) {
            int order = follow(at, (int) INT.get(b, cell), end);
            if (i == orders.size()) orders.add(new Order());
            if (order < 0 || !order(b, order, end, orders.get(i))) return false;
        }
        for (int last = orders.size() - 1; last >= count; last--) orders.remove(last);
        return true;
    }

    private static int follow(int base, int offset, int end) {
        return offset <= 0 || offset > end - base ? -1 : base + offset;
    }

    private static boolean balance(byte[] b, int at, int end, Balance v) {
        if (end - at < 20 || (int) INT.get(b, at) < 20 || (int) INT.get(b, at + 4) != 2) return false;
        v.amount = (double) DOUBLE.get(b, at + 12);
        return (v.currency = text(b, at, at + 8, end, v.currency)) != null;
    }

    private static boolean order(byte[] b, int at, int end, Order v) {
        if (end - at < 34 || (int) INT.get(b, at) < 34 || (int) INT.get(b, at + 4) != 1) return false;
        v.id = (int) INT.get(b, at + 8);
        v.side = b[at + 16];
        v.type = b[at + 17];
        v.price = (double) DOUBLE.get(b, at + 18);
        v.volume = (double) DOUBLE.get(b, at + 26);
        return (v.symbol = text(b, at, at + 12, end, v.symbol)) != null;
    }

    private static String text(byte[] b, int base, int place, int end, String old) {
        int at = follow(base, (int) INT.get(b, place), end);
        if (at < 0 || end - at < 4) return null;
        int size = (int) INT.get(b, at);
        if (size < 0 || size > end - at - 4) return null;
        if (old != null && old.length() == size && size <= 32) {
            int i = 0;
            while (i < size && old.charAt(i) == b[at + 4 + i]) i++;
            if (i == size) return old;
        }
        return new String(b, at + 4, size, StandardCharsets.UTF_8);
    }

    /** Whether the bytes are an account, of which no value is made. */
    static boolean verify(byte[] b, int start, int end) {
        if (end - start < 8 || (int) INT.get(b, start) < 8 || (int) INT.get(b, start) > end - start) return false;
        end = start + (int) INT.get(b, start);
        int at = follow(start, (int) INT.get(b, start + 4), end);
        if (at < 0 || end - at < 30 || (int) INT.get(b, at) < 30 || (int) INT.get(b, at + 4) != 3) return false;
        if (!isText(b, at, at + 12, end) || !isBalance(b, at, at + 17, end)) return false;
        if (b[at + 21] != 0) {
            int cell = follow(at, (int) INT.get(b, at + 22), end);
            if (cell < 0 || end - cell < 4 || !isBalance(b, cell, cell, end)) return false;
        }
        int head = follow(at, (int) INT.get(b, at + 26), end);
        if (head < 0 || end - head < 4) return false;
        int count = (int) INT.get(b, head);
        int cell = head + 4;
        if (count < 0 || count > (end - cell) / 4) return false;
        for (int i = 0; i < count; i++, cell += 4) {
            int order = follow(at, (int) INT.get(b, cell), end);
            if (order < 0 || end - order < 34 || (int) INT.get(b, order) < 34 || (int) INT.get(b, order + 4) != 1) return false;
            if (!isText(b, order, order + 12, end)) return false;
        }
        return true;
    }

    private static boolean isBalance(byte[] b, int base, int place, int end) {
        int at = follow(base, (int) INT.get(b, place), end);
        if (at < 0 || end - at < 20 || (int) INT.get(b, at) < 20 || (int) INT.get(b, at + 4) != 2) return false;
        return isText(b, at, at + 8, end);
    }

    private static boolean isText(byte[] b, int base, int place, int end) {
        int at = follow(base, (int) INT.get(b, place), end);
        if (at < 0 || end - at < 4) return false;
        int size = (int) INT.get(b, at);
        return size >= 0 && size <= end - at - 4;
    }
}
