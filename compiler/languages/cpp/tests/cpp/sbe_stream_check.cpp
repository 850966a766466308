// SBE messages in the framings that both sides may agree on.
#include "market_stream.hpp"
#include "stream_check.hpp"

namespace {

struct trades_and_quotes {
    std::vector<market::Trade> trades;
    std::vector<market::Quote> quotes;

    void operator()(const market::Trade& trade) { trades.push_back(trade); }
    void operator()(const market::Quote& quote) { quotes.push_back(quote); }
};

market::Trade trade(std::uint64_t sequence) {
    market::Trade made;
    made.sequence = sequence;
    made.venue = "XYZ";
    return made;
}

/// Books with more and with fewer prices than the one before, in an object that is used again.
void books() {
    market::OrderBook read;
    aldis::buffer out;
    for (std::size_t step = 0; step < 64; ++step) {
        market::OrderBook book;
        book.symbol = std::string(step % 9, 's');
        book.bids.resize(step % 5);
        for (auto& bid : book.bids) {
            bid.size = static_cast<std::uint32_t>(step);
            bid.orders.resize(step / 5 % 4);
            for (auto& order : bid.orders) {
                order.id = step + static_cast<std::uint64_t>(&order - bid.orders.data());
            }
        }
        read.missing_fields.add(1);
        expect(market::decode(*market::encode(book, out), read).ok() && read == book, "a book is read otherwise");
    }
}

}  // namespace

int main() {
    books();
    market::Quote quote;
    quote.sequence = 3;
    for (const aldis::framing how : {aldis::framing::u16le, aldis::framing::u16be, aldis::framing::u32le,
                                     aldis::framing::u32be, aldis::framing::sofh, aldis::framing::sofh_big}) {
        market::sender out(how);
        expect(out.send(trade(1)).ok() && out.send(quote).ok() && out.send(trade(2)).ok(), "a message is not sent");
        const auto judge = [&](const trades_and_quotes& seen) {
            expect(seen.trades == std::vector{trade(1), trade(2)} && seen.quotes == std::vector{quote},
                   "messages are read otherwise");
        };
        however_cut(out.bytes(), [&] { return market::receiver(how); }, trades_and_quotes(), judge);
    }
    market::sender out(aldis::framing::u32le);
    market::Trade bad = trade(1);
    bad.missing_fields.add(0);
    const auto refused = out.send(bad);
    expect(!refused && refused.error().what == aldis::stream_code::bad_message && out.bytes().empty(),
           "what cannot be encoded is sent");
    return failures == 0 ? 0 : 1;
}
