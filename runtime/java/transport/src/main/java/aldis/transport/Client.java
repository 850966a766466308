package aldis.transport;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A producer, asker and subscriber at one server. It connects again by itself, and what is not acked is sent again. Any thread may call;
 * failures are {@link TransportException}s.
 */
public final class Client implements AutoCloseable {
    /** How long a client that is closed waits until its last words are written. */
    private static final long FAREWELL = TimeUnit.MILLISECONDS.toNanos(200);

    private final Engine engine;

    private Client(Engine engine) {
        this.engine = engine;
    }

    /**
     * Connects and shakes hands; later connections come back by themselves. Whatever ends the first connection before is thrown, and
     * {@code misused} for what is wrong with the options.
     */
    public static Client connect(ClientConfig config) {
        Client client = new Client(new Engine(new ClientConfig(config)));
        Engine engine = client.engine;
        engine.start();
        engine.lock.lock();
        try {
            client.waitFor(() -> engine.begun || engine.failure != null);
            if (!engine.begun) throw engine.failure.again();
            return client;
        } catch (TransportException fault) {
            engine.leave();
            throw fault;
        } finally {
            engine.lock.unlock();
        }
    }

    /** Takes a message and gives its sequence, as {@link #send(byte[], int, int)}. */
    public long send(byte[] message) {
        return send(message, 0, message.length);
    }

    /**
     * Takes a message, whose bytes may be used again afterwards, and gives its sequence; it is acked when the watermark has come so far.
     * Waits while too much is kept already. Fails for what is longer than the server takes, and when there is no connection any more.
     */
    public long send(byte[] bytes, int at, int size) {
        if ((at | size) < 0 || size > bytes.length - at) throw misused("a message is a part of the bytes");
        engine.lock.lock();
        try {
            int most = engine.session.maxMessage();
            if (size > most) throw tooLarge("a message", size, most);
            if (isFull()) waitForRoom();
            refuseEnded();
            if (engine.session.send(bytes, at, size, engine.now())) engine.wake();
            return engine.session.outbox().appended();
        } finally {
            engine.lock.unlock();
        }
    }

    /**
     * Sends what lingers and waits until all messages are acked that were sent before. Fails with {@code deadline}, which says what is
     * waited for, when that takes longer, or with the reason for which there is no connection any more.
     */
    public void flush(Duration timeout) {
        long deadline = deadline(timeout);
        locked(() -> {
            flushUntil(deadline);
            return null;
        });
    }

    /**
     * Asks; the future has the answer or why there is none: the server's refusal, {@code deadline}, {@code disconnected}. A deadline of
     * zero waits as long as the connection lasts. What depends on the future runs on a thread of the client, and must not wait for it.
     */
    public CompletableFuture<byte[]> request(byte[] bytes, Duration deadline) {
        long nanos = ClientConfig.nanos(deadline);
        long milliseconds = nanos / 1_000_000 + (nanos % 1_000_000 > 0 ? 1 : 0);
        return locked(() -> {
            refuseEnded();
            if (!engine.session.isUp()) throw new TransportException(Code.DISCONNECTED, "not connected now");
            int most = engine.session.maxRequest();
            if (bytes.length > most) throw tooLarge("a request", bytes.length, most);
            CompletableFuture<byte[]> future = new CompletableFuture<>();
            engine.session.request(bytes, milliseconds, future, engine.now());
            engine.wake();
            return future;
        });
    }

    /** Gives the subscription's number. It outlives connections and goes on where it was. */
    public int subscribe(Subscription subscription) {
        subscription.check();
        return locked(() -> {
            refuseEnded();
            int id = engine.session.subscribe(subscription);
            engine.wake();
            return id;
        });
    }

    public void unsubscribe(int subscription) {
        locked(() -> {
            engine.session.unsubscribe(subscription);
            engine.wake();
            return null;
        });
    }

    /**
     * Flushes, tells the server that nothing follows, and waits until it has closed, or the connection is lost: the client is over then,
     * with nothing left to ack. Fails as {@code flush}, after which the client goes on as before; or with {@code deadline} when all is
     * acked, but the server did not close in time.
     */
    public void drain(Duration timeout) {
        long deadline = deadline(timeout);
        Session session = engine.session;
        engine.lock.lock();
        try {
            flushUntil(deadline);
            // Other threads may send until the server is told.
            while (session.outbox().acked() < session.outbox().appended()) flushUntil(deadline);
            if (!session.isUp()) {
                // There is nobody to tell.
                engine.leave();
                return;
            }
            session.drain(Math.max((deadline - engine.now()) / 1_000_000, 1));
            engine.wake();
            if (!waitUntil(deadline, () -> engine.failure != null)) {
                throw new TransportException(Code.DEADLINE, "all is acked, but the server did not close in time");
            }
        } finally {
            engine.lock.unlock();
        }
    }

