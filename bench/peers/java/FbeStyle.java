import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/**
 * The account as the Java code works that FBE's compiler makes: a model over a buffer, in which each field has an object that knows its
 * place, looks up the offset at each access, and asks whether the field is within the buffer and within the record. Own writing in that
 * style, as the generated code and its runtime are in no registry.
 */
final class FbeStyle {
    /** The bytes of a message, of which a part is looked at. */
    static final class Buffer {
        byte[] data = new byte[0];
        long size;
        long offset;

        void attach(byte[] bytes) {
            data = bytes;
            size = bytes.length;
            offset = 0;
        }

        void reset() {
            size = 0;
            offset = 0;
        }

        long allocate(long more) {
            long at = size;
            long total = size + more;
            if (total > data.length) data = java.util.Arrays.copyOf(data, (int) Math.max(total, 2L * data.length));
            size = total;
            return at;
        }

        void shift(long by) {
            offset += by;
        }

        void unshift(long by) {
            offset -= by;
        }
    }

    static byte readByte(byte[] b, long at) {
        return b[(int) at];
    }

    static int readInt(byte[] b, long at) {
        int i = (int) at;
        return (b[i] & 0xff) | (b[i + 1] & 0xff) << 8 | (b[i + 2] & 0xff) << 16 | (b[i + 3] & 0xff) << 24;
    }

    static long readLong(byte[] b, long at) {
        return (readInt(b, at) & 0xffffffffL) | (long) readInt(b, at + 4) << 32;
    }

    static void writeInt(byte[] b, long at, int value) {
        int i = (int) at;
        b[i] = (byte) value;
        b[i + 1] = (byte) (value >> 8);
        b[i + 2] = (byte) (value >> 16);
        b[i + 3] = (byte) (value >> 24);
    }

    static void writeLong(byte[] b, long at, long value) {
        writeInt(b, at, (int) value);
        writeInt(b, at + 4, (int) (value >> 32));
    }

    enum Side {
        BUY, SELL;

        private static final Map<Integer, Side> KNOWN = new HashMap<>();

        static {
            for (Side side : values()) KNOWN.put(side.ordinal(), side);
        }

        static Side of(int value) {
            return KNOWN.get(value);
        }
    }

    enum Type {
        MARKET, LIMIT, STOP;

        private static final Map<Integer, Type> KNOWN = new HashMap<>();

        static {
            for (Type type : values()) KNOWN.put(type.ordinal(), type);
        }

        static Type of(int value) {
            return KNOWN.get(value);
        }
    }

    static final class Balance {
        String currency = "";
        double amount;
    }

    static final class Order {
        int id;
        String symbol = "";
        Side side = Side.BUY;
        Type type = Type.MARKET;
        double price;
        double volume;
    }

    static final class Account {
        int id;
        String name = "";
        int state;
        Balance wallet = new Balance();
        Balance asset;
        ArrayList<Order> orders = new ArrayList<>();
    }

    /** A field at a place. */
    abstract static class Field {
        final Buffer buffer;
        long at;

        Field(Buffer buffer, long at) {
            this.buffer = buffer;
            this.at = at;
        }

        abstract long size();

        boolean isWithin() {
            return buffer.offset + at + size() <= buffer.size;
        }

        long place() {
            return buffer.offset + at;
        }

        boolean verify() {
            return true;
        }
    }

    static final class IntField extends Field {
        IntField(Buffer buffer, long at) {
            super(buffer, at);
        }

        @Override long size() {
            return 4;
        }

        int get(int otherwise) {
            return isWithin() ? readInt(buffer.data, place()) : otherwise;
        }

        void set(int value) {
            if (isWithin()) writeInt(buffer.data, place(), value);
        }
    }

    static final class ByteField extends Field {
        ByteField(Buffer buffer, long at) {
            super(buffer, at);
        }

        @Override long size() {
            return 1;
        }

        int get(int otherwise) {
            return isWithin() ? readByte(buffer.data, place()) & 0xff : otherwise;
        }

