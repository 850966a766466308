import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Contestants by turns in short slices, in one JVM: the best and the median time of an operation, and what it allocates. */
final class Race {
    interface Work {
        long run();
    }

    private static final class Contestant {
        final String what;
        final String who;
        final Work work;
        final double[] times = new double[SLICES];
        long bytes;
        int turns = 16;

        Contestant(String what, String who, Work work) {
            this.what = what;
            this.who = who;
            this.work = work;
        }
    }

    private static final int SLICES = Integer.getInteger("slices", 600);
    private static final long SLICE = 1_000_000;
    private static final com.sun.management.ThreadMXBean THREADS = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** So that nothing is left out as unused. */
    static long seen;

    private final List<Contestant> all = new ArrayList<>();

    void add(String what, String who, Work work) {
        all.add(new Contestant(what, who, work));
    }

    private static double slice(Contestant one) {
        long from = System.nanoTime();
        long sum = 0;
        for (int i = 0; i < one.turns; i++) sum += one.work.run();
        long took = System.nanoTime() - from;
        seen += sum;
        double each = (double) took / one.turns;
        one.turns = (int) Math.max(1, Math.min(1 << 20, SLICE / Math.max(each, 1)));
        return each;
    }

    void run() {
        for (int i = 0; i < SLICES / 2; i++) for (Contestant one : all) slice(one);
        for (int i = 0; i < SLICES; i++) for (Contestant one : all) one.times[i] = slice(one);
        for (Contestant one : all) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) seen += one.work.run();
            one.bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / 1000;
        }
        String what = "";
        double floor = 0;
        System.out.printf(Locale.ROOT, "%-34s %-12s %9s %9s %9s %9s%n", "", "", "best ns", "median", "bytes", "ratio");
        for (Contestant one : all) {
            Arrays.sort(one.times);
            double best = one.times[0];
            boolean isFirst = !one.what.equals(what);
            if (isFirst) floor = best;
            System.out.printf(Locale.ROOT, "%-34s %-12s %9.1f %9.1f %9d %9.2f%n", isFirst ? one.what : "", one.who, best, one.times[SLICES / 2], one.bytes, best / floor);
            what = one.what;
        }
    }
}
