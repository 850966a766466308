// The client's half of aldis/1 without sockets, threads or clocks: frames go in, frames and tasks come out. It outlives
// connections: what is not acked is sent again in the next one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec.hpp"
#include "config.hpp"
#include "outbox.hpp"
#include "requests.hpp"
#include "subscriptions.hpp"

namespace aldis::transport {

// A connection is at its end: why, whether to connect again, and whether the server is to be told.
struct End {
    Error why;
    bool fatal = false;
    bool tell = false;
};

// Whether connecting again cannot help.
constexpr bool is_fatal(Code code) {
    switch (code) {
        case Code::protocol:
        case Code::frame_too_large:
        case Code::version:
        case Code::unauthorized:
        case Code::stale_epoch:
        case Code::unsupported:
        case Code::superseded:
        case Code::refused:
        case Code::closed:
        case Code::misused: return true;
        default: return false;
    }
}

// Not for several threads at once.
class Session {
public:
    explicit Session(const Config& config) : config_(config), outbox_(config.batch_bytes), epoch_(config.epoch) {}

    // A stream is there: says HELLO.
    void connected(TimePoint now) {
        state_ = State::connecting;
        greeted_ = false;
        heard_ = now;
        pinged_ = false;
        control_.clear();
        Hello hello;
        hello.features = (config_.checksum ? 0 : feature::no_checksum) | (config_.schema ? feature::schema : 0) | feature::push;
        hello.producer = config_.producer;
        hello.epoch = epoch_;
        hello.auth_method = config_.auth_method;
        hello.auth_data = config_.auth_data;
        hello.durability = config_.durability;
        hello.window = config_.window;
        encode(control_, hello);
    }

    // The stream is gone. With `over` there will be no other.
    void disconnected(const Error& why, bool over, Tasks& tasks) {
        control_.clear();
        requests_.fail({Code::disconnected, why.text}, tasks);
        set_state(over ? State::over : State::connecting, why, tasks);
    }

    // Takes a frame's kind and body. Views of the body are in `tasks`: run them before it goes.
    std::optional<End> received(std::uint8_t kind, Bytes body, TimePoint now, Tasks& tasks) {
        heard_ = now;
        pinged_ = false;
        const auto frame = decode(kind, body);
        if (!frame) {
            return End{frame.error(), true, true};
        }
        if (!greeted_ && kind != Welcome::kind && kind != Close::kind && kind < 0x80) {
            return End{{Code::protocol, "the server's first frame is no WELCOME"}, true, true};
        }
        return std::visit([&](const auto& one) { return on(one, now, tasks); }, *frame);
    }

    // What time brings: pings, the end of patience, requests that nobody answered.
    std::optional<End> tick(TimePoint now, Tasks& tasks) {
        requests_.expire(now, tasks);
        const auto silent = now - heard_;
        if (!greeted_ && silent >= config_.connect_timeout) {
            return End{{Code::idle, "no WELCOME in time"}, false, false};
        }
        if (silent >= 2 * config_.ping_after) {
            return End{{Code::idle, "the server answers no PING"}, false, true};
        }
        if (greeted_ && silent >= config_.ping_after && !pinged_) {
            pinged_ = true;
            encode(control_, Ping{0});
        }
        return std::nullopt;
    }

    // When `tick` has something to do, or `next` while nothing else is being written.
    TimePoint next_time(bool writing) const {
        const auto silence = !greeted_ ? config_.connect_timeout : pinged_ ? 2 * config_.ping_after : config_.ping_after;
        const TimePoint patience = std::min(requests_.earliest(), heard_ + silence);
        TimePoint time = patience;
        if (writing || state_ != State::ready) {
            return time;
        }
        // While a closed chunk waits for credit the open one lingers on.
        if (outbox_.has_open() && !outbox_.has_next()) {
            time = std::min(time, open_since_ + config_.linger);
        }
        // What is refused waits, and all behind it.
        return held_until_ > TimePoint{} ? std::min(patience, held_until_) : time;
    }

    // Frames that go before batches.
    Buffer& control() { return control_; }

    // The next batch, without its checksum, as far as credit, linger and the server allow.
    std::optional<Outgoing> next(TimePoint now) {
        if (state_ != State::ready || now < held_until_) {
            return std::nullopt;
        }
        held_until_ = {};
        if (!outbox_.has_next() && outbox_.has_open() && (flush_ > outbox_.sent() || now >= open_since_ + config_.linger)) {
            outbox_.close_chunk();
        }
        auto outgoing = outbox_.next(credit_, max_entries());
        if (outgoing) {
            highest_sent_ = std::max(highest_sent_, outbox_.sent());
            outgoing->first -= base_;
        }
        return outgoing;
    }

    // Takes a message; `now` is asked only when it begins a batch.
    template <class Now>
    std::uint64_t send(Bytes message, Now now) {
        if (!outbox_.has_open()) {
            open_since_ = now();
        }
        return outbox_.append(message);
    }

    void flush(std::uint64_t upto) { flush_ = std::max(flush_, upto); }

