package aldis.codec;

import aldis.Code;
import java.util.Comparator;

/** The JSON of a type's values, as values and as keys, and the order that they have. */
public abstract class Shape {
    protected Shape() {}

    protected abstract void write(StringBuilder out, Object value);

    protected abstract Object read(JsonParser in);

    /** Whether null is a value. */
    boolean takesNull() {
        return false;
    }

    /** The text of an empty value, as which null is written where there must be something; null where there is none. */
    String empty() {
        return null;
    }

    /** A value within a list or a map. */
    final void writeElement(StringBuilder out, Object value) {
        if (value == null && !takesNull()) throw Json.refused(Code.BAD_VALUE, "null, but the element must have a value");
        write(out, value);
    }

    /** As the name of an object's member. */
    protected void writeKey(StringBuilder out, Object value) {
        out.append('"');
        write(out, value);
        out.append('"');
    }

    protected Object readKey(String text, int at) {
        throw JsonParser.bad(at, "such values are no keys");
    }

    protected int compare(Object a, Object b) {
        throw new IllegalStateException("such values have no order");
    }

    /** The same, of a package that refers to another; fails where that was made from another schema or with other options. */
    public final Shape linked(String own, String other, String wanted, String digest) {
        if (wanted.equals(digest)) return this;
        throw new IllegalStateException(own + " was generated for another " + other + ": generate both again, with the same options");
    }

    /** The order of keys: null first. */
    public final Comparator<Object> order() {
        return (a, b) -> a == null || b == null ? Boolean.compare(a != null, b != null) : compare(a, b);
    }
}
