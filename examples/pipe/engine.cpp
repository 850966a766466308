// Answers an Erlang program over standard input and output. `engine desk` takes orders in FBE, and asks back, before it fills
// one, whether its owner can pay. `engine market` makes a trade in SBE of each quote that has a bid. `engine addressbook`
// gives back each address book in packed Cap'n Proto, with its people by their ids.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <string_view>

#include "addressbook_stream.hpp"
#include "desk_stream.hpp"
#include "market_stream.hpp"
#include "pipe.hpp"

namespace {

/// Gives what comes to an engine and writes what it sends, until the input ends. False where something is wrong.
template <class Engine>
bool run(Engine&& engine) {
    for (;;) {
        const pipes::piece piece = pipes::read_until(engine.deadline());
        if (const auto done = engine.feed(piece.bytes); !done) {
            std::cerr << done.error() << '\n';
            return false;
        }
        if (piece.at_end) {
            return true;
        }
        if (!pipes::write_all(engine.out)) {
            return false;
        }
    }
}

class desk_engine {
public:
    desk::sender out;

    [[nodiscard]] aldis::time_point deadline() const { return checks_.earliest(); }

    aldis::stream_result<void> feed(aldis::bytes_view bytes) {
        auto fed = in_.feed(bytes, aldis::overloaded{
            [this](const desk::Order& order) { take(order); },
            [this](const desk::Credit& credit) { checks_.answer(credit); },
            [this](const desk::Refusal& refusal) { checks_.answer(refusal); },
        });
        checks_.expire(pipes::now());
        return fed;
    }

private:
    /// Asks whether the owner can pay, and answers the order when that is known.
    void take(const desk::Order& order) {
        desk::CreditCheck check;
        check.id = aldis::random_uuid(random_);
        check.owner = order.owner;
        check.amount = order.limit * static_cast<std::int64_t>(order.quantity);
        const auto deadline = pipes::now() + std::chrono::milliseconds(order.patience);
        const auto asked = checks_.send(out, check, deadline, aldis::overloaded{
            [this, id = order.id, limit = order.limit](const desk::Credit&) { fill(id, limit - 1); },
            [this, id = order.id](const desk::Refusal& refusal) { refuse(id, refusal.why); },
            [this, id = order.id](aldis::unanswered) { refuse(id, "nobody knows"); },
        });
        if (!asked) {
            refuse(order.id, to_string(asked.error()));
        }
    }

    void fill(const aldis::uuid& id, std::int64_t price) {
        desk::Fill fill;
        fill.id = id;
        fill.price = price;
        send(fill);
    }

    void refuse(const aldis::uuid& id, std::string_view why) {
        desk::Refusal refusal;
        refusal.id = id;
        refusal.why = why;
        send(refusal);
    }

    /// The messages that are sent here have nothing that could not be encoded.
    void send(const auto& message) {
        if (const auto sent = out.send(message); !sent) {
            std::cerr << sent.error() << '\n';
        }
    }

    desk::receiver in_;
    desk::requests checks_;
    std::mt19937_64 random_{std::random_device{}()};
};

class market_engine {
public:
    market::sender out{aldis::framing::sofh};

    [[nodiscard]] static aldis::time_point deadline() { return aldis::time_point::max(); }

    aldis::stream_result<void> feed(aldis::bytes_view bytes) {
        aldis::stream_result<void> done;
        auto fed = in_.feed(bytes, [&](const market::Quote& quote) {
            if (done && quote.bid.mantissa && quote.bidSize) {
                done = trade(quote);
            }
        });
        return fed ? std::move(done) : std::move(fed);
    }

private:
    aldis::stream_result<void> trade(const market::Quote& quote) {
        trade_.sequence = quote.sequence;
        trade_.time = quote.time;
        trade_.instrument = quote.instrument;
        trade_.price.mantissa = *quote.bid.mantissa;
        trade_.size = *quote.bidSize;
        trade_.aggressor = market::Side::sell;
        trade_.venue = "CPP";
        return out.send(trade_);
    }

    market::receiver in_{aldis::framing::sofh};
    market::Trade trade_;
};

class addressbook_engine {
public:
    addressbook::sender_packed out;

    [[nodiscard]] static aldis::time_point deadline() { return aldis::time_point::max(); }

    aldis::stream_result<void> feed(aldis::bytes_view bytes) {
        aldis::stream_result<void> done;
        auto fed = in_.feed(bytes, [&](addressbook::AddressBook book) {
            if (book.people) {
                std::ranges::sort(*book.people, {}, &addressbook::Person::id);
            }
            if (done) {
                done = out.send(book);
            }
        });
        return fed ? std::move(done) : std::move(fed);
    }

private:
    addressbook::receiver_packed<addressbook::AddressBook> in_;
};

}  // namespace

int main(int count, char** arguments) {
    const std::string_view what = count == 2 ? arguments[1] : "";
    if (what == "desk") {
        return run(desk_engine()) ? 0 : 1;
    }
    if (what == "market") {
        return run(market_engine()) ? 0 : 1;
    }
    if (what == "addressbook") {
        return run(addressbook_engine()) ? 0 : 1;
    }
    std::cerr << "usage: engine desk | market | addressbook\n";
    return 2;
}
