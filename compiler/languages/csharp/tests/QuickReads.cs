// A quick reader makes of ordinary messages the value that the careful one makes, into new objects and used ones, and asks as much of the budget.
using System;
using System.Collections.Generic;
using Addressbook;
using Aldis;
using Aldis.Codec;
using Lists;
using Market;
using System_;

static class QuickReads
{
    delegate long Quick<T>(ReadOnlySpan<byte> b, int end, int start, int depth, long left, T into);

    delegate T Careful<T>(ref In f, T into);

    internal static void Run()
    {
        var book = new OrderBook { Sequence = 1, Symbol = "EURUSD" };
        book.Bids.Add(new OrderBookBids { Size = 3 });
        book.Bids[0].Orders.Add(new OrderBookBidsOrders());
        var longer = new OrderBook { Sequence = 2, Symbol = "GBP" };
        longer.Bids.Add(new OrderBookBids { Size = 4 });
        longer.Bids.Add(new OrderBookBids { Size = 5 });
        longer.Bids[1].Orders.Add(new OrderBookBidsOrders());
        Books("sbe", book, longer);
        Books("sbe, less", longer, book);
        Quick<Quote> quotes = QuoteCodec.QuickReadMessage;
        Careful<Quote> careful = (ref In f, Quote into) => QuoteCodec.Message(ref f, 0, into);
        Form("sbe, flat", new Quote { Sequence = 1, BidSize = 100 }, new Quote(), value => value.Encode(), quotes, careful);
        Wide wide = Use.Filled(), empty = new Wide();
        Wides("fbe", wide, empty);
        Wides("fbe, empty", empty, wide);
        Segments();
    }

    // Messages of one segment.
    static void Segments()
    {
        var ada = new Person { Id = 7, Name = "Ada Gr\u00FC\u00DFe", Email = "", Employment = PersonEmployment.School("some school") };
        ada.Phones = new List<PersonPhoneNumber> { new PersonPhoneNumber { Number = "12345678" }, new PersonPhoneNumber() };
        var bob = new Person { Name = "Bob", Employment = PersonEmployment.School("some school") };
        People("capnp", ada, bob);
        People("capnp, empty", new Person(), ada);
        Sheet sheet = Filled();
        var fewer = new Sheet { Bits = new bool[3], Union = Sheet_2.Nothing() };
        Sheets("capnp, lists", sheet, fewer);
        Sheets("capnp, fewer lists", fewer, sheet);
    }

    internal static Sheet Filled()
    {
        var one = new Item { Id = 5, Name = "a name", Next = new Item { Name = "\u03A9" } };
        return new Sheet
        {
            Bits = new[] { true, false, true, true, false, false, true, true, true }, Bytes = new byte[] { 1, 2, 3 }, Shorts = new short[] { -1, 5, 7 },
            Texts = new List<string?> { "one", "", "drei" }, Items = new List<Item> { one, new Item() },
            Deep = new List<List<Item>?> { new List<Item> { one.Clone() }, new List<Item>() }, Shades = new ushort[] { 1, 0, 9 },
            Own = new SheetOwn { Note = "a note", Item = one.Clone() }, Union = Sheet_2.Many(new ulong[] { 1, ulong.MaxValue }),
        };
    }

    static void People(string name, Person value, Person other)
    {
        Quick<Person> quick = PersonCodec.QuickReadMessage;
        Form(name, value, other.Clone(), person => person.Encode(), quick, (ref In f, Person into) => PersonCodec.Message(ref f, 0, into));
    }

    static void Sheets(string name, Sheet value, Sheet other)
    {
        Quick<Sheet> quick = SheetCodec.QuickReadMessage;
        Form(name, value, other.Clone(), sheet => sheet.Encode(), quick, (ref In f, Sheet into) => SheetCodec.Message(ref f, 0, into));
    }

    static void Books(string name, OrderBook value, OrderBook other)
    {
        Quick<OrderBook> quick = OrderBookCodec.QuickReadMessage;
        Form(name, value, other.Clone(), book => book.Encode(), quick, (ref In f, OrderBook into) => OrderBookCodec.Message(ref f, 0, into));
    }

    static void Wides(string name, Wide value, Wide other)
    {
        Quick<Wide> quick = WideCodec.QuickReadMessage, final = WideCodec.QuickReadMessageFinal;
        Form(name, value, other.Clone(), wide => wide.Encode(), quick, (ref In f, Wide into) => WideCodec.Message(ref f, 0, into));
        Form(name + ", final", value, other.Clone(), wide => wide.EncodeFinal(), final, (ref In f, Wide into) => WideCodec.MessageFinal(ref f, 0, into));
    }

    static void Form<T>(string name, T value, T used, Func<T, byte[]> encode, Quick<T> quick, Careful<T> careful) where T : Structure, new()
    {
        byte[] bytes = encode(value);
        var fresh = new T();
        Use.That(quick(bytes, bytes.Length, 0, 64, 1 << 20, fresh) >= 0 && fresh.Equals(value), name + ": a new object");
        Use.That(quick(bytes, bytes.Length, 0, 64, 1 << 20, used) >= 0 && used.Equals(value), name + ": a used object");
        long budget = Least(bytes, careful);
        // Of a form whose records lie one behind the other the budget is looked at, and stays.
        long left = name.StartsWith("sbe") ? budget : 0;
        Use.That(quick(bytes, bytes.Length, 0, 64, budget, fresh) >> 32 == left, name + ": all of a budget of " + budget);
        Use.That(quick(bytes, bytes.Length, 0, 64, budget - 1, fresh) < 0, name + ": one less is too little");
        Damaged(name, bytes, used, quick, careful);
    }

    // The least budget of the careful reader.
    static long Least<T>(byte[] bytes, Careful<T> careful) where T : Structure, new()
    {
        long low = 0, high = 1 << 20;
        while (low < high)
        {
            long middle = (low + high) / 2;
            try
            {
                var f = new In(bytes, new Limits(64, 0, middle, true));
                careful(ref f, new T());
                high = middle;
            }
            catch (CodecException)
            {
                low = middle + 1;
            }
        }
        return low;
    }

    // Of damaged messages it accepts none that the careful one refuses, and makes what that makes, after whatever was read before.
    static void Damaged<T>(string name, byte[] bytes, T used, Quick<T> quick, Careful<T> careful) where T : Structure, new()
    {
        var random = new Random(7);
        for (int turn = 0; turn < 3000; turn++)
        {
            var damaged = (byte[])bytes.Clone();
            for (int changes = random.Next(3); changes >= 0; changes--) damaged[random.Next(damaged.Length)] = (byte)random.Next(1 << random.Next(9));
            T? value = null;
            try
            {
                var f = new In(damaged, Limits.Default);
                value = careful(ref f, new T());
            }
            catch (CodecException)
            {
            }
            bool isQuick = quick(damaged, damaged.Length, 0, 64, Limits.Default.BudgetBase, used) >= 0;
            Use.That(!isQuick || value != null && used.Equals(value), name + ", damage " + turn);
            if (value == null || isQuick) continue;
            var again = new In(damaged, Limits.Default);
            Use.That(careful(ref again, used).Equals(value), name + ", damage " + turn + ", half read before");
        }
    }
}
