package aldis.codec;

import aldis.CodecException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The JSON of Cap'n Proto (compat/json): null fields are left out, keys that mean nothing are skipped, a union's arm may be a member of
 * the record around it, and so may the members of what is flattened.
 */
final class Shaped {
    private Shaped() {}

    private static final Object NONE = new Object();

    static final class Loose extends Shape {
        final Shape number;
        private final boolean wide;

        Loose(Shape number, boolean wide) {
            this.number = number;
            this.wide = wide;
        }

        @Override protected void write(StringBuilder out, Object value) {
            if (wide) number.writeKey(out, value);
            else number.write(out, value);
        }

        @Override protected Object read(JsonParser in) {
            if (in.peek() != '"') return number.read(in);
            int at = in.at;
            String text = in.string();
            if (JsonParser.numberEnd(text, 0) != text.length()) throw JsonParser.bad(at, "expected an integer in the text");
            try {
                return number.read(new JsonParser(text));
            } catch (CodecException fault) {
                throw fault.at(at);
            }
        }
    }

    static final class OrNaN extends Shape {
        private final Numbers.OfFloat number;

        OrNaN(Numbers.OfFloat number) {
            this.number = number;
        }

        @Override protected void write(StringBuilder out, Object value) {
            number.write(out, value);
        }

        @Override protected Object read(JsonParser in) {
            return in.word("null") ? number.of(Double.NaN) : number.read(in);
        }
    }

    /** The members of an object as they are written. */
    private static final class Members {
        final StringBuilder out;
        private boolean any;

        Members(StringBuilder out) {
            this.out = out;
        }

        StringBuilder member(String key) {
            if (any) out.append(',');
            any = true;
            Json.quote(out, key);
            return out.append(':');
        }
    }

    /** The places of an object's members, found before they are read: they come in any order. */
    private record Found(Map<String, Integer> at, int end) {
        static Found in(JsonParser p) {
            Map<String, Integer> at = new HashMap<>();
            p.expect('{', "an object");
            for (boolean first = true; !p.closes('}', first); first = false) {
                int start = p.place();
                String key = p.string();
                p.expect(':', "`:`");
                int place = p.place();
                try {
                    if (at.containsKey(key)) throw JsonParser.bad(start, "the field is given twice");
                    at.put(key, place);
                    p.skip(p.depth());
                } catch (CodecException fault) {
                    throw fault.within(key);
                }
            }
            return new Found(at, p.at);
        }
    }

    /** A shape that is an object whose members may be those of the object around it. */
    private interface Flat {
        boolean isShaped();

        void members(Object value, String prefix, Members out);

        boolean isGiven(Found members, String prefix, int depth);

        Object from(JsonParser p, Found members, String prefix);
    }

    /** The type of a member, whether it may be null or not. */
    private static Flat flat(Json.Field field) {
        return (Flat) (field.shape instanceof Json.OfOptional optional ? optional.inner : field.shape);
    }

    private static Object readShaped(Flat type, JsonParser p) {
        Found members = Found.in(p);
        Object value = type.from(p, members, "");
        p.at = members.end;
        return value;
    }

    private static void write(Flat type, StringBuilder out, Object value) {
        out.append('{');
        type.members(value, "", new Members(out));
        out.append('}');
    }

    /** When a null is written: a record's field if it is nothing but null, a union's arm as another member tells. */
    private enum Nulls { NEVER, ALWAYS, EMPTY, TOLD }

    private static String nullText(Shape shape, Nulls nulls, boolean flat) {
        boolean nothing = shape == Json.NOTHING;
        if (nulls == Nulls.ALWAYS || nulls == Nulls.NEVER && nothing) return "null";
        if (nulls == Nulls.NEVER || nulls == Nulls.TOLD && nothing || flat) return null;
        return shape.empty() == null ? "null" : shape.empty();
    }

    private static void writeMember(Members out, String prefix, Json.Field field, Object value, Nulls nulls, String called) {
        boolean flat = field.prefix != null && called == null;
        String key = prefix + (called == null ? field.key : called);
        if (value == null) {
            String text = nullText(field.shape, nulls, flat);
            if (text != null) out.member(key).append(text);
        } else if (flat) {
            flat(field).members(value, prefix + field.prefix, out);
        } else {
            field.shape.write(out.member(key), value);
        }
    }

    /** The value of a field or arm, where one of its members is given. */
    private static Object memberOf(JsonParser p, Json.Field field, Found members, String prefix) {
        if (field.prefix == null) return atKey(p, prefix + field.key, field, members);
        Flat type = flat(field);
        String inner = prefix + field.prefix;
        return type.isGiven(members, inner, p.depth()) ? type.from(p, members, inner) : NONE;
    }

