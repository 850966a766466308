using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

/// <summary>A flat SBE message (bench/beam/schemas/flat.xml) by hand. A floor of bench/csharp.</summary>
internal sealed class HandReading
{
    private const int Block = 36;

    internal ulong Time;
    internal ushort Station;
    internal int Temperature;
    internal int Pressure;
    internal int Humidity;
    internal int Wind;
    internal int Rain;
    internal string Place;
    internal string Sky;
    internal string Observer;

    /// <summary>Writes it; gives its size, or -1 where there may be no room.</summary>
    internal int Write(Span<byte> target)
    {
        if (8 + Block + 4 + Raw.Most(Sky) + Raw.Most(Observer) > target.Length) return -1;
        ref byte b = ref MemoryMarshal.GetReference(target);
        Raw.Put(ref b, 0, Block | 1L << 16 | 81L << 32);
        Raw.Put(ref b, 8, Time);
        Raw.Put(ref b, 16, Station);
        Raw.Put(ref b, 18, Temperature);
        Raw.Put(ref b, 22, Pressure);
        Raw.Put(ref b, 26, Humidity);
        Raw.Put(ref b, 30, Wind);
        Raw.Put(ref b, 34, Rain);
        PutChars(ref b, 38, 6, Place);
        return Text(ref b, Text(ref b, 8 + Block, Sky), Observer);
    }

    internal static void PutChars(ref byte b, int at, int width, string text)
    {
        if (text.Length > width) throw new ArgumentException("the text is too long");
        for (int i = 0; i < width; i++) Unsafe.Add(ref b, at + i) = i < text.Length ? (byte)text[i] : (byte)0;
    }

    internal static int Text(ref byte b, int at, string text)
    {
        int size = Raw.Say(ref b, at + 2, text);
        Raw.Put(ref b, at, (ushort)size);
        return at + 2 + size;
    }

    // Where the block ends; below zero where the bytes are wrong.
    private static int Head(ref byte b, int length)
    {
        if (length < 8) return -1;
        ulong head = Raw.Get<ulong>(ref b, 0);
        int block = (int)(head & 0xffff);
        return (head >> 16 & 0xffffffff) != (1 | 81 << 16) || block < Block || length - 8 < block ? -1 : 8 + block;
    }

    /// <summary>False where the bytes are wrong.</summary>
    internal bool Read(ReadOnlySpan<byte> bytes)
    {
        ref byte b = ref MemoryMarshal.GetReference(bytes);
        int next = Head(ref b, bytes.Length);
        if (next < 0) return false;
        Time = Raw.Get<ulong>(ref b, 8);
        Station = Raw.Get<ushort>(ref b, 16);
        Temperature = Raw.Get<int>(ref b, 18);
        Pressure = Raw.Get<int>(ref b, 22);
        Humidity = Raw.Get<int>(ref b, 26);
        Wind = Raw.Get<int>(ref b, 30);
        Rain = Raw.Get<int>(ref b, 34);
        Place = Chars(ref b, 38, 6, Place);
        return Text(ref b, ref next, bytes.Length, ref Sky) && Text(ref b, ref next, bytes.Length, ref Observer);
    }

    internal static string Chars(ref byte b, int at, int width, string old)
    {
        int size = 0;
        while (size < width && Unsafe.Add(ref b, at + size) != 0) size++;
        return Raw.Kept(ref b, at, size, old);
    }

    internal static bool Text(ref byte b, ref int at, int end, ref string text)
    {
        if (end - at < 2) return false;
        int size = Raw.Get<ushort>(ref b, at), from = at + 2;
        if (size > end - from) return false;
        at = from + size;
        text = Raw.Kept(ref b, from, size, text);
        return true;
    }

    /// <summary>Checks the bytes and adds up the numbers of the block, in place; below zero where the bytes are wrong.</summary>
    internal static long Sum(ReadOnlySpan<byte> bytes)
    {
        ref byte b = ref MemoryMarshal.GetReference(bytes);
        int next = Head(ref b, bytes.Length);
        if (next < 0) return -1;
        for (int i = 0; i < 2; i++)
        {
            if (bytes.Length - next < 2) return -1;
            int size = Raw.Get<ushort>(ref b, next);
            if (size > bytes.Length - next - 2) return -1;
            next += 2 + size;
        }
        long sum = Raw.Get<long>(ref b, 8) + Raw.Get<ushort>(ref b, 16) + Raw.Get<int>(ref b, 18) + Raw.Get<int>(ref b, 22);
        return sum + Raw.Get<int>(ref b, 26) + Raw.Get<int>(ref b, 30) + Raw.Get<int>(ref b, 34);
    }
}
