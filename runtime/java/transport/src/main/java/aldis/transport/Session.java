package aldis.transport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The client's half of aldis/1 without sockets, threads or clocks: frames go in, frames and events come out. It outlives connections:
 * what is not acked is sent again in the next one. Moments are nanoseconds of any origin that is 0 or later.
 */
final class Session {
    /** NACKs of damage without progress in between before the connection is given up. */
    private static final int MOST_NACKS = 8;
    /** Bytes of answers that wait to be written, beyond which the server is not read. */
    private static final int MOST_CONTROL = 1 << 20;
    /** No server has less: the handshake alone may be this long. */
    private static final int SMALLEST_MAX_FRAME = 64;
    /** Frames are kept in one array each. */
    private static final int LARGEST_MAX_FRAME = 1 << 30;
    private static final long MOST_U32 = 0xFFFF_FFFFL;
    private static final long NEVER = Long.MAX_VALUE;

    private final ClientConfig config;
    private final Outbox outbox;
    /** Calls of the user's functions, in order. */
    private List<Runnable> events = new ArrayList<>();
    private final Subscriptions subscriptions = new Subscriptions();
    private final Requests requests = new Requests(run -> events.add(run));
    private State state = State.CONNECTING;
    private boolean greeted;
    private boolean begun;
    private boolean leaving;
    private boolean pushes;
    /** Since when a PING waits for any answer. */
    private long pinged = NEVER;
    private int nacks;
    /** Refusals of the handler without progress in between, and the last one's words. */
    private int refusals;
    private String refusal;
    private int epoch;
    /** A message's sequence in this epoch is its sequence less this. */
    private long base;
    private long highestSent;
    private long flush;
    private Watermarks marks = new Watermarks(0, 0, 0, 0, 0);
    private Window credit = new Window(0, 0);
    private int maxFrame = 1 << 20;
    private long heard;
    private long openSince;
    private long heldUntil;
    /** Frames that go before batches. */
    private Bytes control = new Bytes(1024);

    Session(ClientConfig config) {
        this.config = config;
        outbox = new Outbox(config.batchBytes);
        epoch = config.epoch;
    }

    /** A stream is there: says HELLO. */
    void connected(long now) {
        state = State.CONNECTING;
        greeted = false;
        pinged = NEVER;
        heard = now;
        refusals = 0;
        heldUntil = 0;
        control.size = 0;
        int noChecksum = config.checksum ? 0 : Frame.NO_CHECKSUM;
        int schema = config.schema == null ? 0 : Frame.SCHEMA;
        new Frame.Hello(
            Frame.VERSION, noChecksum | schema | Frame.PUSH, ByteBuffer.wrap(config.producer), epoch,
            ByteBuffer.wrap(config.authMethod), ByteBuffer.wrap(config.authData), config.durability, config.window).write(control);
    }

    /** The stream is gone. With {@code over} there will be no other. */
    void disconnected(TransportException why, boolean over) {
        control.size = 0;
        greeted = false;
        requests.fail(new TransportException(Code.DISCONNECTED, why.text(), why));
        setState(over ? State.OVER : State.CONNECTING, why);
    }

    /** Takes a frame's kind and body. */
    void received(int kind, ByteBuffer body, long now) throws End {
        heard = now;
        pinged = NEVER;
        Frame frame;
        try {
            frame = Frame.read(kind, body, false);
        } catch (TransportException fault) {
            throw End.broken(fault);
        }
        if (frame instanceof Frame.Close close) throw End.lost(TransportException.of(close.code(), close.text()));
        if (frame instanceof Frame.Unknown) return;
        if (frame instanceof Frame.Welcome welcome) {
            welcome(welcome);
        } else if (!greeted) {
            throw End.broken(Code.PROTOCOL, "the server's first frame is no WELCOME");
        } else {
            take(frame, now);
        }
    }

