import addressbook.AddressBook;
import addressbook.Person;
import addressbook.PersonEmployment;
import addressbook.PersonPhoneNumber;
import aldis.CodecException;
import aldis.Limits;
import aldis.codec.In;
import default_.Owner;
import default_.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import lists.Item;
import lists.Sheet;
import lists.SheetOwn;
import lists.Sheet_2;
import market.OptionalPrice;
import market.OrderBook;
import market.OrderBookBids;
import market.OrderBookBidsOrders;
import market.Quote;

/** A quick reader makes of ordinary messages the value that the careful one makes, into new objects and used ones, and asks as much of the budget. */
public final class QuickReads {
    private record Form(String name, Object value, Object other, byte[] bytes, Class<?> codec, String suffix, Consumer<In> decode) {}

    public static void main(String[] args) {
        for (Form form : forms()) {
            values(form);
            budgets(form);
            states(form);
            ends(form);
            damaged(form);
        }
        System.out.println("done");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private static List<Form> forms() {
        OrderBook book = new OrderBook().sequence(1).symbol("EURUSD");
        book.bids().add(new OrderBookBids().size(3));
        book.bids().get(0).orders().add(new OrderBookBidsOrders());
        OrderBook longer = new OrderBook().sequence(2).symbol("GBP");
        longer.bids().add(new OrderBookBids().size(4));
        longer.bids().add(new OrderBookBids().size(5));
        longer.bids().get(1).orders().add(new OrderBookBidsOrders());
        Quote quote = new Quote().sequence(1).instrument(7).bidSize(100).bid(new OptionalPrice().mantissa(5));
        Values values = new Values().text("some text").letter('x').number(5);
        values.list().add("Grüße, 你好, \uD83D\uDE00");
        values.names().put("key", "line\nbreak");
        values.owners().add(new Owner().id(3).account(4));
        Values none = new Values();
        Person ada = new Person().id(7).name("Ada Grüße").email("").employment(new PersonEmployment.School("some school"));
        ada.phones(new ArrayList<>(List.of(new PersonPhoneNumber().number("12345678"), new PersonPhoneNumber())));
        Person bob = new Person().name("Bob").employment(new PersonEmployment.School("some school"));
        AddressBook people = new AddressBook().people(new ArrayList<>(List.of(ada, bob, new Person())));
        Sheet sheet = sheet(), fewer = new Sheet().bits(new boolean[3]).union(new Sheet_2.Nothing());
        return List.of(
            form("capnp", people, new AddressBook(), people.encode(), "", in -> AddressBook.decode(in, new AddressBook())),
            form("capnp, one", ada, bob.copy(), ada.encode(), "", in -> Person.decode(in, new Person())),
            form("capnp, empty", new Person(), ada.copy(), new Person().encode(), "", in -> Person.decode(in, new Person())),
            form("capnp, lists", sheet, fewer.copy(), sheet.encode(), "", in -> Sheet.decode(in, new Sheet())),
            form("capnp, fewer lists", fewer, sheet.copy(), fewer.encode(), "", in -> Sheet.decode(in, new Sheet())),
            form("sbe", book, longer.copy(), book.encode(), "", in -> OrderBook.decode(in, new OrderBook())),
            form("sbe, less", longer, book.copy(), longer.encode(), "", in -> OrderBook.decode(in, new OrderBook())),
            form("sbe, flat", quote, new Quote(), quote.encode(), "", in -> Quote.decode(in, new Quote())),
            form("fbe", values, new Values(), values.encode(), "", in -> Values.decode(in, new Values())),
            form("fbe, empty", none, values.copy(), none.encode(), "", in -> Values.decode(in, new Values())),
            form("fbe-final", values, new Values(), values.encodeFinal(), "Final", in -> Values.decodeFinal(in, new Values())),
            form("fbe-final, empty", none, values.copy(), none.encodeFinal(), "Final", in -> Values.decodeFinal(in, new Values()))
        );
    }

    static Sheet sheet() {
        Item item = new Item().id(5).name("a name").next(new Item().name("Ω"));
        return new Sheet()
            .bits(new boolean[] {true, false, true, true, false, false, true, true, true})
            .bytes(new byte[] {1, 2, 3}).shorts(new short[] {-1, 5, 7})
            .texts(new ArrayList<>(List.of("one", "", "drei")))
            .items(new ArrayList<>(List.of(item, new Item())))
            .deep(new ArrayList<>(List.of(new ArrayList<>(List.of(item.copy())), new ArrayList<>())))
            .shades(new int[] {1, 0, 9})
            .own(new SheetOwn().note("a note").item(item.copy()))
            .union(new Sheet_2.Many(new long[] {1, -2}));
    }

    private static Form form(String name, Object value, Object other, byte[] bytes, String suffix, Consumer<In> decode) {
        return new Form(name, value, other, bytes, Codecs.of(value), suffix, decode);
    }

    private static Object run(Form form, String own, Object... args) {
        return Codecs.run(form.codec, own + form.suffix, args);
    }

    private static Object blank(Form form) {
        return Codecs.run(form.codec, "used", new Object[] {null});
    }

    private static long quickly(Form form, int end, long left, Object into) {
        return (long) run(form, "quickReadMessage", form.bytes, end, 0, 64, left, into);
    }

    /** An object that held another value holds nothing of it afterwards. */
    private static void values(Form form) {
        Object fresh = blank(form);
        check(quickly(form, form.bytes.length, 1 << 20, fresh) >= 0, form.name + " is ordinary");
        check(fresh.equals(form.value), form.name + ": " + fresh + " in place of " + form.value);
        check(quickly(form, form.bytes.length, 1 << 20, form.other) >= 0, form.name + " into a used object");
        check(form.other.equals(form.value), form.name + ": " + form.other + " in place of " + form.value);
    }

    private static void budgets(Form form) {
        In careful = new In(form.bytes, 0, form.bytes.length, new Limits(64, 0, 1 << 20, true));
        run(form, "message", careful, 0, blank(form));
        long budget = (1 << 20) - careful.left();
        check(budget > 0, form.name + " asks for something");
        // Of a form whose records lie one behind the other the budget is looked at, and stays.
        long left = form.name.startsWith("sbe") ? budget : 0;
        check(quickly(form, form.bytes.length, budget, blank(form)) >>> 32 == left, form.name + ": all of a budget of " + budget);
        check(quickly(form, form.bytes.length, budget - 1, blank(form)) < 0, form.name + ": a budget of " + (budget - 1) + " is too little");
    }

    /** What the state holds afterwards does not tell which reader it was. */
    private static void states(Form form) {
        byte[] more = Arrays.copyOf(form.bytes, form.bytes.length + 5);
        In quick = new In(more, 0, more.length, Limits.DEFAULT);
        In careful = new In(more, 0, more.length, new Limits(64, 8, 262144, false));
        form.decode.accept(quick);
        form.decode.accept(careful);
        check(quick.at == careful.at && quick.at == form.bytes.length, form.name + " ends at " + quick.at + " or " + careful.at);
        check(quick.end == careful.end && quick.depth == careful.depth, form.name + ": what is left of the bytes and levels");
    }

    /** Of damaged messages a quick reader accepts none that the careful one refuses, and makes what that makes, after whatever was read before. */
    private static void damaged(Form form) {
        Random random = new Random(7);
        Object used = blank(form), half = blank(form);
        for (int turn = 0; turn < 3000; turn++) {
            byte[] bytes = form.bytes.clone();
            for (int changes = random.nextInt(3); changes >= 0; changes--) bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(1 << random.nextInt(9));
            Object value = blank(form);
            boolean isRight = true;
            try {
                run(form, "message", new In(bytes, 0, bytes.length, Limits.DEFAULT), 0, value);
            } catch (CodecException fault) {
                isRight = false;
            }
            long rest = (long) run(form, "quickReadMessage", bytes, bytes.length, 0, 64, Limits.DEFAULT.budgetBase(), used);
            check(rest < 0 || isRight && used.equals(value), form.name + ", damage " + turn + ": " + used + " in place of " + value);
            if (!isRight || rest >= 0) continue;
            run(form, "quickReadMessage", bytes, bytes.length, 0, 64, Limits.DEFAULT.budgetBase(), half);
            run(form, "message", new In(bytes, 0, bytes.length, Limits.DEFAULT), 0, half);
            check(half.equals(value), form.name + ", damage " + turn + ", half read before: " + half + " in place of " + value);
        }
    }

    /** Whatever is missing at the end, the careful reader finds too. */
    private static void ends(Form form) {
        for (int end = 0; end < form.bytes.length; end++) {
            byte[] bytes = Arrays.copyOf(form.bytes, end);
            boolean isRight = true;
            try {
                run(form, "message", new In(bytes, 0, end, Limits.DEFAULT), 0, blank(form));
            } catch (CodecException fault) {
                isRight = false;
            }
            check(isRight || quickly(form, end, 1 << 20, blank(form)) < 0, form.name + " of " + end + " bytes");
        }
    }
}