    void request(Bytes bytes, Milliseconds deadline, OnReply on_reply, TimePoint now) {
        const auto most = Milliseconds(UINT32_MAX);
        const bool forever = deadline <= Milliseconds(0);
        const TimePoint end = forever ? TimePoint::max() : now + std::min(deadline, most);
        const std::uint64_t correlation = requests_.open(std::move(on_reply), end);
        const auto wire = forever ? 0 : static_cast<std::uint32_t>(std::min(deadline, most).count());
        encode(control_, Request{correlation, wire, bytes});
    }

    void reply(std::uint64_t correlation, const Result<Buffer>& answer) {
        if (answer) {
            encode(control_, Reply{correlation, Code::normal, *answer});
        } else {
            encode(control_, Reply{correlation, answer.error().code, bytes_of(answer.error().text)});
        }
    }

    // Gives the subscription's number. It is said now, or when the connection is there again.
    Result<std::uint32_t> subscribe(Subscription subscription) {
        if (!pushes_) {
            return Error{Code::unsupported, "the server has no subscriptions"};
        }
        const std::uint32_t id = subscriptions_.open(std::move(subscription));
        if (is_up()) {
            subscriptions_.say(id, control_);
        }
        return id;
    }

    void unsubscribe(std::uint32_t id) {
        if (subscriptions_.close(id) && is_up()) {
            encode(control_, Unsubscribe{id, Code::normal, ""});
        }
    }

    // Says that no batches follow; the server closes when it has acked all.
    void drain(std::uint32_t milliseconds) {
        leaving_ = true;
        encode(control_, Drain{milliseconds});
        state_ = State::draining;
    }

    // A request of the server that `received` found, once.
    std::optional<Request> take_asked() { return std::exchange(asked_, std::nullopt); }

    bool is_up() const { return greeted_ && (state_ == State::ready || state_ == State::draining); }
    State state() const { return state_; }
    const Outbox& outbox() const { return outbox_; }
    // The longest message that the server takes.
    std::size_t max_message() const { return max_entries() - entry_head; }
    // The longest body of any frame.
    std::size_t max_body() const { return max_frame_ - kind_size; }
    std::uint32_t epoch() const { return epoch_; }

private:
    using MaybeEnd = std::optional<End>;

    static End broken(std::string what) { return {{Code::protocol, std::move(what)}, true, true}; }

    std::size_t max_entries() const {
        const std::size_t head = kind_size + 16 + (config_.schema ? 8U : 0U);
        return max_frame_ > head + entry_head ? max_frame_ - head : entry_head;
    }

    void set_state(State state, const Error& why, Tasks& tasks) {
        const bool changed = std::exchange(state_, state) != state;
        if (changed && config_.on_state) {
            tasks.push_back([&on_state = config_.on_state, state, why] { on_state(state, why); });
        }
    }

    MaybeEnd on(const Welcome& welcome, TimePoint, Tasks& tasks) {
        if (greeted_) {
            return broken("a second WELCOME");
        }
        if (welcome.version != protocol_version) {
            return End{{Code::version, "the server speaks version " + std::to_string(welcome.version)}, true, true};
        }
        if (welcome.durability < config_.durability) {
            return End{{Code::unsupported, "the server grants less durability than is wanted"}, true, true};
        }
        if (!config_.checksum && (welcome.features & feature::no_checksum) == 0) {
            return End{{Code::unsupported, "the server wants checksums"}, true, true};
        }
        if (config_.schema && (welcome.features & feature::schema) == 0) {
            return End{{Code::unsupported, "the server takes no schema ids"}, true, true};
        }
        if (welcome.max_frame < smallest_max_frame) {
            return broken("a max frame of " + std::to_string(welcome.max_frame));
        }
        if (auto end = resume(welcome.last, tasks)) {
            return end;
        }
        greeted_ = true;
        nacks_ = 0;
        pushes_ = (welcome.features & feature::push) != 0;
        credit_ = welcome.credit;
        max_frame_ = welcome.max_frame;
        if (pushes_) {
            subscriptions_.say_all(control_);
        }
        set_state(State::ready, {}, tasks);
        return std::nullopt;
    }

    // The server has this producer's messages up to `last`: forgets those, and sends all others again.
    MaybeEnd resume(std::uint64_t last, Tasks& tasks) {
        if (!begun_) {
            begun_ = true;
            outbox_.begin_after(last);
            highest_sent_ = last;
            return std::nullopt;
        }
        const std::uint64_t known = base_ + last;
        if (known > highest_sent_) {
            return End{{Code::superseded, "the server has messages of this producer that this client did not send"}, true, true};
        }
        if (known < outbox_.acked()) {
            // The server has forgotten messages that it had acked. They count as sent; the others begin a new epoch.
            ++epoch_;
            base_ = outbox_.acked();
            highest_sent_ = base_;
            outbox_.rewind(base_ + 1);
            return End{{Code::unavailable, "the server has forgotten this producer; a new epoch begins"}, false, true};
        }
        if (known > outbox_.acked()) {
            advance(known);
            tell_acked(tasks);
        }
        outbox_.rewind(outbox_.acked() + 1);
        return std::nullopt;
    }

