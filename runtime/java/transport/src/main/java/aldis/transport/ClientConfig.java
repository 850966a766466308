package aldis.transport;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How to connect, whose messages they are, and how they are batched. Callbacks run on threads of the client, one at a time for what
 * comes from the server; they must not wait for the client.
 */
public final class ClientConfig {
    /** Told of a message that the handler did not take and why. */
    @FunctionalInterface
    public interface OnRefused {
        void accept(long sequence, String text);
    }

    interface OnAsked {
        void asked(long correlation, byte[] bytes);
    }

    /** A server's host and port. */
    record Address(String host, int port) {
        Address {
            if (port < 1 || port > 65535) throw misused("a port is a number from 1 to 65535");
        }

        @Override public String toString() {
            return host + ":" + port;
        }
    }

    /** No time that is waited for ends after its sum with another one has overflown. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 4);

    List<Address> addresses = new ArrayList<>();
    Tls tls;
    byte[] producer = new byte[16];
    int epoch = 1;
    byte[] authMethod = {};
    byte[] authData = {};
    Durability durability = Durability.HANDLED;
    Window window = new Window(0, 0);
    boolean checksum = true;
    Frame.SchemaId schema;
    int batchBytes = 64 << 10;
    long linger = nanos(Duration.ofMillis(1));
    long maxKeptBytes = 64 << 20;
    long connectTimeout = nanos(Duration.ofSeconds(5));
    long pingAfter = nanos(Duration.ofSeconds(10));
    long leastBackoff = nanos(Duration.ofMillis(50));
    long mostBackoff = nanos(Duration.ofSeconds(5));
    boolean retryRefused = true;
    Consumer<Watermarks> onAck = marks -> {};
    OnRefused onRefused = (sequence, text) -> {};
    BiConsumer<State, TransportException> onState = (state, why) -> {};
    Function<byte[], byte[]> onRequest;
    OnAsked onAsked = (correlation, bytes) -> {};

    /** A client of that server, as a producer that nobody else is. */
    public ClientConfig(String host, int port) {
        addresses.add(new Address(host, port));
        new SecureRandom().nextBytes(producer);
    }

    /** A copy that its maker may no longer change. */
    ClientConfig(ClientConfig other) {
        addresses = List.copyOf(other.addresses);
        tls = other.tls;
        producer = other.producer;
        epoch = other.epoch;
        authMethod = other.authMethod;
        authData = other.authData;
        durability = other.durability;
        window = other.window;
        checksum = other.checksum;
        schema = other.schema;
        batchBytes = other.batchBytes;
        linger = other.linger;
        maxKeptBytes = other.maxKeptBytes;
        connectTimeout = other.connectTimeout;
        pingAfter = other.pingAfter;
        leastBackoff = other.leastBackoff;
        mostBackoff = Math.max(other.mostBackoff, other.leastBackoff);
        retryRefused = other.retryRefused;
        onAck = other.onAck;
        onRefused = other.onRefused;
        onState = other.onState;
        onRequest = other.onRequest;
    }

    /** Another server with the same log: when one cannot be reached or is lost, the next is tried, in turn. */
    public ClientConfig orElse(String host, int port) {
        addresses.add(new Address(host, port));
        return this;
    }

    /** TLS, with the server's certificate and name checked. */
    public ClientConfig tls(Tls options) {
        tls = options;
        return this;
    }

    /** Goes on as a producer of 16 bytes in an epoch; keep both to do so after a restart of the process. */
    public ClientConfig producer(byte[] id, int inEpoch) {
        if (id.length != 16) throw misused("a producer is 16 bytes");
        producer = id.clone();
        epoch = inEpoch;
        return this;
    }

    /** Shows who this is, as {@code token} and its bytes: method and data have 4,053 bytes at most, and the method 255. */
    public ClientConfig auth(String method, byte[] data) {
        byte[] bytes = method.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 255 || bytes.length + data.length > Frame.MAX_AUTH) {
            throw misused("an auth method takes 255 bytes, it and auth data together " + Frame.MAX_AUTH);
        }
        authMethod = bytes;
        authData = data.clone();
        return this;
    }

    /** When a message counts as acked: {@code HANDLED} unless said otherwise. */
    public ClientConfig durability(Durability wanted) {
        durability = wanted;
        return this;
    }

    /** How much may be outstanding; 0: the server's choice. */
    public ClientConfig window(Window wanted) {
        window = wanted;
        return this;
    }

    /** Without it batches have no checksum. */
    public ClientConfig checksum(boolean wanted) {
        checksum = wanted;
        return this;
    }

    /** The schema and the template of all messages. */
    public ClientConfig schema(int id, int template) {
        schema = new Frame.SchemaId(id, template);
        return this;
    }

    /** A batch goes out when it has so many bytes of entries (64 KiB), or when its first message is so old (1 ms). */
    public ClientConfig batches(int bytes, Duration lingering) {
        if (bytes < 1) throw misused("a batch has a byte at least");
        batchBytes = bytes;
        linger = nanos(lingering);
        return this;
    }

    /** Bytes of entries sent and not acked that are kept (64 MiB); {@code send} waits beyond. */
    public ClientConfig maxKeptBytes(long bytes) {
        if (bytes < 1) throw misused("a byte at least is kept");
        maxKeptBytes = bytes;
        return this;
    }

    /** The time that a connection with its handshakes may take: 5 s. */
    public ClientConfig connectTimeout(Duration most) {
        connectTimeout = nanos(most);
        return this;
    }

    /** A server that is silent for so long (10 s) is asked, and left when it stays silent for as long again. */
    public ClientConfig pingAfter(Duration silence) {
        pingAfter = nanos(silence);
        return this;
    }

    /** Between attempts to connect: doubles from the least (50 ms) to the most (5 s), half of it random. */
    public ClientConfig backoff(Duration least, Duration most) {
        leastBackoff = nanos(least);
        mostBackoff = nanos(most);
        return this;
    }

    /**
     * A message that the server's handler refuses is sent again after a pause that doubles like the one between attempts to connect,
     * and all behind it waits. With false the client is over.
     */
    public ClientConfig retryRefused(boolean again) {
        retryRefused = again;
        return this;
    }

    /** Told of each ack. */
    public ClientConfig onAck(Consumer<Watermarks> told) {
        onAck = told;
        return this;
    }

    /** Told of each message that the handler refuses. */
    public ClientConfig onRefused(OnRefused told) {
        onRefused = told;
        return this;
    }

    /** Told of the state and, when a connection was lost, why; without a reason that is null. */
    public ClientConfig onState(BiConsumer<State, TransportException> told) {
        onState = told;
        return this;
    }

    /** Answers requests of the server. A TransportException that it throws is told with its code, any other as {@code handler}. */
    public ClientConfig onRequest(Function<byte[], byte[]> answer) {
        onRequest = answer;
        return this;
    }

    static long nanos(Duration time) {
        if (time.isNegative()) throw misused("a time is zero or more");
        return (time.compareTo(LONGEST) > 0 ? LONGEST : time).toNanos();
    }

    private static TransportException misused(String text) {
        return new TransportException(Code.MISUSED, text);
    }
}