        void set(int value) {
            if (isWithin()) buffer.data[(int) place()] = (byte) value;
        }
    }

    static final class DoubleField extends Field {
        DoubleField(Buffer buffer, long at) {
            super(buffer, at);
        }

        @Override long size() {
            return 8;
        }

        double get(double otherwise) {
            return isWithin() ? Double.longBitsToDouble(readLong(buffer.data, place())) : otherwise;
        }

        void set(double value) {
            if (isWithin()) writeLong(buffer.data, place(), Double.doubleToRawLongBits(value));
        }
    }

    static final class TextField extends Field {
        TextField(Buffer buffer, long at) {
            super(buffer, at);
        }

        @Override long size() {
            return 4;
        }

        @Override boolean verify() {
            if (!isWithin()) return true;
            int offset = readInt(buffer.data, place());
            if (offset == 0) return true;
            if (buffer.offset + offset + 4 > buffer.size) return false;
            int length = readInt(buffer.data, buffer.offset + offset);
            return buffer.offset + offset + 4 + length <= buffer.size;
        }

        String get(String otherwise) {
            if (!isWithin()) return otherwise;
            int offset = readInt(buffer.data, place());
            if (offset == 0 || buffer.offset + offset + 4 > buffer.size) return otherwise;
            int length = readInt(buffer.data, buffer.offset + offset);
            if (buffer.offset + offset + 4 + length > buffer.size) return otherwise;
            return new String(buffer.data, (int) (buffer.offset + offset + 4), length, StandardCharsets.UTF_8);
        }

        void set(String value) {
            if (!isWithin()) return;
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            int offset = (int) (buffer.allocate(4 + bytes.length) - buffer.offset);
            if (offset <= 0) return;
            writeInt(buffer.data, place(), offset);
            writeInt(buffer.data, buffer.offset + offset, bytes.length);
            System.arraycopy(bytes, 0, buffer.data, (int) (buffer.offset + offset + 4), bytes.length);
        }
    }

    /** A record behind an offset. */
    abstract static class Record<T> extends Field {
        Record(Buffer buffer, long at) {
            super(buffer, at);
        }

        @Override long size() {
            return 4;
        }

        abstract long body();

        abstract int type();

        abstract boolean verifyFields(long size);

        abstract void getFields(T value, long size);

        abstract void setFields(T value);

        @Override boolean verify() {
            if (!isWithin()) return true;
            int offset = readInt(buffer.data, place());
            if (offset == 0 || buffer.offset + offset + 8 > buffer.size) return false;
            int size = readInt(buffer.data, buffer.offset + offset);
            if (size < 8 || readInt(buffer.data, buffer.offset + offset + 4) != type()) return false;
            buffer.shift(offset);
            boolean is = verifyFields(size);
            buffer.unshift(offset);
            return is;
        }

        private long getBegin() {
            if (!isWithin()) return 0;
            int offset = readInt(buffer.data, place());
            if (offset <= 0 || buffer.offset + offset + 8 > buffer.size) return 0;
            int size = readInt(buffer.data, buffer.offset + offset);
            if (size < 8) return 0;
            buffer.shift(offset);
            return offset;
        }

        void get(T value) {
            long begin = getBegin();
            if (begin == 0) return;
            getFields(value, readInt(buffer.data, buffer.offset));
            buffer.unshift(begin);
        }

        void set(T value) {
            if (!isWithin()) return;
            int offset = (int) (buffer.allocate(body()) - buffer.offset);
            if (offset <= 0) return;
            writeInt(buffer.data, place(), offset);
            writeInt(buffer.data, buffer.offset + offset, (int) body());
            writeInt(buffer.data, buffer.offset + offset + 4, type());
            buffer.shift(offset);
            setFields(value);
            buffer.unshift(offset);
        }
    }

    static final class BalanceField extends Record<Balance> {
        final TextField currency;
        final DoubleField amount;

        BalanceField(Buffer buffer, long at) {
            super(buffer, at);
            currency = new TextField(buffer, 8);
            amount = new DoubleField(buffer, currency.at + currency.size());
        }

