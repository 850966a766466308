import aldis.stream.FrameReceiver;
import aldis.stream.FrameSender;
import aldis.stream.Framing;
import aldis.stream.Requests;
import ask.Ask;
import ask.AskRequests;
import ask.AskSchema;
import ask.Cancel;
import ask.Price;
import ask.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests over a stream, answered, refused, late, given up. */
public final class Asks {
    private static final Duration LONG = Duration.ofMinutes(5);

    public static void main(String[] args) throws Exception {
        FrameSender out = new FrameSender(Framing.FBE);
        AskRequests requests = new AskRequests(out::send);
        CompletableFuture<Price> first = requests.send(new Ask().id(1).symbol("EURUSD"), LONG);
        CompletableFuture<Price> second = requests.send(new Ask().id(2), LONG);
        CompletableFuture<?> third = requests.send(new Cancel().id(3), LONG);
        check(seen(out.take()).equals(List.of("ask.Ask", "ask.Ask", "ask.Cancel")), "requests are sent");
        try {
            requests.send(new Cancel().id(2), LONG);
            throw new AssertionError("two requests have one id");
        } catch (IllegalStateException expected) {
            check(out.size() == 0 && requests.size() == 3, "what cannot wait is not sent");
        }
        check(!requests.answer(new Price().id(9)), "nobody waits for it");
        check(!requests.answer(new Price().id(3)), "no price answers that");
        check(!requests.answer(new Ask().id(1)), "a request is no answer");
        check(requests.answer(new Price().id(1).rate(1.5)) && first.get().rate() == 1.5, "an answer");
        check(!requests.answer(new Price().id(1)), "an answer comes once");
        check(requests.answer(new Refused().id(2).why("closed")) && fault(second) instanceof Requests.Rejected, "a refusal");
        Requests.Rejected why = (Requests.Rejected) fault(second);
        check(why.message() instanceof Refused refused && refused.why().equals("closed"), "it says why");
        check(!third.isDone() && requests.giveUp(new IllegalStateException("gone")) == 1, "one waits");
        check(fault(third) instanceof IllegalStateException && requests.size() == 0, "it was given up");
        check(fault(requests.send(new Ask().id(1), Duration.ofMillis(1))) instanceof TimeoutException, "nothing came in time");
        requests.send(new Ask().id(1), LONG).cancel(false);
        check(requests.size() == 0, "what is late or cancelled does not wait");
        unsent();
        System.out.println("done");
    }

    private static void unsent() {
        AskRequests broken = new AskRequests(message -> {
            throw new UnsupportedOperationException();
        });
        try {
            broken.send(new Ask().id(1), LONG);
            throw new AssertionError("it was sent");
        } catch (UnsupportedOperationException expected) {
            check(broken.size() == 0, "what is not sent does not wait");
        }
    }

    private static Throwable fault(CompletableFuture<?> future) throws Exception {
        try {
            return new AssertionError(future.get(1, TimeUnit.MINUTES));
        } catch (ExecutionException fault) {
            return fault.getCause();
        }
    }

    private static List<String> seen(byte[] stream) {
        List<String> seen = new ArrayList<>();
        new FrameReceiver(Framing.FBE).feed(stream, 0, stream.length, (b, at, length) -> {
            seen.add(AskSchema.identify(Arrays.copyOfRange(b, at, at + length)));
        });
        return seen;
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }
}
