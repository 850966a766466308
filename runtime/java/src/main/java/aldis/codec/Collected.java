package aldis.codec;

import aldis.CodecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The shapes of lists and maps. */
final class Collected {
    private Collected() {}

    /** Reads what lies between brackets; faults have the index before their path. */
    static int items(JsonParser in, char open, char close, String what, Runnable read) {
        in.expect(open, what);
        int index = 0;
        try {
            for (; !in.closes(close, index == 0); index++) read.run();
        } catch (CodecException fault) {
            throw fault.within(index);
        }
        return index;
    }

    static final class OfList extends Shape {
        final Shape element;
        final Class<?> primitive;
        final int length;

        OfList(Shape element, Class<?> primitive, int length) {
            this.element = element;
            this.primitive = primitive;
            this.length = length;
        }

        @Override String empty() {
            return "[]";
        }

        @Override protected void write(StringBuilder out, Object value) {
            writeItems(out, element, listOf(value));
        }

        @Override protected Object read(JsonParser in) {
            int at = in.place();
            ArrayList<Object> items = new ArrayList<>();
            items(in, '[', ']', "an array", () -> items.add(element.read(in)));
            if (length >= 0 && items.size() != length) throw JsonParser.bad(at, "expected " + length + " elements, found " + items.size());
            return primitive == null ? items : arrayOf(items, primitive);
        }

        @Override protected int compare(Object a, Object b) {
            return compareAll(element, listOf(a), listOf(b));
        }
    }

    static void writeItems(StringBuilder out, Shape element, Iterable<?> items) {
        int index = 0;
        out.append('[');
        try {
            for (Object item : items) {
                if (index > 0) out.append(',');
                element.writeElement(out, item);
                index++;
            }
        } catch (CodecException fault) {
            throw fault.within(index);
        }
        out.append(']');
    }

    static int compareAll(Shape element, List<?> a, List<?> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int found = element.order().compare(a.get(i), b.get(i));
            if (found != 0) return found;
        }
        return Integer.compare(a.size(), b.size());
    }

    /** The elements of a list or array as objects. */
    static List<?> listOf(Object value) {
        if (value instanceof List<?> list) return list;
        ArrayList<Object> items = new ArrayList<>();
        if (value instanceof boolean[] array) for (boolean v : array) items.add(v);
        if (value instanceof byte[] array) for (byte v : array) items.add(v);
        if (value instanceof char[] array) for (char v : array) items.add(v);
        if (value instanceof short[] array) for (short v : array) items.add(v);
        if (value instanceof int[] array) for (int v : array) items.add(v);
        if (value instanceof long[] array) for (long v : array) items.add(v);
        if (value instanceof float[] array) for (float v : array) items.add(v);
        if (value instanceof double[] array) for (double v : array) items.add(v);
        return items;
    }

    @SuppressWarnings("unchecked")
    static Object arrayOf(List<?> items, Class<?> primitive) {
        if (primitive == boolean.class) return Wire.booleans((List<Boolean>) items);
        if (primitive == byte.class) return Wire.bytes((List<Byte>) items);
        if (primitive == char.class) return Wire.chars((List<Character>) items);
        if (primitive == short.class) return Wire.shorts((List<Short>) items);
        if (primitive == int.class) return Wire.ints((List<Integer>) items);
        if (primitive == long.class) return Wire.longs((List<Long>) items);
        if (primitive == float.class) return Wire.floats((List<Float>) items);
        return Wire.doubles((List<Double>) items);
    }

    static final class OfMap extends Shape {
        final Shape key;
        final Shape value;
        final boolean named;

        OfMap(Shape key, Shape value, boolean named) {
            this.key = key;
            this.value = value;
            this.named = named;
        }

        @Override protected void write(StringBuilder out, Object map) {
            int index = 0;
            out.append(named ? '{' : '[');
            try {
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
                    out.append(index == 0 ? "" : ",").append(named ? "" : "[");
                    if (named && entry.getKey() != null) key.writeKey(out, entry.getKey());
                    else key.writeElement(out, entry.getKey());
                    out.append(named ? ':' : ',');
                    value.writeElement(out, entry.getValue());
                    out.append(named ? "" : "]");
                    index++;
                }
            } catch (CodecException fault) {
                throw fault.within(index);
            }
            out.append(named ? '}' : ']');
        }

        @Override protected Object read(JsonParser in) {
            int at = in.place();
            TreeMap<Object, Object> map = new TreeMap<>(key.order());
            int count = named
                ? items(in, '{', '}', "an object", () -> {
                    int start = in.place();
                    Object own = key.readKey(in.string(), start);
                    in.expect(':', "`:`");
                    map.put(own, value.read(in));
                })
                : items(in, '[', ']', "an array of [key,value] pairs", () -> {
                    in.expect('[', "a pair [key,value]");
                    Object own = key.read(in);
                    in.expect(',', "`,` and the value");
                    map.put(own, value.read(in));
                    in.expect(']', "`]`");
                });
            if (count != map.size()) throw JsonParser.bad(at, "a key is given twice");
            return map;
        }

        @Override protected int compare(Object a, Object b) {
            Map<?, ?> first = (Map<?, ?>) a;
            Map<?, ?> second = (Map<?, ?>) b;
            int keys = compareAll(key, new ArrayList<>(first.keySet()), new ArrayList<>(second.keySet()));
            return keys != 0 ? keys : compareAll(value, new ArrayList<>(first.values()), new ArrayList<>(second.values()));
        }
    }
}
