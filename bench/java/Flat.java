import com.example.flat.Reading;
import com.example.flat.ReadingDraft;
import com.example.flat.ReadingView;
import java.util.Arrays;
import peer.flat.ReadingDto;

/** A flat SBE message of 59 bytes: many of them one behind another, each with other texts. */
final class Flat {
    private static final int MANY = 16;
    private static final int SIZE = 60;
    private static final String[] SKIES = {"overcast", "drizzles"};

    private Flat() {}

    private static HandReading value(int i) {
        HandReading hand = new HandReading();
        hand.time = 1_700_000_000_000L + i;
        hand.station = 4711;
        hand.temperature = -1250;
        hand.pressure = 101325;
        hand.humidity = 77;
        hand.wind = 13;
        hand.rain = i;
        hand.place = i % 2 == 0 ? "EDDF" : "EGLL";
        hand.sky = SKIES[i % 2];
        hand.observer = i % 2 == 0 ? "Ada" : "Eva";
        return hand;
    }

    static void add(Race race) {
        byte[] bytes = new byte[MANY * SIZE];
        byte[] target = new byte[MANY * SIZE + 64];
        HandReading[] hands = new HandReading[MANY];
        Reading[] owns = new Reading[MANY];
        for (int i = 0; i < MANY; i++) {
            hands[i] = value(i);
            int size = hands[i].write(target, i * SIZE);
            Bench.check(size == i * SIZE + 59, "59 bytes: " + size);
        }
        System.arraycopy(target, 0, bytes, 0, bytes.length);
        for (int i = 0; i < MANY; i++) {
            byte[] one = Arrays.copyOfRange(bytes, i * SIZE, i * SIZE + 59);
            owns[i] = Reading.decode(one);
            Bench.check(owns[i].sky().equals(SKIES[i % 2]) && Arrays.equals(owns[i].encode(), one), "generated code writes what the floor writes");
        }
        encode(race, hands, owns, target);
        drafts(race, hands, owns[0], target);
        decode(race, bytes);
        dto(race, bytes, target);
        view(race, bytes);
    }

    private static void encode(Race race, HandReading[] hands, Reading[] owns, byte[] target) {
        race.add("SBE flat, encode", "by hand", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += hands[i].write(target, i * SIZE);
            return sum;
        });
        race.add("SBE flat, encode", "aldis", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) {
                sum += owns[i].encode(target, i * SIZE);
            }
            return sum;
        });
        SbeToolReading tool = new SbeToolReading(target);
        race.add("SBE flat, encode", "sbe-tool's flyweights", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += tool.write(i * SIZE, hands[i]);
            return sum;
        });
    }

    private static void set(ReadingDraft draft, HandReading v) {
        draft.time(v.time).station(v.station).temperature(v.temperature).pressure(v.pressure).humidity(v.humidity).wind(v.wind).rain(v.rain);
        draft.place(v.place);
    }

    /** The block alone: texts are those of the first message. */
    private static void drafts(Race race, HandReading[] hands, Reading first, byte[] target) {
        ReadingDraft draft = new ReadingDraft(first);
        draft.into(target, 0);
        set(draft, hands[1]);
        byte[] set = first.copy().time(hands[1].time).rain(hands[1].rain).place(hands[1].place).encode();
        Bench.check(Arrays.equals(draft.encode(), set), "a draft sets what is written");
        race.add("SBE flat, encode", "aldis, a draft begun anew", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) {
                sum += draft.into(target, i * SIZE);
                set(draft, hands[i]);
            }
            return sum;
        });
        ReadingDraft there = new ReadingDraft(first);
        there.into(target, 0);
        race.add("SBE flat, encode", "aldis, a draft that is there", MANY, () -> {
            for (int i = 0; i < MANY; i++) set(there, hands[i]);
            return target[8];
        });
        SbeToolReading tool = new SbeToolReading(target);
        race.add("SBE flat, encode", "sbe-tool's flyweights, no texts", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += tool.block(i * SIZE, hands[i]);
            return sum;
        });
    }

    private static void decode(Race race, byte[] bytes) {
        HandReading read = new HandReading();
        race.add("SBE flat, decode", "by hand", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += read.read(bytes, i * SIZE, i * SIZE + 59) ? read.station : 0;
            return sum;
        });
        Reading used = new Reading();
        race.add("SBE flat, decode", "aldis", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += Reading.decode(Bench.in(bytes, i * SIZE, 59), used).station();
            return sum;
        });
        SbeToolReading tool = new SbeToolReading(bytes);
        HandReading into = new HandReading();
        race.add("SBE flat, decode", "sbe-tool's flyweights", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) {
                tool.read(i * SIZE, into);
                sum += into.station;
            }
            return sum;
        });
        HandReading kept = new HandReading();
        race.add("SBE flat, decode, texts kept", "by hand", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += kept.read(bytes, 0, 59) ? kept.station : 0;
            return sum;
        });
        Reading again = new Reading();
        race.add("SBE flat, decode, texts kept", "aldis", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += Reading.decode(Bench.in(bytes, 0, 59), again).station();
            return sum;
        });
    }

    private static void dto(Race race, byte[] bytes, byte[] target) {
        SbeToolReading reader = new SbeToolReading(bytes);
        SbeToolReading writer = new SbeToolReading(target);
        ReadingDto[] dtos = new ReadingDto[MANY];
        for (int i = 0; i < MANY; i++) dtos[i] = reader.readDto(i * SIZE);
        race.add("SBE flat, encode", "sbe-tool's DTOs", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += writer.writeDto(i * SIZE, dtos[i]);
            return sum;
        });
        race.add("SBE flat, decode", "sbe-tool's DTOs", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += reader.readDto(i * SIZE).station();
            return sum;
        });
    }

    private static long sum(ReadingView view) {
        return view.time() + view.station() + view.temperature() + view.pressure() + view.humidity() + view.wind() + view.rain();
    }

    private static void view(Race race, byte[] bytes) {
        HandReading hand = new HandReading();
        SbeToolReading tool = new SbeToolReading(bytes);
        ReadingView view = new ReadingView();
        Bench.check(sum(ReadingView.verify(Bench.in(bytes, 0, 59), view)) == tool.sum(0) && hand.sum(bytes, 0, 59) == tool.sum(0), "views read the same");
        race.add("SBE flat, view of seven numbers", "by hand", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += hand.sum(bytes, i * SIZE, i * SIZE + 59);
            return sum;
        });
        race.add("SBE flat, view of seven numbers", "aldis", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += sum(ReadingView.verify(Bench.in(bytes, i * SIZE, 59), view));
            return sum;
        });
        race.add("SBE flat, view of seven numbers", "sbe-tool's flyweights", MANY, () -> {
            long sum = 0;
            for (int i = 0; i < MANY; i++) sum += tool.sum(i * SIZE);
            return sum;
        });
    }
}
