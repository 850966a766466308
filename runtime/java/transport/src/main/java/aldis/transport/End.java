package aldis.transport;

/** A connection is at its end: why, whether to connect again, and whether the server is to be told. */
final class End extends Exception {
    private static final long serialVersionUID = 1L;

    final TransportException why;
    final boolean fatal;
    final boolean tell;

    End(TransportException why, boolean fatal, boolean tell) {
        super(why.getMessage(), why, false, false);
        this.why = why;
        this.fatal = fatal;
        this.tell = tell;
    }

    /** A new connection may do better. */
    static End broken(TransportException why) {
        return new End(why, false, true);
    }

    static End broken(Code code, String text) {
        return broken(new TransportException(code, text));
    }

    static End fatal(Code code, String text) {
        return new End(new TransportException(code, text), true, true);
    }

    static End lost(TransportException why) {
        return new End(why, why.code().isFatal(), false);
    }

    static End lost(String text, Throwable cause) {
        return lost(new TransportException(Code.DISCONNECTED, text, cause));
    }
}
