using Peer.Car;
using Car = Example.Cars.Car;

/// <summary>The car of SBE's benchmarks.</summary>
internal static class Cars
{
    // The same car with other texts.
    private static byte[] Other(Car car)
    {
        Car other = car.Clone();
        other.Code = "fedcba";
        other.Maker = other.Maker.ToUpperInvariant();
        other.Name = other.Name.ToUpperInvariant();
        return other.Encode();
    }

    internal static void Add(Race race, byte[] bytes)
    {
        byte[] target = new byte[2 * bytes.Length + 64];
        var hand = new HandCar();
        Bench.Check(hand.Read(bytes) && Bench.Same(target, hand.Write(target), bytes), "the floor reads and writes the car");
        Car own = Car.Decode(bytes);
        Bench.Check(Bench.Same(own.Encode(), bytes) && own.Fuel.Count == hand.Fuels.Count, "generated code reads and writes the car");
        byte[] changed = Other(own);
        byte[] other = new byte[target.Length];
        var writer = new SbeToolCar(other);
        Bench.Check(Bench.Same(other, writer.Write(0, hand), bytes), "sbe-tool writes the car");
        race.Add("SBE car, encode", "by hand", 1, () => hand.Write(target));
        race.Add("SBE car, encode", "aldis", 1, () => own.TryEncode(target, out int written) ? written : 0);
        race.Add("SBE car, encode", "sbe-tool's flyweights", 1, () => writer.Write(0, hand));
        var read = new HandCar();
        race.Add("SBE car, decode", "by hand", 2, () => read.Read(bytes) && read.Read(changed) ? read.Year : 0);
        var used = new Car();
        race.Add("SBE car, decode", "aldis", 2, () => Car.Decode(bytes, used).Year + Car.Decode(changed, used).Year);
        var reader = new SbeToolCar(bytes);
        var into = new HandCar();
        race.Add("SBE car, decode", "sbe-tool's flyweights", 1, () =>
        {
            reader.Read(0, into);
            return into.Year;
        });
        race.Add("SBE car, decode, fresh", "by hand", 1, () =>
        {
            var fresh = new HandCar();
            return fresh.Read(bytes) ? fresh.Year : 0;
        });
        race.Add("SBE car, decode, fresh", "aldis", 1, () => Car.Decode(bytes).Year);
        CarDto dto = reader.ReadDto(0);
        race.Add("SBE car, encode", "sbe-tool's DTOs", 1, () => writer.WriteDto(0, dto));
        race.Add("SBE car, decode, fresh", "sbe-tool's DTOs", 1, () => reader.ReadDto(0).Year);
    }
}
