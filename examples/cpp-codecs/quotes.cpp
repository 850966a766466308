// Reads a stream of market messages from standard input (each behind its length, u32 little endian), decodes the quotes
// into one object that is used again, encodes them, and checks that nothing changed on the way. Does the same with order
// books, without an object: read in place and written field by field. Prints how many messages and how many quotes there
// were, and the last quote.
#include <algorithm>
#include <iostream>
#include <iterator>

#include "market_json.hpp"
#include "market_view.hpp"
#include "market_writer.hpp"

namespace {

/// One side of a book, level by level.
void copy_side(const auto& from, auto to) {
    for (const auto& level : from) {
        auto copy = to.next();
        market::price price;
        price.mantissa = level.price().mantissa();
        copy.price(price);
        copy.size(level.size());
        auto orders = copy.orders(level.orders().size());
        for (const auto& order : level.orders()) {
            auto place = orders.next();
            place.id(order.id());
            place.size(order.size());
        }
    }
}

struct reader {
    std::span<const std::byte> left;
    market::Quote quote;
    aldis::buffer out;
    std::vector<std::byte> room;
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
        if (*which == market::message_id::OrderBook) {
            return copy(frame);
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

    /// Reads a book where it lies and writes it again; no level is ever an object.
    aldis::result<bool> copy(std::span<const std::byte> frame) {
        const auto book = market::verify<market::OrderBook>(frame);
        if (!book) {
            return book.error();
        }
        room.resize(frame.size());
        aldis::draft draft(room);
        auto again = market::write<market::OrderBook>(draft);
        again.sequence(book->sequence());
        again.time(book->time());
        again.instrument(book->instrument());
        again.symbol(book->symbol());
        again.volatility(book->volatility());
        copy_side(book->bids(), again.bids(book->bids().size()));
        copy_side(book->asks(), again.asks(book->asks().size()));
        const auto bytes = draft.finish();
        if (!bytes) {
            return bytes.error();
        }
        return std::equal(bytes->begin(), bytes->end(), frame.begin(), frame.end());
    }
};

}  // namespace

int main() {
    const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
    reader stream{std::as_bytes(std::span(input)), {}, {}, {}};
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
