import aldis.Limits;
import aldis.codec.In;
import aldis.codec.Out;
import com.example.proto.Account;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Generated Java: {@code java Measured FOLDER}, where the messages are. */
public final class Measured {
    private static final int ROUNDS = 25;
    private static final long ROUND_NS = 10_000_000;
    private static final In IN = new In();
    private static final Out OUT = new Out();
    private static long kept;

    private Measured() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        byte[] target = new byte[4096];
        for (String form : new String[] {"standard", "final"}) {
            boolean isFinal = form.equals("final");
            byte[] bytes = Files.readAllBytes(folder.resolve(form + ".bin"));
            Account value = isFinal ? Account.decodeFinal(bytes) : Account.decode(bytes);
            check(Arrays.equals(isFinal ? value.encodeFinal() : value.encode(), bytes), form);
            row("serialize", form, bytes.length, () -> {
                Out out = OUT.into(target, 0);
                if (isFinal) value.encodeFinal(out);
                else value.encode(out);
                return out.size();
            });
            row("deserialize", form, bytes.length, () -> (isFinal ? Account.decodeFinal(bytes) : Account.decode(bytes)).id());
            row("verify", form, bytes.length, () -> {
                In in = IN.of(bytes, 0, bytes.length, Limits.DEFAULT);
                if (isFinal) Account.verifyFinal(in);
                else Account.verify(in);
                return bytes[8];
            });
        }
        String text = Files.readString(folder.resolve("account.json")).strip();
        byte[] json = text.getBytes(StandardCharsets.UTF_8);
        Account value = Account.fromJson(json);
        check(value.toJson().equals(text), "json");
        row("serialize", "json", json.length, () -> value.toJson().length());
        row("deserialize", "json", json.length, () -> Account.fromJson(json).id());
        check(kept != 0, "nothing ran");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private static double run(LongSupplier task, long times) {
        long start = System.nanoTime();
        long sum = 0;
        for (long i = 0; i < times; i++) sum += task.getAsLong();
        kept += sum;
        return System.nanoTime() - start;
    }

    private static void row(String operation, String form, int size, LongSupplier task) {
        for (int i = 0; i < 40; i++) run(task, 2_000);
        long times = Math.max(1, Math.round(ROUND_NS / (run(task, 5_000) / 5_000)));
        double[] rounds = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) rounds[i] = run(task, times) / times;
        Arrays.sort(rounds);
        System.out.printf(Locale.ROOT, "%s %s %d %.1f %.1f%n", operation, form, size, rounds[0], rounds[ROUNDS / 2]);
    }
}
