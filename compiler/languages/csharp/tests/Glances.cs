// A glance is enough for ordinary messages, and asks for the same budget and depth as the careful check, to the last byte.
using System;
using Aldis;
using Aldis.Codec;
using Market;
using System_;

static class Glances
{
    delegate long Glance(ReadOnlySpan<byte> b, int end, int start, int depth, long left);

    // The place behind the message.
    delegate int Careful(byte[] bytes, Limits limits);

    sealed class Form
    {
        internal Form(string name, byte[] bytes, Glance glance, Careful careful)
        {
            Name = name;
            Bytes = bytes;
            Glance = glance;
            Careful = careful;
        }

        internal string Name { get; }
        internal byte[] Bytes { get; }
        internal Glance Glance { get; }
        internal Careful Careful { get; }
    }

    internal static void Run()
    {
        Rooms();
        foreach (Form form in Forms()) Edges(form);
        Ways();
        Views();
    }

    // Sixty records, each of which two pointers of the one before lead to: the budget ends before all ways are gone.
    static void Ways()
    {
        const int count = 60;
        var words = new long[2 + 4 * count];
        words[0] = (long)(1 + 4 * count) << 32;
        words[1] = 1L << 32 | 3L << 48;
        for (int at = 2; at + 4 < words.Length; at += 4)
        {
            words[at + 2] = 1L << 2 | 1L << 32 | 3L << 48;
            words[at + 3] = 1L << 32 | 3L << 48;
        }
        byte[] bytes = System.Runtime.InteropServices.MemoryMarshal.AsBytes(words.AsSpan()).ToArray();
        Use.That(!Lists.Item.TryVerify(bytes, out CodecException? fault) && fault!.Code == Code.TooLarge, "no budget is enough for so many ways");
    }

    static Form[] Forms()
    {
        var book = new OrderBook { Sequence = 1, Symbol = "EURUSD" };
        book.Bids.Add(new OrderBookBids { Size = 3 });
        book.Bids.Add(new OrderBookBids { Size = 4 });
        book.Bids[1].Orders.Add(new OrderBookBidsOrders());
        var quote = new Quote { Sequence = 1, Instrument = 7, BidSize = 100 };
        Wide wide = Use.Filled(), empty = new Wide();
        Careful wides = (bytes, limits) =>
        {
            var f = new In(bytes, limits);
            WideCodec.CheckMessage(ref f, 0);
            return f.At;
        };
        Careful finals = (bytes, limits) =>
        {
            var f = new In(bytes, limits);
            WideCodec.CheckMessageFinal(ref f, 0);
            return f.At;
        };
        return new[]
        {
            new Form("sbe", book.Encode(), OrderBookCodec.GlanceMessage, (bytes, limits) =>
            {
                var f = new In(bytes, limits);
                OrderBookCodec.CheckMessage(ref f, 0);
                return f.At;
            }),
            new Form("sbe, flat", quote.Encode(), QuoteCodec.GlanceMessage, (bytes, limits) =>
            {
                var f = new In(bytes, limits);
                QuoteCodec.CheckMessage(ref f, 0);
                return f.At;
            }),
            new Form("fbe", wide.Encode(), WideCodec.GlanceMessage, wides),
            new Form("fbe, empty", empty.Encode(), WideCodec.GlanceMessage, wides),
            new Form("fbe-final", wide.EncodeFinal(), WideCodec.GlanceMessageFinal, finals),
            new Form("fbe-final, empty", empty.EncodeFinal(), WideCodec.GlanceMessageFinal, finals),
        };
    }

    static bool IsRight(Form form, long depth, long budget)
    {
        try
        {
            form.Careful(form.Bytes, new Limits((int)depth, 0, budget, true));
            return true;
        }
        catch (CodecException)
        {
            return false;
        }
    }

    static long Least(Func<long, bool> holds, long most)
    {
        long low = 0, high = most;
        Use.That(holds(high), "the most is enough");
        while (low < high)
        {
            long middle = (low + high) / 2;
            if (holds(middle)) high = middle;
            else low = middle + 1;
        }
        return low;
    }

    static void Edges(Form form)
    {
        long budget = Least(most => IsRight(form, 64, most), 1 << 20);
        int depth = (int)Least(most => IsRight(form, most, 1 << 20), 64);
        int behind = form.Careful(form.Bytes, Limits.Default);
        long Seen(int levels, long left) => form.Glance(form.Bytes, form.Bytes.Length, 0, levels, left);
        Use.That(budget > 0 && depth > 0, form.Name + " asks for something");
        // Of a form whose records lie one behind the other the budget is looked at, and stays.
        long spent = form.Name.StartsWith("sbe") ? 0 : budget;
        foreach (long left in new[] { budget, budget + 1, 1 << 20, int.MaxValue })
        {
            long rest = Seen(64, left);
            Use.That(rest >= 0 && rest >> 32 == left - spent, form.Name + ": of a budget of " + left + " is left " + (rest >> 32));
            Use.That(Wire.Low(rest) == behind, form.Name + ": the place behind it is " + Wire.Low(rest));
        }
        // It asks for all levels that the schema has, which may be more than those of the message.
        int asked = (int)Least(most => Seen((int)most, budget) >= 0, 64);
        Use.That(asked >= depth && asked < 8 && Seen(asked + 1, budget) >= 0, form.Name + ": a depth of " + depth + ", asked for " + asked);
        foreach (long left in new[] { budget - 1, 1, 0, -1 }) Use.That(Seen(64, left) < 0, form.Name + ": a budget of " + left + " is too little");
    }

    // Limits without a surcharge have the careful check look: the view that it gives is the same.
    static void Views()
    {
        Wide wide = Use.Filled();
        byte[] bytes = wide.Encode();
        Array.Resize(ref bytes, bytes.Length + 5);
        var free = new Limits(64, 8, 262144, false);
        Use.That(WideView.Verify(bytes).Clone().Equals(wide) && WideView.Verify(bytes, free).Clone().Equals(wide), "views of either way");
        Use.That(WideView.TryVerify(bytes, out WideView view, out _) && view.Clone().Equals(wide), "a view that was tried");
    }

    static void Rooms()
    {
        foreach (int room in new[] { int.MinValue, -8, -1, 0, 1, 8, int.MaxValue })
        {
            foreach (long size in new[] { long.MinValue, -9, -1, 0, 1, 2, 8, 9, 1L << 31, 1L << 32, long.MaxValue })
            {
                bool fits = size >= 0 && size <= room;
                Use.That(Wire.IsBeyond(size, room) == !fits, size + " bytes in a room of " + room);
                Use.That(Wire.IsAway(size, room) == !(fits && size != 0), "a distance of " + size + " in a room of " + room);
            }
        }
    }
}
