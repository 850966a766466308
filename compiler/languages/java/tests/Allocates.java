import addressbook.Person;
import aldis.Limits;
import aldis.codec.In;
import aldis.codec.Out;
import default_.Owner;
import default_.OwnerView;
import java.lang.management.ManagementFactory;
import market.OptionalPrice;
import market.Quote;
import market.QuoteDraft;

/** Encoding into the caller's bytes, verifying, views, decoding into a used object and drafts allocate nothing. */
public final class Allocates {
    private static final com.sun.management.ThreadMXBean THREADS = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int TIMES = 1_000;
    private static final In IN = new In();
    private static final Out OUT = new Out();

    private Allocates() {}

    public static void main(String[] args) {
        Owner owner = new Owner().id(3).account(4);
        byte[] standard = owner.encode();
        byte[] last = owner.encodeFinal();
        byte[] target = new byte[standard.length];
        OwnerView view = new OwnerView();
        nothing("encode", () -> owner.encode(OUT.into(target, 0)));
        nothing("encode Final", () -> owner.encodeFinal(OUT.into(target, 0)));
        nothing("verify", () -> Owner.verify(in(standard)));
        nothing("verify Final", () -> Owner.verifyFinal(in(last)));
        nothing("a view", () -> OwnerView.verify(in(standard), view));
        nothing("decode", () -> Owner.decode(in(standard), owner));
        nothing("decode Final", () -> Owner.decodeFinal(in(last), owner));
        Person person = new Person().id(3).name("Ada").email("ada@example.com");
        byte[] bytes = person.encode();
        nothing("encode of segments", () -> person.encode(OUT.into(bytes, 0)));
        nothing("verify of segments", () -> Person.verify(in(bytes)));
        drafts();
        if (allocated(() -> Owner.decode(standard)) < TIMES * 50L) throw new AssertionError("values are not seen");
        System.out.println("done");
    }

    /** The lines of the README. */
    private static void drafts() {
        Quote quote = new Quote().sequence(8).instrument(7).bid(new OptionalPrice().mantissa(1));
        byte[] buffer = new byte[200];
        QuoteDraft draft = new QuoteDraft(quote);
        nothing("a draft", () -> {
            int end = draft.into(buffer, 16);
            draft.sequence(9).bidSize(100).clearAskSize();
            draft.bid().mantissa(5);
            if (end <= 16) throw new AssertionError("the message has bytes");
        });
        Quote set = quote.copy().sequence(9).bidSize(100).clearAskSize().bid(new OptionalPrice().mantissa(5));
        if (!java.util.Arrays.equals(draft.encode(), set.encode())) throw new AssertionError("the draft has other fields");
    }

    private static In in(byte[] bytes) {
        return IN.of(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    /** The least of some rounds: the machine's own work is seen too, as when it links what is called first. */
    private static long allocated(Runnable work) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < TIMES; i++) work.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static void nothing(String what, Runnable work) {
        long size = allocated(work);
        if (size != 0) throw new AssertionError(what + " allocates " + size + " bytes " + TIMES + " times");
    }
}
