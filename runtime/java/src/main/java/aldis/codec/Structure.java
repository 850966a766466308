package aldis.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A value of a record. Its fields are also told by their index, for what is the same for all: JSON, equality, copies. */
public abstract class Structure {
    protected Structure() {}

    /** A field's value as an object, null where it has none. */
    protected abstract Object get(int field);

    protected abstract void set(int field, Object value);

    protected abstract Shape shape();

    protected final void assign(Object[] values) {
        for (int i = 0; i < values.length; i++) set(i, values[i]);
    }

    protected final void take(Structure from) {
        int count = Json.fieldsOf(shape()).size();
        for (int i = 0; i < count; i++) set(i, from.get(i));
    }

    /** Whether a field has no value: it is null, or the message's bytes ended before it. */
    public final boolean missing(String field) {
        int index = Json.fieldsOf(shape()).indexOf(field);
        if (index < 0) throw new IllegalArgumentException("there is no field " + field);
        return get(index) == null;
    }

    /** Its JSON text, as the command line writes it; throws CodecException for what JSON cannot say. */
    public final String toJson() {
        return Json.text(shape(), this);
    }

    public Structure copy() {
        Structure made = Json.fresh(shape());
        int count = Json.fieldsOf(shape()).size();
        for (int i = 0; i < count; i++) made.set(i, copied(get(i)));
        return made;
    }

    private static Object copied(Object value) {
        if (value instanceof Structure inner) return inner.copy();
        if (value instanceof Choice choice) return ((Shaped.OfUnion) choice.shape()).of.apply(choice.tag(), copied(choice.held()));
        if (value instanceof byte[] array) return array.clone();
        if (value instanceof int[] array) return array.clone();
        if (value instanceof long[] array) return array.clone();
        if (value instanceof double[] array) return array.clone();
        if (value instanceof float[] array) return array.clone();
        if (value instanceof short[] array) return array.clone();
        if (value instanceof char[] array) return array.clone();
        if (value instanceof boolean[] array) return array.clone();
        if (value instanceof List<?> list) {
            ArrayList<Object> items = new ArrayList<>(list.size());
            for (Object item : list) items.add(copied(item));
            return items;
        }
        if (value instanceof SortedSet<?> set) return copiedSet(set);
        if (value instanceof SortedMap<?, ?> map) return copiedMap(map);
        return value;
    }

    @SuppressWarnings("unchecked")
    private static <T> Object copiedSet(SortedSet<T> set) {
        TreeSet<T> items = new TreeSet<>(set.comparator());
        for (T item : set) items.add((T) copied(item));
        return items;
    }

    @SuppressWarnings("unchecked")
    private static <K> Object copiedMap(SortedMap<K, ?> map) {
        TreeMap<K, Object> items = new TreeMap<>(map.comparator());
        map.forEach((key, value) -> items.put((K) copied(key), copied(value)));
        return items;
    }

    @Override public final boolean equals(Object other) {
        if (this == other) return true;
        if (other == null || other.getClass() != getClass()) return false;
        Structure same = (Structure) other;
        int count = Json.fieldsOf(shape()).size();
        for (int i = 0; i < count; i++) if (!equal(get(i), same.get(i))) return false;
        return true;
    }

    private static boolean equal(Object a, Object b) {
        if (a instanceof List<?> first && b instanceof List<?> second) {
            if (first.size() != second.size()) return false;
            for (int i = 0; i < first.size(); i++) if (!equal(first.get(i), second.get(i))) return false;
            return true;
        }
        if (a instanceof SortedSet<?> first && b instanceof SortedSet<?> second) {
            return equal(new ArrayList<>(first), new ArrayList<>(second));
        }
        if (a instanceof SortedMap<?, ?> first && b instanceof SortedMap<?, ?> second) {
            return equal(new ArrayList<>(first.keySet()), new ArrayList<>(second.keySet()))
                && equal(new ArrayList<>(first.values()), new ArrayList<>(second.values()));
        }
        if (a instanceof Choice first && b instanceof Choice second) {
            return first.getClass() == second.getClass() && first.tag() == second.tag() && equal(first.held(), second.held());
        }
        return Objects.deepEquals(a, b);
    }

    @Override public final int hashCode() {
        int count = Json.fieldsOf(shape()).size();
        int hash = 1;
        for (int i = 0; i < count; i++) hash = 31 * hash + hash(get(i));
        return hash;
    }

    private static int hash(Object value) {
        if (value instanceof Iterable<?> items) {
            int hash = 7;
            for (Object item : items) hash = 31 * hash + hash(item);
            return hash;
        }
        if (value instanceof Choice choice) return 31 * choice.tag() + hash(choice.held());
        if (value instanceof Map<?, ?> map) return 31 * hash(map.keySet()) + hash(map.values());
        return Arrays.deepHashCode(new Object[] {value});
    }

    /** A short text for people: long texts and lists are cut, control characters are question marks. */
    @Override public final String toString() {
        StringBuilder out = new StringBuilder(getClass().getSimpleName()).append('{');
        List<String> names = Json.fieldsOf(shape());
        for (int i = 0; i < names.size() && out.length() < 4096; i++) {
            out.append(i == 0 ? "" : ", ").append(names.get(i)).append('=');
            show(out, get(i));
        }
        return out.append('}').toString();
    }

    private static void show(StringBuilder out, Object value) {
        if (value instanceof String text) {
            String cut = text.length() > 64 ? text.substring(0, 64) + "…" : text;
            Json.quote(out, cut.replaceAll("\\p{Cntrl}", "?"));
        } else if (value instanceof Iterable<?> items) {
            out.append('[');
            int shown = 0;
            for (Object item : items) {
                out.append(shown == 0 ? "" : ", ");
                if (shown++ == 8) {
                    out.append('…');
                    break;
                }
                show(out, item);
            }
            out.append(']');
        } else if (value instanceof byte[] bytes) {
            out.append(bytes.length).append(" bytes");
        } else if (value instanceof Map<?, ?> map) {
            show(out, map.entrySet());
        } else if (value instanceof Map.Entry<?, ?> entry) {
            show(out, entry.getKey());
            out.append(':');
            show(out, entry.getValue());
        } else if (value != null && value.getClass().isArray()) {
            show(out, Collected.listOf(value));
        } else {
            out.append(value);
        }
    }
}
