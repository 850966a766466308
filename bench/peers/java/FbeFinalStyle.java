import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** The account in Final form as FBE's Java code works: a model of each field that asks for its room and gives its size back. Own writing in that style. */
final class FbeFinalStyle {
    /** A value at a place of the buffer. */
    abstract static class Model {
        final FbeStyle.Buffer buffer;
        long at;

        Model(FbeStyle.Buffer buffer) {
            this.buffer = buffer;
        }

        boolean isWithin(long size) {
            return buffer.offset + at + size <= buffer.size;
        }

        long place() {
            return buffer.offset + at;
        }
    }

    static final class IntModel extends Model {
        int value;

        IntModel(FbeStyle.Buffer buffer) {
            super(buffer);
        }

        long get() {
            if (!isWithin(4)) return 0;
            value = FbeStyle.readInt(buffer.data, place());
            return 4;
        }

        long set(int value) {
            if (!isWithin(4)) return 0;
            FbeStyle.writeInt(buffer.data, place(), value);
            return 4;
        }
    }

    static final class ByteModel extends Model {
        int value;

        ByteModel(FbeStyle.Buffer buffer) {
            super(buffer);
        }

        long get() {
            if (!isWithin(1)) return 0;
            value = FbeStyle.readByte(buffer.data, place()) & 0xff;
            return 1;
        }

        long set(int value) {
            if (!isWithin(1)) return 0;
            buffer.data[(int) place()] = (byte) value;
            return 1;
        }
    }

    static final class DoubleModel extends Model {
        double value;

        DoubleModel(FbeStyle.Buffer buffer) {
            super(buffer);
        }

        long get() {
            if (!isWithin(8)) return 0;
            value = Double.longBitsToDouble(FbeStyle.readLong(buffer.data, place()));
            return 8;
        }

        long set(double value) {
            if (!isWithin(8)) return 0;
            FbeStyle.writeLong(buffer.data, place(), Double.doubleToRawLongBits(value));
            return 8;
        }
    }

    static final class TextModel extends Model {
        String value;

        TextModel(FbeStyle.Buffer buffer) {
            super(buffer);
        }

        long get() {
            if (!isWithin(4)) return 0;
            int size = FbeStyle.readInt(buffer.data, place());
            if (!isWithin(4 + size)) return 0;
            value = new String(buffer.data, (int) place() + 4, size, StandardCharsets.UTF_8);
            return 4 + size;
        }

        long set(String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            if (!isWithin(4 + bytes.length)) return 0;
            FbeStyle.writeInt(buffer.data, place(), bytes.length);
            System.arraycopy(bytes, 0, buffer.data, (int) place() + 4, bytes.length);
            return 4 + bytes.length;
        }

        static long room(String value) {
            return 4 + 3L * (value.length() + 1);
        }
    }

    static final class BalanceModel extends Model {
        final TextModel currency;
        final DoubleModel amount;

        BalanceModel(FbeStyle.Buffer buffer) {
            super(buffer);
            currency = new TextModel(buffer);
            amount = new DoubleModel(buffer);
        }

        static long room(FbeStyle.Balance value) {
            return TextModel.room(value.currency) + 8;
        }

        long get(FbeStyle.Balance value) {
            buffer.shift(at);
            long now = 0;
            currency.at = now;
            now += currency.get();
            value.currency = currency.value;
            amount.at = now;
            now += amount.get();
            value.amount = amount.value;
            buffer.unshift(at);
            return now;
        }

        long set(FbeStyle.Balance value) {
            buffer.shift(at);
            long now = 0;
            currency.at = now;
            now += currency.set(value.currency);
            amount.at = now;
            now += amount.set(value.amount);
            buffer.unshift(at);
            return now;
        }
    }

    static final class OrderModel extends Model {
        final IntModel id;
        final TextModel symbol;
        final ByteModel side;
        final ByteModel type;
        final DoubleModel price;
        final DoubleModel volume;

