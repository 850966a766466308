// Reads a stream of market messages from standard input (each behind its length, u32 little endian), decodes the quotes
// into one object that is used again, encodes them, and checks that nothing changed on the way. Prints how many messages
// and how many quotes there were, and the last quote.
#include <algorithm>
#include <iostream>
#include <iterator>

#include "market_json.hpp"

namespace {

struct reader {
    std::span<const std::byte> left;
    market::Quote quote;
    aldis::buffer out;
    std::size_t messages = 0;
    std::size_t quotes = 0;

    /// The next frame of the stream; empty at its end.
    std::span<const std::byte> next() {
        if (left.size() < 4) {
            return {};
        }
        const auto length = aldis::load<std::uint32_t, aldis::little>(left.data());
        const auto frame = left.subspan(4, std::min<std::size_t>(length, left.size() - 4));
        left = left.subspan(4 + frame.size());
        return frame;
    }

    aldis::result<bool> read(std::span<const std::byte> frame) {
        ++messages;
        const auto which = market::identify(frame);
        if (!which) {
            return which.error();
        }
        if (*which != market::message_id::Quote) {
            return true;
        }
        ++quotes;
        if (const auto size = market::decode(frame, quote); !size) {
            return size.error();
        }
        const auto bytes = market::encode(quote, out);
        if (!bytes) {
            return bytes.error();
        }
        return std::equal(bytes->begin(), bytes->end(), frame.begin(), frame.end());
    }
};

}  // namespace

int main() {
    const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
    reader stream{std::as_bytes(std::span(input)), {}, {}};
    for (auto frame = stream.next(); !frame.empty(); frame = stream.next()) {
        const auto same = stream.read(frame);
        if (!same || !*same) {
            std::cerr << "message " << stream.messages << ": " << (same ? "written otherwise" : to_string(same.error()))
                      << '\n';
            return 1;
        }
    }
    std::cout << stream.messages << ' ' << stream.quotes << '\n';
    std::cerr << stream.quote << '\n';
    return 0;
}
