import aldis.CodecException;
import aldis.codec.Out;
import addressbook.Person;
import addressbook.PersonPhoneNumber;
import default_.Owner;
import default_.Values;
import java.util.Arrays;
import java.util.List;
import market.OptionalPrice;
import market.OrderBook;
import market.OrderBookBids;
import market.OrderBookBidsOrders;
import market.Quote;

/** A quick writer does ordinary messages, writes what the careful one writes, and refuses what has no room, is too deep, or is wrong. */
public final class Quicks {
    private record Form(String name, Object value, Class<?> codec, String suffix) {}

    public static void main(String[] args) {
        for (Form form : forms()) {
            byte[] bytes = carefully(form, 64);
            same(form, bytes);
            rooms(form, bytes);
            depths(form);
        }
        wrong();
        System.out.println("done");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private static List<Form> forms() {
        OrderBook book = new OrderBook().sequence(1).symbol("EURUSD");
        book.bids().add(new OrderBookBids().size(3));
        book.bids().get(0).orders().add(new OrderBookBidsOrders());
        Quote quote = new Quote().sequence(1).instrument(7).bidSize(100).bid(new OptionalPrice().mantissa(5));
        Values values = new Values().text("some text").letter('x').number(5);
        values.list().add("Grüße, 你好, \uD83D\uDE00");
        values.names().put("key", "line\nbreak");
        values.owners().add(new Owner().id(3).account(4));
        Person person = new Person().id(7).name("Ada Grüße").email("");
        person.phones(new java.util.ArrayList<>(List.of(new PersonPhoneNumber().number("12345678"), new PersonPhoneNumber())));
        return List.of(
            form("sbe", book, ""), form("sbe, flat", quote, ""), form("sbe, empty", new OrderBook(), ""),
            form("fbe", values, ""), form("fbe, empty", new Values(), ""), form("fbe-final", values, "Final"),
            form("capnp", person, ""), form("capnp, empty", new Person(), ""),
            form("capnp, lists", QuickReads.sheet(), "")
        );
    }

    private static Form form(String name, Object value, String suffix) {
        return new Form(name, value, Codecs.of(value), suffix);
    }

    private static Object run(Form form, String own, Object... args) {
        return Codecs.run(form.codec, own + form.suffix, args);
    }

    private static byte[] carefully(Form form, int depth) {
        Out out = new Out();
        out.depth = depth;
        run(form, "writeCarefully", out, form.value);
        return out.bytes();
    }

    private static int quickly(Form form, byte[] b, int at, int depth) {
        return (int) run(form, "quickMessage", b, at, form.value, depth);
    }

    /** Bytes that were used before hold nothing of that afterwards. */
    private static void same(Form form, byte[] bytes) {
        byte[] used = new byte[bytes.length + 20];
        Arrays.fill(used, (byte) 0xA5);
        int end = quickly(form, used, 8, 64);
        check(end == 8 + bytes.length, form.name + " ends at " + end);
        check(Arrays.equals(Arrays.copyOfRange(used, 8, end), bytes), form.name + ": the same bytes");
        check(used[7] == (byte) 0xA5 && used[end] == (byte) 0xA5, form.name + ": nothing beside them");
    }

    private static void rooms(Form form, byte[] bytes) {
        for (int room = 0; room < bytes.length; room++) {
            check(quickly(form, new byte[room], 0, 64) < 0, form.name + ": a room of " + room + " is too little");
        }
        check(quickly(form, new byte[bytes.length], 0, 64) == bytes.length, form.name + ": room for all");
    }

    private static void depths(Form form) {
        byte[] b = new byte[1000];
        int depth = 0;
        while (quickly(form, b, 0, depth) < 0) depth++;
        check(depth > 0 && carefully(form, depth).length > 0, form.name + ": both need a depth of " + depth);
        try {
            carefully(form, depth - 1);
            check(false, form.name + ": a depth of " + (depth - 1) + " is too little");
        } catch (CodecException fault) {
            check(fault.code() == aldis.Code.TOO_DEEP, form.name + ": " + fault.code());
        }
    }

    /** What is wrong has its path, whichever way was tried first. */
    private static void wrong() {
        Values values = new Values();
        values.list().add("half \uD83D of a pair");
        try {
            values.encode(new byte[1000], 0);
            check(false, "half of a pair can be written");
        } catch (CodecException fault) {
            check(fault.path().equals("list[0]"), "the path is " + fault.path());
        }
        check(new Values().encode(new byte[4], 0) < -4, "what does not fit says how much it is");
        byte[] b = new byte[1000];
        for (int at : new int[] {-1, -4, 1001, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            try {
                new Values().encode(b, at);
                check(false, "a message begins at " + at);
            } catch (IndexOutOfBoundsException outside) {
                check(outside.getMessage().contains("begins outside"), outside.getMessage());
            }
            check(Arrays.equals(b, new byte[1000]), "bytes are written at " + at);
        }
    }
}