        @Override long body() {
            return 8 + currency.size() + amount.size();
        }

        @Override int type() {
            return 2;
        }

        @Override boolean verifyFields(long size) {
            long now = 8;
            if (now + currency.size() > size) return true;
            if (!currency.verify()) return false;
            now += currency.size();
            return now + amount.size() > size || amount.verify();
        }

        @Override void getFields(Balance value, long size) {
            long now = 8;
            value.currency = now + currency.size() <= size ? currency.get("") : "";
            now += currency.size();
            value.amount = now + amount.size() <= size ? amount.get(0.0) : 0.0;
        }

        @Override void setFields(Balance value) {
            currency.set(value.currency);
            amount.set(value.amount);
        }
    }

    static final class OptionalBalance extends Field {
        final BalanceField value;

        OptionalBalance(Buffer buffer, long at) {
            super(buffer, at);
            value = new BalanceField(buffer, 0);
        }

        @Override long size() {
            return 5;
        }

        boolean hasValue() {
            return isWithin() && readByte(buffer.data, place()) != 0;
        }

        @Override boolean verify() {
            if (!isWithin() || !hasValue()) return true;
            int offset = readInt(buffer.data, place() + 1);
            if (offset == 0) return false;
            buffer.shift(offset);
            boolean is = value.verify();
            buffer.unshift(offset);
            return is;
        }

        Balance get() {
            if (!hasValue()) return null;
            int offset = readInt(buffer.data, place() + 1);
            if (offset <= 0) return null;
            buffer.shift(offset);
            Balance made = new Balance();
            value.get(made);
            buffer.unshift(offset);
            return made;
        }

        void set(Balance balance) {
            if (!isWithin()) return;
            buffer.data[(int) place()] = (byte) (balance == null ? 0 : 1);
            if (balance == null) return;
            int offset = (int) (buffer.allocate(value.size()) - buffer.offset);
            writeInt(buffer.data, place() + 1, offset);
            buffer.shift(offset);
            value.set(balance);
            buffer.unshift(offset);
        }
    }

    static final class OrderField extends Record<Order> {
        final IntField id;
        final TextField symbol;
        final ByteField side;
        final ByteField type;
        final DoubleField price;
        final DoubleField volume;

        OrderField(Buffer buffer, long at) {
            super(buffer, at);
            id = new IntField(buffer, 8);
            symbol = new TextField(buffer, id.at + id.size());
            side = new ByteField(buffer, symbol.at + symbol.size());
            type = new ByteField(buffer, side.at + side.size());
            price = new DoubleField(buffer, type.at + type.size());
            volume = new DoubleField(buffer, price.at + price.size());
        }

        @Override long body() {
            return 8 + id.size() + symbol.size() + side.size() + type.size() + price.size() + volume.size();
        }

        @Override int type() {
            return 1;
        }

        @Override boolean verifyFields(long size) {
            long now = 8;
            for (Field field : new Field[] {id, symbol, side, type, price, volume}) {
                if (now + field.size() > size) return true;
                if (!field.verify()) return false;
                now += field.size();
            }
            return true;
        }

        @Override void getFields(Order value, long size) {
            long now = 8;
            value.id = now + id.size() <= size ? id.get(0) : 0;
            now += id.size();
            value.symbol = now + symbol.size() <= size ? symbol.get("") : "";
            now += symbol.size();
            value.side = now + side.size() <= size ? Side.of(side.get(0)) : Side.BUY;
            now += side.size();
            value.type = now + type.size() <= size ? Type.of(type.get(0)) : Type.MARKET;
            now += type.size();
            value.price = now + price.size() <= size ? price.get(0.0) : 0.0;
            now += price.size();
            value.volume = now + volume.size() <= size ? volume.get(0.0) : 0.0;
        }

        @Override void setFields(Order value) {
            id.set(value.id);
            symbol.set(value.symbol);
            side.set(value.side.ordinal());
            type.set(value.type.ordinal());
            price.set(value.price);
            volume.set(value.volume);
        }
    }

