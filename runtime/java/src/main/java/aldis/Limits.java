package aldis;

/**
 * The work that the bytes of one message may ask for: levels of records, and visited bytes by the input's size. With a surcharge
 * memory beyond the bytes counts too.
 */
public record Limits(int depth, long budgetFactor, long budgetBase, boolean surcharge) {
    /** For input of any origin. */
    public static final Limits DEFAULT = new Limits(64, 8, 262144, true);
    /** The limits of Cap'n Proto's own readers. */
    public static final Limits REFERENCE = new Limits(64, 0, 64L << 20, false);

    public Limits {
        if (depth < 0 || budgetFactor < 0 || budgetBase < 0) {
            throw new IllegalArgumentException("limits are not negative");
        }
    }
}
