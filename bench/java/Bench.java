import aldis.Limits;
import aldis.codec.In;
import aldis.codec.Out;
import com.example.flat.Reading;
import com.example.ints.Ints;
import com.example.proto.Account;
import com.example.proto.Balance;
import com.example.proto.Order;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Generated Java against codecs by hand and peers; the first of a table's rows is what the ratios are of. */
public final class Bench {
    private static final In IN = new In();
    private static final Out OUT = new Out();

    private Bench() {}

    public static void main(String[] args) throws Exception {
        Race race = new Race();
        account(race, Files.readAllBytes(Path.of(args[0])));
        reading(race);
        ints(race);
        race.run();
    }

    private static In in(byte[] bytes) {
        return IN.of(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private static void account(Race race, byte[] bytes) {
        byte[] target = new byte[bytes.length + 64];
        HandAccount.Account hand = new HandAccount.Account();
        check(HandAccount.read(bytes, 0, bytes.length, hand), "the floor reads it");
        check(HandAccount.write(target, 0, hand) == bytes.length && Arrays.equals(target, 0, bytes.length, bytes, 0, bytes.length), "and writes it");
        Account own = Account.decode(bytes);
        check(own.name().equals(hand.name) && Arrays.equals(own.encode(), bytes), "so does generated code");
        race.add("FBE account, encode", "by hand", () -> HandAccount.write(target, 0, hand));
        race.add("FBE account, encode", "aldis", () -> {
            own.encode(OUT.into(target, 0));
            return OUT.size();
        });
        race.add("FBE account, decode, texts kept", "by hand", () -> HandAccount.read(bytes, 0, bytes.length, hand) ? 1 : 0);
        Account used = Account.decode(bytes);
        race.add("FBE account, decode, texts kept", "aldis", () -> Account.decode(in(bytes), used).id());
        race.add("FBE account, decode, fresh", "by hand", () -> {
            HandAccount.Account fresh = new HandAccount.Account();
            return HandAccount.read(bytes, 0, bytes.length, fresh) ? fresh.id : 0;
        });
        race.add("FBE account, decode, fresh", "aldis", () -> Account.decode(bytes).id());
    }

    private static void reading(Race race) {
        HandReading hand = new HandReading();
        hand.time = 1_700_000_000_000L;
        hand.station = 4711;
        hand.temperature = -1250;
        hand.pressure = 101325;
        hand.humidity = 77;
        hand.wind = 13;
        hand.rain = 2;
        hand.place = "EDDF";
        hand.sky = "overcast";
        hand.observer = "Ada";
        byte[] target = new byte[128];
        byte[] bytes = Arrays.copyOf(target, hand.write(target, 0));
        hand.write(bytes, 0);
        Reading own = Reading.decode(bytes);
        check(own.sky().equals("overcast") && Arrays.equals(own.encode(), bytes), "generated code writes what the floor writes");
        race.add("SBE flat, encode", "by hand", () -> hand.write(target, 0));
        race.add("SBE flat, encode", "aldis", () -> {
            own.encode(OUT.into(target, 0));
            return OUT.size();
        });
        HandReading read = new HandReading();
        race.add("SBE flat, decode, texts kept", "by hand", () -> read.read(bytes, 0, bytes.length) ? read.station : 0);
        Reading used = new Reading();
        race.add("SBE flat, decode, texts kept", "aldis", () -> Reading.decode(in(bytes), used).station());
        race.add("SBE flat, decode, fresh", "by hand", () -> {
            HandReading fresh = new HandReading();
            return fresh.read(bytes, 0, bytes.length) ? fresh.station : 0;
        });
        race.add("SBE flat, decode, fresh", "aldis", () -> Reading.decode(bytes).station());
    }

    private static void ints(Race race) {
        HandInts hand = new HandInts();
        hand.a = -1;
        hand.b = -2;
        hand.c = 3_000_000_000L;
        hand.d = -4;
        hand.e = 50_000;
        hand.f = -6;
        hand.g = 200;
        byte[] target = new byte[64];
        byte[] bytes = Arrays.copyOf(target, hand.write(target, 0));
        hand.write(bytes, 0);
        Ints own = Ints.decode(bytes);
        check(own.c() == hand.c && Arrays.equals(own.encode(), bytes), "generated code writes what the floor writes");
        race.add("Cap'n Proto, 7 ints, encode", "by hand", () -> hand.write(target, 0));
        race.add("Cap'n Proto, 7 ints, encode", "aldis", () -> {
            own.encode(OUT.into(target, 0));
            return OUT.size();
        });
        HandInts read = new HandInts();
        race.add("Cap'n Proto, 7 ints, decode", "by hand", () -> read.read(bytes, 0, bytes.length) ? read.d : 0);
        Ints used = new Ints();
        race.add("Cap'n Proto, 7 ints, decode", "aldis", () -> Ints.decode(in(bytes), used).d());
    }
}
