package aldis.codec;

/**
 * A message whose fields are set where they lie, without a value in between: what generated classes of drafts stand on. It begins in memory
 * of its own. A draft belongs to one thread at a time.
 */
public abstract class Draft extends DraftPart {
    /** The message as it begins; nothing of a record that is part of another message. */
    private final byte[] model;
    private final int start;

    protected Draft(byte[] message, int start) {
        super(new Out(message.clone(), start), new Out(message.clone(), start));
        model = message;
        this.start = start;
    }

    protected Draft(DraftPart of, int shift) {
        super(of, shift);
        model = null;
        start = 0;
    }

    /**
     * Begins the next message at a place in bytes of the caller's, by one copy, and gives where it ends; fields are set there from now on.
     * Throws IndexOutOfBoundsException where there is no room, and stays where it was.
     */
    public int into(byte[] target, int at) {
        int size = message().length;
        if (at < 0 || size > target.length - at) {
            throw new IndexOutOfBoundsException("a message of " + size + " bytes has no room in the target");
        }
        System.arraycopy(model, 0, target, at, size);
        o.b = target;
        o.at = at + start;
        return at + size;
    }

    /** A copy of the message as it is by now. */
    public byte[] encode() {
        int from = o.at - start;
        return java.util.Arrays.copyOfRange(o.b, from, from + message().length);
    }

    private byte[] message() {
        if (model == null) throw new IllegalStateException("only the draft of a whole message has bytes of its own");
        return model;
    }
}
