package aldis.transport;

/** When a message is done with. */
public enum Durability {
    /** It is in the server's memory. */
    RECEIVED,
    /** The handler returned. */
    HANDLED,
    /** It is in the log, after fdatasync. */
    DURABLE,
    /** A log has it on several machines. */
    REPLICATED
}
