import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Contestants by turns in short slices, in one JVM: the best and the median time of an operation, and what it allocates. */
final class Race {
    /** Some operations; gives a number that depends on all. */
    interface Work {
        long run();
    }

    private record Contestant(String what, String who, int each, Work work, double[] times, int[] turns) {}

    private static final int SLICES = Integer.getInteger("slices", 300);
    private static final long SLICE = 1_000_000;
    private static final com.sun.management.ThreadMXBean THREADS = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** So that nothing is left out as unused. */
    static long seen;

    private final List<Contestant> all = new ArrayList<>();

    /** A contestant whose work is so many operations. */
    void add(String what, String who, int each, Work work) {
        all.add(new Contestant(what, who, each, work, new double[SLICES], new int[] {16}));
    }

    private static double slice(Contestant one) {
        int turns = one.turns[0];
        long from = System.nanoTime();
        long sum = 0;
        for (int i = 0; i < turns; i++) sum += one.work.run();
        long took = System.nanoTime() - from;
        seen += sum;
        double turn = (double) took / turns;
        one.turns[0] = (int) Math.max(1, Math.min(1 << 20, SLICE / Math.max(turn, 1)));
        return turn / one.each;
    }

    /** The bytes that an operation allocates, in the round with the fewest: a compiler may have taken over within one. */
    private static double bytes(Contestant one) {
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) seen += one.work.run();
            least = Math.min(least, (THREADS.getCurrentThreadAllocatedBytes() - before) / 1000.0 / one.each);
        }
        return least;
    }

    void run() {
        for (int i = 0; i < SLICES / 2; i++) for (Contestant one : all) slice(one);
        for (int i = 0; i < SLICES; i++) for (Contestant one : all) one.times[i] = slice(one);
        for (Contestant one : all) {
            Arrays.sort(one.times);
            System.out.printf(Locale.ROOT, "%s\t%s\t%.2f\t%.2f\t%.0f%n", one.what, one.who, one.times[0], one.times[SLICES / 2], bytes(one));
        }
    }
}
