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

}  // namespace

int main() {
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
