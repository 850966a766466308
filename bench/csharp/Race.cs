using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;

/// <summary>Contestants by turns in short slices, in one process: the best and the median time of an operation, and what it allocates.</summary>
internal sealed class Race
{
    private sealed class Contestant
    {
        internal string What;
        internal string Who;
        internal int Each;
        internal Func<long> Work;
        internal int Turns = 16;
        internal double[] Times;
    }

    private const double Slice = 1e6;

    /// <summary>So that nothing is left out as unused.</summary>
    internal static long Seen;

    private readonly List<Contestant> all = new List<Contestant>();
    private readonly int slices;

    internal Race(int slices) => this.slices = slices;

    /// <summary>A contestant whose work is so many operations; it gives a number that depends on all.</summary>
    internal void Add(string what, string who, int each, Func<long> work) =>
        all.Add(new Contestant { What = what, Who = who, Each = each, Work = work, Times = new double[slices] });

    private static double Time(Contestant one)
    {
        long sum = 0, from = Stopwatch.GetTimestamp();
        for (int i = 0; i < one.Turns; i++) sum += one.Work();
        double took = (Stopwatch.GetTimestamp() - from) * 1e9 / Stopwatch.Frequency;
        Seen += sum;
        double turn = took / one.Turns;
        one.Turns = (int)Math.Max(1, Math.Min(1 << 20, Slice / Math.Max(turn, 1)));
        return turn / one.Each;
    }

    // The bytes that an operation allocates, in the round with the fewest: a compiler may have taken over within one.
    private static double Bytes(Contestant one)
    {
        double least = double.MaxValue;
        for (int round = 0; round < 5; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 1000; i++) Seen += one.Work();
            least = Math.Min(least, (GC.GetAllocatedBytesForCurrentThread() - before) / 1000.0 / one.Each);
        }
        return least;
    }

    internal void Run()
    {
        for (int i = 0; i < slices / 2; i++) foreach (Contestant one in all) Time(one);
        for (int i = 0; i < slices; i++) foreach (Contestant one in all) one.Times[i] = Time(one);
        foreach (Contestant one in all)
        {
            Array.Sort(one.Times);
            var row = string.Format(CultureInfo.InvariantCulture, "{0}\t{1}\t{2:F2}\t{3:F2}\t{4:F0}", one.What, one.Who, one.Times[0], one.Times[slices / 2], Bytes(one));
            Console.WriteLine(row);
        }
    }
}
