package aldis.transport;

/** The state of a client. */
public enum State {
    CONNECTING,
    READY,
    /** The server wants no new messages, or has been told that none follow. */
    DRAINING,
    /** There will be no other connection. */
    OVER
}
