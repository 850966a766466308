package aldis.stream;

import aldis.stream.StreamException.Code;
import java.util.Arrays;

/** Puts messages into memory, each in its frame, until they are taken. It belongs to one thread at a time. */
public final class FrameSender {
    private final Framing framing;
    private byte[] b = new byte[4096];
    private int size;
    private long offset;

    public FrameSender(Framing framing) {
        this.framing = framing;
    }

    /** Bytes that were sent and not taken. */
    public int size() {
        return size;
    }

    /** The byte of the stream where the next frame begins. */
    public long offset() {
        return offset + size;
    }

    public void send(byte[] message) {
        send(message, 0, message.length);
    }

    /** Adds a message. What cannot be sent throws StreamException, and adds nothing. */
    public void send(byte[] message, int at, int length) {
        int skip = framing.skip();
        if (length > framing.longest()) throw new StreamException(Code.FRAME_TOO_LARGE, offset(), length, framing.longest());
        long needed = (long) size + skip + length;
        if (needed > Integer.MAX_VALUE - 16) throw new IllegalStateException("2 GiB were sent and not taken");
        if (needed > b.length) b = Arrays.copyOf(b, (int) Math.min(Math.max(2L * b.length, needed), Integer.MAX_VALUE - 16));
        int from = size + skip;
        System.arraycopy(message, at, b, from, length);
        int root = framing.root();
        if (root >= 0 && length >= root + 4) {
            long place = Framing.load(b, from + root, 4, false) + offset();
            if (place >>> 32 != 0) throw new StreamException(Code.BAD_ROOT, offset(), 0, 0);
            Framing.store(b, from + root, 4, false, place);
        }
        framing.put(b, size, length);
        size = from + length;
    }

    /** All bytes that were sent since the last call. */
    public byte[] take() {
        byte[] taken = Arrays.copyOf(b, size);
        offset += size;
        size = 0;
        return taken;
    }
}
