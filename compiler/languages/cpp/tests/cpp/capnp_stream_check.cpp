// Messages of segments, packed and not: all of one type, since they do not say which they are.
#include "market_stream.hpp"
#include "stream_check.hpp"

namespace {

struct levels {
    std::vector<market::Level> seen;

    void operator()(const market::Level& level) { seen.push_back(level); }
};

template <class Sender, class Receiver>
void check() {
    // The last word of packed bytes is zero, dense, or neither.
    std::vector<market::Level> sent(3);
    sent[1].price = -1;
    sent[2].size = 7;
    Sender out;
    for (const market::Level& level : sent) {
        expect(out.send(level).ok(), "a message is not sent");
    }
    however_cut(out.bytes(), [] { return Receiver(); }, levels(),
                [&](const levels& got) { expect(got.seen == sent, "messages are read otherwise"); });
}

}  // namespace

int main() {
    check<market::sender, market::receiver<market::Level>>();
    check<market::sender_packed, market::receiver_packed<market::Level>>();
    market::sender_canonical out(aldis::framing::u16le);
    market::receiver_canonical<market::Level> in(aldis::framing::u16le);
    levels got;
    expect(out.send(market::Level()).ok() && in.feed(out.bytes(), got).ok() && got.seen.size() == 1, "canonical is lost");
    return failures == 0 ? 0 : 1;
}
