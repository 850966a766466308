package feed;

import aldis.CodecException;
import aldis.stream.FrameReceiver;
import aldis.stream.FrameSender;
import aldis.stream.Framing;
import aldis.stream.StreamException;
import com.example.market.MarketSchema;
import com.example.market.OptionalPrice;
import com.example.market.Quote;
import com.example.market.Trade;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads messages of the market that come one after another, each behind its length (u32, little-endian), sums what traded, and writes a
 * quote for each trade, at its price, framed alike.
 */
public final class Feed implements MarketSchema.Visitor {
    private final FrameSender quotes = new FrameSender(Framing.U32LE);
    private long messages;
    private long trades;
    private long traded;

    @Override public void on(Trade trade) {
        trades++;
        traded += trade.size();
        Quote quote = new Quote().sequence(trade.sequence()).time(trade.time()).instrument(trade.instrument());
        quote.bid(new OptionalPrice().mantissa(trade.price().mantissa())).bidSize(trade.size());
        quote.ask(new OptionalPrice().mantissa(trade.price().mantissa())).askSize(trade.size());
        quotes.send(quote.encode());
    }

    private void message(byte[] bytes, int at, int length) {
        messages++;
        MarketSchema.dispatch(Arrays.copyOfRange(bytes, at, at + length), this);
    }

    public static void main(String[] args) throws IOException {
        Feed feed = new Feed();
        FrameReceiver receiver = new FrameReceiver(Framing.U32LE);
        byte[] chunk = new byte[65536];
        try {
            for (int size = System.in.read(chunk); size >= 0; size = System.in.read(chunk)) {
                receiver.feed(chunk, 0, size, feed::message);
                System.out.write(feed.quotes.take());
            }
            receiver.finish();
        } catch (StreamException | CodecException fault) {
            System.err.println("a damaged stream: " + fault.getMessage());
            System.exit(1);
        }
        System.out.flush();
        System.err.println("messages " + feed.messages + ", trades " + feed.trades + "; traded " + feed.traded);
    }
}
