// A quick writer does ordinary messages, writes what the careful one writes, and refuses what has no room, is too deep, or is wrong.
using System;
using System.Collections.Generic;
using Addressbook;
using Aldis;
using Aldis.Codec;
using Market;
using System_;

static class Quicks
{
    delegate int Quick(Span<byte> b, int end, int depth);

    delegate void Careful(ref Out o);

    sealed class Form
    {
        internal Form(string name, Quick quick, Careful careful)
        {
            Name = name;
            Quick = quick;
            Careful = careful;
        }

        internal string Name { get; }
        internal Quick Quick { get; }
        internal Careful Careful { get; }

        internal byte[] Carefully(int depth)
        {
            var o = new Out(256) { Depth = depth };
            Careful(ref o);
            return o.Bytes();
        }
    }

    internal static void Run()
    {
        foreach (Form form in Forms())
        {
            byte[] bytes = form.Carefully(64);
            Same(form, bytes);
            Rooms(form, bytes);
            Depths(form);
        }
        Wrong();
    }

    static Form[] Forms()
    {
        var book = new OrderBook { Sequence = 1, Symbol = "EURUSD" };
        book.Bids.Add(new OrderBookBids { Size = 3 });
        book.Bids[0].Orders.Add(new OrderBookBidsOrders());
        var quote = new Quote { Sequence = 1, Instrument = 7, BidSize = 100 };
        Wide wide = Use.Filled(), empty = new Wide();
        var ada = new Person { Id = 7, Name = "Ada Gr\u00FC\u00DFe", Email = "" };
        ada.Phones = new List<PersonPhoneNumber> { new PersonPhoneNumber { Number = "12345678" }, new PersonPhoneNumber() };
        var person = new Person();
        Lists.Sheet sheet = QuickReads.Filled();
        return new[]
        {
            new Form("sbe", (b, end, depth) => OrderBookCodec.QuickMessage(b, end, book, depth), (ref Out o) => OrderBookCodec.WriteCarefully(ref o, book)),
            new Form("sbe, flat", (b, end, depth) => QuoteCodec.QuickMessage(b, end, quote, depth), (ref Out o) => QuoteCodec.WriteCarefully(ref o, quote)),
            new Form("fbe", (b, end, depth) => WideCodec.QuickMessage(b, end, wide, depth), (ref Out o) => WideCodec.WriteCarefully(ref o, wide)),
            new Form("fbe, empty", (b, end, depth) => WideCodec.QuickMessage(b, end, empty, depth), (ref Out o) => WideCodec.WriteCarefully(ref o, empty)),
            new Form("fbe-final", (b, end, depth) => WideCodec.QuickMessageFinal(b, end, wide, depth),
                (ref Out o) => WideCodec.WriteCarefullyFinal(ref o, wide)),
            new Form("capnp", (b, end, depth) => PersonCodec.QuickMessage(b, end, ada, depth), (ref Out o) => PersonCodec.WriteCarefully(ref o, ada)),
            new Form("capnp, lists", (b, end, depth) => Lists.SheetCodec.QuickMessage(b, end, sheet, depth),
                (ref Out o) => Lists.SheetCodec.WriteCarefully(ref o, sheet)),
            new Form("capnp, empty", (b, end, depth) => PersonCodec.QuickMessage(b, end, person, depth),
                (ref Out o) => PersonCodec.WriteCarefully(ref o, person)),
        };
    }

    // Bytes that were used before hold nothing of that afterwards.
    static void Same(Form form, byte[] bytes)
    {
        var used = new byte[bytes.Length + 20];
        used.AsSpan().Fill(0xA5);
        int end = form.Quick(used, 8, 64);
        Use.That(end == 8 + bytes.Length, form.Name + " ends at " + end);
        Use.That(used.AsSpan(8, bytes.Length).SequenceEqual(bytes), form.Name + ": the same bytes");
        Use.That(used[7] == 0xA5 && used[end] == 0xA5, form.Name + ": nothing beside them");
    }

    static void Rooms(Form form, byte[] bytes)
    {
        for (int room = 0; room < bytes.Length; room++)
        {
            Use.That(form.Quick(new byte[room], 0, 64) < 0, form.Name + ": a room of " + room + " is too little");
        }
        Use.That(form.Quick(new byte[bytes.Length], 0, 64) == bytes.Length, form.Name + ": room for all");
    }

    static void Depths(Form form)
    {
        var b = new byte[1000];
        int depth = 0;
        while (form.Quick(b, 0, depth) < 0) depth++;
        Use.That(depth > 0 && form.Carefully(depth).Length > 0, form.Name + ": both need a depth of " + depth);
        try
        {
            form.Carefully(depth - 1);
            Use.That(false, form.Name + ": a depth of " + (depth - 1) + " is too little");
        }
        catch (CodecException fault)
        {
            Use.That(fault.Code == Code.TooDeep, form.Name + ": " + fault.Code);
        }
    }

    // What is wrong has its path, whichever way was tried first.
    static void Wrong()
    {
        var wide = new Wide();
        wide.Names.Add("half \uD83D of a pair");
        try
        {
            wide.TryEncode(new byte[1000], out _);
            Use.That(false, "half of a pair can be written");
        }
        catch (CodecException fault)
        {
            Use.That(fault.Path == "names[0]", "the path is " + fault.Path);
        }
        Use.That(!new Wide().TryEncode(new byte[4], out int written) && written > 4, "what does not fit says how much it is");
    }
}