        OrderModel(FbeStyle.Buffer buffer) {
            super(buffer);
            id = new IntModel(buffer);
            symbol = new TextModel(buffer);
            side = new ByteModel(buffer);
            type = new ByteModel(buffer);
            price = new DoubleModel(buffer);
            volume = new DoubleModel(buffer);
        }

        static long room(FbeStyle.Order value) {
            return 4 + TextModel.room(value.symbol) + 18;
        }

        long get(FbeStyle.Order value) {
            buffer.shift(at);
            long now = 0;
            id.at = now;
            now += id.get();
            value.id = id.value;
            symbol.at = now;
            now += symbol.get();
            value.symbol = symbol.value;
            side.at = now;
            now += side.get();
            value.side = FbeStyle.Side.of(side.value);
            type.at = now;
            now += type.get();
            value.type = FbeStyle.Type.of(type.value);
            price.at = now;
            now += price.get();
            value.price = price.value;
            volume.at = now;
            now += volume.get();
            value.volume = volume.value;
            buffer.unshift(at);
            return now;
        }

        long set(FbeStyle.Order value) {
            buffer.shift(at);
            long now = 0;
            id.at = now;
            now += id.set(value.id);
            symbol.at = now;
            now += symbol.set(value.symbol);
            side.at = now;
            now += side.set(value.side.ordinal());
            type.at = now;
            now += type.set(value.type.ordinal());
            price.at = now;
            now += price.set(value.price);
            volume.at = now;
            now += volume.set(value.volume);
            buffer.unshift(at);
            return now;
        }
    }

    final FbeStyle.Buffer buffer = new FbeStyle.Buffer();
    private final IntModel number = new IntModel(buffer);
    private final TextModel name = new TextModel(buffer);
    private final ByteModel octet = new ByteModel(buffer);
    private final BalanceModel balance = new BalanceModel(buffer);
    private final OrderModel order = new OrderModel(buffer);

    private static long room(FbeStyle.Account value) {
        long room = 4 + TextModel.room(value.name) + 1 + BalanceModel.room(value.wallet) + 1 + 4;
        if (value.asset != null) room += BalanceModel.room(value.asset);
        for (FbeStyle.Order one : value.orders) room += OrderModel.room(one);
        return room;
    }

    int serialize(FbeStyle.Account value) {
        buffer.reset();
        buffer.allocate(8 + room(value));
        FbeStyle.writeInt(buffer.data, 4, 3);
        long now = 8;
        number.at = now;
        now += number.set(value.id);
        name.at = now;
        now += name.set(value.name);
        octet.at = now;
        now += octet.set(value.state);
        balance.at = now;
        now += balance.set(value.wallet);
        octet.at = now;
        now += octet.set(value.asset == null ? 0 : 1);
        if (value.asset != null) {
            balance.at = now;
            now += balance.set(value.asset);
        }
        number.at = now;
        now += number.set(value.orders.size());
        for (FbeStyle.Order one : value.orders) {
            order.at = now;
            now += order.set(one);
        }
        FbeStyle.writeInt(buffer.data, 0, (int) now);
        buffer.size = now;
        return (int) now;
    }

    void deserialize(FbeStyle.Account value) {
        long now = 8;
        number.at = now;
        now += number.get();
        value.id = number.value;
        name.at = now;
        now += name.get();
        value.name = name.value;
        octet.at = now;
        now += octet.get();
        value.state = octet.value;
        balance.at = now;
        now += balance.get(value.wallet);
        octet.at = now;
        now += octet.get();
        value.asset = octet.value == 0 ? null : new FbeStyle.Balance();
        if (value.asset != null) {
            balance.at = now;
            now += balance.get(value.asset);
        }
        number.at = now;
        now += number.get();
        int count = number.value;
        ArrayList<FbeStyle.Order> orders = value.orders;
        orders.clear();
        orders.ensureCapacity(count);
        for (int i = 0; i < count; i++) {
            FbeStyle.Order one = new FbeStyle.Order();
            order.at = now;
            now += order.get(one);
            orders.add(one);
        }
    }
}
