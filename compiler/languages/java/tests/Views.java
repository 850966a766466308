import addressbook.AddressBook;
import addressbook.Person;
import addressbook.PersonEmployment;
import addressbook.PersonView;
import addressbook.PersonViewCanonical;
import addressbook.PersonViewPacked;
import aldis.CodecException;
import aldis.Limits;
import aldis.codec.In;
import aldis.codec.Structure;
import default_.Owner;
import default_.Values;
import default_.ValuesView;
import default_.ValuesViewFinal;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import market.OptionalPrice;
import market.OrderBook;
import market.OrderBookBids;
import market.OrderBookView;
import market.Quote;
import market.QuoteView;

/**
 * Views give what decoding gives: of messages as they are, as older writers wrote them, and damaged. ALDIS_DAMAGED says how many damaged
 * messages there are of each kind.
 */
public final class Views {
    private record Form(
        String name, byte[] bytes, Function<byte[], Structure> decode, Consumer<byte[]> verify, Function<byte[], Structure> view,
        Function<Structure, byte[]> encode
    ) {}

    private record Outcome(Structure value, String fault) {}

    public static void main(String[] args) {
        fields();
        older();
        again();
        String asked = System.getenv("ALDIS_DAMAGED");
        int count = asked == null ? 10_000 : Integer.parseInt(asked);
        for (Form form : forms()) damaged(form, count);
        System.out.println("done");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private static Quote quote() {
        return new Quote().sequence(1).instrument(7).bidSize(100).bid(new OptionalPrice().mantissa(5));
    }

    private static OrderBook book(long sequence) {
        OrderBook book = new OrderBook().sequence(sequence).symbol("EURUSD");
        book.bids().add(new OrderBookBids().size(3));
        book.bids().add(new OrderBookBids().size(4));
        return book;
    }

    private static Person person() {
        return new Person().id(7).name("Ada").email("ada@example.com").employment(new PersonEmployment.Employer("MIT"));
    }

    private static Values values() {
        Values values = new Values().text("some text").letter('x').number(5);
        values.list().add("Grüße");
        values.names().put("key", "line\nbreak");
        values.owners().add(new Owner().id(3).account(4));
        return values;
    }

    private static In in(byte[] bytes) {
        return new In(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    private static In packed(byte[] bytes) {
        return In.unpacked(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    private static List<Form> forms() {
        AddressBook people = new AddressBook().people(List.of(person(), new Person()));
        return List.of(
            new Form("sbe", book(1).encode(), OrderBook::decode, b -> OrderBook.verify(in(b)), b -> OrderBookView.verify(b).copy(), v -> ((OrderBook) v).encode()),
            new Form("sbe, flat", quote().encode(), Quote::decode, b -> Quote.verify(in(b)), b -> QuoteView.verify(b).copy(), v -> ((Quote) v).encode()),
            new Form("fbe", values().encode(), Values::decode, b -> Values.verify(in(b)), b -> ValuesView.verify(b).copy(), v -> ((Values) v).encode()),
            new Form("fbe-final", values().encodeFinal(), Values::decodeFinal, b -> Values.verifyFinal(in(b)), b -> ValuesViewFinal.verify(b).copy(), v -> ((Values) v).encodeFinal()),
            new Form("capnp", people.encode(), AddressBook::decode, b -> AddressBook.verify(in(b)), b -> addressbook.AddressBookView.verify(b).copy(), v -> ((AddressBook) v).encode()),
            new Form("capnp-packed", person().encodePacked(), Person::decodePacked, b -> Person.verifyPacked(packed(b)), b -> PersonViewPacked.verify(b).copy(), v -> ((Person) v).encodePacked()),
            new Form("capnp-canonical", person().encodeCanonical(), Person::decodeCanonical, b -> Person.verifyCanonical(in(b)), b -> PersonViewCanonical.verify(b).copy(), v -> ((Person) v).encodeCanonical())
        );
    }

    private static void fields() {
        QuoteView view = QuoteView.verify(quote().encode());
        check(view.sequence() == 1 && view.instrument() == 7 && view.bid().mantissa() == 5, "fields");
        check(view.hasBidSize() && view.bidSize() == 100 && !view.hasAskSize() && view.askSizeOr(5) == 5, "optional fields");
        try {
            view.askSize();
            check(false, "null is no number");
        } catch (NoSuchElementException none) {
            check(none.getMessage().equals("askSize is null"), "the field is named");
        }
        PersonView ada = PersonView.verify(person().encode());
        check(ada.name().equals("Ada") && ada.employment().equals(new PersonEmployment.Employer("MIT")) && ada.phones() == null, "behind pointers");
        for (Form form : forms()) {
            check(form.view.apply(form.bytes).equals(form.decode.apply(form.bytes)), form.name + ": a view of all fields");
        }
    }

    /** What an older writer did not know is null, and what it knew is there. */
    private static void older() {
        byte[] newest = quote().encode();
        for (int block = 0; block <= newest.length - 8; block++) {
            byte[] bytes = Arrays.copyOf(newest, 8 + block);
            bytes[0] = (byte) block;
            QuoteView view = QuoteView.verify(bytes);
            check(view.copy().equals(Quote.decode(bytes)), "a block of " + block + " bytes");
            check(view.hasSequence() == (block >= 8) && view.hasInstrument() == (block >= 20), "fields in " + block + " bytes");
            check(view.bidSizeOr(9) == (Quote.decode(bytes).hasBidSize() ? 100 : 9), "a size in " + block + " bytes");
        }
    }

    /** A view is used again, for messages that lie among other bytes. */
    private static void again() {
        In in = new In();
        OrderBookView view = new OrderBookView();
        byte[] buffer = new byte[300];
        for (int turn = 0; turn < 3; turn++) {
            Arrays.fill(buffer, (byte) 0x55);
            int size = book(turn).encode(buffer, 7 * turn);
            check(OrderBookView.verify(in.of(buffer, 7 * turn, size, Limits.DEFAULT), view) == view, "the same object");
            check(view.sequence() == turn && view.symbol().equals("EURUSD") && view.bids().get(1).size() == 4 && view.copy().equals(book(turn)), "turn " + turn);
        }
        try {
            OrderBookView.verify(book(1).encode(), 0, 60, new Limits(0, 8, 1000, true));
            check(false, "limits are those that were given");
        } catch (CodecException fault) {
            check(fault.code() == aldis.Code.TOO_DEEP, "a limit: " + fault);
        }
    }

    private static Outcome outcome(Function<byte[], Structure> way, byte[] bytes) {
        try {
            return new Outcome(way.apply(bytes), "");
        } catch (CodecException fault) {
            return new Outcome(null, fault.getMessage());
        }
    }

    private static void damaged(Form form, int count) {
        Random random = new Random(form.name.length());
        int refused = 0;
        for (int turn = 0; turn < count; turn++) {
            byte[] bytes = damage(form.bytes, random);
            Outcome decoded = outcome(form.decode, bytes);
            Outcome verified = outcome(given -> {
                form.verify.accept(given);
                return decoded.value;
            }, bytes);
            String where = form.name + ": " + java.util.HexFormat.of().formatHex(bytes);
            check(verified.equals(decoded), where + " is checked as it is decoded: " + verified + ", " + decoded);
            check(outcome(form.view, bytes).equals(decoded), where + " is viewed as it is decoded");
            refused += decoded.value == null ? 1 : 0;
            if (decoded.value == null) continue;
            outcome(given -> form.decode.apply(form.encode.apply(decoded.value)), bytes);
            outcome(given -> decoded.value.toJson().isEmpty() ? null : decoded.value, bytes);
        }
        check(refused > count / 20 && refused < count, form.name + ": some damage is seen, and some is not: " + refused);
    }

    /** The bytes with up to three of them, or a number, changed, and sometimes cut. */
    private static byte[] damage(byte[] from, Random random) {
        int[] numbers = {0, 1, -1, Integer.MAX_VALUE, 1 << 20, random.nextInt()};
        byte[] bytes = random.nextInt(4) > 0 ? from.clone() : Arrays.copyOf(from, random.nextInt(from.length + 9));
        for (int edits = random.nextInt(4); edits >= 0 && bytes.length > 4; edits--) {
            int at = random.nextInt(bytes.length - 4);
            int number = numbers[random.nextInt(numbers.length)];
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) number;
                default -> {
                    for (int i = 0; i < 4; i++) bytes[at + i] = (byte) (number >> 8 * i);
                }
            }
        }
        return bytes;
    }
}