    private static Object atKey(JsonParser p, String key, Json.Field field, Found members) {
        Integer at = members.at.get(key);
        if (at == null) return NONE;
        p.at = at;
        return framed(key, () -> field.read(p));
    }

    private static boolean isMemberGiven(Json.Field field, Found members, String prefix, int depth) {
        if (field.prefix != null) return flat(field).isGiven(members, prefix + field.prefix, depth);
        if (field.unnamed) return flat(field).isGiven(members, prefix, depth);
        return members.at.containsKey(prefix + field.key);
    }

    private static <T> T framed(String key, Supplier<T> run) {
        try {
            return run.get();
        } catch (CodecException fault) {
            throw fault.within(key);
        }
    }

    private static <T> T refused(String key, int at, String detail) {
        throw JsonParser.bad(at, detail).within(key);
    }

    /** Skips what a key that means nothing leads to. */
    private static void skip(JsonParser p, String key, int at, Set<String> skipped) {
        if (!skipped.add(key)) refused(key, at, "the key is given twice");
        p.expect(':', "`:`");
        framed(key, () -> {
            p.skip(p.depth());
            return null;
        });
    }

    static final class OfShape extends Json.OfRecord implements Flat {
        private record Place(int index, Json.Field field, OfUnion union) {}

        private volatile Map<String, Place> places;

        OfShape(Supplier<? extends Structure> fresh, Supplier<Json.Field[]> fields) {
            super(fresh, new int[0], fields);
        }

        /** The owner of a key: a field, or an arm of a union without a name. */
        private Map<String, Place> places() {
            if (places != null) return places;
            Map<String, Place> found = new HashMap<>();
            Json.Field[] all = fields();
            for (int i = 0; i < all.length; i++) if (!all[i].unnamed) found.putIfAbsent(all[i].key, new Place(i, all[i], null));
            for (int i = 0; i < all.length; i++) {
                if (!all[i].unnamed) continue;
                OfUnion union = (OfUnion) all[i].shape;
                for (Json.Field arm : union.arms()) found.putIfAbsent(arm.key, new Place(i, arm, union));
            }
            places = found;
            return found;
        }

        @Override String empty() {
            return "{}";
        }

        @Override public boolean isShaped() {
            for (Json.Field field : fields()) {
                if (field.prefix != null || field.unnamed && flat(field).isShaped()) return true;
            }
            return false;
        }

        @Override public void members(Object value, String prefix, Members out) {
            Json.Field[] all = fields();
            for (int i = 0; i < all.length; i++) {
                Object item = ((Structure) value).get(i);
                if (all[i].unnamed) {
                    flat(all[i]).members(item, prefix, out);
                    continue;
                }
                try {
                    writeMember(out, prefix, all[i], item, Nulls.NEVER, null);
                } catch (CodecException fault) {
                    throw fault.within(all[i].name);
                }
            }
        }

        @Override protected void write(StringBuilder out, Object value) {
            Shaped.write(this, out, value);
        }

        @Override public boolean isGiven(Found members, String prefix, int depth) {
            if (depth == 0) return false;
            for (Json.Field field : fields()) if (isMemberGiven(field, members, prefix, depth - 1)) return true;
            return false;
        }

        @Override public Object from(JsonParser p, Found members, String prefix) {
            Json.Field[] all = fields();
            p.enter(all.length);
            Structure made = fresh.get();
            for (int i = 0; i < all.length; i++) {
                Object value = all[i].unnamed ? flat(all[i]).from(p, members, prefix) : memberOf(p, all[i], members, prefix);
                made.set(i, value == NONE ? all[i].absent(p) : value);
            }
            p.leave();
            return made;
        }

        @Override protected Object read(JsonParser p) {
            if (isShaped()) return readShaped(this, p);
            Json.Field[] all = fields();
            p.enter(all.length);
            p.expect('{', "an object");
            Structure made = fresh.get();
            boolean[] given = new boolean[all.length];
            Set<String> skipped = new HashSet<>();
            for (boolean first = true; !p.closes('}', first); first = false) {
                int at = p.place();
                String key = p.string();
                Place place = places().get(key);
                if (place == null) {
                    skip(p, key, at, skipped);
                    continue;
                }
                if (given[place.index]) refused(key, at, "the field, or another arm of the union, is given already");
                given[place.index] = true;
                p.expect(':', "`:`");
                Object value = framed(key, () -> place.field.read(p));
                made.set(place.index, place.union == null ? value : place.union.of.apply(place.field.tag, value));
            }
            for (int i = 0; i < all.length; i++) {
                if (given[i]) continue;
                Json.Field field = all[i];
                made.set(i, framed(field.key, () -> field.absent(p)));
            }
            p.leave();
            return made;
        }
    }