    private void take(Frame frame, long now) throws End {
        if (frame instanceof Frame.Ack ack) {
            ack(ack);
        } else if (frame instanceof Frame.Nack nack) {
            nack(nack, now);
        } else if (frame instanceof Frame.Request request) {
            asked(request);
        } else if (frame instanceof Frame.Reply reply) {
            requests.answer(reply);
        } else if (frame instanceof Frame.Pushed push) {
            subscriptions.push(push, control, run -> events.add(run));
        } else if (frame instanceof Frame.Ping ping) {
            new Frame.Pong(ping.opaque()).write(control);
        } else if (frame instanceof Frame.Drain drain) {
            // Behind the last batch, so that the server need not wait longer than for its acks.
            if (state == State.READY) drain.write(control);
            setState(State.DRAINING, new TransportException(Code.DRAINING, "the server drains"));
        } else if (frame instanceof Frame.Unsubscribe end) {
            subscriptions.end(end, run -> events.add(run));
        } else if (!(frame instanceof Frame.Pong)) {
            throw End.broken(Code.PROTOCOL, "a frame of kind " + frame.kind() + " from the server");
        }
    }

    /** The work that time brings: pings, the end of patience, requests that nobody answered. */
    void tick(long now) throws End {
        requests.expire(now);
        long silent = now - heard;
        if (!greeted && silent >= config.connectTimeout) throw idle("no WELCOME in time", false);
        if (pinged != NEVER && now - pinged >= config.pingAfter) throw idle("the server answers no PING", true);
        if (greeted && silent >= config.pingAfter && pinged == NEVER) {
            pinged = now;
            new Frame.Ping(0).write(control);
        }
    }

    private static End idle(String text, boolean tell) {
        return new End(new TransportException(Code.IDLE, text), false, tell);
    }

    /** When {@code tick} has something to do, or {@code next}. */
    long nextTime() {
        long patience = (pinged == NEVER ? heard : pinged) + (greeted ? config.pingAfter : config.connectTimeout);
        long time = Math.min(requests.earliest(), patience);
        if (state != State.READY) return time;
        // A refused message waits, and all behind it.
        if (heldUntil != 0) return Math.min(time, heldUntil);
        // While a closed chunk waits for credit the open one lingers on.
        return outbox.hasOpen() && !outbox.hasNext() ? Math.min(time, openSince + config.linger) : time;
    }

    /** The next batch, as far as credit, linger and the server allow; null when there is none. */
    Frame.Batch next(long now) throws End {
        if (state != State.READY || now < heldUntil) return null;
        heldUntil = 0;
        boolean due = flush > outbox.sent() || now >= openSince + config.linger;
        if (!outbox.hasNext() && due) outbox.closeChunk();
        Outbox.Outgoing outgoing = outbox.next(credit, maxEntries());
        if (outgoing == null) return null;
        int size = outgoing.entries().remaining();
        if (size > maxEntries()) {
            String text = "a message that is kept has " + (size - Entries.HEAD) + " bytes; the server takes " + maxMessage();
            throw End.fatal(Code.FRAME_TOO_LARGE, text);
        }
        highestSent = Math.max(highestSent, outbox.sent());
        return new Frame.Batch(outgoing.first() - base, outgoing.count(), 0, config.schema, outgoing.entries());
    }

    /** Takes a message. Gives whether the writer has to look: a chunk was closed, or one that lingers begun. */
    boolean send(byte[] bytes, int at, int size, long now) {
        boolean had = outbox.hasOpen();
        if (!had) openSince = now;
        outbox.append(bytes, at, size);
        return !had || !outbox.hasOpen();
    }

    void flush(long upto) {
        flush = Math.max(flush, upto);
    }

    /** A deadline of zero milliseconds waits as long as the connection lasts. */
    void request(byte[] bytes, long milliseconds, CompletableFuture<byte[]> future, long now) {
        long wire = Math.min(milliseconds, MOST_U32);
        long correlation = requests.open(future, wire > 0 ? now + wire * 1_000_000 : Requests.NEVER);
        new Frame.Request(correlation, wire, ByteBuffer.wrap(bytes)).write(control);
    }

