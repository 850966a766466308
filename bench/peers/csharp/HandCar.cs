using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

/// <summary>The SBE car (bench/beam/schemas/car.xml) by hand. A floor of bench/csharp.</summary>
internal sealed class HandCar
{
    internal sealed class Fuel
    {
        internal ushort Speed;
        internal float Distance;
    }

    internal sealed class Acceleration
    {
        internal ushort Speed;
        internal float Seconds;
    }

    internal sealed class Performance
    {
        internal byte Octane;
        internal readonly List<Acceleration> Accelerations = new List<Acceleration>();
    }

    private const int Block = 45;

    internal ulong Serial;
    internal ushort Year;
    internal byte Available;
    internal byte Model;
    internal readonly int[] Numbers = new int[5];
    internal string Code;
    internal byte Extras;
    internal ushort Capacity;
    internal byte Cylinders;
    internal string EngineMaker;
    internal readonly List<Fuel> Fuels = new List<Fuel>();
    internal readonly List<Performance> Performances = new List<Performance>();
    internal string Maker;
    internal string Name;

    private int Most()
    {
        int most = 8 + Block + 4 + 6 * Fuels.Count + 4 + 4 + Raw.Most(Maker) + Raw.Most(Name);
        foreach (Performance one in Performances) most += 5 + 6 * one.Accelerations.Count;
        return most;
    }

    /// <summary>Writes it; gives its size, or -1 where there may be no room.</summary>
    internal int Write(Span<byte> target)
    {
        if (Most() > target.Length) return -1;
        ref byte b = ref MemoryMarshal.GetReference(target);
        Raw.Put(ref b, 0, Block | 1L << 16 | 82L << 32);
        Raw.Put(ref b, 8, Serial);
        Raw.Put(ref b, 16, Year);
        Raw.Put(ref b, 18, Available);
        Raw.Put(ref b, 19, Model);
        for (int i = 0; i < 5; i++) Raw.Put(ref b, 20 + 4 * i, Numbers[i]);
        HandReading.PutChars(ref b, 40, 6, Code);
        Raw.Put(ref b, 46, Extras);
        Raw.Put(ref b, 47, Capacity);
        Raw.Put(ref b, 49, Cylinders);
        HandReading.PutChars(ref b, 50, 3, EngineMaker);
        int end = 8 + Block, count = Fuels.Count;
        Raw.Put(ref b, end, 6 | count << 16);
        end += 4;
        for (int i = 0; i < count; i++, end += 6)
        {
            Raw.Put(ref b, end, Fuels[i].Speed);
            Raw.Put(ref b, end + 2, Fuels[i].Distance);
        }
        end = Write(ref b, end, Performances);
        return HandReading.Text(ref b, HandReading.Text(ref b, end, Maker), Name);
    }

    private static int Write(ref byte b, int end, List<Performance> list)
    {
        Raw.Put(ref b, end, 1 | list.Count << 16);
        end += 4;
        for (int i = 0; i < list.Count; i++)
        {
            List<Acceleration> inner = list[i].Accelerations;
            Raw.Put(ref b, end, list[i].Octane);
            Raw.Put(ref b, end + 1, 6 | inner.Count << 16);
            end += 5;
            for (int j = 0; j < inner.Count; j++, end += 6)
            {
                Raw.Put(ref b, end, inner[j].Speed);
                Raw.Put(ref b, end + 2, inner[j].Seconds);
            }
        }
        return end;
    }

    /// <summary>False where the bytes are wrong.</summary>
    internal bool Read(ReadOnlySpan<byte> bytes)
    {
        ref byte b = ref MemoryMarshal.GetReference(bytes);
        int length = bytes.Length;
        if (length < 8) return false;
        ulong head = Raw.Get<ulong>(ref b, 0);
        int block = (int)(head & 0xffff);
        if ((head >> 16 & 0xffffffff) != (1 | 82 << 16) || block < Block || length - 8 < block) return false;
        Serial = Raw.Get<ulong>(ref b, 8);
        Year = Raw.Get<ushort>(ref b, 16);
        Available = Raw.Get<byte>(ref b, 18);
        Model = Raw.Get<byte>(ref b, 19);
        for (int i = 0; i < 5; i++) Numbers[i] = Raw.Get<int>(ref b, 20 + 4 * i);
        Code = HandReading.Chars(ref b, 40, 6, Code);
        Extras = Raw.Get<byte>(ref b, 46);
        Capacity = Raw.Get<ushort>(ref b, 47);
        Cylinders = Raw.Get<byte>(ref b, 49);
        EngineMaker = HandReading.Chars(ref b, 50, 3, EngineMaker);
        int next = ReadFuels(ref b, 8 + block, length);
        if (next >= 0) next = ReadPerformances(ref b, next, length);
        return next >= 0 && HandReading.Text(ref b, ref next, length, ref Maker) && HandReading.Text(ref b, ref next, length, ref Name);
    }

    private int ReadFuels(ref byte b, int at, int end)
    {
        if (end - at < 4) return -1;
        int size = Raw.Get<ushort>(ref b, at), count = Raw.Get<ushort>(ref b, at + 2);
        at += 4;
        if (size < 6 || (long)count * size > end - at) return -1;
        for (int i = 0; i < count; i++, at += size)
        {
            if (i == Fuels.Count) Fuels.Add(new Fuel());
            Fuel one = Fuels[i];
            one.Speed = Raw.Get<ushort>(ref b, at);
            one.Distance = Raw.Get<float>(ref b, at + 2);
        }
        if (Fuels.Count > count) Fuels.RemoveRange(count, Fuels.Count - count);
        return at;
    }

    private int ReadPerformances(ref byte b, int at, int end)
    {
        if (end - at < 4) return -1;
        int size = Raw.Get<ushort>(ref b, at), count = Raw.Get<ushort>(ref b, at + 2);
        at += 4;
        if (size < 1) return -1;
        for (int i = 0; i < count; i++)
        {
            if (end - at < size) return -1;
            if (i == Performances.Count) Performances.Add(new Performance());
            Performances[i].Octane = Raw.Get<byte>(ref b, at);
            at = ReadAccelerations(ref b, at + size, end, Performances[i].Accelerations);
            if (at < 0) return -1;
        }
        if (Performances.Count > count) Performances.RemoveRange(count, Performances.Count - count);
        return at;
    }

    private static int ReadAccelerations(ref byte b, int at, int end, List<Acceleration> list)
    {
        if (end - at < 4) return -1;
        int size = Raw.Get<ushort>(ref b, at), count = Raw.Get<ushort>(ref b, at + 2);
        at += 4;
        if (size < 6 || (long)count * size > end - at) return -1;
        for (int i = 0; i < count; i++, at += size)
        {
            if (i == list.Count) list.Add(new Acceleration());
            Acceleration one = list[i];
            one.Speed = Raw.Get<ushort>(ref b, at);
            one.Seconds = Raw.Get<float>(ref b, at + 2);
        }
        if (list.Count > count) list.RemoveRange(count, list.Count - count);
        return at;
    }
}
