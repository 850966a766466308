import aldis.CodecException;
import aldis.codec.Draft;
import aldis.codec.DraftPart;
import aldis.codec.Structure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * A field that is set where it lies gives the bytes, or the fault, of the whole value with that field. Arguments: `CLASS SUFFIX FILE …`
 * for each message, one after another, each ended by `;`.
 */
public final class Drafts {
    private static int done;

    public static void main(String[] args) throws Exception {
        List<String> given = new ArrayList<>();
        for (String arg : args) {
            if (arg.equals(";")) {
                message(given);
                given.clear();
            } else {
                given.add(arg);
            }
        }
        check(done > 1_000, "only " + done + " fields were set");
        System.out.println("done");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private record Outcome(byte[] bytes, String fault) {
        static Outcome of(Callable<byte[]> run, String inner) throws Exception {
            try {
                return new Outcome(run.call(), null);
            } catch (InvocationTargetException error) {
                if (!(error.getCause() instanceof CodecException fault)) throw error;
                String path = inner.isEmpty() || fault.path().isEmpty() ? inner + fault.path() : inner + "." + fault.path();
                return new Outcome(null, fault.code() + " " + fault.offset() + " " + path + " " + fault.detail());
            }
        }

        boolean isAs(Outcome other) {
            return Arrays.equals(bytes, other.bytes) && java.util.Objects.equals(fault, other.fault);
        }
    }

    /** A draft of a record, and how it is reached in drafts and in values. */
    private record Place(List<Method> steps, DraftPart part) {
        Object in(Object value) throws Exception {
            Object found = value;
            for (Method step : steps) {
                if (found == null) return null;
                found = found.getClass().getMethod(step.getName()).invoke(found);
            }
            return found;
        }

        String path() {
            return String.join(".", steps.stream().map(Method::getName).toList());
        }
    }

    private static void places(DraftPart part, List<Method> steps, List<Place> found) throws Exception {
        found.add(new Place(steps, part));
        for (Method method : part.getClass().getDeclaredMethods()) {
            if (method.getParameterCount() != 0 || !DraftPart.class.isAssignableFrom(method.getReturnType())) continue;
            if (method.getName().startsWith("clear")) continue;
            List<Method> inner = new ArrayList<>(steps);
            inner.add(method);
            places((DraftPart) method.invoke(part), inner, found);
        }
    }

    private static void message(List<String> given) throws Exception {
        Class<?> type = Class.forName(given.get(0));
        String suffix = given.get(1).equals("-") ? "" : given.get(1);
        List<Structure> values = new ArrayList<>();
        for (String file : given.subList(2, given.size())) {
            values.add((Structure) type.getMethod("decode" + suffix, byte[].class).invoke(null, Files.readAllBytes(Path.of(file))));
        }
        Method encode = type.getMethod("encode" + suffix);
        for (Structure value : values) {
            byte[] bytes = (byte[]) encode.invoke(value);
            Draft draft = (Draft) Class.forName(given.get(0) + "Draft" + suffix).getConstructor(type).newInstance(value);
            check(Arrays.equals(draft.encode(), bytes), type + " begins with other bytes");
            places(draft, bytes);
            List<Place> all = new ArrayList<>();
            places(draft, List.of(), all);
            for (Place place : all) {
                if (place.in(value) == null) continue;
                for (Method setter : place.part.getClass().getDeclaredMethods()) {
                    if (!java.lang.reflect.Modifier.isPublic(setter.getModifiers())) continue;
                    if (setter.getReturnType() != place.part.getClass()) continue;
                    for (Object to : wanted(place, setter, values)) set(draft, place, setter, new Object[] {to}, value, encode);
                    if (setter.getParameterCount() == 0) set(draft, place, setter, new Object[0], value, encode);
                }
            }
        }
    }

    /** Values to set: those of other messages, and others that do not fit. */
    private static List<Object> wanted(Place place, Method setter, List<Structure> values) throws Exception {
        List<Object> found = new ArrayList<>();
        if (setter.getParameterCount() == 0) return found;
        Class<?> taken = setter.getParameterTypes()[0];
        for (Structure other : values) {
            Object record = place.in(other);
            if (record == null) continue;
            try {
                Object of = record.getClass().getMethod(setter.getName()).invoke(record);
                if (!(of instanceof Enum<?> known && known.name().equals("UNRECOGNIZED"))) found.add(of);
            } catch (InvocationTargetException none) {
                // The number is null.
            }
        }
        if (taken == int.class) found.addAll(List.of(-1, 70_000, Integer.MIN_VALUE));
        if (taken == long.class) found.addAll(List.of(-1L, 1L << 40, Long.MIN_VALUE));
        if (taken == double.class) found.addAll(List.of(Double.NaN, -0.0));
        if (taken == float.class) found.addAll(List.of(Float.NaN, -0f));
        if (taken == boolean.class) found.addAll(List.of(true, false));
        if (taken == String.class) found.addAll(List.of("x".repeat(300), "\ud800", "é", ""));
        if (taken.isArray()) found.add(java.lang.reflect.Array.newInstance(taken.componentType(), 999));
        if (!taken.isPrimitive() && !taken.isEnum()) found.add(null);
        return found;
    }

    private static void set(Draft draft, Place place, Method setter, Object[] args, Structure value, Method encode) throws Exception {
        byte[] before = new byte[draft.encode().length];
        draft.into(before, 0);
        before = draft.encode();
        String path = place.path();
        Outcome set = Outcome.of(() -> {
            setter.invoke(place.part, args);
            return draft.encode();
        }, path);
        Structure whole = value.copy();
        Object record = place.in(whole);
        record.getClass().getMethod(setter.getName(), setter.getParameterTypes()).invoke(record, args);
        Outcome wanted = Outcome.of(() -> (byte[]) encode.invoke(whole), "");
        check(set.isAs(wanted), setter + " of " + Arrays.toString(args) + " in " + path + ": " + set + ", not " + wanted);
        if (set.fault != null) check(Arrays.equals(draft.encode(), before), setter + " was refused, but stored a part");
        done++;
    }

    /** Anywhere in memory of others, whose bytes around it stay; what has no room is refused, and moves nothing. */
    private static void places(Draft draft, byte[] bytes) {
        byte[] target = new byte[bytes.length + 20];
        Arrays.fill(target, (byte) 0xaa);
        check(draft.into(target, 7) == bytes.length + 7, "the message ends elsewhere");
        check(Arrays.equals(Arrays.copyOfRange(target, 7, bytes.length + 7), bytes), "other bytes");
        for (int i = 0; i < 20; i++) check(target[i < 7 ? i : bytes.length + i] == (byte) 0xaa, "bytes around it are other ones");
        for (var room : List.of(Map.entry(target, 21), Map.entry(target, -1), Map.entry(new byte[bytes.length - 1], 0), Map.entry(new byte[9], 10))) {
            try {
                draft.into(room.getKey(), room.getValue());
                throw new AssertionError("there is no room for it");
            } catch (IndexOutOfBoundsException refused) {
                check(Arrays.equals(draft.encode(), bytes), "the draft moved");
            }
        }
    }
}
