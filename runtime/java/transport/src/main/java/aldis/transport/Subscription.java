package aldis.transport;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The subject of a subscription. Each method gives a changed copy. */
public final class Subscription {
    final String topic;
    final long from;
    final long credit;
    final Consumer<Push> onPush;
    final Consumer<TransportException> onEnd;

    /** Messages of a topic that come from now on; the server may be 1,000 ahead. */
    public Subscription(String topic, Consumer<Push> onPush) {
        this(topic, 0, 1000, onPush, why -> {});
    }

    private Subscription(String topic, long from, long credit, Consumer<Push> onPush, Consumer<TransportException> onEnd) {
        this.topic = topic;
        this.from = from;
        this.credit = credit;
        this.onPush = onPush;
        this.onEnd = onEnd;
    }

    /** The sequence of the topic to begin at; 0: what comes from now on. */
    public Subscription from(long sequence) {
        return new Subscription(topic, sequence, credit, onPush, onEnd);
    }

    /** Messages that the server may be ahead, at least 1. */
    public Subscription credit(long messages) {
        return new Subscription(topic, from, messages, onPush, onEnd);
    }

    /** Told when the server ended it; it does not come back by itself. */
    public Subscription onEnd(Consumer<TransportException> told) {
        return new Subscription(topic, from, credit, onPush, told);
    }

    void check() {
        if (credit < 1 || credit > 0xFFFF_FFFFL) throw misused("a subscription needs credit, a number from 1 to 2^32 - 1");
        if (from < 0) throw misused("a subscription begins at a sequence, or at 0 with what comes next");
        if (topic.getBytes(StandardCharsets.UTF_8).length > Fields.MAX_TEXT) {
            throw misused("a topic takes " + Fields.MAX_TEXT + " bytes");
        }
    }

    private static TransportException misused(String text) {
        return new TransportException(Code.MISUSED, text);
    }
}