    void advance(std::uint64_t sequence) {
        outbox_.ack(sequence);
        marks_.acked = sequence;
        nacks_ = 0;
    }

    void tell_acked(Tasks& tasks) {
        if (config_.on_ack) {
            tasks.push_back([&on_ack = config_.on_ack, marks = marks_] { on_ack(marks); });
        }
    }

    MaybeEnd on(const Ack& ack, TimePoint, Tasks& tasks) {
        const std::uint64_t levels[] = {ack.received, ack.handled, ack.durable};
        const std::uint64_t mark = base_ + levels[static_cast<std::size_t>(config_.durability)];
        if (mark > highest_sent_) {
            return broken("an ACK of " + std::to_string(mark) + ", which was not sent");
        }
        credit_ = ack.credit;
        marks_.received = base_ + ack.received;
        marks_.handled = base_ + ack.handled;
        marks_.durable = base_ + ack.durable;
        marks_.duplicates = ack.duplicates;
        if (mark > outbox_.acked()) {
            advance(mark);
        }
        tell_acked(tasks);
        return std::nullopt;
    }

    MaybeEnd on(const Nack& nack, TimePoint now, Tasks&) {
        const std::uint64_t expected = base_ + nack.expected;
        const Error why{nack.code, std::string(nack.text)};
        if (expected <= outbox_.acked() || expected > highest_sent_ + 1) {
            return broken("a NACK of " + std::to_string(expected) + ", which is acked or was not sent");
        }
        if (nack.code == Code::refused) {
            if (!config_.retry_refused) {
                return End{{Code::refused, "message " + std::to_string(expected) + ": " + why.text}, true, true};
            }
            held_until_ = now + *config_.retry_refused;
        } else if (++nacks_ > most_nacks) {
            return End{why, false, true};
        }
        outbox_.rewind(expected);
        return std::nullopt;
    }

    MaybeEnd on(const Request& request, TimePoint, Tasks&) {
        asked_ = request;
        return std::nullopt;
    }

    MaybeEnd on(const Reply& reply, TimePoint, Tasks& tasks) {
        requests_.answer(reply, tasks);
        return std::nullopt;
    }

    MaybeEnd on(const Push& push, TimePoint, Tasks& tasks) {
        const auto done = subscriptions_.push(push, control_, tasks);
        return done ? std::nullopt : MaybeEnd(End{done.error(), true, true});
    }

    MaybeEnd on(const Ping& ping, TimePoint, Tasks&) {
        encode(control_, Pong{ping.opaque});
        if (control_.size() > most_control) {
            return End{{Code::slow, "the server asks and does not read the answers"}, false, true};
        }
        return std::nullopt;
    }

    // Answers behind the last batch, so that the server need not wait longer than for its acks.
    MaybeEnd on(const Drain& drain, TimePoint, Tasks& tasks) {
        if (state_ == State::ready) {
            encode(control_, drain);
        }
        set_state(State::draining, {Code::draining, "the server drains"}, tasks);
        return std::nullopt;
    }

    MaybeEnd on(const Close& close, TimePoint, Tasks&) {
        return End{{close.code, std::string(close.text)}, leaving_ || is_fatal(close.code), false};
    }

    MaybeEnd on(const Unsubscribe& frame, TimePoint, Tasks& tasks) {
        subscriptions_.end(frame, tasks);
        return std::nullopt;
    }

    MaybeEnd on(const Pong&, TimePoint, Tasks&) { return std::nullopt; }
    MaybeEnd on(const Unknown&, TimePoint, Tasks&) { return std::nullopt; }
    MaybeEnd on(const Hello&, TimePoint, Tasks&) { return broken("a HELLO from the server"); }
    MaybeEnd on(const Batch&, TimePoint, Tasks&) { return broken("a BATCH from the server"); }
    MaybeEnd on(const Subscribe&, TimePoint, Tasks&) { return broken("a SUBSCRIBE from the server"); }
    MaybeEnd on(const Credit&, TimePoint, Tasks&) { return broken("a CREDIT from the server"); }

    // Refusals without progress in between before the connection is given up.
    static constexpr int most_nacks = 8;
    // Bytes of answers that wait to be written.
    static constexpr std::size_t most_control = 1U << 20;
    // The handshake alone may be this long, so no server has less.
    static constexpr std::uint32_t smallest_max_frame = 64;

    const Config& config_;
    State state_ = State::connecting;
    bool greeted_ = false;
    bool begun_ = false;
    bool leaving_ = false;
    bool pushes_ = false;
    bool pinged_ = false;
    int nacks_ = 0;
    Outbox outbox_;
    std::uint32_t epoch_;
    // A message's sequence in this epoch is its sequence less `base_`.
    std::uint64_t base_ = 0;
    std::uint64_t highest_sent_ = 0;
    std::uint64_t flush_ = 0;
    Watermarks marks_;
    Window credit_;
    std::uint32_t max_frame_ = 1U << 20;
    TimePoint heard_;
    TimePoint open_since_;
    TimePoint held_until_;
    Requests requests_;
    Subscriptions subscriptions_;
    std::optional<Request> asked_;
    Buffer control_;
};

}  // namespace aldis::transport
