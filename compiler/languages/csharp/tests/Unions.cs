using System;
using Aldis;
using Arms;

/// <summary>Unions are structs, which hold numbers without a box.</summary>
static class Unions
{
    static void That(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException(what);
    }

    internal static void Run()
    {
        Arms();
        Allocates();
    }

    static void Arms()
    {
        var fresh = new Figure();
        That(fresh.Union.Which() == Figure_2.Arm.Radius && fresh.Union.AsRadius() == 1.5, "the schema's default");
        That(default(FigurePlace).AsNear() == 0 && default(FigurePlace) == FigurePlace.Near(0), "a value that nobody made");
        That(default(FigurePlace).GetHashCode() == FigurePlace.Near(0).GetHashCode(), "its hash");
        foreach (Figure_2 union in new[]
        {
            Figure_2.Radius(double.NegativeInfinity), Figure_2.Sides(uint.MaxValue), Figure_2.Shade((Shade)7),
            Figure_2.Open(true), Figure_2.Nothing(), Figure_2.Held_("corner"), Figure_2.Held_(null),
        })
        {
            foreach (FigurePlace place in new[] { FigurePlace.Near(-128), FigurePlace.Far(ulong.MaxValue) })
            {
                var figure = new Figure { Union = union, Place = place };
                Figure again = Figure.Decode(figure.Encode());
                That(again.Equals(figure) && again.Union == union && again.Place == place, "encoded and decoded: " + figure);
                That(Figure.FromJson(figure.ToJson()).Equals(figure) && figure.Clone().Equals(figure), "as JSON, and copied: " + figure);
                FigureView view = FigureView.Verify(figure.Encode());
                That(view.Union == union && view.Place == place && view.Place != default, "as a view: " + figure);
            }
        }
        That(Figure_2.Radius(double.NaN) == Figure_2.Radius(double.NaN) && Figure_2.Radius(0.0) == Figure_2.Radius(-0.0), "as doubles are");
        That(FigurePlace.Near(0) == default && default(FigurePlace) != FigurePlace.Near(1), "one that nobody made beside others");
        That(Figure_2.Sides(3) != Figure_2.Radius(3) && Figure_2.Sides(3).AsSides() == 3, "arms are told apart");
        That(new Figure { Place = FigurePlace.Far(5) }.ToString().Contains("place=far(5)"), "a text of it");
        try
        {
            Figure_2.Sides(3).AsOpen();
            That(false, "the value of another arm");
        }
        catch (InvalidOperationException)
        {
        }
    }

    static void Allocates()
    {
        var into = new Figure();
        byte[] one = new Figure { Union = Figure_2.Sides(3), Place = FigurePlace.Far(5) }.Encode();
        byte[] other = new Figure { Union = Figure_2.Radius(2.5), Place = FigurePlace.Near(-1) }.Encode();
        var target = new byte[256];
        void Turn()
        {
            Figure.Decode(one, into);
            Figure.Decode(other, into);
            That(into.Union == Figure_2.Radius(2.5) && into.Place != FigurePlace.Near(0), "what was decoded");
            into.Union = Figure_2.Open(true);
            into.TryEncode(target, out _);
        }
        Turn();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++) Turn();
        That(GC.GetAllocatedBytesForCurrentThread() == before, "no object for a number in a union");
    }
}
