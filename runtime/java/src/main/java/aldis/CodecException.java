package aldis;

import java.util.ArrayDeque;

/**
 * A message that cannot be read, or a value that cannot be written. Faults of bytes have no stack trace: hostile input costs no
 * more than other input.
 */
public final class CodecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;
    private final ArrayDeque<Object> path = new ArrayDeque<>();
    private final String detail;
    private long offset;

    /** A fault at a byte of the message, or -1 where there are no bytes. */
    public CodecException(Code code, long offset, String detail) {
        super(null, null, false, offset < 0);
        this.code = code;
        this.offset = offset;
        this.detail = detail;
    }

    public Code code() {
        return code;
    }

    /** The byte of the message that is wrong, -1 where there is none. */
    public long offset() {
        return offset;
    }

    /** The fault, in words. */
    public String detail() {
        return detail;
    }

    /** The field that is wrong: {@code orders[2].symbol}. */
    public String path() {
        StringBuilder text = new StringBuilder();
        for (Object step : path) {
            if (step instanceof Integer) {
                text.append('[').append(step).append(']');
            } else {
                text.append(text.length() == 0 ? "" : ".").append(step);
            }
        }
        return text.toString();
    }

    /** The same fault with a field or the index of an element before its path. */
    public CodecException within(Object step) {
        path.addFirst(step);
        return this;
    }

    /** The same fault at another place. */
    public CodecException at(long place) {
        offset = place;
        return this;
    }

    @Override public String getMessage() {
        String in = path();
        return code.wire()
            + (offset < 0 ? "" : " at byte " + offset)
            + (in.isEmpty() ? "" : " in " + in)
            + (detail.isEmpty() ? "" : ": " + detail);
    }
}
