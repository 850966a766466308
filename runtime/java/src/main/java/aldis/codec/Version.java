package aldis.codec;

/** The version of this package, which generated code names as far as it needs it. */
final class Version {
    static final String VERSION = "0.1.0";

    private Version() {}

    /** Fails where generated code was made for another minor version. */
    static void check(String wanted) {
        if (VERSION.startsWith(wanted + ".")) return;
        throw new IllegalStateException("this code was generated for the Aldis runtime " + wanted + ", and meets " + VERSION
            + ": generate it again with the aldis of that version, or take the runtime " + wanted);
    }
}
