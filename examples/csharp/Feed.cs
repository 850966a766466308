using System;
using System.IO;
using Aldis;
using Aldis.Codec;
using Aldis.Streams;
using Market;

/// <summary>Reads messages of the market that come one after another, each behind its length (u32, little-endian), sums what traded, and
/// writes a quote for each trade, at its price, framed alike.</summary>
internal sealed class Feed
{
    private readonly FrameSender quotes = new FrameSender(Framing.U32Le);
    private long messages;
    private long trades;
    private ulong traded;

    private void On(ReadOnlySpan<byte> bytes)
    {
        messages++;
        Structure message = MarketSchema.Decode(bytes);
        if (!(message is Trade trade)) return;
        trades++;
        traded += trade.Size;
        var quote = new Quote { Sequence = trade.Sequence, Time = trade.Time, Instrument = trade.Instrument };
        quote.Bid.Mantissa = trade.Price.Mantissa;
        quote.BidSize = trade.Size;
        quote.Ask.Mantissa = trade.Price.Mantissa;
        quote.AskSize = trade.Size;
        quotes.Send(quote.Encode());
    }

    private static int Main()
    {
        var feed = new Feed();
        var receiver = new FrameReceiver(Framing.U32Le);
        using Stream input = Console.OpenStandardInput(), output = Console.OpenStandardOutput();
        var chunk = new byte[65536];
        try
        {
            for (int size = input.Read(chunk, 0, chunk.Length); size > 0; size = input.Read(chunk, 0, chunk.Length))
            {
                receiver.Feed(chunk.AsSpan(0, size), feed.On);
                byte[] made = feed.quotes.Take();
                output.Write(made, 0, made.Length);
            }
            receiver.Finish();
        }
        catch (Exception fault) when (fault is StreamException || fault is CodecException)
        {
            byte[] made = feed.quotes.Take();
            output.Write(made, 0, made.Length);
            Console.Error.WriteLine("a damaged stream: " + fault.Message);
            return 1;
        }
        Console.Error.WriteLine("messages " + feed.messages + ", trades " + feed.trades + "; traded " + feed.traded);
        return 0;
    }
}
