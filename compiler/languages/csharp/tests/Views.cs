// Views give what decoding gives: of messages as they are, as older writers wrote them, and damaged. ALDIS_DAMAGED says how many damaged
// messages there are of each kind.
using System;
using System.Collections.Generic;
using Addressbook;
using Aldis;
using Aldis.Codec;
using Market;
using System_;

static class Views
{
    sealed class Form
    {
        internal string Name = "";
        internal byte[] Bytes = new byte[0];
        internal Func<byte[], Structure> Decode = bytes => throw new InvalidOperationException();
        internal Action<byte[]> Verify = bytes => { };
        internal Func<byte[], Structure> View = bytes => throw new InvalidOperationException();
        internal Func<Structure, byte[]> Encode = value => new byte[0];
    }

    internal static void Run()
    {
        Fields();
        Older();
        Sets();
        string? asked = Environment.GetEnvironmentVariable("ALDIS_DAMAGED");
        int count = asked == null ? 5_000 : int.Parse(asked);
        foreach (Form form in Forms()) Damaged(form, count);
    }

    // The lines of the README about drafts.
    static void Sets()
    {
        Quote quote = FullQuote();
        var buffer = new byte[200];
        var draft = new QuoteDraft(quote);
        long least = long.MaxValue;
        for (int round = 0; round < 10; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            int end = draft.Into(buffer, 16);
            draft.Sequence = 9;
            draft.AskSize = null;
            draft.Bid.Mantissa = 5;
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before + (end > 16 ? 0 : 1));
        }
        if (least != 0) throw new InvalidOperationException("a draft allocates " + least + " bytes");
        quote.Sequence = 9;
        quote.AskSize = null;
        if (!draft.Encode().AsSpan().SequenceEqual(quote.Encode())) throw new InvalidOperationException("the draft has other fields");
        quote.Bid.Mantissa = 6;
        draft.SetBid(quote.Bid);
        if (!draft.Encode().AsSpan().SequenceEqual(quote.Encode())) throw new InvalidOperationException("the draft has other fields");
    }

    static Quote FullQuote()
    {
        var quote = new Quote { Sequence = 1, Instrument = 7, BidSize = 100 };
        quote.Bid.Mantissa = 5;
        return quote;
    }

    static OrderBook Book()
    {
        var book = new OrderBook { Sequence = 1, Symbol = "EURUSD" };
        book.Bids.Add(new OrderBookBids { Size = 3 });
        book.Bids.Add(new OrderBookBids { Size = 4 });
        return book;
    }

    static Person Ada() => new Person { Id = 7, Name = "Ada", Email = "ada@example.com", Employment = PersonEmployment.Employer("MIT") };

    static Form[] Forms()
    {
        var people = new AddressBook { People = new List<Person> { Ada(), new Person() } };
        Wide wide = Use.Filled();
        return new[]
        {
            new Form { Name = "sbe", Bytes = Book().Encode(), Decode = b => OrderBook.Decode(b), Verify = b => OrderBook.Verify(b), View = b => OrderBookView.Verify(b).Clone(), Encode = v => ((OrderBook)v).Encode() },
            new Form { Name = "sbe, flat", Bytes = FullQuote().Encode(), Decode = b => Quote.Decode(b), Verify = b => Quote.Verify(b), View = b => QuoteView.Verify(b).Clone(), Encode = v => ((Quote)v).Encode() },
            new Form { Name = "fbe", Bytes = wide.Encode(), Decode = b => Wide.Decode(b), Verify = b => Wide.Verify(b), View = b => WideView.Verify(b).Clone(), Encode = v => ((Wide)v).Encode() },
            new Form { Name = "fbe-final", Bytes = wide.EncodeFinal(), Decode = b => Wide.DecodeFinal(b), Verify = b => Wide.VerifyFinal(b), View = b => WideViewFinal.Verify(b).Clone(), Encode = v => ((Wide)v).EncodeFinal() },
            new Form { Name = "capnp", Bytes = people.Encode(), Decode = b => AddressBook.Decode(b), Verify = b => AddressBook.Verify(b), View = b => AddressBookView.Verify(b).Clone(), Encode = v => ((AddressBook)v).Encode() },
            new Form { Name = "capnp-packed", Bytes = Ada().EncodePacked(), Decode = b => Person.DecodePacked(b), Verify = b => Person.VerifyPacked(b), View = b => PersonViewPacked.Verify(b).Clone(), Encode = v => ((Person)v).EncodePacked() },
            new Form { Name = "capnp-canonical", Bytes = Ada().EncodeCanonical(), Decode = b => Person.DecodeCanonical(b), Verify = b => Person.VerifyCanonical(b), View = b => PersonViewCanonical.Verify(b).Clone(), Encode = v => ((Person)v).EncodeCanonical() },
        };
    }

    static void Fields()
    {
        QuoteView view = QuoteView.Verify(FullQuote().Encode());
        Use.That(view.Sequence == 1 && view.Instrument == 7 && view.Bid!.Mantissa == 5, "fields of a view");
        Use.That(view.BidSize == 100 && view.AskSize == null, "optional fields of a view");
        Use.That(view.BidSizeOr(7) == 100 && view.AskSizeOr(7) == 7, "optional numbers of a view, or others");
        PersonView ada = PersonView.Verify(Ada().Encode());
        Use.That(ada.Name == "Ada" && ada.Employment!.AsEmployer() == "MIT" && ada.Phones == null, "behind pointers");
        foreach (Form form in Forms()) Use.That(form.View(form.Bytes).Equals(form.Decode(form.Bytes)), form.Name + ": a view of all fields");
        CodecException fault = Use.Fault(() => OrderBookView.Verify(Book().Encode(), new Limits(0, 8, 1000, true)));
        Use.That(fault.Code == Code.TooDeep, "limits are those that were given: " + fault.Message);
    }

    // A field that an older writer did not know is null, and a field that it knew is there.
    static void Older()
    {
        byte[] newest = FullQuote().Encode();
        for (int block = 0; block <= newest.Length - 8; block++)
        {
            byte[] bytes = newest.AsSpan(0, 8 + block).ToArray();
            bytes[0] = (byte)block;
            QuoteView view = QuoteView.Verify(bytes);
            Use.That(view.Clone().Equals(Quote.Decode(bytes)), "a block of " + block + " bytes");
            Use.That((view.Sequence != null) == (block >= 8) && (view.Instrument != null) == (block >= 20), "fields in " + block + " bytes");
            Use.That(view.BidSize == Quote.Decode(bytes).BidSize, "a size in " + block + " bytes");
            Use.That(view.BidSizeOr(7) == (view.BidSize ?? 7), "a size or another in " + block + " bytes");
        }
    }

    static (Structure? Value, string Fault) Outcome(Func<byte[], Structure?> way, byte[] bytes)
    {
        try
        {
            return (way(bytes), "");
        }
        catch (CodecException fault)
        {
            return (null, fault.Message);
        }
    }

    static void Damaged(Form form, int count)
    {
        var random = new Random(form.Name.Length);
        int refused = 0;
        for (int turn = 0; turn < count; turn++)
        {
            byte[] bytes = Damage(form.Bytes, random);
            var decoded = Outcome(form.Decode, bytes);
            var verified = Outcome(given =>
            {
                form.Verify(given);
                return decoded.Value;
            }, bytes);
            var viewed = Outcome(form.View, bytes);
            if (!verified.Equals(decoded) || !Equals(viewed.Value, decoded.Value) || viewed.Fault != decoded.Fault)
            {
                Use.That(false, form.Name + ": " + BitConverter.ToString(bytes) + ": " + decoded + ", checked " + verified + ", viewed " + viewed);
                return;
            }
            refused += decoded.Value == null ? 1 : 0;
            if (decoded.Value is null) continue;
            Outcome(given => form.Decode(form.Encode(decoded.Value)), bytes);
            Outcome(given => decoded.Value.ToJson().Length == 0 ? null : decoded.Value, bytes);
        }
        Use.That(refused > count / 20 && refused < count, form.Name + ": some damage is seen, and some is not: " + refused);
    }

    // The bytes with up to three of them, or a number, changed, and sometimes cut.
    static byte[] Damage(byte[] from, Random random)
    {
        int[] numbers = { 0, 1, -1, int.MaxValue, 1 << 20, random.Next() };
        var bytes = (byte[])from.Clone();
        if (random.Next(4) == 0) Array.Resize(ref bytes, random.Next(from.Length + 9));
        for (int edits = random.Next(4); edits >= 0 && bytes.Length > 4; edits--)
        {
            int at = random.Next(bytes.Length - 4), number = numbers[random.Next(numbers.Length)], kind = random.Next(3);
            if (kind == 0) bytes[at] ^= (byte)(1 << random.Next(8));
            else if (kind == 1) bytes[at] = unchecked((byte)number);
            else for (int i = 0; i < 4; i++) bytes[at + i] = unchecked((byte)(number >> (8 * i)));
        }
        return bytes;
    }
}
