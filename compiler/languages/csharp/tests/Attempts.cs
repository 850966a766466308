// Attempts that throw nothing, bytes written behind others, visitors of messages, and the order of keys.
using System;
using System.Buffers;
using System.Collections.Generic;
using Addressbook;
using Aldis;
using Market;
using System_;
using Account = System_.Account;

static class Attempts
{
    sealed class Seen : MarketSchema.Visitor
    {
        internal readonly List<object> Messages = new List<object>();

        public override void On(Quote message) => Messages.Add(message);

        public override void On(OrderBook message) => Messages.Add(message);
    }

    internal static void Run()
    {
        Wide wide = Use.Filled(), into = new Wide();
        byte[] bytes = wide.Encode(), shorter = wide.EncodeFinal();
        Use.That(Wide.TryDecode(bytes, into, out CodecException? fault) && fault == null && into.Equals(wide), "it can be decoded");
        Use.That(Wide.TryDecodeFinal(shorter, into, out fault) && Wide.TryVerifyFinal(shorter, out fault), "the other form can");
        for (int size = 0; size < bytes.Length; size++)
        {
            string wrong = Use.Fault(() => Wide.Decode(bytes.AsSpan(0, size))).Message;
            Use.That(!Wide.TryDecode(bytes.AsSpan(0, size), into, out fault) && fault!.Message == wrong, "what is wrong: " + wrong);
            Use.That(!Wide.TryVerify(bytes.AsSpan(0, size), out fault) && fault!.Message == wrong, "what a check says: " + wrong);
            Use.That(!WideView.TryVerify(bytes.AsSpan(0, size), out _, out fault) && fault!.Message == wrong, "what a view says: " + wrong);
        }
        Use.That(!Wide.TryDecode(bytes, into, out fault, new Limits(0, 8, 1024, true)) && fault!.Code == Code.TooDeep, "a limit");
        Use.That(WideView.TryVerify(bytes, out WideView view, out fault) && view.Clone().Equals(wide), "a view of what is right");
        Person ada = new Person { Name = "Ada" };
        Use.That(PersonViewPacked.TryVerify(ada.EncodePacked(), out PersonViewPacked packed, out fault) && packed.Name == "Ada", "packed");
        Writers(wide, ada);
        Visitors();
        var accounts = new SortedSet<Account>(Account.ByKey) { new Account { Id = 2 }, new Account { Id = -1, Account_ = 9 } };
        Use.That(!accounts.Add(new Account { Id = 2, Account_ = 1 }) && accounts.Min!.Id == -1, "keys are in order");
    }

    // Gives pieces that are as long as they must be.
    sealed class Pieces : IBufferWriter<byte>
    {
        internal readonly List<byte> All = new List<byte>();
        private byte[] piece = new byte[0];

        public void Advance(int count) => All.AddRange(new ArraySegment<byte>(piece, 0, count));

        public Memory<byte> GetMemory(int hint) => piece = new byte[Math.Max(hint, 1)];

        public Span<byte> GetSpan(int hint) => GetMemory(hint).Span;
    }

    static void Writers(Wide wide, Person ada)
    {
        wide.Value = new string('x', 1000);
        var many = new ArrayBufferWriter<byte>();
        var pieces = new Pieces();
        var expected = new List<byte>();
        foreach (byte[] bytes in new[] { wide.Encode(), wide.EncodeFinal(), ada.Encode(), ada.EncodePacked(), ada.EncodeCanonical() })
        {
            expected.AddRange(bytes);
        }
        foreach (IBufferWriter<byte> writer in new IBufferWriter<byte>[] { many, pieces })
        {
            wide.Encode(writer);
            wide.EncodeFinal(writer);
            ada.Encode(writer);
            ada.EncodePacked(writer);
            ada.EncodeCanonical(writer);
        }
        Use.That(many.WrittenSpan.SequenceEqual(expected.ToArray()), "one behind the other");
        Use.That(pieces.All.ToArray().AsSpan().SequenceEqual(expected.ToArray()), "in pieces");
    }

    static void Visitors()
    {
        var seen = new Seen();
        Quote quote = new Quote { Sequence = 5 };
        quote.Bid.Mantissa = 1;
        var book = new OrderBook { Sequence = 6, Symbol = "EURUSD" };
        MarketSchema.Dispatch(quote.Encode(), seen);
        MarketSchema.Dispatch(book.Encode(), seen);
        MarketSchema.Dispatch(new Trade { Sequence = 7 }.Encode(), seen);
        Use.That(seen.Messages.Count == 2 && quote.Equals(seen.Messages[0]) && book.Equals(seen.Messages[1]), "messages as they come");
        Use.That(Use.Fault(() => MarketSchema.Dispatch(new byte[8], seen)).Code == Code.UnknownMessage, "no message of the schema");
    }
}