    private void asked(Frame.Request request) {
        byte[] bytes = Fields.copy(request.bytes());
        events.add(() -> config.onAsked.asked(request.correlation(), bytes));
    }

    /** Answers a request of the server. An answer too long for a frame would end the connection, so the server is told that. */
    void reply(long correlation, int code, byte[] bytes) {
        if (bytes.length <= maxRequest()) {
            new Frame.Reply(correlation, code, ByteBuffer.wrap(bytes)).write(control);
            return;
        }
        byte[] text = ("an answer of " + bytes.length + " bytes; a frame takes " + maxRequest()).getBytes(StandardCharsets.UTF_8);
        ByteBuffer cut = ByteBuffer.wrap(text, 0, Math.min(text.length, maxRequest()));
        new Frame.Reply(correlation, Code.FRAME_TOO_LARGE.number(), cut).write(control);
    }

    /** Gives the subscription's number. It is said now, or when the connection is there again. */
    int subscribe(Subscription asked) {
        if (!pushes) throw new TransportException(Code.UNSUPPORTED, "the server has no subscriptions");
        int id = subscriptions.open(asked);
        if (isUp()) subscriptions.say(id, control);
        return id;
    }

    void unsubscribe(int subscription) {
        if (subscriptions.close(subscription) && isUp()) {
            new Frame.Unsubscribe(subscription, Code.NORMAL.number(), "").write(control);
        }
    }

    /** Says that no batches follow; the server closes when it has acked all. However this connection ends, it is the last. */
    void drain(long milliseconds) {
        leaving = true;
        state = State.DRAINING;
        new Frame.Drain(Math.min(milliseconds, MOST_U32)).write(control);
    }

    boolean isUp() {
        return greeted && (state == State.READY || state == State.DRAINING);
    }

    /** The server has been told that nothing follows. */
    boolean isLeaving() {
        return leaving;
    }

    /** The reason for which nothing is acked now, as far as a session knows it; null while there is no connection. */
    String waitsFor() {
        if (!isUp()) return null;
        if (refusals > 0) return "the server's handler refuses " + refusal;
        return "the server has not said yet that it has them";
    }

    State state() {
        return state;
    }

    int epoch() {
        return epoch;
    }

    Watermarks marks() {
        return marks;
    }

    Outbox outbox() {
        return outbox;
    }

    /** The longest message that the server takes. */
    int maxMessage() {
        return maxEntries() - Entries.HEAD;
    }

    /** The longest request, and the longest answer to one: without kind, correlation, and deadline or code. */
    int maxRequest() {
        return maxFrame - 1 - 12;
    }

    /** Bytes of entries in a frame: without kind, first, count, checksum, schema and template. */
    private int maxEntries() {
        return maxFrame - 1 - 16 - (config.schema == null ? 0 : 8);
    }

    /** The frames that wait to be written, and empty bytes in their place. */
    Bytes takeControl(Bytes empty) {
        Bytes taken = control;
        control = empty;
        return taken;
    }

    /** Whether so much waits to be written that the server is not read. */
    boolean isBehind() {
        return control.size > MOST_CONTROL;
    }

    boolean hasControl() {
        return control.size > 0;
    }

    /** Calls of the user's functions that what happened brings, once. */
    List<Runnable> takeEvents() {
        if (events.isEmpty()) return List.of();
        List<Runnable> taken = events;
        events = new ArrayList<>();
        return taken;
    }

    private void setState(State next, TransportException why) {
        if (state == next) return;
        state = next;
        events.add(() -> config.onState.accept(next, why));
    }

