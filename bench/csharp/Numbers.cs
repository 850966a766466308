using System;
using Example.Numbers;

/// <summary>Seven integers of Cap'n Proto.</summary>
internal static class Numbers
{
    private const int Many = 16;
    private const int Size = 48;

    private static HandInts Value(int i) =>
        new HandInts { A = ulong.MaxValue, B = -2 - i, C = 3_000_000_000, D = -4, E = 50_000, F = -6, G = 200 };

    internal static void Add(Race race)
    {
        byte[] bytes = new byte[Many * Size];
        byte[] target = new byte[Many * Size];
        var hands = new HandInts[Many];
        var owns = new Ints[Many];
        for (int i = 0; i < Many; i++)
        {
            hands[i] = Value(i);
            hands[i].Write(bytes.AsSpan(i * Size));
            ReadOnlySpan<byte> one = bytes.AsSpan(i * Size, Size);
            owns[i] = Ints.Decode(one);
            Bench.Check(owns[i].C == hands[i].C && Bench.Same(owns[i].Encode(), one), "generated code writes what the floor writes");
        }
        race.Add("Cap'n Proto, 7 ints, encode", "by hand", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += hands[i].Write(target.AsSpan(i * Size));
            return sum;
        });
        race.Add("Cap'n Proto, 7 ints, encode", "aldis", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += owns[i].TryEncode(target.AsSpan(i * Size), out int written) ? written : 0;
            return sum;
        });
        var read = new HandInts();
        race.Add("Cap'n Proto, 7 ints, decode", "by hand", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += read.Read(bytes.AsSpan(i * Size, Size)) ? read.D : 0;
            return sum;
        });
        var used = new Ints();
        race.Add("Cap'n Proto, 7 ints, decode", "aldis", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += Ints.Decode(bytes.AsSpan(i * Size, Size), used).D;
            return sum;
        });
    }
}
