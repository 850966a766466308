package aldis.codec;

/** A value of a union: the arm's number and its value as an object, for what is the same for all unions. */
public interface Choice {
    int tag();

    /** The arm's value, null where it has none. */
    Object held();

    Shape shape();
}
