package aldis.transport;

/**
 * How much may be outstanding.
 *
 * @param messages from 0 to 2^32 - 1
 * @param bytes of entries, from 0 to 2^32 - 1
 */
public record Window(long messages, long bytes) {
    private static final long MOST = 0xFFFF_FFFFL;

    public Window {
        if (messages < 0 || messages > MOST || bytes < 0 || bytes > MOST) {
            throw new TransportException(Code.MISUSED, "a window has messages and bytes, numbers below 2^32");
        }
    }
}
