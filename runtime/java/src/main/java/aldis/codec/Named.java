package aldis.codec;

import java.util.HashMap;
import java.util.Map;

/** The shapes of numbers that have names. */
final class Named {
    private Named() {}

    private static Numbers.OfInteger integer(Shape repr) {
        return (Numbers.OfInteger) (repr instanceof Shaped.Loose loose ? loose.number : repr);
    }

    /** Enums: integers, and the names of some. */
    static Shape enumeration(boolean named, Shape repr, String[] names, long[] numbers) {
        Map<String, Long> byName = new HashMap<>();
        Map<Long, String> byNumber = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            byName.put(names[i], numbers[i]);
            byNumber.putIfAbsent(numbers[i], names[i]);
        }
        return new Shape() {
            @Override protected void write(StringBuilder out, Object value) {
                String name = named ? byNumber.get(((Number) value).longValue()) : null;
                if (name == null) repr.write(out, value);
                else Json.quote(out, name);
            }

            @Override protected void writeKey(StringBuilder out, Object value) {
                repr.writeKey(out, value);
            }

            @Override protected Object read(JsonParser in) {
                char next = in.peek();
                if (next != '"') {
                    if (next != '-' && !JsonParser.isDigit(next)) throw JsonParser.bad(in.at, "expected a name or a number, found " + in.found());
                    return repr.read(in);
                }
                int at = in.at;
                Long number = byName.get(in.string());
                if (number == null) throw JsonParser.bad(at, "no enumerant is called so");
                return integer(repr).of.apply(number);
            }

            @Override protected Object readKey(String text, int at) {
                return repr.readKey(text, at);
            }

            @Override protected int compare(Object a, Object b) {
                return repr.compare(a, b);
            }
        };
    }

    /** Flags: integers, bits by name, and masks by further names. */
    static Shape flags(boolean named, Shape repr, String[] bits, long[] bitNumbers, String[] masks, long[] maskNumbers) {
        Map<String, Long> known = new HashMap<>();
        for (int i = 0; i < bits.length; i++) known.put(bits[i], bitNumbers[i]);
        for (int i = 0; i < masks.length; i++) known.put(masks[i], maskNumbers[i]);
        Numbers.OfInteger number = integer(repr);
        return new Shape() {
            @Override protected void write(StringBuilder out, Object value) {
                if (!named) {
                    repr.write(out, value);
                    return;
                }
                long rest = ((Number) value).longValue();
                String comma = "";
                out.append('[');
                for (int i = 0; i < bits.length; i++) {
                    if ((rest & bitNumbers[i]) == 0) continue;
                    rest &= ~bitNumbers[i];
                    out.append(comma);
                    Json.quote(out, bits[i]);
                    comma = ",";
                }
                if (rest != 0) {
                    out.append(comma);
                    repr.write(out, rest);
                }
                out.append(']');
            }

            @Override protected void writeKey(StringBuilder out, Object value) {
                repr.writeKey(out, value);
            }

            @Override protected Object read(JsonParser in) {
                if (!named && in.peek() != '[') return repr.read(in);
                in.expect('[', "an array of names");
                long mask = 0;
                for (boolean first = true; !in.closes(']', first); first = false) {
                    int at = in.place();
                    Long own = in.peek() == '"' ? known.get(in.string()) : (Long) ((Number) repr.read(in)).longValue();
                    if (own == null) throw JsonParser.bad(at, "no flag is called so");
                    mask |= own;
                }
                return number.of.apply(mask);
            }

            @Override protected Object readKey(String text, int at) {
                return repr.readKey(text, at);
            }

            @Override protected int compare(Object a, Object b) {
                return repr.compare(a, b);
            }
        };
    }
}
