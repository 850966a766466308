using System.Collections.Generic;
using Org.SbeTool.Sbe.Dll;
using Peer.Car;

/// <summary>The car by sbe-tool's flyweights, from and into plain values, and by its DTOs.</summary>
internal sealed class SbeToolCar
{
    private readonly MessageHeader head = new MessageHeader();
    private readonly Car codec = new Car();
    private readonly DirectBuffer buffer;

    internal SbeToolCar(byte[] bytes) => buffer = new DirectBuffer(bytes);

    internal int Write(int at, HandCar v)
    {
        codec.WrapForEncodeAndApplyHeader(buffer, at, head);
        codec.Serial = v.Serial;
        codec.Year = v.Year;
        codec.Available = (Yes)v.Available;
        codec.Model = (Model)v.Model;
        for (int i = 0; i < 5; i++) codec.SetNumbers(i, v.Numbers[i]);
        codec.SetCode(v.Code);
        codec.Extras = (Extras)v.Extras;
        Engine engine = codec.Engine;
        engine.Capacity = v.Capacity;
        engine.Cylinders = v.Cylinders;
        engine.SetMaker(v.EngineMaker);
        Car.FuelGroup fuel = codec.FuelCount(v.Fuels.Count);
        foreach (HandCar.Fuel one in v.Fuels)
        {
            fuel.Next();
            fuel.Speed = one.Speed;
            fuel.Distance = one.Distance;
        }
        Car.PerformanceGroup performance = codec.PerformanceCount(v.Performances.Count);
        foreach (HandCar.Performance one in v.Performances)
        {
            performance.Next().Octane = one.Octane;
            Car.PerformanceGroup.AccelerationGroup acceleration = performance.AccelerationCount(one.Accelerations.Count);
            foreach (HandCar.Acceleration each in one.Accelerations)
            {
                acceleration.Next();
                acceleration.Speed = each.Speed;
                acceleration.Seconds = each.Seconds;
            }
        }
        codec.SetMaker(v.Maker);
        codec.SetName(v.Name);
        return codec.Size + MessageHeader.Size;
    }

    internal void Read(int at, HandCar v)
    {
        codec.WrapForDecodeAndApplyHeader(buffer, at, head);
        v.Serial = codec.Serial;
        v.Year = codec.Year;
        v.Available = (byte)codec.Available;
        v.Model = (byte)codec.Model;
        for (int i = 0; i < 5; i++) v.Numbers[i] = codec.GetNumbers(i);
        v.Code = codec.GetCode();
        v.Extras = (byte)codec.Extras;
        Engine engine = codec.Engine;
        v.Capacity = engine.Capacity;
        v.Cylinders = engine.Cylinders;
        v.EngineMaker = engine.GetMaker();
        Car.FuelGroup fuel = codec.Fuel;
        for (int i = 0; fuel.HasNext; i++)
        {
            fuel.Next();
            if (i == v.Fuels.Count) v.Fuels.Add(new HandCar.Fuel());
            v.Fuels[i].Speed = fuel.Speed;
            v.Fuels[i].Distance = fuel.Distance;
        }
        Cut(v.Fuels, fuel.Count);
        Car.PerformanceGroup performance = codec.Performance;
        for (int i = 0; performance.HasNext; i++)
        {
            performance.Next();
            if (i == v.Performances.Count) v.Performances.Add(new HandCar.Performance());
            v.Performances[i].Octane = performance.Octane;
            Read(performance.Acceleration, v.Performances[i].Accelerations);
        }
        Cut(v.Performances, performance.Count);
        v.Maker = codec.GetMaker();
        v.Name = codec.GetName();
    }

    private static void Read(Car.PerformanceGroup.AccelerationGroup acceleration, List<HandCar.Acceleration> list)
    {
        for (int i = 0; acceleration.HasNext; i++)
        {
            acceleration.Next();
            if (i == list.Count) list.Add(new HandCar.Acceleration());
            list[i].Speed = acceleration.Speed;
            list[i].Seconds = acceleration.Seconds;
        }
        Cut(list, acceleration.Count);
    }

    private static void Cut<T>(List<T> list, int count)
    {
        if (list.Count > count) list.RemoveRange(count, list.Count - count);
    }

    internal int WriteDto(int at, CarDto dto) => CarDto.EncodeWithHeaderInto(buffer, at, dto);

    internal CarDto ReadDto(int at)
    {
        head.Wrap(buffer, at, 0);
        return CarDto.DecodeFrom(buffer, at + MessageHeader.Size, 0, head.BlockLength, head.Version);
    }
}
