import aldis.Code;
import aldis.CodecException;
import aldis.Decimal;
import aldis.Limits;
import aldis.codec.Wire;
import default_.Owner;
import default_.Values;
import default_.Wide;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;

/** What users call beyond what the testee does. */
public final class Use {
    public static void main(String[] args) throws Exception {
        targets();
        limits();
        decimals();
        faults();
        texts();
        copies();
        entries();
        Wide wide = new Wide().absent1_(7).w63(8);
        check(Wide.decode(wide.encode()).equals(wide) && Wide.decodeFinal(wide.encodeFinal()).w63() == 8, "optional fields");
        System.out.println("done");
    }

    // The first of equal keys counts, also where its value is null.
    private static void entries() {
        TreeMap<Integer, String> map = new TreeMap<>();
        for (String value : new String[] {null, "second"}) Wire.putFirst(map, 1, value);
        for (String value : new String[] {"first", null}) Wire.putFirst(map, 2, value);
        check(map.size() == 2 && map.get(1) == null && map.get(2).equals("first"), "entries of equal keys: " + map);
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private static Values values() {
        Values values = new Values().text("a text of some length, all of it ASCII, for which room is kept").letter('x').number(5);
        values.list().add("Grüße");
        values.names().put("key", "line\nbreak");
        return values;
    }

    /** Bytes of the caller's are written where the message is, and nowhere else. */
    private static void targets() {
        byte[] wanted = values().encode();
        for (int spare : new int[] {0, 1, 7, 300}) {
            byte[] target = new byte[3 + wanted.length + spare];
            Arrays.fill(target, (byte) 0x55);
            check(values().encode(target, 3) == wanted.length, "there is room, and " + spare + " bytes more");
            check(Arrays.equals(target, 3, 3 + wanted.length, wanted, 0, wanted.length), "the message");
            for (int i = 0; i < target.length; i++) {
                check(i >= 3 && i < 3 + wanted.length || target[i] == 0x55, "byte " + i + " is the caller's");
            }
        }
        check(values().encode(new byte[wanted.length + 2], 3) == -wanted.length, "there is no room");
        byte[] last = values().encodeFinal();
        byte[] target = new byte[last.length];
        check(values().encodeFinal(target, 0) == last.length && Arrays.equals(target, last), "the whole array");
    }

    /** A copy has records of its own, those in sets too. */
    private static void copies() {
        Values values = values();
        values.owners().add(new Owner().id(3).account(4));
        Values copy = values.copy();
        check(copy.equals(values) && Values.decode(copy.encode()).equals(values), "a copy is equal");
        copy.owners().first().account(5);
        check(values.owners().first().account() == 4 && !copy.equals(values), "a copy is its own");
        check(copy.clear().equals(new Values()) && copy.owners().isEmpty() && values.owners().size() == 1, "a cleared value is as a new one");
        TreeSet<Owner> owners = new TreeSet<>(Owner.BY_KEY);
        owners.add(new Owner().id(2));
        owners.add(new Owner().id(-1).account(9));
        check(!owners.add(new Owner().id(2).account(1)) && owners.first().id() == -1, "keys are in order");
        check(new Wide().absent1_(7).clear().equals(new Wide()), "optional fields are cleared");
    }

    private static void limits() {
        byte[] bytes = values().encode();
        for (Limits limits : new Limits[] {
            new Limits(64, Long.MAX_VALUE, 0, true), new Limits(64, 8, Long.MAX_VALUE, true), new Limits(64, Long.MAX_VALUE, Long.MAX_VALUE, true)
        }) {
            check(Values.decode(bytes, 0, bytes.length, limits).equals(values()), "no limit");
        }
    }

    private static void decimals() {
        for (String none : new String[] {"", "abc", "--5", "1e", "e5", "1.", ".5", "1e99999999999", "1e+-5", "٣"}) {
            check(Decimal.parse(none) == null, none);
        }
        String[] some = {"1e0000000000000000001", "10", "1e+0000000000000001", "10", "1e-00000000000028", "0.0000000000000000000000000001", "-0e-0", "-0"};
        for (int i = 0; i < some.length; i += 2) check(some[i + 1].equals(Decimal.parse(some[i]).toString()), some[i]);
        for (String bad : new String[] {"", "1.", "01", "1e"}) {
            refused(Code.BAD_JSON, () -> Values.fromJson(new Values().toJson().replace("\"amount\":\"0\"", "\"amount\":\"" + bad + "\"")));
        }
    }

    private static CodecException refused(Code code, Runnable wrong) {
        try {
            wrong.run();
        } catch (CodecException fault) {
            check(fault.code() == code, fault.getMessage());
            return fault;
        }
        throw new AssertionError("a " + code + " is not refused");
    }

    private static void faults() throws Exception {
        CodecException fault = refused(Code.TRUNCATED, () -> Values.decode(new byte[2]));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ObjectOutputStream(out).writeObject(fault);
        Object again = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
        check(((CodecException) again).getMessage().equals(fault.getMessage()), "faults can be sent");

        Values empty = values();
        empty.names().put("other", null);
        check(refused(Code.BAD_VALUE, empty::toJson).path().startsWith("names"), "null as a text of a map");
        Values hole = values();
        hole.list().add(null);
        check(refused(Code.BAD_VALUE, hole::toJson).path().equals("list[1]"), "null as an element");
        check(refused(Code.OUT_OF_RANGE, values().small(300)::toJson).path().equals("small"), "300 in a byte");
        check(refused(Code.OUT_OF_RANGE, values().letter('€')::toJson).path().equals("letter"), "a character beyond one byte");
        CodecException bad = refused(Code.BAD_JSON, () -> Values.fromJson(new byte[] {'{', '"', 't', 'e', 'x', 't', '"', ':', '"', 'a', (byte) 0xff, '"', '}'}));
        check(bad.offset() == 10 && bad.path().equals("text"), bad.getMessage());
    }

    private static void texts() {
        String text = values().pair(new double[] {1, 2}).toString();
        check(text.contains("pair=[1.0, 2.0]") && text.contains("names=[\"key\":\"line?break\"]") && !text.contains("\n"), text);
    }
}
