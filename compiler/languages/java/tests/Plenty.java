import aldis.CodecException;
import aldis.Limits;
import aldis.codec.In;
import java.util.Arrays;
import plenty.Many;

/** A record whose codecs are made of parts. */
public final class Plenty {
    private static final String[] VALUES = {"7", "\"a text\"", "2.5", "-3", "[1,2,3]", "true", "\"\"", "{\"number\":5,\"text\":\"inner\"}"};

    public static void main(String[] args) {
        StringBuilder json = new StringBuilder("{");
        for (int field = 0; field < 320; field++) {
            json.append(field == 0 ? "" : ",").append("\"f").append(field).append("\":").append(VALUES[field % VALUES.length]);
        }
        Many many = Many.fromJson(json.append('}').toString());
        byte[] bytes = many.encode();
        byte[] shorter = many.encodeFinal();
        check(Many.decode(bytes).equals(many) && Many.decodeFinal(shorter).equals(many), "bytes and back");
        Many used = new Many();
        check(Many.decode(in(bytes), used) == used && used.equals(many), "into a used object");
        byte[] others = new Many().encode();
        check(Many.decode(in(others), used).equals(new Many()), "nothing of what was there is left");
        check(Many.decodeFinal(in(shorter), used).equals(many), "and back again");
        for (int size = 0; size < bytes.length; size += 7) {
            byte[] cut = Arrays.copyOf(bytes, size);
            CodecException wrong = fault(() -> Many.decode(cut));
            check(wrong.toString().equals(fault(() -> Many.verify(in(cut))).toString()), "one fault: " + wrong);
        }
        System.out.println("done");
    }

    private static In in(byte[] bytes) {
        return new In(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    private static CodecException fault(Runnable action) {
        try {
            action.run();
        } catch (CodecException fault) {
            return fault;
        }
        throw new AssertionError("nothing is wrong");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }
}
