package aldis.codec;

import aldis.Code;
import aldis.CodecException;
import aldis.Decimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The shapes of all types, and JSON text both ways. Offsets of faults are in what was given. */
public final class Json {
    private Json() {}

    public static Object read(Shape shape, String json) {
        JsonParser in = new JsonParser(json);
        Object value = shape.read(in);
        if (!in.ends()) throw JsonParser.bad(in.at, "expected the end, found " + in.found());
        return value;
    }

    public static Object read(Shape shape, byte[] json) {
        // A byte that is no UTF-8 is a lone surrogate, which takes one byte below, and the parser refuses it in its place.
        String text = Text.read(json, 0, json.length);
        try {
            return read(shape, text);
        } catch (CodecException fault) {
            int at = (int) Math.min(Math.max(fault.offset(), 0), text.length());
            throw fault.at(text.substring(0, at).getBytes(StandardCharsets.UTF_8).length);
        }
    }

    static String text(Shape shape, Structure value) {
        StringBuilder out = new StringBuilder();
        shape.write(out, value);
        return out.toString();
    }

    static List<String> fieldsOf(Shape shape) {
        return ((OfRecord) shape).names();
    }

    static Structure fresh(Shape shape) {
        return ((OfRecord) shape).fresh.get();
    }

    static CodecException refused(Code code, String detail) {
        return new CodecException(code, -1, detail);
    }