    private void welcome(Frame.Welcome welcome) throws End {
        if (greeted) throw End.broken(Code.PROTOCOL, "a second WELCOME");
        if (welcome.version() != Frame.VERSION) throw End.fatal(Code.VERSION, "the server speaks version " + welcome.version());
        if (welcome.durability().compareTo(config.durability) < 0) {
            throw End.fatal(Code.UNSUPPORTED, "the server grants less durability than is wanted");
        }
        if (!config.checksum && (welcome.features() & Frame.NO_CHECKSUM) == 0) {
            throw End.fatal(Code.UNSUPPORTED, "the server wants checksums");
        }
        if (config.schema != null && (welcome.features() & Frame.SCHEMA) == 0) {
            throw End.fatal(Code.UNSUPPORTED, "the server takes no schema ids");
        }
        if (welcome.maxFrame() < SMALLEST_MAX_FRAME) throw End.broken(Code.PROTOCOL, "a max frame of " + welcome.maxFrame());
        resume(welcome.last());
        greeted = true;
        nacks = 0;
        credit = welcome.credit();
        maxFrame = (int) Math.min(welcome.maxFrame(), LARGEST_MAX_FRAME);
        pushes = (welcome.features() & Frame.PUSH) != 0;
        if (pushes) subscriptions.sayAll(control);
        setState(State.READY, null);
    }

    /** A mark of the server in sequences of this client; one that a long cannot count is the last that it can. */
    private long known(long mark) {
        long sum = base + mark;
        return mark < 0 || sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** The server has this producer's messages up to {@code last}: forgets those, and sends all others again. */
    private void resume(long last) throws End {
        long known = known(last);
        if (!begun) {
            if (known == Long.MAX_VALUE) throw End.broken(Code.PROTOCOL, "a WELCOME with more messages than there can be");
            begun = true;
            outbox.beginAfter(known);
            marks = new Watermarks(known, 0, 0, 0, 0);
            highestSent = known;
            return;
        }
        long acked = outbox.acked();
        if (known > highestSent) {
            throw End.fatal(Code.SUPERSEDED, "the server has messages of this producer that this client did not send");
        }
        if (known < acked) {
            // The server has forgotten messages that it had acked. They count as sent; the others begin a new epoch.
            epoch++;
            base = acked;
            highestSent = acked;
            outbox.rewind(acked + 1);
            throw End.broken(Code.UNAVAILABLE, "the server has forgotten this producer; a new epoch begins");
        }
        if (known > acked) {
            advance(known);
            tellAcked();
        }
        outbox.rewind(outbox.acked() + 1);
    }

    private void advance(long sequence) {
        outbox.ack(sequence);
        marks = new Watermarks(sequence, marks.received(), marks.handled(), marks.durable(), marks.duplicates());
        nacks = 0;
        refusals = 0;
    }

    private void tellAcked() {
        Watermarks told = marks;
        events.add(() -> config.onAck.accept(told));
    }

    private void ack(Frame.Ack ack) throws End {
        long mark = known(switch (config.durability) {
            case RECEIVED -> ack.received();
            case HANDLED -> ack.handled();
            case DURABLE, REPLICATED -> ack.durable();
        });
        if (mark > highestSent) throw End.broken(Code.PROTOCOL, "an ACK of " + mark + ", which was not sent");
        marks = new Watermarks(
            marks.acked(), known(ack.received()), known(ack.handled()), known(ack.durable()), ack.duplicates());
        credit = ack.credit();
        if (mark > outbox.acked()) advance(mark);
        tellAcked();
    }

    private void nack(Frame.Nack nack, long now) throws End {
        long sequence = known(nack.expected());
        if (sequence <= outbox.acked() || sequence > highestSent + 1) {
            throw End.broken(Code.PROTOCOL, "a NACK of " + sequence + ", which is acked or was not sent");
        }
        if (nack.code() == Code.REFUSED.number()) {
            refused(sequence, nack.text(), now);
        } else if (++nacks > MOST_NACKS) {
            throw End.broken(TransportException.of(nack.code(), nack.text()));
        }
        outbox.rewind(sequence);
    }

    private void refused(long sequence, String text, long now) throws End {
        refusal = "message " + sequence + ": " + text;
        if (!config.retryRefused) throw End.fatal(Code.REFUSED, refusal);
        long pause = config.leastBackoff;
        for (int i = 0; i < refusals && pause < config.mostBackoff; i++) pause *= 2;
        heldUntil = now + Math.min(pause, config.mostBackoff);
        refusals++;
        events.add(() -> config.onRefused.accept(sequence, text));
    }
}
