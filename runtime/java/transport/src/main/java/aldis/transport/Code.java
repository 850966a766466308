package aldis.transport;

import java.util.Locale;

/** The codes of docs/protocol.md in the order of their numbers, and those that only this side knows. */
public enum Code {
    NORMAL,
    PROTOCOL,
    FRAME_TOO_LARGE,
    VERSION,
    UNAUTHORIZED,
    TOO_MANY_CONNECTIONS,
    IDLE,
    SLOW,
    DRAINING,
    GAP,
    BAD_CHECKSUM,
    BAD_COUNT,
    REFUSED,
    HANDLER,
    CREDIT,
    STALE_EPOCH,
    DEADLINE,
    UNSUPPORTED,
    UNAVAILABLE,
    SUPERSEDED,
    /** A code that docs/protocol.md has not; {@link TransportException#number()} says it. */
    OTHER,
    /** The connection is lost, or there is none. */
    DISCONNECTED,
    /** This client was closed, or a callback of it failed. */
    CLOSED,
    /** The caller's mistake. */
    MISUSED,
    /** The thread was interrupted while it waited for the client. */
    INTERRUPTED;

    private static final Code[] ALL = values();

    static Code of(int number) {
        return number >= 0 && number <= SUPERSEDED.ordinal() ? ALL[number] : OTHER;
    }

    /** The number on the wire; what only this side knows is {@code normal} there. */
    int number() {
        return this.compareTo(SUPERSEDED) <= 0 ? ordinal() : 0;
    }

    /** The name as docs/protocol.md spells it: {@code frame-too-large}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether connecting again cannot help: docs/protocol.md, "Endings". */
    boolean isFatal() {
        return switch (this) {
            case PROTOCOL, FRAME_TOO_LARGE, VERSION, UNAUTHORIZED, STALE_EPOCH, UNSUPPORTED, SUPERSEDED, CLOSED, MISUSED -> true;
            default -> false;
        };
    }
}
