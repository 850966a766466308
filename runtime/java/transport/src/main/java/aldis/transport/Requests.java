package aldis.transport;

import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Requests that wait for their answers. What is told goes to the session. */
final class Requests {
    /** The deadline of a request that waits as long as the connection lasts. */
    static final long NEVER = Long.MAX_VALUE;

    private record Open(CompletableFuture<byte[]> future, long deadline) {}

    private final TreeMap<Long, Open> open = new TreeMap<>();
    private final Consumer<Runnable> events;
    private long last;
    private long earliest = NEVER;

    Requests(Consumer<Runnable> events) {
        this.events = events;
    }

    /** Gives the request's correlation. */
    long open(CompletableFuture<byte[]> future, long deadline) {
        open.put(++last, new Open(future, deadline));
        earliest = Math.min(earliest, deadline);
        return last;
    }

    /** An answer to a request that is not open, because it came too late, is nobody's. */
    void answer(Frame.Reply reply) {
        Open found = open.remove(reply.correlation());
        if (found == null) return;
        byte[] bytes = Fields.copy(reply.bytes());
        if (reply.code() == Code.NORMAL.number()) {
            events.accept(() -> found.future.complete(bytes));
        } else {
            TransportException why = TransportException.of(reply.code(), new String(bytes, StandardCharsets.UTF_8));
            events.accept(() -> found.future.completeExceptionally(why));
        }
    }

    /** Those whose deadline has passed get no answer. */
    void expire(long now) {
        if (now < earliest) return;
        fail(waiting -> waiting.deadline <= now, new TransportException(Code.DEADLINE, "no answer in time"));
        earliest = open.values().stream().mapToLong(Open::deadline).min().orElse(NEVER);
    }

    void fail(TransportException why) {
        fail(waiting -> true, why);
        earliest = NEVER;
    }

    /** When the first of them has waited enough. */
    long earliest() {
        return earliest;
    }

    private void fail(Predicate<Open> which, TransportException why) {
        open.values().removeIf(waiting -> {
            boolean fails = which.test(waiting);
            if (fails) events.accept(() -> waiting.future.completeExceptionally(why));
            return fails;
        });
    }
}
