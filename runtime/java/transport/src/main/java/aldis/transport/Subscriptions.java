package aldis.transport;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The subscriptions of a client, and how far each has come. */
final class Subscriptions {
    private static final class Open {
        final Subscription asked;
        /** The last sequence that came; 0: none. */
        long consumed;
        /** The sequence up to which CREDIT was said in this connection; -1 before its first PUSH. */
        long granted = -1;

        Open(Subscription asked) {
            this.asked = asked;
        }

        /** The sequence of the next message; 0 where that is the server's word. */
        long next() {
            return consumed == 0 ? asked.from : consumed + 1;
        }
    }

    private final TreeMap<Integer, Open> open = new TreeMap<>();
    private int last;

    int open(Subscription asked) {
        open.put(++last, new Open(asked));
        return last;
    }

    boolean close(int id) {
        return open.remove(id) != null;
    }

    /** Says SUBSCRIBE for one: it goes on behind what has come of it. */
    void say(int id, Bytes out) {
        Open one = open.get(id);
        if (one != null) new Frame.Subscribe(id, one.next(), one.asked.credit, one.asked.topic).write(out);
    }

    /** Says SUBSCRIBE for all, in a new connection. */
    void sayAll(Bytes out) {
        open.forEach((id, one) -> {
            one.granted = -1;
            say(id, out);
        });
    }

    /** Tells what is new, and grants more when half of the credit is used. */
    void push(Frame.Pushed push, Bytes out, Consumer<Runnable> events) throws End {
        Open one = open.get(push.subscription());
        long consumed = one == null ? 0 : one.consumed;
        long skip = Math.min(Math.max(consumed + 1 - push.first(), 0), push.count());
        List<byte[]> messages = push.count() > 0 ? Entries.of(push.entries(), push.count(), skip) : null;
        if (messages == null) throw End.broken(Code.BAD_COUNT, "a PUSH whose entries and count disagree");
        long first = push.first() + skip;
        // Sequences beyond what a long counts are nobody's.
        if (one == null || messages.isEmpty() || push.first() < 0 || first + messages.size() < 0) return;
        long gap = one.next() == 0 ? 0 : Math.max(first - one.next(), 0);
        one.consumed = first + messages.size() - 1;
        if (one.granted < 0) one.granted = Math.max(push.first() - 1, 0);
        events.accept(() -> one.asked.onPush.accept(new Push(first, gap, messages)));
        if (one.consumed - one.granted < (one.asked.credit + 1) / 2) return;
        one.granted = one.consumed;
        new Frame.Credit(push.subscription(), one.consumed, one.asked.credit).write(out);
    }

    /** The server ended one. */
    void end(Frame.Unsubscribe end, Consumer<Runnable> events) {
        Open one = open.remove(end.subscription());
        if (one == null) return;
        TransportException why = TransportException.of(end.code(), end.text());
        events.accept(() -> one.asked.onEnd.accept(why));
    }
}
