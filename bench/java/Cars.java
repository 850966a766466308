import com.example.car.Car;
import java.util.Arrays;
import peer.car.CarDto;

/** The car of SBE's benchmarks. */
final class Cars {
    private Cars() {}

    /** The same car with other texts. */
    private static byte[] other(Car car) {
        Car other = car.copy();
        return other.code("fedcba").maker(car.maker().toUpperCase()).name(car.name().toUpperCase()).encode();
    }

    static void add(Race race, byte[] bytes) {
        byte[] target = new byte[bytes.length + 64];
        HandCar hand = new HandCar();
        Bench.check(hand.read(bytes, 0, bytes.length) && Bench.same(target, hand.write(target, 0), bytes), "the floor reads and writes the car");
        Car own = Car.decode(bytes);
        Bench.check(Arrays.equals(own.encode(), bytes) && own.fuel().size() == hand.fuel.size(), "so does generated code");
        byte[] changed = other(own);
        SbeToolCar writer = new SbeToolCar(target);
        Arrays.fill(target, (byte) 0);
        Bench.check(Bench.same(target, writer.write(0, hand), bytes), "and sbe-tool");
        race.add("SBE car, encode", "by hand", 1, () -> hand.write(target, 0));
        race.add("SBE car, encode", "aldis", 1, () -> {
            return own.encode(target, 0);
        });
        race.add("SBE car, encode", "sbe-tool's flyweights", 1, () -> writer.write(0, hand));
        HandCar read = new HandCar();
        race.add("SBE car, decode", "by hand", 2, () -> {
            boolean is = read.read(bytes, 0, bytes.length) && read.read(changed, 0, changed.length);
            return is ? read.year : 0;
        });
        Car used = new Car();
        race.add("SBE car, decode", "aldis", 2, () -> Car.decode(Bench.in(bytes), used).year() + Car.decode(Bench.in(changed), used).year());
        SbeToolCar reader = new SbeToolCar(bytes);
        HandCar into = new HandCar();
        race.add("SBE car, decode", "sbe-tool's flyweights", 1, () -> {
            reader.read(0, into);
            return into.year;
        });
        race.add("SBE car, decode, fresh", "by hand", 1, () -> {
            HandCar fresh = new HandCar();
            return fresh.read(bytes, 0, bytes.length) ? fresh.year : 0;
        });
        race.add("SBE car, decode, fresh", "aldis", 1, () -> Car.decode(bytes).year());
        CarDto dto = reader.readDto(0);
        race.add("SBE car, encode", "sbe-tool's DTOs", 1, () -> writer.writeDto(0, dto));
        race.add("SBE car, decode, fresh", "sbe-tool's DTOs", 1, () -> reader.readDto(0).year());
    }
}
