package aldis.codec;

/** A value of a union: the arm's number and its value as an object, for what is the same for all unions. */
public interface Choice {
    int tag();

    /** The arm's value, null where it has none. */
    Object held();

    Shape shape();

    /** What an arm held before, null where it was another one, or there was none. */
    static Object before(Choice old, int tag) {
        return old != null && old.tag() == tag ? old.held() : null;
    }

    /** Whether that is the arm, and the very object that it holds. */
    static boolean isSame(Choice old, int tag, Object held) {
        return old != null && old.tag() == tag && old.held() == held;
    }
}
