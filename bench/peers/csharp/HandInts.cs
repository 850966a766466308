using System;
using System.Runtime.InteropServices;

/// <summary>Seven integers of Cap'n Proto by hand, in one segment. A floor of bench/csharp.</summary>
internal sealed class HandInts
{
    internal ulong A;
    internal long B;
    internal uint C;
    internal int D;
    internal ushort E;
    internal short F;
    internal byte G;

    /// <summary>Writes them; gives the size, or -1 where there is no room.</summary>
    internal int Write(Span<byte> target)
    {
        if (target.Length < 48) return -1;
        ref byte b = ref MemoryMarshal.GetReference(target);
        Raw.Put(ref b, 0, 5L << 32);
        Raw.Put(ref b, 8, 4L << 32);
        Raw.Put(ref b, 16, A);
        Raw.Put(ref b, 24, B);
        Raw.Put(ref b, 32, C);
        Raw.Put(ref b, 36, D);
        Raw.Put(ref b, 40, E);
        Raw.Put(ref b, 42, F);
        Raw.Put(ref b, 44, (int)G);
        return 48;
    }

    /// <summary>False where the bytes are wrong, or not as a writer of this schema writes them.</summary>
    internal bool Read(ReadOnlySpan<byte> bytes)
    {
        ref byte b = ref MemoryMarshal.GetReference(bytes);
        if (bytes.Length < 16 || Raw.Get<int>(ref b, 0) != 0) return false;
        long words = Raw.Get<uint>(ref b, 4);
        if (words == 0 || words * 8 > bytes.Length - 8) return false;
        long pointer = Raw.Get<long>(ref b, 8);
        long size = (pointer >> 32 & 0xffff) * 8;
        long from = 16 + 8L * ((int)pointer >> 2), stop = 8 + words * 8;
        if ((pointer & 3) != 0 || size < 32 || from < 8 || size > stop - from) return false;
        int at = (int)from;
        A = Raw.Get<ulong>(ref b, at);
        B = Raw.Get<long>(ref b, at + 8);
        C = Raw.Get<uint>(ref b, at + 16);
        D = Raw.Get<int>(ref b, at + 20);
        E = Raw.Get<ushort>(ref b, at + 24);
        F = Raw.Get<short>(ref b, at + 26);
        G = Raw.Get<byte>(ref b, at + 28);
        return true;
    }
}
