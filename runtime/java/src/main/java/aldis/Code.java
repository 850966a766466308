package aldis;

/** The kinds of faults, called as in every language of Aldis. */
public enum Code {
    TRUNCATED("truncated"),
    BAD_POINTER("bad-pointer"),
    BAD_COUNT("bad-count"),
    BAD_TEXT("bad-text"),
    BAD_VALUE("bad-value"),
    TOO_DEEP("too-deep"),
    TOO_LARGE("too-large"),
    UNKNOWN_MESSAGE("unknown-message"),
    BAD_JSON("bad-json"),
    OUT_OF_RANGE("out-of-range");

    private final String wire;

    Code(String wire) {
        this.wire = wire;
    }

    /** The code as other languages and the command line spell it. */
    public String wire() {
        return wire;
    }
}
