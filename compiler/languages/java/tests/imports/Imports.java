import aldis.Code;
import aldis.CodecException;
import aldis.Limits;
import aldis.codec.In;
import aldis.stream.FrameSender;
import aldis.stream.Framing;
import com.acme.base.Key;
import com.acme.base.Money;
import com.acme.base.Perm;
import com.acme.base.Refused;
import com.acme.base.Side;
import com.acme.desk.DeskSchema;
import com.acme.desk.Quote;
import com.acme.desk.QuoteView;
import com.acme.desk.QuoteViewFinal;
import com.acme.far.Far;
import com.acme.far.FarView;
import com.acme.left.Account;
import com.acme.notes.Note;
import com.acme.right.Price;
import com.acme.shop.Item;
import com.acme.shop.ItemView;
import com.acme.shop.ItemViewFinal;
import com.acme.shop.Order;
import com.acme.shop.ShopRequests;
import com.acme.shop.ShopSchema;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Packages that share a third: each value has one class, whoever reads it. */
public final class Imports {
    public static void main(String[] args) throws Exception {
        fbe();
        requests();
        capnp();
        for (String copy : new String[] {"com.acme.shop.Money", "com.acme.shop.Side", "com.acme.far.Price", "com.acme.left.Price"}) {
            try {
                throw new AssertionError(Class.forName(copy) + " is made again");
            } catch (ClassNotFoundException expected) {
                // The package that declares it has it.
            }
        }
        System.out.println("done");
    }

    private static Item item() {
        Item item = new Item().id(1).base(77).price(new Money().amount(5)).old(new Money().amount(-5)).maybe(Side.sell).marks(Perm.write);
        item.history().add(new Money().amount(6).currency("USD"));
        item.keys().add(new Key().id(2).note("two"));
        item.keys().add(new Key().id(1));
        item.prices().put(new Key().id(9), new Money().amount(9));
        item.named().put("it", new Money().amount(10));
        return item.sides(new int[] {1, 0});
    }

    private static void fbe() {
        Order order = new Order().id(4).item(item());
        check(order.item().side() == Side.sell && order.item().other() == Side.buy && order.item().perm() == Perm.read, "defaults");
        byte[] bytes = order.encode();
        Order again = Order.decode(bytes);
        check(again.equals(order) && Order.decodeFinal(order.encodeFinal()).equals(order), "bytes and back");
        check(Order.fromJson(order.toJson()).equals(order), "JSON and back");
        Money price = again.item().price();
        check(Order.decode(in(bytes), again) == again && again.item().price() == price && again.equals(order), "into a used object");
        // Values out of one schema's messages go into another's.
        Quote quote = new Quote().bid(again.item().price()).money(new com.acme.desk.Money().own(again.item().old()));
        quote.levels().addAll(again.item().history());
        check(Quote.decode(quote.encode()).equals(quote) && QuoteView.verify(quote.encode()).bid().equals(price), "in another message");
        check(Quote.decodeFinal(quote.encodeFinal()).levels().get(0).currency().equals("USD"), "a list of another package's");
        quote.by().id(8).side(Side.buy).perm(Perm.write);
        byte[] flat = quote.encodeFinal();
        check(QuoteViewFinal.verify(flat).by().equals(quote.by()) && QuoteViewFinal.verify(flat).copy().equals(quote), "where it lies");
        check(ItemView.verify(item().encode()).copy().equals(item()), "a view of all that another package has");
        check(ItemViewFinal.verify(item().encodeFinal()).copy().equals(item()), "a view of all that is one behind the other");
        Quote kept = new Quote();
        var by = kept.by();
        check(Quote.decodeFinal(in(flat), kept).equals(quote) && kept.by() == by, "numbers of a record that was there");
        check(ShopSchema.decode(bytes).equals(order) && DeskSchema.decode(quote.encode()).equals(quote), "by their numbers");
        for (int size = 0; size < bytes.length; size++) {
            byte[] cut = java.util.Arrays.copyOf(bytes, size);
            check(fault(() -> Order.decode(cut)).toString().equals(fault(() -> Order.verify(in(cut))).toString()), "cut at " + size);
        }
        quote.levels().add(null);
        check(fault(quote::encode).path().equals("levels[1]"), "a path within a message");
        order.item().named().put("no", new Money().currency(null));
        CodecException wrong = fault(order::encode);
        check(wrong.path().startsWith("item.named[") && wrong.path().endsWith(".currency"), "a path through both packages: " + wrong);
    }

    private static void requests() throws Exception {
        FrameSender out = new FrameSender(Framing.FBE);
        ShopRequests requests = new ShopRequests(out::send);
        CompletableFuture<?> sold = requests.send(new Order().id(3), Duration.ofMinutes(1));
        check(requests.answer(new Refused().id(3).why("closed")) && sold.isCompletedExceptionally(), "another package's answer");
    }

    private static void capnp() {
        Price price = new Price().amount(-7).of(new Account().owner("Bob"));
        Far far = new Far().price(price).owner(new Account().owner("Ada").price(price));
        far.owner().history(new java.util.ArrayList<>(java.util.List.of(price, new Price())));
        far.note(new Note().text("one")).notes(new java.util.ArrayList<>(java.util.List.of(new Note().text("two"), new Note())));
        byte[] bytes = far.encode();
        check(FarView.verify(bytes).copy().equals(far), "a view of records that have pointers alone");
        check(Far.decode(bytes).equals(far) && Far.decodePacked(far.encodePacked()).equals(far), "a circle of packages");
        check(Far.decodeCanonical(far.encodeCanonical()).equals(far) && Far.fromJson(far.toJson()).equals(far), "its other forms");
        check(FarView.verify(bytes).price().equals(price) && Price.decode(price.encode()).equals(price), "its views");
        check(new Far().encode().length > 0 && Far.decode(new Far().encode()).equals(new Far()), "defaults");
        byte[] deep = far.encode();
        CodecException wrong = fault(() -> Far.decode(deep, 0, deep.length, new Limits(2, 8, 262144, true)));
        check(wrong.code() == Code.TOO_DEEP, "levels are counted through all packages: " + wrong);
    }

    private static In in(byte[] bytes) {
        return new In(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    private static CodecException fault(Runnable action) {
        try {
            action.run();
        } catch (CodecException fault) {
            return fault;
        }
        throw new AssertionError("nothing is wrong");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }
}