    static final class OrdersField extends Field {
        final OrderField item;

        OrdersField(Buffer buffer, long at) {
            super(buffer, at);
            item = new OrderField(buffer, 0);
        }

        @Override long size() {
            return 4;
        }

        private OrderField first(int offset) {
            item.at = offset + 4;
            return item;
        }

        @Override boolean verify() {
            if (!isWithin()) return true;
            int offset = readInt(buffer.data, place());
            if (offset == 0) return true;
            if (buffer.offset + offset + 4 > buffer.size) return false;
            OrderField one = first(offset);
            for (int left = readInt(buffer.data, buffer.offset + offset); left > 0; left--) {
                if (!one.verify()) return false;
                one.at += one.size();
            }
            return true;
        }

        void get(ArrayList<Order> values) {
            values.clear();
            if (!isWithin()) return;
            int offset = readInt(buffer.data, place());
            if (offset == 0) return;
            int count = readInt(buffer.data, buffer.offset + offset);
            values.ensureCapacity(count);
            OrderField one = first(offset);
            for (int left = count; left > 0; left--) {
                Order value = new Order();
                one.get(value);
                values.add(value);
                one.at += one.size();
            }
        }

        void set(ArrayList<Order> values) {
            if (!isWithin()) return;
            int offset = (int) (buffer.allocate(4 + 4L * values.size()) - buffer.offset);
            writeInt(buffer.data, place(), offset);
            writeInt(buffer.data, buffer.offset + offset, values.size());
            OrderField one = first(offset);
            for (Order value : values) {
                one.set(value);
                one.at += one.size();
            }
        }
    }

    static final class AccountField extends Record<Account> {
        final IntField id;
        final TextField name;
        final ByteField state;
        final BalanceField wallet;
        final OptionalBalance asset;
        final OrdersField orders;

        AccountField(Buffer buffer, long at) {
            super(buffer, at);
            id = new IntField(buffer, 8);
            name = new TextField(buffer, id.at + id.size());
            state = new ByteField(buffer, name.at + name.size());
            wallet = new BalanceField(buffer, state.at + state.size());
            asset = new OptionalBalance(buffer, wallet.at + wallet.size());
            orders = new OrdersField(buffer, asset.at + asset.size());
        }

        @Override long body() {
            return 8 + id.size() + name.size() + state.size() + wallet.size() + asset.size() + orders.size();
        }

        @Override int type() {
            return 3;
        }

        @Override boolean verifyFields(long size) {
            long now = 8;
            for (Field field : new Field[] {id, name, state, wallet, asset, orders}) {
                if (now + field.size() > size) return true;
                if (!field.verify()) return false;
                now += field.size();
            }
            return true;
        }

        @Override void getFields(Account value, long size) {
            long now = 8;
            value.id = now + id.size() <= size ? id.get(0) : 0;
            now += id.size();
            value.name = now + name.size() <= size ? name.get("") : "";
            now += name.size();
            value.state = now + state.size() <= size ? state.get(0) : 0;
            now += state.size();
            if (now + wallet.size() <= size) wallet.get(value.wallet);
            now += wallet.size();
            value.asset = now + asset.size() <= size ? asset.get() : null;
            now += asset.size();
            if (now + orders.size() <= size) orders.get(value.orders);
        }

        @Override void setFields(Account value) {
            id.set(value.id);
            name.set(value.name);
            state.set(value.state);
            wallet.set(value.wallet);
            asset.set(value.asset);
            orders.set(value.orders);
        }
    }

    final Buffer buffer = new Buffer();
    private final AccountField model = new AccountField(buffer, 4);

    int serialize(Account value) {
        buffer.reset();
        buffer.allocate(8);
        model.set(value);
        writeInt(buffer.data, 0, (int) buffer.size);
        return (int) buffer.size;
    }

    boolean verify() {
        return buffer.size >= 8 && readInt(buffer.data, 0) >= 8 && model.verify();
    }

    void deserialize(Account value) {
        model.get(value);
    }
}
