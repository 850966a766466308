import com.example.ints.Ints;
import java.util.Arrays;

/** Seven integers of Cap'n Proto. */
final class Numbers {
    private static final int MANY = 16;
    private static final int SIZE = 48;

    private Numbers() {}

    static void add(Race race) {
        byte[] bytes = new byte[MANY * SIZE];
        byte[] target = new byte[MANY * SIZE];
        HandInts[] hands = new HandInts[MANY];
        Ints[] owns = new Ints[MANY];
        for (int i = 0; i < MANY; i++) {
            hands[i] = value(i);
            hands[i].write(bytes, i * SIZE);
            byte[] one = Arrays.copyOfRange(bytes, i * SIZE, (i + 1) * SIZE);
            owns[i] = Ints.decode(one);
            Bench.check(owns[i].c() == hands[i].c && Arrays.equals(owns[i].encode(), one), "generated code writes what the floor writes");
        }
        race.add("Cap'n Proto, 7 ints, encode", "by hand", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += hands[i].write(target, i * SIZE);
            return sum;
        });
        race.add("Cap'n Proto, 7 ints, encode", "aldis", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) {
                sum += owns[i].encode(target, i * SIZE);
            }
            return sum;
        });
        byte[] one = new byte[2 * SIZE];
        byte[] first = Arrays.copyOf(bytes, SIZE);
        Bench.check(CapnprotoJava.write(one, hands[0]) == SIZE && Arrays.equals(one, 0, SIZE, first, 0, SIZE), "capnproto-java writes the same");
        race.add("Cap'n Proto, 7 ints, encode", "capnproto-java", 1, () -> CapnprotoJava.write(one, hands[0]));
        HandInts read = new HandInts();
        race.add("Cap'n Proto, 7 ints, decode", "by hand", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += read.read(bytes, i * SIZE, (i + 1) * SIZE) ? read.d : 0;
            return sum;
        });
        Ints used = new Ints();
        race.add("Cap'n Proto, 7 ints, decode", "aldis", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += Ints.decode(Bench.in(bytes, i * SIZE, SIZE), used).d();
            return sum;
        });
        HandInts into = new HandInts();
        race.add("Cap'n Proto, 7 ints, decode", "capnproto-java", 1, () -> {
            CapnprotoJava.read(first, into);
            return into.d;
        });
    }

    private static HandInts value(int i) {
        HandInts hand = new HandInts();
        hand.a = -1;
        hand.b = -2 - i;
        hand.c = 3_000_000_000L;
        hand.d = -4;
        hand.e = 50_000;
        hand.f = -6;
        hand.g = 200;
        return hand;
    }
}
