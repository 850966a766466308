package aldis.codec;

import aldis.Code;
import aldis.CodecException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** Answers requests of the testee protocol until standard input ends. */
public final class TesteeProgram {
    private final String list;
    private final Map<String, Shape> shapes = new HashMap<>();
    private final Map<String, Form> forms = new HashMap<>();

    private static final class Form {
        final Map<String, BiFunction<byte[], Structure, Structure>> decode = new HashMap<>();
        /** The value that was decoded last, to be decoded into. */
        final Map<String, Structure> used = new HashMap<>();
        final Map<String, Consumer<byte[]>> verify = new HashMap<>();
        final Map<String, Function<byte[], Structure>> view = new HashMap<>();
        final Map<String, BiFunction<Structure, Structure, byte[]>> encode = new HashMap<>();
        Function<byte[], String> identify;
        String header;
    }

    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refusal(String message) {
            super(message);
        }
    }

    public TesteeProgram(String list) {
        this.list = list;
    }

    private Form form(String name) {
        return forms.computeIfAbsent(name, key -> new Form());
    }

    public void message(String name, Shape shape) {
        shapes.put(name, shape);
    }

    public void codec(
        String form,
        String name,
        BiFunction<byte[], Structure, Structure> decode,
        BiFunction<Structure, Structure, byte[]> encode,
        Consumer<byte[]> verify,
        Function<byte[], Structure> view
    ) {
        form(form).decode.put(name, decode);
        form(form).verify.put(name, verify);
        form(form).view.put(name, view);
        form(form).encode.put(name, encode);
    }

    public void identify(String form, Function<byte[], String> identify) {
        form(form).identify = identify;
    }

    public void header(String form, String name) {
        form(form).header = name;
    }

    public void answer() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.print(reply(line) + "\n");
            out.flush();
        }
    }

    private String reply(String line) {
        String[] fields = line.split("\t", -1);
        String id = fields[0] + "\t";
        try {
            boolean isList = fields.length == 2 && fields[1].equals("list");
            boolean isRequest = fields.length == 6 && (fields[1].equals("convert") || fields[1].equals("view"));
            if (!isList && !isRequest || isRequest && !fields[5].matches("(?:[0-9a-fA-F]{2})*")) {
                return "-\terror\tbad-request\t-\texpected ID list, or ID convert|view MESSAGE FROM TO HEX, between TABs";
            }
            byte[] found = isList ? list.getBytes(StandardCharsets.UTF_8) : result(fields);
            return id + "ok\t" + HexFormat.of().formatHex(found);
        } catch (Refusal refusal) {
            return id + "unsupported\t" + refusal.getMessage();
        } catch (CodecException fault) {
            String path = fault.path();
            String words = (path.isEmpty() ? "" : path + ": ") + (fault.detail().isEmpty() ? fault.code().wire() : fault.detail());
            String place = fault.offset() < 0 ? "-" : Long.toString(fault.offset());
            return id + "error\t" + fault.code().wire() + "\t" + place + "\t" + words.replaceAll("[\t\r\n]", " ");
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError escaped) {
            StackTraceElement[] trace = escaped.getStackTrace();
            String words = escaped + " " + (trace.length == 0 ? "" : trace[0].toString());
            return id + "error\tescaped\t-\t" + words.replaceAll("\\s+", " ");
        }
    }

    private byte[] result(String[] fields) {
        String from = fields[3];
        String to = fields[4];
        for (String form : new String[] {from, to}) {
            if (!form.equals("json") && !forms.containsKey(form)) throw new Refusal("this schema has no form " + form);
        }
        byte[] bytes = HexFormat.of().parseHex(fields[5]);
        String name = fields[2];
        if (name.equals("-")) {
            if (from.equals("json")) throw new Refusal("JSON does not say which message it is");
            if (form(from).identify == null) throw unknown("messages of this form do not say what they are");
            name = form(from).identify.apply(bytes);
        }
        if (!shapes.containsKey(name)) throw unknown("the schema has no message " + name);
        boolean isJson = from.equals("json");
        boolean isView = fields[1].equals("view");
        Structure value = isJson ? (Structure) Json.read(shapes.get(name), bytes) : decoded(form(from), name, bytes, isView);
        if (to.equals("json")) return value.toJson().getBytes(StandardCharsets.UTF_8);
        Form target = form(to);
        boolean hasHeader = target.header != null && !target.header.equals(name) && !isJson;
        Structure header = hasHeader ? decoded(target, target.header, bytes, false) : null;
        return target.encode.get(name).apply(value, header);
    }

    /** All fields of a view must be those of an object that was used before, into which the message, which was checked, is decoded. */
    private Structure decoded(Form form, String name, byte[] bytes, boolean isView) {
        Structure fresh = Json.fresh(shapes.get(name));
        if (!isView) return form.decode.get(name).apply(bytes, fresh);
        form.verify.get(name).accept(bytes);
        Structure used = form.decode.get(name).apply(bytes, form.used.computeIfAbsent(name, key -> fresh));
        Structure viewed = form.view.get(name).apply(bytes);
        if (!viewed.equals(used)) throw new IllegalStateException("the view is " + viewed + ", and decoded is " + used);
        return viewed;
    }

    private static CodecException unknown(String detail) {
        return new CodecException(Code.UNKNOWN_MESSAGE, -1, detail);
    }
}
