// Reads a stream of market messages from standard input (each behind its length, u32 little endian), decodes the quotes
// into one object that is used again, encodes them, and checks that nothing changed on the way. Prints how many messages
// and how many quotes there were, and the last quote.
#include <algorithm>
#include <iostream>
#include <iterator>

#include "market_json.hpp"
#include "market_stream.hpp"

namespace {

struct reader {
    market::Quote quote;
    aldis::buffer out;
    std::size_t messages = 0;
    std::size_t quotes = 0;
    std::string problem;

    /// Whether to go on.
    bool read(std::span<const std::byte> message) {
        ++messages;
        const auto which = market::identify(message);
        if (!which) {
            return fail(which.error());
        }
        if (*which != market::message_id::Quote) {
            return true;
        }
        ++quotes;
        if (const auto size = market::decode(message, quote); !size) {
            return fail(size.error());
        }
        const auto bytes = market::encode(quote, out);
        if (!bytes) {
            return fail(bytes.error());
        }
        const bool same = std::equal(bytes->begin(), bytes->end(), message.begin(), message.end());
        problem = same ? "" : "written otherwise";
        return same;
    }

    bool fail(const aldis::error& fault) {
        problem = to_string(fault);
        return false;
    }
};

}  // namespace

int main() {
    const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
    reader quotes;
    aldis::frame_receiver stream(aldis::framing::u32le);
    const auto fed = stream.feed(aldis::bytes_of(input), [&](auto message) { return quotes.read(message); });
    if (!fed || !quotes.problem.empty()) {
        std::cerr << "message " << quotes.messages << ": " << (fed ? quotes.problem : to_string(fed.error())) << '\n';
        return 1;
    }
    std::cout << quotes.messages << ' ' << quotes.quotes << '\n';
    std::cerr << quotes.quote << '\n';
    return 0;
}
