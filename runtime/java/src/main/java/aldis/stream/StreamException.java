package aldis.stream;

/** Why a stream of messages cannot go on. */
public final class StreamException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kinds of faults, called as in every language of Aldis. */
    public enum Code {
        /** A frame of more bytes than the receiver's limit, or a message of more than the sender's framing can say. */
        FRAME_TOO_LARGE("frame-too-large"),
        /** A frame whose length is less than what says it. */
        FRAME_TOO_SMALL("frame-too-small"),
        TOO_MANY_SEGMENTS("too-many-segments"),
        BAD_PACKING("bad-packing"),
        /** A record that would begin before its message, or further on than can be said. */
        BAD_ROOT("bad-root"),
        /** The stream ends within a frame. */
        CUT("cut");

        private final String wire;

        Code(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }
    }

    private final Code code;
    private final long offset;
    private final long size;
    private final long bound;

    StreamException(Code code, long offset, long size, long bound) {
        super(null, null, false, false);
        this.code = code;
        this.offset = offset;
        this.size = size;
        this.bound = bound;
    }

    public Code code() {
        return code;
    }

    /** The place where the frame begins: a byte of all that was fed, or sent, from 0. */
    public long offset() {
        return offset;
    }

    /** Bytes that the frame would have, or how many segments. */
    public long size() {
        return size;
    }

    /** The most or the least that it may have. */
    public long bound() {
        return bound;
    }

    @Override public String getMessage() {
        String place = code.wire + " at byte " + offset + " of the stream";
        return switch (code) {
            case FRAME_TOO_LARGE, TOO_MANY_SEGMENTS -> place + ": " + size + ", at most " + bound;
            case FRAME_TOO_SMALL -> place + ": " + size + ", at least " + bound;
            case CUT -> place + ": it ends after " + size + " bytes of a frame";
            default -> place;
        };
    }
}
