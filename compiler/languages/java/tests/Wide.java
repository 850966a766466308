import aldis.CodecException;
import aldis.Limits;
import aldis.codec.In;
import aldis.codec.Structure;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Records of 2,000 fields in a run, whose codecs, constructors and views are made of parts. */
public final class Wide {
    private static final int FIELDS = 2000;

    public static void main(String[] args) {
        String numbers = json("-9000000000", "65000", "7", "-3", "65000", "2.5", "-9000000000");
        round(blocks.Wide.fromJson(numbers), blocks.Wide::encode, blocks.Wide::decode, blocks.Wide::decode, new blocks.Wide());
        byte[] whole = blocks.Wide.fromJson(numbers).encode();
        check(blocks.WideView.verify(whole).copy().equals(blocks.Wide.fromJson(numbers)), "a view has all fields");
        for (int extent : new int[] {0, 15, 24, 1000, 2300, 4600, 9000}) {
            byte[] cut = java.util.Arrays.copyOf(whole, 8 + extent);
            cut[0] = (byte) extent;
            cut[1] = (byte) (extent >> 8);
            blocks.Wide some = blocks.Wide.decode(cut);
            check(blocks.Wide.decode(in(cut), blocks.Wide.decode(whole)).equals(some), "nothing is left of the bytes that were longer");
            check(blocks.WideView.verify(cut).copy().equals(some), "a view of a short block");
            check(some.f0() == (extent > 0 ? 7 : 0) && some.f1Or(0) == (extent > 4 ? -3 : 0), "the fields of a short block");
        }
        drafts();
        String texts = json("\"a text\"", "null", "7", "-3", "65000", "2.5", "-9000000000");
        structs.Wide wide = structs.Wide.fromJson(texts);
        round(wide, structs.Wide::encode, structs.Wide::decode, structs.Wide::decode, new structs.Wide());
        round(wide, structs.Wide::encodeFinal, structs.Wide::decodeFinal, structs.Wide::decodeFinal, new structs.Wide());
        check(structs.WideView.verify(wide.encode()).copy().equals(wide), "a view of a struct");
        System.out.println("done");
    }

    /** A composite of many members is set as a whole, and refused as a whole. */
    private static void drafts() {
        String members = json(400, "-9", "65000", "7", "-3", "65000", "2.5", "-9000000000");
        String text = ",\"text\":\"abc\"}}";
        blocks.Big big = blocks.Nest.fromJson("{\"big\":" + members.substring(0, members.length() - 1) + text).big();
        blocks.Nest nest = new blocks.Nest();
        blocks.NestDraft draft = new blocks.NestDraft(nest);
        nest.big(big);
        check(java.util.Arrays.equals(draft.big(big).encode(), nest.encode()), "a composite that is set");
        try {
            draft.big(new blocks.Big().text("too long"));
            check(false, "a text is too long");
        } catch (CodecException fault) {
            check(java.util.Arrays.equals(draft.encode(), nest.encode()), "a composite that is refused changes nothing");
        }
    }

    private static <T extends Structure> void round(
        T value, Function<T, byte[]> encode, Function<byte[], T> decode, BiFunction<In, T, T> into, T used) {
        byte[] bytes = encode.apply(value);
        check(decode.apply(bytes).equals(value), "bytes and back");
        check(into.apply(in(bytes), used) == used && used.equals(value), "into a used object");
    }

    /** The values of five fields, again and again, but for a few. */
    private static String json(String text, String optional, String... values) {
        return json(FIELDS, text, optional, values);
    }

    private static String json(int fields, String text, String optional, String... values) {
        StringBuilder json = new StringBuilder("{");
        for (int field = 0; field < fields; field++) {
            String value = switch (field % 100) {
                case 2 -> optional;
                case 24, 44 -> text;
                default -> values[field % values.length];
            };
            json.append(field == 0 ? "" : ",").append("\"f").append(field).append("\":").append(value);
        }
        return json.append('}').toString();
    }

    private static In in(byte[] bytes) {
        return new In(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }
}