    static final class OfUnion extends Shape implements Flat {
        final BiFunction<Integer, Object, ? extends Choice> of;
        private final String told;
        private final String called;
        private final boolean emptyArms;
        private final Supplier<Json.Field[]> made;
        private volatile Json.Field[] arms;

        OfUnion(BiFunction<Integer, Object, ? extends Choice> of, String told, String called, boolean emptyArms, Supplier<Json.Field[]> arms) {
            this.of = of;
            this.told = told;
            this.called = called;
            this.emptyArms = emptyArms;
            made = arms;
        }

        Json.Field[] arms() {
            if (arms == null) arms = made.get();
            return arms;
        }

        @Override String empty() {
            return "{}";
        }

        @Override public boolean isShaped() {
            if (told != null) return true;
            for (Json.Field arm : arms()) if (arm.prefix != null) return true;
            return false;
        }

        @Override public void members(Object value, String prefix, Members out) {
            Choice choice = (Choice) value;
            for (Json.Field arm : arms()) {
                if (choice == null || arm.tag != choice.tag()) continue;
                Nulls nulls = emptyArms ? Nulls.EMPTY : arm.tag == 0 ? Nulls.NEVER : Nulls.ALWAYS;
                if (told != null) {
                    nulls = Nulls.TOLD;
                    Json.quote(out.member(prefix + told), arm.key);
                }
                try {
                    writeMember(out, prefix, arm, choice.held(), nulls, called);
                } catch (CodecException fault) {
                    throw fault.within(arm.name);
                }
                return;
            }
        }

        @Override protected void write(StringBuilder out, Object value) {
            Shaped.write(this, out, value);
        }

        @Override public boolean isGiven(Found members, String prefix, int depth) {
            if (depth == 0) return false;
            if (told != null && members.at.containsKey(prefix + told)) return true;
            for (Json.Field arm : arms()) if (isMemberGiven(arm, members, prefix, depth - 1)) return true;
            return false;
        }

        private Object firstArm(JsonParser p, int at) {
            for (Json.Field arm : arms()) if (arm.tag == 0) return of.apply(0, arm.absent(p));
            throw JsonParser.bad(at, "one member of the union must be given");
        }

        /** The arm that a member of its own tells, null where there is no such member. */
        private Json.Field armTold(JsonParser p, Found members, String prefix) {
            Integer at = told == null ? null : members.at.get(prefix + told);
            if (at == null) return null;
            p.at = at;
            String name = framed(prefix + told, p::string);
            for (Json.Field arm : arms()) if (arm.key.equals(name)) return arm;
            return refused(prefix + told, at, "no member of the union is called so");
        }

        @Override public Object from(JsonParser p, Found members, String prefix) {
            Json.Field arm = armTold(p, members, prefix);
            if (arm != null) {
                Object value = called == null ? memberOf(p, arm, members, prefix) : atKey(p, prefix + called, arm, members);
                return of.apply(arm.tag, value == NONE ? arm.absent(p) : value);
            }
            Object found = null;
            for (Json.Field one : arms()) {
                Object value = memberOf(p, one, members, prefix);
                if (value == NONE) continue;
                if (found != null) refused(one.name, members.end, "two members of one union are given");
                found = of.apply(one.tag, value);
            }
            return found == null ? firstArm(p, members.end) : found;
        }

        @Override protected Object read(JsonParser p) {
            if (isShaped()) return readShaped(this, p);
            int start = p.place();
            p.expect('{', "an object");
            Object found = null;
            Set<String> skipped = new HashSet<>();
            for (boolean first = true; !p.closes('}', first); first = false) {
                int at = p.place();
                String key = p.string();
                Json.Field known = null;
                for (Json.Field arm : arms()) if (known == null && arm.key.equals(key)) known = arm;
                if (known == null) {
                    skip(p, key, at, skipped);
                    continue;
                }
                if (found != null) refused(key, at, "one member of a union was given already");
                p.expect(':', "`:`");
                Json.Field arm = known;
                found = of.apply(arm.tag, framed(key, () -> arm.read(p)));
            }
            return found == null ? firstArm(p, start) : found;
        }
    }
}
