package aldis.stream;

import aldis.codec.Structure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Requests that wait for their answers, found by the id that both have. It moves no bytes: requests go out by a sender, and whoever
 * reads the other side's messages hands them in by {@code answer}. Threads may share it if they may share the sender.
 */
public abstract class Requests {
    /** The answer refuses the request. */
    public static final class Rejected extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Structure message;

        private Rejected(Structure message) {
            super(message.toString());
            this.message = message;
        }

        /** The message that says why. */
        public Structure message() {
            return message;
        }
    }

    private record Waiting<A extends Structure>(CompletableFuture<A> future, Class<A> response, List<Class<?>> rejects) {
        boolean expects(Class<?> message) {
            return message == response || rejects.contains(message);
        }

        boolean give(Structure message) {
            if (message.getClass() == response) return future.complete(response.cast(message));
            return future.completeExceptionally(new Rejected(message));
        }
    }

    private final ConcurrentHashMap<Object, Waiting<?>> waiting = new ConcurrentHashMap<>();
    private final Consumer<byte[]> sender;

    protected Requests(Consumer<byte[]> sender) {
        this.sender = sender;
    }

    /** How many wait. */
    public final int size() {
        return waiting.size();
    }

    /**
     * Sends a message, and gives what answers it. The future fails with {@code Rejected} as an answer says, with TimeoutException when
     * nothing came in time, and with the cause of {@code giveUp}; where it is cancelled, the answer is not waited for any more. A
     * message that cannot be sent does not wait.
     */
    protected final <A extends Structure> CompletableFuture<A> send(
            Class<A> response, byte[] message, Object id, Duration timeout, Class<?>... rejects) {
        long nanos = timeout.toNanos();
        Waiting<A> own = new Waiting<>(new CompletableFuture<>(), response, List.of(rejects));
        if (waiting.putIfAbsent(id, own) != null) {
            throw new IllegalStateException("a request with the id " + id + " still waits for its answer");
        }
        CompletableFuture<A> future = own.future;
        future.whenComplete((answer, fault) -> waiting.remove(id, own));
        try {
            sender.accept(message);
        } catch (Throwable fault) {
            future.completeExceptionally(fault);
            throw fault;
        }
        return future.orTimeout(nanos, TimeUnit.NANOSECONDS);
    }

    protected final boolean answer(Object id, Structure message) {
        Waiting<?> found = waiting.get(id);
        return found != null && found.expects(message.getClass()) && waiting.remove(id, found) && found.give(message);
    }

    /**
     * Gives a message to the request that waits for it. False where none does: the answer came too late or twice, or is none of the
     * messages that answer the request of that id.
     */
    public abstract boolean answer(Structure message);

    /** Tells all requests that nothing will come, as when the connection is gone; gives how many there were. */
    public final int giveUp(Throwable cause) {
        int count = 0;
        for (Waiting<?> gone : waiting.values()) {
            if (gone.future.completeExceptionally(cause)) count++;
        }
        return count;
    }
}