    /** Waits until the client is over, which it is when connecting again cannot help; empty when it is not in that time. */
    public Optional<TransportException> awaitOver(Duration timeout) {
        long deadline = deadline(timeout);
        engine.lock.lock();
        try {
            refuseWaiting();
            waitUntil(deadline, () -> engine.failure != null);
            return Optional.ofNullable(engine.failure);
        } finally {
            engine.lock.unlock();
        }
    }

    /** Leaves at once; what is not acked is lost. */
    @Override public void close() {
        engine.lock.lock();
        try {
            engine.leave();
            if (engine.isOwn()) return;
            boolean over = waitUntil(engine.now() + FAREWELL, () -> engine.failure != null);
            if (!over && engine.connection != null) engine.connection.close();
        } finally {
            engine.lock.unlock();
        }
    }

    public State state() {
        return locked(engine.session::state);
    }

    /** Up to where the server has come. */
    public Watermarks watermarks() {
        return locked(() -> engine.session.marks());
    }

    /** The last sequence that was given out, or that the server had from this producer before. */
    public long sent() {
        return locked(() -> engine.session.outbox().appended());
    }

    /** The producer's 16 bytes. */
    public byte[] producer() {
        return engine.config.producer.clone();
    }

    /** The epoch, which a server that has forgotten this producer makes higher. */
    public int epoch() {
        return locked(() -> engine.session.epoch());
    }

    /** The longest message that the server takes, in bytes. */
    public int maxMessage() {
        return locked(() -> engine.session.maxMessage());
    }

    private <T> T locked(Supplier<T> seen) {
        engine.lock.lock();
        try {
            return seen.get();
        } finally {
            engine.lock.unlock();
        }
    }

    private boolean isFull() {
        return engine.session.outbox().keptBytes() >= engine.config.maxKeptBytes;
    }

    private void waitForRoom() {
        // Acks of what lingers would be waited for as long as it lingers.
        engine.session.flush(engine.session.outbox().appended());
        engine.wake();
        refuseEnded();
        refuseWaiting();
        waitFor(() -> !isFull() || engine.failure != null || engine.leaving || engine.session.isLeaving());
    }

    /** Waits until all messages are acked that are there now. */
    private void flushUntil(long deadline) {
        refuseWaiting();
        Session session = engine.session;
        long upto = session.outbox().appended();
        session.flush(upto);
        engine.wake();
        waitUntil(deadline, () -> session.outbox().acked() >= upto || engine.failure != null);
        long missing = upto - session.outbox().acked();
        if (missing <= 0) return;
        if (engine.failure != null) throw engine.failure.again();
        String why = session.waitsFor();
        if (why == null) why = engine.lost == null ? "there is no connection" : "there is no connection: " + engine.lost.text();
        throw new TransportException(Code.DEADLINE, missing + " messages are not acked: " + why);
    }

    /** Nothing can be sent any more. */
    private void refuseEnded() {
        if (engine.failure != null) throw engine.failure.again();
        if (engine.leaving) throw new TransportException(Code.CLOSED, "the client is closed");
        if (engine.session.isLeaving()) throw new TransportException(Code.CLOSED, "the client drains");
    }

    private void refuseWaiting() {
        if (engine.isOwn()) throw misused("a callback cannot wait for the client");
    }

    private long deadline(Duration timeout) {
        return engine.now() + ClientConfig.nanos(timeout);
    }

    private void waitFor(BooleanSupplier isDone) {
        waitUntil(Long.MAX_VALUE, isDone);
    }

    /** With the lock: waits, and gives whether it is done. */
    private boolean waitUntil(long deadline, BooleanSupplier isDone) {
        try {
            while (!isDone.getAsBoolean()) {
                long left = deadline - engine.now();
                if (left <= 0) return false;
                engine.changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException(Code.INTERRUPTED, "the thread was interrupted while it waited", interrupted);
        }
    }

    private static TransportException misused(String text) {
        return new TransportException(Code.MISUSED, text);
    }

    private static TransportException tooLarge(String what, int size, int most) {
        return new TransportException(Code.FRAME_TOO_LARGE, what + " of " + size + " bytes; the server takes " + most);
    }
}
