package aldis;

import java.util.Arrays;
import java.util.function.Function;

/**
 * A value whose type the schema leaves open: a flat message of one segment, whose root is the value. It never changes.
 */
public final class AnyPointer {
    private final byte[] bytes;

    public AnyPointer(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** The message, in canonical order but for what sections end with. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The value as something else: {@code any.as(Person::decodeCanonical)}. */
    public <T> T as(Function<byte[], T> decode) {
        return decode.apply(bytes.clone());
    }

    @Override public boolean equals(Object other) {
        return other instanceof AnyPointer same && Arrays.equals(bytes, same.bytes);
    }

    @Override public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override public String toString() {
        return "AnyPointer{" + bytes.length + " bytes}";
    }
}