    static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) out.append(String.format("\\u%04x", (int) c));
                    else out.append(c);
                }
            }
        }
        out.append('"');
    }

    public static final Shape I8 = new Numbers.OfInteger("-128", "127", v -> v.byteValue());
    public static final Shape U8 = new Numbers.OfInteger("0", "255", v -> v.intValue());
    public static final Shape I16 = new Numbers.OfInteger("-32768", "32767", v -> v.shortValue());
    public static final Shape U16 = new Numbers.OfInteger("0", "65535", v -> v.intValue());
    public static final Shape I32 = new Numbers.OfInteger("-2147483648", "2147483647", v -> v.intValue());
    public static final Shape U32 = new Numbers.OfInteger("0", "4294967295", v -> v);
    public static final Shape I64 = new Numbers.OfInteger("-9223372036854775808", "9223372036854775807", v -> v);
    public static final Shape U64 = new Numbers.OfInteger("0", "18446744073709551615", v -> v);

    public static final Shape BOOL = new Shape() {
        @Override protected void write(StringBuilder out, Object value) {
            out.append(value);
        }

        @Override protected Object read(JsonParser in) {
            if (in.word("true")) return true;
            if (in.word("false")) return false;
            throw JsonParser.bad(in.place(), "expected true or false, found " + in.found());
        }

        @Override protected Object readKey(String text, int at) {
            if (text.equals("true") || text.equals("false")) return text.equals("true");
            throw JsonParser.bad(at, "expected true or false as the key");
        }

        @Override protected int compare(Object a, Object b) {
            return Boolean.compare((Boolean) a, (Boolean) b);
        }
    };

    /** A shape that is a string in JSON. */
    abstract static class OfText extends Shape {
        abstract String text(Object value);

        @Override protected void write(StringBuilder out, Object value) {
            quote(out, text(value));
        }

        @Override String empty() {
            return "\"\"";
        }

        @Override protected void writeKey(StringBuilder out, Object value) {
            write(out, value);
        }

        @Override protected Object read(JsonParser in) {
            int at = in.place();
            return readKey(in.string(), at);
        }
    }

    public static final Shape UTF8 = new OfText() {
        @Override String text(Object value) {
            String text = (String) value;
            if (!Text.isWellFormed(text)) throw refused(Code.BAD_TEXT, "the text is not UTF-8");
            return text;
        }

        @Override protected Object readKey(String text, int at) {
            return text;
        }

        @Override protected int compare(Object a, Object b) {
            return Arrays.compareUnsigned(bytesOf(a), bytesOf(b));
        }
    };

    private static byte[] bytesOf(Object text) {
        byte[] bytes = Text.bytes((String) text);
        return bytes == null ? new byte[0] : bytes;
    }

    public static final Shape LATIN1 = new OfText() {
        @Override String text(Object value) {
            String text = (String) value;
            if (text.chars().anyMatch(c -> c > 255)) throw refused(Code.OUT_OF_RANGE, "a character beyond U+00FF in one-byte text");
            return text;
        }

        @Override protected Object readKey(String text, int at) {
            if (text.chars().anyMatch(c -> c > 255)) throw JsonParser.outOfRange(at, "a character beyond U+00FF in one-byte text");
            return text;
        }

        @Override protected int compare(Object a, Object b) {
            return ((String) a).compareTo((String) b);
        }
    };

    public static final Shape CHAR = new OfText() {
        @Override String text(Object value) {
            if ((Character) value > 255) throw refused(Code.OUT_OF_RANGE, "the character is beyond one byte");
            return value.toString();
        }

        @Override protected void writeKey(StringBuilder out, Object value) {
            out.append('"').append((int) (Character) value).append('"');
        }

        @Override protected Object read(JsonParser in) {
            int at = in.place();
            String text = in.string();
            if (text.codePointCount(0, text.length()) != 1) throw JsonParser.bad(at, "expected a string of one character");
            if (text.codePointAt(0) > 255) throw JsonParser.outOfRange(at, "the character is beyond one byte");
            return text.charAt(0);
        }

        @Override protected Object readKey(String text, int at) {
            return (char) (int) (Integer) U8.readKey(text, at);
        }

        @Override protected int compare(Object a, Object b) {
            return Character.compare((Character) a, (Character) b);
        }
    };

    public static final Shape UUID = new OfText() {
        @Override String text(Object value) {
            return value.toString();
        }

        @Override protected Object readKey(String text, int at) {
            if (!text.matches("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
                throw JsonParser.bad(at, "not a uuid of 32 hex digits with hyphens");
            }
            return java.util.UUID.fromString(text);
        }

        @Override protected int compare(Object a, Object b) {
            UUID first = (UUID) a;
            UUID second = (UUID) b;
            int high = Long.compareUnsigned(first.getMostSignificantBits(), second.getMostSignificantBits());
            return high != 0 ? high : Long.compareUnsigned(first.getLeastSignificantBits(), second.getLeastSignificantBits());
        }
    };

    public static final Shape DECIMAL = new OfText() {
        @Override String text(Object value) {
            return value.toString();
        }

        @Override protected Object readKey(String text, int at) {
            if (JsonParser.numberEnd(text, 0) != text.length()) throw JsonParser.bad(at, "not a decimal number");
            Decimal decimal = Decimal.parse(text);
            if (decimal == null) throw JsonParser.outOfRange(at, text + " has more digits than a decimal holds");
            return decimal;
        }

        @Override protected int compare(Object a, Object b) {
            return ((Decimal) a).compareTo((Decimal) b);
        }
    };

    public static final Shape BYTES = new OfText() {
        @Override String text(Object value) {
            return Base64.getEncoder().encodeToString((byte[]) value);
        }

        @Override protected Object readKey(String text, int at) {
            boolean fits = text.length() % 4 == 0 && text.matches("[A-Za-z0-9+/]*(?:[AQgw]==|[AEIMQUYcgkosw048]=)?");
            if (!fits) throw JsonParser.bad(at, "not base64 with padding");
            return Base64.getDecoder().decode(text);
        }

        @Override protected int compare(Object a, Object b) {
            return Arrays.compareUnsigned((byte[]) a, (byte[]) b);
        }
    };

    /** A value that says nothing but that it is there. */
    public static final Shape NOTHING = new Shape() {
        @Override protected void write(StringBuilder out, Object value) {
            out.append("null");
        }

        @Override boolean takesNull() {
            return true;
        }

        @Override protected Object read(JsonParser in) {
            if (!in.word("null")) throw JsonParser.bad(in.place(), "expected null, found " + in.found());
            return null;
        }
    };

    /** A value whose type the schema leaves open. */
    public static final Shape OPAQUE = new Shape() {
        private static final String WHY = "JSON cannot say a value whose type the schema leaves open";

        @Override protected void write(StringBuilder out, Object value) {
            throw refused(Code.BAD_VALUE, WHY);
        }

        @Override protected Object read(JsonParser in) {
            throw JsonParser.bad(in.place(), WHY);
        }
    };

    public static final Shape HEX = new OfText() {
        @Override String text(Object value) {
            return java.util.HexFormat.of().formatHex((byte[]) value);
        }

        @Override protected Object readKey(String text, int at) {
            if (!text.matches("(?:[0-9a-fA-F]{2})*")) throw JsonParser.bad(at, "not hexadecimal digits, two a byte");
            return java.util.HexFormat.of().parseHex(text);
        }
    };

    public static final Shape BYTE_ARRAY = new Shape() {
        private final Shape numbers = list(loose(U8), int.class, -1);

        @Override String empty() {
            return "[]";
        }

        @Override protected void write(StringBuilder out, Object value) {
            byte[] bytes = (byte[]) value;
            int[] items = new int[bytes.length];
            for (int i = 0; i < items.length; i++) items[i] = bytes[i] & 0xff;
            numbers.write(out, items);
        }

        @Override protected Object read(JsonParser in) {
            int[] items = (int[]) numbers.read(in);
            byte[] bytes = new byte[items.length];
            for (int i = 0; i < items.length; i++) bytes[i] = (byte) items[i];
            return bytes;
        }
    };

    /** Numbers that may be given as text. */
    public static Shape loose(Shape number) {
        return new Shaped.Loose(number, false);
    }

    /** Numbers that are written as text too. */
    public static Shape wide(Shape number) {
        return new Shaped.Loose(number, true);
    }

    /** Floats that may be given as null. */
    public static Shape orNaN(Shape number) {
        return new Shaped.OrNaN((Numbers.OfFloat) number);
    }

    /** A shape that may be null, and in a list is an empty value then. */
    public static Shape orEmpty(Shape inner) {
        return new OfOptional(inner, true);
    }

    /** Records whose null fields are left out, and which skip keys that mean nothing. */
    public static Shape shape(String version, Supplier<? extends Structure> fresh, Supplier<Field[]> fields) {
        Version.check(version);
        return new Shaped.OfShape(fresh, fields);
    }

    /** Unions, of a function that makes one of an arm's number and value. A member may tell which arm it is, and what that is called. */
    public static Shape choice(
        BiFunction<Integer, Object, ? extends Choice> of, String told, String called, boolean emptyArms, Supplier<Field[]> arms
    ) {
        return new Shaped.OfUnion(of, told, called, emptyArms, arms);
    }

    public static final Shape F32 = new Numbers.OfFloat(true, true);
    public static final Shape F64 = new Numbers.OfFloat(false, true);
    public static final Shape F32_FINITE = new Numbers.OfFloat(true, false);
    public static final Shape F64_FINITE = new Numbers.OfFloat(false, false);

    public static Shape optional(Shape inner) {
        return new OfOptional(inner, false);
    }

    static final class OfOptional extends Shape {
        final Shape inner;
        final boolean orEmpty;

        OfOptional(Shape inner, boolean orEmpty) {
            this.inner = inner;
            this.orEmpty = orEmpty;
        }

        @Override String empty() {
            return inner.empty();
        }

        @Override protected void write(StringBuilder out, Object value) {
            if (value == null) out.append(orEmpty && empty() != null ? empty() : "null");
            else inner.write(out, value);
        }

        @Override boolean takesNull() {
            return true;
        }

        @Override protected Object read(JsonParser in) {
            return in.word("null") ? null : inner.read(in);
        }

        @Override protected int compare(Object a, Object b) {
            return inner.compare(a, b);
        }
    }

    /** Lists and arrays: of so many elements where the length is not below zero. Those of numbers are arrays of a primitive type. */
    public static Shape list(Shape element, Class<?> primitive, int length) {
        return new Collected.OfList(element, primitive, length);
    }

    public static Shape set(Shape element) {
        return new Shape() {
            @Override protected void write(StringBuilder out, Object value) {
                Collected.writeItems(out, element, (Iterable<?>) value);
            }

            @Override protected Object read(JsonParser in) {
                int at = in.place();
                TreeSet<Object> set = new TreeSet<>(element.order());
                int count = Collected.items(in, '[', ']', "an array", () -> set.add(element.read(in)));
                if (count != set.size()) throw JsonParser.bad(at, "an element of the set is given twice");
                return set;
            }

            @Override protected int compare(Object a, Object b) {
                return Collected.compareAll(element, new ArrayList<>((java.util.Collection<?>) a), new ArrayList<>((java.util.Collection<?>) b));
            }
        };
    }

    /** Maps whose keys have a text are objects. */
    public static Shape map(Shape key, Shape value) {
        return new Collected.OfMap(key, value, true);
    }

    /** Other maps are arrays of pairs. */
    public static Shape pairs(Shape key, Shape value) {
        return new Collected.OfMap(key, value, false);
    }

    /** Enums: integers, and the names of some. */
    public static Shape enumeration(boolean named, Shape repr, String[] names, long[] numbers) {
        return Named.enumeration(named, repr, names, numbers);
    }

    /** Flags: integers, bits by name, and masks by further names. */
    public static Shape flags(boolean named, Shape repr, String[] bits, long[] bitNumbers, String[] masks, long[] maskNumbers) {
        return Named.flags(named, repr, bits, bitNumbers, masks, maskNumbers);
    }

    /** A field of a record: its key, its type, and what differs from most. */
    public static final class Field {
        final String name;
        final Shape shape;
        String key;
        /** The meaning of null, the effect of a missing key, the only allowed value; each if there is such a rule. */
        Supplier<Object> none;
        Supplier<Object> absent;
        Supplier<Object> fixed;
        /** The number of a union's arm; in front of its members where they are the object's around; a union without a name. */
        int tag;
        String prefix;
        boolean unnamed;

        public Field(String name, Shape shape) {
            this.name = name;
            this.shape = shape;
            key = name;
            if (shape instanceof OfOptional) absent = () -> null;
        }

        public Field key(String other) {
            key = other;
            return this;
        }

        public Field tag(int number) {
            tag = number;
            return this;
        }

        public Field flatten(String front) {
            prefix = front;
            return this;
        }

        public Field unnamed() {
            unnamed = true;
            return this;
        }

        public Field none(Supplier<Object> value) {
            none = value;
            return this;
        }

        public Field absent(Supplier<Object> value) {
            absent = value;
            return this;
        }

        public Field fixed(Supplier<Object> value) {
            fixed = value;
            return this;
        }

        Object read(JsonParser in) {
            if (none != null && in.word("null")) return none.get();
            int at = in.place();
            Object value = shape.read(in);
            if (fixed != null && !fixed.get().equals(value)) throw JsonParser.bad(at, "the schema fixes another value");
            return value;
        }

        Object absent(JsonParser in) {
            if (absent == null) throw JsonParser.bad(in.at, "the field is required");
            return absent.get();
        }
    }

    /** Records: a fresh one without values, the fields that compare as keys, and all fields, which may be of records that come later. */
    public static Shape record(String version, Supplier<? extends Structure> fresh, int[] keys, Supplier<Field[]> fields) {
        Version.check(version);
        return new OfRecord(fresh, keys, fields);
    }

    static class OfRecord extends Shape {
        final Supplier<? extends Structure> fresh;
        private final int[] keys;
        private final Supplier<Field[]> made;
        private volatile Field[] fields;
        private Map<String, Integer> places;

        OfRecord(Supplier<? extends Structure> fresh, int[] keys, Supplier<Field[]> fields) {
            this.fresh = fresh;
            this.keys = keys;
            made = fields;
        }

        final Field[] fields() {
            if (fields == null) {
                Field[] all = made.get();
                Map<String, Integer> found = new HashMap<>();
                for (int i = 0; i < all.length; i++) found.put(all[i].key, i);
                places = found;
                fields = all;
            }
            return fields;
        }

        final List<String> names() {
            return Arrays.stream(fields()).map(field -> field.name).toList();
        }

        @Override protected void write(StringBuilder out, Object value) {
            Structure structure = (Structure) value;
            Field[] all = fields();
            out.append('{');
            for (int i = 0; i < all.length; i++) {
                if (i > 0) out.append(',');
                quote(out, all[i].key);
                out.append(':');
                Object item = structure.get(i);
                if (item == null) {
                    out.append("null");
                    continue;
                }
                try {
                    all[i].shape.write(out, item);
                } catch (CodecException fault) {
                    throw fault.within(all[i].key);
                }
            }
            out.append('}');
        }

        @Override protected Object read(JsonParser in) {
            Field[] all = fields();
            in.enter(all.length);
            in.expect('{', "an object");
            Structure structure = fresh.get();
            boolean[] given = new boolean[all.length];
            for (boolean first = true; !in.closes('}', first); first = false) {
                int at = in.place();
                String key = in.string();
                try {
                    Integer place = places.get(key);
                    if (place == null) throw JsonParser.bad(at, "no field is called so");
                    if (given[place]) throw JsonParser.bad(at, "the field is given twice");
                    given[place] = true;
                    in.expect(':', "`:`");
                    structure.set(place, all[place].read(in));
                } catch (CodecException fault) {
                    throw fault.within(key);
                }
            }
            for (int i = 0; i < all.length; i++) {
                if (given[i]) continue;
                try {
                    structure.set(i, all[i].absent(in));
                } catch (CodecException fault) {
                    throw fault.within(all[i].key);
                }
            }
            in.leave();
            return structure;
        }

        @Override protected int compare(Object a, Object b) {
            for (int key : keys) {
                int found = fields()[key].shape.order().compare(((Structure) a).get(key), ((Structure) b).get(key));
                if (found != 0) return found;
            }
            return 0;
        }
    }
}
