package aldis.stream;

import aldis.stream.StreamException.Code;
import java.util.Arrays;

/**
 * Gives whole messages out of bytes as they come, and keeps what is no whole frame yet. A broken frame ends the stream, as there is
 * no way to find the next one. It belongs to one thread at a time.
 */
public final class FrameReceiver {
    /** Takes messages. */
    public interface Handler {
        /** A message where it lies, which is the receiver's again afterwards. */
        void on(byte[] bytes, int at, int length);
    }

    /** Bytes of the longest frame that receivers believe in unless told otherwise: 64 MiB. */
    public static final int MAX_FRAME = 64 << 20;

    private final Framing framing;
    private final Framing.Look look;
    private final int most;
    private byte[] kept = new byte[0];
    private int have;
    private long offset;
    private StreamException ended;
    private boolean busy;
    /** The handler runs: what it throws is its own. */
    private boolean handling;

    public FrameReceiver(Framing framing) {
        this(framing, MAX_FRAME);
    }

    /** Frames of more bytes than that end the stream before they are collected. */
    public FrameReceiver(Framing framing, int maxFrame) {
        if (maxFrame <= 0) throw new IllegalArgumentException("maxFrame is a number of bytes above 0");
        this.framing = framing;
        look = framing.look();
        most = maxFrame;
    }

    /** The byte of the stream where the frame begins that comes next, or that is being given. */
    public long offset() {
        return offset;
    }

    /** Gives each message that is complete with these bytes, in their order; throws StreamException, now and ever after. */
    public void feed(byte[] bytes, int at, int length, Handler handler) {
        if ((at | length) < 0 || length > bytes.length - at) throw new IndexOutOfBoundsException("the bytes lie outside of the array");
        if (busy) throw new IllegalStateException("a handler must not feed the receiver that calls it");
        if (ended != null) throw ended;
        busy = true;
        handling = false;
        try {
            given(bytes, at, at + length, handler);
        } catch (StreamException fault) {
            if (handling) throw fault;
            ended = fault;
            kept = new byte[0];
            have = 0;
            throw fault;
        } finally {
            busy = false;
        }
    }

    private void given(byte[] bytes, int at, int stop, Handler handler) {
        while (have > 0) {
            if (have < look.size) {
                int taken = (int) Math.min(look.size - have, stop - at);
                keep(bytes, at, taken);
                at += taken;
                if (have < look.size) return;
            }
            if (!isWhole(kept, 0, have)) continue;
            int size = (int) look.size;
            byte[] whole = kept;
            if (have > size) {
                // Whole frames were kept when a handler threw.
                int left = have - size;
                byte[] rest = Arrays.copyOfRange(kept, size, have + stop - at);
                System.arraycopy(bytes, at, rest, left, stop - at);
                bytes = rest;
                at = 0;
                stop = rest.length;
            }
            have = 0;
            give(whole, 0, size, bytes, at, stop, handler);
            if (whole.length > 1 << 16) kept = new byte[0];
        }
        while (have == 0 && at < stop) {
            if (!isWhole(bytes, at, stop - at)) {
                keep(bytes, at, stop - at);
                return;
            }
            int size = (int) look.size;
            give(bytes, at, size, bytes, at + size, stop, handler);
            at += size;
        }
    }

    /** Whether all bytes of a frame are there. */
    private boolean isWhole(byte[] b, int at, int length) {
        boolean isKnown = look.isKnown(b, at, length, offset, most);
        return isKnown && look.size <= length;
    }

    private void keep(byte[] bytes, int at, int length) {
        if (have + length > kept.length) {
            // Memory doubles with what has come, not with what a length claims.
            kept = Arrays.copyOf(kept, (int) Math.max(have + length, Math.min(look.room(), 2L * (have + length))));
        }
        System.arraycopy(bytes, at, kept, have, length);
        have += length;
    }

    /** Gives a message; where its handler throws, the stream goes on behind it with the next call. */
    private void give(byte[] b, int at, int size, byte[] rest, int next, int stop, Handler handler) {
        int skip = framing.skip();
        int root = framing.root();
        byte[] message = b;
        int from = at + skip;
        if (root >= 0 && size >= root + 4) {
            long place = Framing.load(b, at + root, 4, false) - offset;
            if (place < 0) throw new StreamException(Code.BAD_ROOT, offset, 0, 0);
            message = Arrays.copyOfRange(b, at, at + size);
            from = 0;
            Framing.store(message, root, 4, false, place);
        }
        look.restart();
        boolean done = false;
        try {
            handling = true;
            handler.on(message, from, size - skip);
            handling = false;
            done = true;
        } finally {
            offset += size;
            if (!done && next < stop) {
                look.size = 1;
                kept = new byte[0];
                keep(rest, next, stop - next);
            }
        }
    }

    /** The stream is over: throws StreamException where something is left that is no whole message. */
    public void finish() {
        if (ended != null) throw ended;
        if (have > 0) throw ended = new StreamException(Code.CUT, offset, have, 0);
    }
}
