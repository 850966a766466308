// Reads a stream of market messages from standard input (each behind its length, u32 little endian), decodes the quotes
// into one object that is used again, encodes them, and checks that nothing changed on the way. Does the same with order
// books, without an object: read in place and written field by field. Prints how many messages and how many quotes there
// were, and the last quote.
#include <algorithm>
#include <iostream>
#include <iterator>

#include "market_json.hpp"
#include "market_stream.hpp"
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
    market::Quote quote;
    aldis::buffer out;
    std::vector<std::byte> room;
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
        if (*which == market::message_id::OrderBook) {
            return copy(message);
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
        return same(*bytes, message);
    }

    bool same(std::span<const std::byte> bytes, std::span<const std::byte> message) {
        const bool equal = std::equal(bytes.begin(), bytes.end(), message.begin(), message.end());
        problem = equal ? "" : "written otherwise";
        return equal;
    }

    bool fail(const aldis::error& fault) {
        problem = to_string(fault);
        return false;
    }

    /// Reads a book where it lies and writes it again; no level is ever an object.
    bool copy(std::span<const std::byte> message) {
        const auto book = market::verify<market::OrderBook>(message);
        if (!book) {
            return fail(book.error());
        }
        room.resize(message.size());
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
            return fail(bytes.error());
        }
        return same(*bytes, message);
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
