package aldis.transport;

/** The reason for which something failed: {@code frame-too-large: a message of 70 bytes; the server takes 64}. */
public final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;
    private final int number;
    private final String text;

    /** A failure with words that say more. A callback that answers requests may throw one: the server is told both. */
    public TransportException(Code code, String text) {
        this(code, code.number(), text, null);
    }

    TransportException(Code code, String text, Throwable cause) {
        this(code, code.number(), text, cause);
    }

    private TransportException(Code code, int number, String text, Throwable cause) {
        super(null, cause);
        this.code = code;
        this.number = number;
        this.text = text;
    }

    /** A failure that a frame tells. */
    static TransportException of(int number, String text) {
        return new TransportException(Code.of(number), number, text, null);
    }

    /** The same for another caller, whose stack it has. */
    TransportException again() {
        return new TransportException(code, number, text, this);
    }

    public Code code() {
        return code;
    }

    /** The number of the code on the wire, a u32. */
    public int number() {
        return number;
    }

    /** The words without the code. */
    public String text() {
        return text;
    }

    @Override public String getMessage() {
        String name = code == Code.OTHER ? "code " + Integer.toUnsignedString(number) : code.wire();
        return text.isEmpty() ? name : name + ": " + text;
    }
}
