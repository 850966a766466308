import java.util.ArrayList;

/** FBE's account in its Final form by hand: fields one behind another. A floor of bench/java. */
final class HandFinal {
    private byte[] b;
    private int at;
    private int end;

    /** Writes it from a place on, where there is room; gives where it ends. */
    static int write(byte[] b, int start, HandAccount.Account v) {
        HandAccount.INT.set(b, start + 4, 3);
        HandAccount.INT.set(b, start + 8, v.id);
        int at = text(b, start + 12, v.name);
        b[at] = (byte) v.state;
        at = balance(b, at + 1, v.wallet);
        b[at++] = (byte) (v.asset == null ? 0 : 1);
        if (v.asset != null) at = balance(b, at, v.asset);
        int count = v.orders.size();
        HandAccount.INT.set(b, at, count);
        at += 4;
        for (int i = 0; i < count; i++) {
            HandAccount.Order order = v.orders.get(i);
            HandAccount.INT.set(b, at, order.id);
            at = text(b, at + 4, order.symbol);
            b[at] = (byte) order.side;
            b[at + 1] = (byte) order.type;
            HandAccount.DOUBLE.set(b, at + 2, order.price);
            HandAccount.DOUBLE.set(b, at + 10, order.volume);
            at += 18;
        }
        HandAccount.INT.set(b, start, at - start);
        return at;
    }

    private static int balance(byte[] b, int at, HandAccount.Balance v) {
        at = text(b, at, v.currency);
        HandAccount.DOUBLE.set(b, at, v.amount);
        return at + 8;
    }

    private static int text(byte[] b, int at, String text) {
        return HandAccount.text(b, at, text);
    }

    /** Reads it into an object that may have been used; false where the bytes are wrong. */
    boolean read(byte[] bytes, int start, int stop, HandAccount.Account v) {
        if (stop - start < 12 || (int) HandAccount.INT.get(bytes, start) > stop - start || (int) HandAccount.INT.get(bytes, start + 4) != 3) return false;
        b = bytes;
        end = start + (int) HandAccount.INT.get(bytes, start);
        at = start + 12;
        v.id = (int) HandAccount.INT.get(bytes, start + 8);
        if ((v.name = text(v.name)) == null || end - at < 1) return false;
        v.state = b[at++] & 255;
        if (v.wallet == null) v.wallet = new HandAccount.Balance();
        if (!balance(v.wallet) || end - at < 1) return false;
        if (b[at++] == 0) {
            v.asset = null;
        } else {
            if (v.asset == null) v.asset = new HandAccount.Balance();
            if (!balance(v.asset)) return false;
        }
        return orders(v.orders) && at == end;
    }

    private boolean orders(ArrayList<HandAccount.Order> orders) {
        if (end - at < 4) return false;
        int count = (int) HandAccount.INT.get(b, at);
        at += 4;
        if (count < 0 || count > (end - at) / 26) return false;
        for (int i = 0; i < count; i++) {
            if (i == orders.size()) orders.add(new HandAccount.Order());
            if (!order(orders.get(i))) return false;
        }
        for (int last = orders.size() - 1; last >= count; last--) orders.remove(last);
        return true;
    }

    private boolean order(HandAccount.Order v) {
        if (end - at < 4) return false;
        v.id = (int) HandAccount.INT.get(b, at);
        at += 4;
        if ((v.symbol = text(v.symbol)) == null || end - at < 18) return false;
        v.side = b[at];
        v.type = b[at + 1];
        v.price = (double) HandAccount.DOUBLE.get(b, at + 2);
        v.volume = (double) HandAccount.DOUBLE.get(b, at + 10);
        at += 18;
        return true;
    }

    private boolean balance(HandAccount.Balance v) {
        if ((v.currency = text(v.currency)) == null || end - at < 8) return false;
        v.amount = (double) HandAccount.DOUBLE.get(b, at);
        at += 8;
        return true;
    }

    private String text(String old) {
        if (end - at < 4) return null;
        int size = (int) HandAccount.INT.get(b, at);
        int from = at + 4;
        if (size < 0 || size > end - from) return null;
        at = from + size;
        return HandReading.kept(b, from, size, old);
    }
}
