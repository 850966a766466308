import java.util.ArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import peer.car.CarDecoder;
import peer.car.CarDto;
import peer.car.CarEncoder;
import peer.car.EngineDecoder;
import peer.car.MessageHeaderDecoder;
import peer.car.MessageHeaderEncoder;
import peer.car.Model;
import peer.car.Yes;

/** The car by sbe-tool's flyweights, from and into plain values, and by its DTOs. Bounds are checked. */
final class SbeToolCar {
    private final MessageHeaderEncoder headOut = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headIn = new MessageHeaderDecoder();
    private final CarEncoder encoder = new CarEncoder();
    private final CarDecoder decoder = new CarDecoder();
    private final UnsafeBuffer buffer;

    SbeToolCar(byte[] bytes) {
        buffer = new UnsafeBuffer(bytes);
    }

    int write(int at, HandCar v) {
        encoder.wrapAndApplyHeader(buffer, at, headOut);
        encoder.serial(v.serial).year(v.year).available(Yes.get((short) v.available)).model(Model.get((byte) v.model));
        for (int i = 0; i < 5; i++) encoder.numbers(i, v.numbers[i]);
        encoder.code(v.code);
        encoder.extras().clear().sunRoof((v.extras & 1) != 0).sportsPack((v.extras & 2) != 0).cruiseControl((v.extras & 4) != 0);
        encoder.engine().capacity(v.capacity).cylinders((short) v.cylinders).maker(v.engineMaker);
        CarEncoder.FuelEncoder fuel = encoder.fuelCount(v.fuel.size());
        for (int i = 0; i < v.fuel.size(); i++) {
            HandCar.Fuel one = v.fuel.get(i);
            fuel.next().speed(one.speed).distance(one.distance);
        }
        CarEncoder.PerformanceEncoder performance = encoder.performanceCount(v.performance.size());
        for (int i = 0; i < v.performance.size(); i++) {
            HandCar.Performance one = v.performance.get(i);
            performance.next().octane((short) one.octane);
            CarEncoder.PerformanceEncoder.AccelerationEncoder acceleration = performance.accelerationCount(one.acceleration.size());
            for (int j = 0; j < one.acceleration.size(); j++) {
                HandCar.Acceleration each = one.acceleration.get(j);
                acceleration.next().speed(each.speed).seconds(each.seconds);
            }
        }
        encoder.maker(v.maker).name(v.name);
        return encoder.encodedLength() + 8;
    }

    void read(int at, HandCar v) {
        decoder.wrapAndApplyHeader(buffer, at, headIn);
        v.serial = decoder.serial();
        v.year = decoder.year();
        v.available = decoder.available().value();
        v.model = decoder.model().value();
        for (int i = 0; i < 5; i++) v.numbers[i] = decoder.numbers(i);
        v.code = decoder.code();
        v.extras = decoder.extras().getRaw();
        EngineDecoder engine = decoder.engine();
        v.capacity = engine.capacity();
        v.cylinders = engine.cylinders();
        v.engineMaker = engine.maker();
        int at2 = 0;
        for (CarDecoder.FuelDecoder one : decoder.fuel()) {
            if (at2 == v.fuel.size()) v.fuel.add(new HandCar.Fuel());
            HandCar.Fuel fuel = v.fuel.get(at2++);
            fuel.speed = one.speed();
            fuel.distance = one.distance();
        }
        for (int last = v.fuel.size() - 1; last >= at2; last--) v.fuel.remove(last);
        at2 = 0;
        for (CarDecoder.PerformanceDecoder one : decoder.performance()) {
            if (at2 == v.performance.size()) v.performance.add(new HandCar.Performance());
            HandCar.Performance performance = v.performance.get(at2++);
            performance.octane = one.octane();
            read(one.acceleration(), performance.acceleration);
        }
        for (int last = v.performance.size() - 1; last >= at2; last--) v.performance.remove(last);
        v.maker = decoder.maker();
        v.name = decoder.name();
    }

    private static void read(CarDecoder.PerformanceDecoder.AccelerationDecoder decoder, ArrayList<HandCar.Acceleration> list) {
        int at = 0;
        while (decoder.hasNext()) {
            decoder.next();
            if (at == list.size()) list.add(new HandCar.Acceleration());
            HandCar.Acceleration one = list.get(at++);
            one.speed = decoder.speed();
            one.seconds = decoder.seconds();
        }
        for (int last = list.size() - 1; last >= at; last--) list.remove(last);
    }

    int writeDto(int at, CarDto dto) {
        return CarDto.encodeWithHeaderWith(dto, buffer, at);
    }

    CarDto readDto(int at) {
        headIn.wrap(buffer, at);
        return CarDto.decodeFrom(buffer, at + 8, headIn.blockLength(), headIn.version());
    }
}
