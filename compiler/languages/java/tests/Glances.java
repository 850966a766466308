import aldis.Code;
import aldis.CodecException;
import aldis.Limits;
import aldis.codec.In;
import aldis.codec.Wire;
import default_.Owner;
import default_.Values;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import market.OptionalPrice;
import market.OrderBook;
import market.OrderBookBids;
import market.OrderBookBidsOrders;
import market.Quote;

/** A glance is enough for ordinary messages, and asks for the same budget and depth as the careful check, to the last byte. */
public final class Glances {
    private record Form(String name, byte[] bytes, Method glance, Method careful, Consumer<In> verify) {}

    public static void main(String[] args) throws ReflectiveOperationException {
        rooms();
        for (Form form : forms()) {
            edges(form);
            ends(form);
        }
        ways();
        System.out.println("done");
    }

    /** Sixty records, each of which two pointers of the one before lead to: the budget ends before all ways are gone. */
    private static void ways() {
        int count = 60;
        byte[] bytes = new byte[8 * (2 + 4 * count)];
        Wire.i32(bytes, 4, 1 + 4 * count);
        Wire.i64(bytes, 8, 1L << 32 | 3L << 48);
        for (int index = 0; index + 1 < count; index++) {
            int next = 16 + 32 * index + 16;
            Wire.i64(bytes, next, 1L << 2 | 1L << 32 | 3L << 48);
            Wire.i64(bytes, next + 8, 1L << 32 | 3L << 48);
        }
        try {
            lists.ItemView.verify(bytes);
            check(false, "no budget is enough for so many ways");
        } catch (CodecException fault) {
            check(fault.code() == Code.TOO_LARGE, "the budget ends: " + fault.getMessage());
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    /** Generated code has no other door to the glance: it is the package's own. */
    private static Form form(String name, byte[] bytes, String codec, String suffix, Consumer<In> verify) throws ReflectiveOperationException {
        Class<?> of = Class.forName(codec);
        Method glance = of.getDeclaredMethod("glanceMessage" + suffix, byte[].class, int.class, int.class, int.class, long.class);
        Method careful = of.getDeclaredMethod("checkMessage" + suffix, In.class, int.class);
        glance.setAccessible(true);
        careful.setAccessible(true);
        return new Form(name, bytes, glance, careful, verify);
    }

    private static List<Form> forms() throws ReflectiveOperationException {
        OrderBook book = new OrderBook().sequence(1).symbol("EURUSD");
        book.bids().add(new OrderBookBids().size(3));
        book.bids().add(new OrderBookBids().size(4));
        book.bids().get(1).orders().add(new OrderBookBidsOrders());
        Quote quote = new Quote().sequence(1).instrument(7).bidSize(100).bid(new OptionalPrice().mantissa(5));
        Values values = new Values().text("some text").letter('x').number(5);
        values.list().add("Grüße");
        values.names().put("key", "line\nbreak");
        values.owners().add(new Owner().id(3).account(4));
        return List.of(
            form("sbe", book.encode(), "market.OrderBookCodec", "", OrderBook::verify),
            form("sbe, flat", quote.encode(), "market.QuoteCodec", "", Quote::verify),
            form("fbe", values.encode(), "default_.ValuesCodec", "", Values::verify),
            form("fbe, empty", new Values().encode(), "default_.ValuesCodec", "", Values::verify),
            form("fbe-final", values.encodeFinal(), "default_.ValuesCodec", "Final", Values::verifyFinal),
            form("fbe-final, empty", new Values().encodeFinal(), "default_.ValuesCodec", "Final", Values::verifyFinal)
        );
    }

    private static long glance(Form form, int depth, long left) {
        return (long) Codecs.run(form.glance, form.bytes, form.bytes.length, 0, depth, left);
    }

    private static In state(Form form, long depth, long budget) {
        return new In(form.bytes, 0, form.bytes.length, new Limits((int) depth, 0, budget, true));
    }

    private static boolean isRight(Form form, long depth, long budget) {
        try {
            Codecs.run(form.careful, state(form, depth, budget), 0);
            return true;
        } catch (CodecException fault) {
            return false;
        }
    }

    private static long least(LongPredicate holds, long most) {
        long low = 0, high = most;
        check(holds.test(high), "the most is enough");
        while (low < high) {
            long middle = (low + high) / 2;
            if (holds.test(middle)) high = middle;
            else low = middle + 1;
        }
        return low;
    }

    private static void edges(Form form) {
        long budget = least(most -> isRight(form, 64, most), 1 << 20);
        int depth = (int) least(most -> isRight(form, most, 1 << 20), 64);
        In careful = state(form, 64, 1 << 20);
        Codecs.run(form.careful, careful, 0);
        check(budget > 0 && depth > 0, form.name + " asks for something");
        // Of a form whose records lie one behind the other the budget is looked at, and stays.
        long spent = form.name.startsWith("sbe") ? 0 : budget;
        for (long left : new long[] {budget, budget + 1, 1 << 20, Integer.MAX_VALUE}) {
            long rest = glance(form, 64, left);
            check(rest >= 0 && rest >>> 32 == left - spent, form.name + ": of a budget of " + left + " is left " + (rest >> 32));
            check(Wire.low(rest) == careful.at, form.name + ": the place behind it is " + Wire.low(rest));
        }
        // It asks for all levels that the schema has, which may be more than those of the message.
        int asked = (int) least(most -> glance(form, (int) most, budget) >= 0, 64);
        check(asked >= depth && asked < 8 && glance(form, asked + 1, budget) >= 0, form.name + ": a depth of " + depth + ", asked for " + asked);
        for (long left : new long[] {budget - 1, 1, 0, -1}) {
            check(glance(form, 64, left) < 0, form.name + ": a budget of " + left + " is too little");
        }
    }

    /** A budget that only the careful check can count with has it look too; what it leaves in the state is the same. */
    private static void ends(Form form) {
        byte[] more = Arrays.copyOf(form.bytes, form.bytes.length + 5);
        In glanced = new In(more, 0, more.length, Limits.DEFAULT);
        In careful = new In(more, 0, more.length, new Limits(64, 8, 262144, false));
        form.verify.accept(glanced);
        form.verify.accept(careful);
        check(glanced.at == careful.at, form.name + ": the message's end is " + glanced.at + " or " + careful.at);
        check(glanced.end == more.length && careful.end == more.length, form.name + ": the bytes' end is " + glanced.end + " or " + careful.end);
    }

    private static void rooms() {
        for (int room : new int[] {Integer.MIN_VALUE, -8, -1, 0, 1, 8, Integer.MAX_VALUE}) {
            for (long size : new long[] {Long.MIN_VALUE, -9, -1, 0, 1, 2, 8, 9, 1L << 31, 1L << 32, Long.MAX_VALUE}) {
                boolean fits = size >= 0 && size <= room;
                check(Wire.isBeyond(size, room) == !fits, size + " bytes in a room of " + room);
                check(Wire.isAway(size, room) == !(fits && size != 0), "a distance of " + size + " in a room of " + room);
            }
        }
    }
}
