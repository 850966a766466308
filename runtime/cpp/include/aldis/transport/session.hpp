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
struct connection_end {
    error why;
    bool fatal = false;
    bool tell = false;
};

// Whether connecting again cannot help: docs/protocol.md, "Endings".
constexpr bool is_fatal(error_code code) {
    switch (code) {
        case error_code::protocol:
        case error_code::frame_too_large:
        case error_code::version:
        case error_code::unauthorized:
        case error_code::stale_epoch:
        case error_code::unsupported:
        case error_code::superseded:
        case error_code::closed:
        case error_code::misused: return true;
        default: return false;
    }
}

// A session is for one thread at a time.
class client_session {
public:
    explicit client_session(const client_config& config)
        : config_(config), outbox_(config.batch_bytes), epoch_(config.epoch) {}

    // A stream is there: says HELLO.
    void connected(time_point now) {
        state_ = client_state::connecting;
        greeted_ = false;
        heard_ = now;
        pinged_.reset();
        refusals_ = 0;
        held_until_ = {};
        control_.clear();
        hello_frame hello;
        hello.features =
            (config_.checksum ? 0 : feature::no_checksum) | (config_.schema ? feature::schema : 0) | feature::push;
        hello.producer = config_.producer;
        hello.epoch = epoch_;
        hello.auth_method = config_.auth_method;
        hello.auth_data = config_.auth_data;
        hello.durability = config_.durability;
        hello.window = config_.window;
        encode(control_, hello);
    }

    // The stream is gone. With `over` there will be no other.
    void disconnected(const error& why, bool over, task_list& tasks) {
        control_.clear();
        requests_.fail({error_code::disconnected, why.text}, tasks);
        set_state(over ? client_state::over : client_state::connecting, why, tasks);
    }

    // Takes a frame's kind and body. Views of the body are in `tasks`: run them before it goes.
    std::optional<connection_end> received(std::uint8_t kind, bytes_view body, time_point now, task_list& tasks) {
        heard_ = now;
        pinged_.reset();
        const auto frame = decode(kind, body);
        if (!frame) {
            return connection_end{frame.error(), false, true};
        }
        if (!greeted_ && kind != welcome_frame::kind && kind != close_frame::kind && kind < 0x80) {
            return broken("the server's first frame is no WELCOME");
        }
        return std::visit([&](const auto& one) { return on(one, now, tasks); }, *frame);
    }

    // Does the work that time asks for: pings, the end of patience, requests that nobody answered.
    std::optional<connection_end> tick(time_point now, task_list& tasks) {
        requests_.expire(now, tasks);
        const auto silent = now - heard_;
        if (!greeted_ && silent >= config_.connect_timeout) {
            return connection_end{{error_code::idle, "no WELCOME in time"}, false, false};
        }
        if (pinged_ && now - *pinged_ >= config_.ping_after) {
            return connection_end{{error_code::idle, "the server answers no PING"}, false, true};
        }
        if (greeted_ && silent >= config_.ping_after && !pinged_) {
            pinged_ = now;
            encode(control_, ping_frame{0});
            outbox_.give_back();
        }
        return std::nullopt;
    }

    // When `tick` has something to do, or `next` while nothing else is being written.
    time_point next_time(bool writing) const {
        const auto silence = greeted_ ? config_.ping_after : config_.connect_timeout;
        const time_point patience = std::min(requests_.earliest(), pinged_.value_or(heard_) + silence);
        time_point time = patience;
        if (writing || state_ != client_state::ready) {
            return time;
        }
        // While a closed chunk waits for credit the open one lingers on.
        if (outbox_.has_open() && !outbox_.has_next()) {
            time = std::min(time, open_since_ + config_.linger);
        }
        // A message that is refused waits, and all behind it.
        return held_until_ > time_point{} ? std::min(patience, held_until_) : time;
    }

    // Frames that go before batches.
    byte_vector& control() { return control_; }

    // The next batch, without its checksum, as far as credit, linger and the server allow. An error: the server's frames have
    // come to be too short for a message.
    result<std::optional<outgoing_batch>> next(time_point now) {
        if (state_ != client_state::ready || now < held_until_) {
            return std::optional<outgoing_batch>();
        }
        held_until_ = {};
        if (ends_batch(now)) {
            outbox_.close_chunk();
        }
        auto outgoing = outbox_.next(credit_, max_entries());
        if (outgoing && outgoing->entries.size() > max_entries()) {
            return error{error_code::frame_too_large, "a message that is kept has " +
                                                          std::to_string(outgoing->entries.size() - entry_head) +
                                                          " bytes; the server takes " + std::to_string(max_message())};
        }
        if (outgoing) {
            highest_sent_ = std::max(highest_sent_, outbox_.sent());
            outgoing->first -= base_;
        }
        return outgoing;
    }

    // Takes a message; `now` is asked only when it begins a batch.
    template <class Now>
    std::uint64_t send(bytes_view message, Now now) {
        if (!outbox_.has_open()) {
            open_since_ = now();
        }
        return outbox_.append(message);
    }

    // Takes messages that are entries already; the vector gets another buffer.
    std::uint64_t send_entries(byte_vector& entries, std::uint32_t count) { return outbox_.append_entries(entries, count); }

    // Takes entries that go on with the batch that `send` has begun.
    void send_open(bytes_view entries, std::uint32_t count) { outbox_.append_open(entries, count); }

    // Whether `next` closes the batch that is being filled: all before it is sent, and it is asked for, or has waited as long as it may.
    bool ends_batch(time_point now) const {
        return !outbox_.has_next() && outbox_.has_open() && (flush_ > outbox_.sent() || now >= open_since_ + config_.linger);
    }

    void flush(std::uint64_t upto) { flush_ = std::max(flush_, upto); }

    void request(bytes_view bytes, milliseconds deadline, reply_handler on_reply, time_point now) {
        const auto most = milliseconds(UINT32_MAX);
        const bool forever = deadline <= milliseconds(0);
        const time_point end = forever ? time_point::max() : now + std::min(deadline, most);
        const std::uint64_t correlation = requests_.open(std::move(on_reply), end);
        const auto wire = forever ? 0 : static_cast<std::uint32_t>(std::min(deadline, most).count());
        encode(control_, request_frame{correlation, wire, bytes});
    }

    // Answers a request of the server. An answer too long for a frame would end the connection, so the server is told that.
    void reply(std::uint64_t correlation, const result<byte_vector>& answer) {
        const bytes_view bytes = answer ? bytes_view(*answer) : bytes_of(answer.error().text);
        if (const std::size_t most = max_request(); bytes.size() > most) {
            const std::string text =
                "an answer of " + std::to_string(bytes.size()) + " bytes; a frame takes " + std::to_string(most);
            encode(control_, reply_frame{correlation, error_code::frame_too_large, bytes_of(text)});
        } else if (answer) {
            encode(control_, reply_frame{correlation, error_code::normal, bytes});
        } else if (is_utf8(text_of(bytes))) {
            encode(control_, reply_frame{correlation, on_wire(answer.error().code), bytes});
        } else {
            const std::string_view text = "refused, with a text that is not UTF-8";
            encode(control_, reply_frame{correlation, on_wire(answer.error().code), bytes_of(text)});
        }
    }

    // Gives the subscription's number. It is said now, or when the connection is there again.
    result<std::uint32_t> subscribe(subscription_config subscription) {
        if (!pushes_) {
            return error{error_code::unsupported, "the server has no subscriptions"};
        }
        const std::uint32_t id = subscriptions_.open(std::move(subscription));
        if (is_up()) {
            subscriptions_.say(id, control_);
        }
        return id;
    }

    void unsubscribe(std::uint32_t id) {
        if (subscriptions_.close(id) && is_up()) {
            encode(control_, unsubscribe_frame{id, error_code::normal, ""});
        }
    }

    // Says that no batches follow; the server closes when it has acked all. However this connection ends, it is the last.
    void drain(std::uint32_t most) {
        leaving_ = true;
        encode(control_, drain_frame{most});
        state_ = client_state::draining;
    }

    // A request of the server that `received` found, once.
    std::optional<request_frame> take_asked() { return std::exchange(asked_, std::nullopt); }

    bool is_up() const { return greeted_ && (state_ == client_state::ready || state_ == client_state::draining); }
    // The server has been told that nothing follows.
    bool is_leaving() const { return leaving_; }
    client_state state() const { return state_; }
    const message_outbox& outbox() const { return outbox_; }
    // The longest message that the server takes.
    std::size_t max_message() const { return max_entries() - entry_head; }
    // The longest request, and the longest answer to one.
    std::size_t max_request() const { return max_frame_ - kind_size - request_head; }
    std::uint32_t epoch() const { return epoch_; }

private:
    using maybe_end = std::optional<connection_end>;

    static connection_end broken(std::string what) { return {{error_code::protocol, std::move(what)}, false, true}; }

    // A refusal's code: `normal` would be an answer, and what only this side knows is nobody else's business.
    static error_code on_wire(error_code code) {
        return code == error_code::normal || code >= error_code::disconnected ? error_code::handler : code;
    }

    std::size_t max_entries() const {
        const std::size_t head = kind_size + 16 + (config_.schema ? 8U : 0U);
        return max_frame_ > head + entry_head ? max_frame_ - head : entry_head;
    }

    void set_state(client_state state, const error& why, task_list& tasks) {
        const bool changed = std::exchange(state_, state) != state;
        if (changed && config_.on_state) {
            tasks.push_back([&on_state = config_.on_state, state, why] { on_state(state, why); });
        }
    }

    maybe_end on(const welcome_frame& welcome, time_point, task_list& tasks) {
        if (greeted_) {
            return broken("a second WELCOME");
        }
        if (welcome.version != protocol_version) {
            return connection_end{
                {error_code::version, "the server speaks version " + std::to_string(welcome.version)}, true, true};
        }
        if (welcome.durability < config_.durability) {
            return connection_end{{error_code::unsupported, "the server grants less durability than is wanted"}, true, true};
        }
        if (!config_.checksum && (welcome.features & feature::no_checksum) == 0) {
            return connection_end{{error_code::unsupported, "the server wants checksums"}, true, true};
        }
        if (config_.schema && (welcome.features & feature::schema) == 0) {
            return connection_end{{error_code::unsupported, "the server takes no schema ids"}, true, true};
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
        set_state(client_state::ready, {}, tasks);
        return std::nullopt;
    }

    // The server has this producer's messages up to `last`: forgets those, and sends all others again.
    maybe_end resume(std::uint64_t last, task_list& tasks) {
        if (!begun_) {
            begun_ = true;
            outbox_.begin_after(last);
            highest_sent_ = last;
            return std::nullopt;
        }
        const std::uint64_t known = base_ + last;
        if (known > highest_sent_) {
            return connection_end{
                {error_code::superseded, "the server has messages of this producer that this client did not send"},
                true,
                true};
        }
        if (known < outbox_.acked()) {
            // The server has forgotten messages that it had acked. They count as sent; the others begin a new epoch.
            ++epoch_;
            base_ = outbox_.acked();
            highest_sent_ = base_;
            outbox_.rewind(base_ + 1);
            return connection_end{
                {error_code::unavailable, "the server has forgotten this producer; a new epoch begins"}, false, true};
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
        refusals_ = 0;
    }

    void tell_acked(task_list& tasks) {
        if (config_.on_ack) {
            tasks.push_back([&on_ack = config_.on_ack, marks = marks_] { on_ack(marks); });
        }
    }

    maybe_end on(const ack_frame& ack, time_point, task_list& tasks) {
        // Replicated messages have no watermark of their own.
        const std::uint64_t levels[] = {ack.received, ack.handled, ack.durable, ack.durable};
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

    maybe_end on(const nack_frame& nack, time_point now, task_list& tasks) {
        const std::uint64_t expected = base_ + nack.expected;
        if (expected <= outbox_.acked() || expected > highest_sent_ + 1) {
            return broken("a NACK of " + std::to_string(expected) + ", which is acked or was not sent");
        }
        if (nack.code == error_code::refused && !config_.retry_refused) {
            const std::string text = "message " + std::to_string(expected) + ": " + std::string(nack.text);
            return connection_end{{error_code::refused, text}, true, true};
        }
        if (nack.code == error_code::refused) {
            held_until_ = now + std::min(config_.most_backoff, config_.least_backoff * (1U << std::min(refusals_++, 20U)));
            if (config_.on_refused) {
                tasks.push_back([&on_refused = config_.on_refused, expected, text = std::string(nack.text)] {
                    on_refused(expected, text);
                });
            }
        } else if (++nacks_ > most_nacks) {
            return connection_end{{nack.code, std::string(nack.text)}, false, true};
        }
        outbox_.rewind(expected);
        return std::nullopt;
    }

    maybe_end on(const request_frame& request, time_point, task_list&) {
        asked_ = request;
        return std::nullopt;
    }

    maybe_end on(const reply_frame& reply, time_point, task_list& tasks) {
        requests_.answer(reply, tasks);
        return std::nullopt;
    }

    maybe_end on(const push_frame& push, time_point, task_list& tasks) {
        const auto done = subscriptions_.push(push, control_, tasks);
        return done ? std::nullopt : maybe_end(connection_end{done.error(), false, true});
    }

    maybe_end on(const ping_frame& ping, time_point, task_list&) {
        encode(control_, pong_frame{ping.opaque});
        if (control_.size() > most_control) {
            return connection_end{{error_code::slow, "the server asks and does not read the answers"}, false, true};
        }
        return std::nullopt;
    }

    // Answers behind the last batch, so that the server need not wait longer than for its acks.
    maybe_end on(const drain_frame& drain, time_point, task_list& tasks) {
        if (state_ == client_state::ready) {
            encode(control_, drain);
        }
        set_state(client_state::draining, {error_code::draining, "the server drains"}, tasks);
        return std::nullopt;
    }

    maybe_end on(const close_frame& close, time_point, task_list&) {
        return connection_end{{close.code, std::string(close.text)}, is_fatal(close.code), false};
    }

    maybe_end on(const unsubscribe_frame& frame, time_point, task_list& tasks) {
        subscriptions_.end(frame, tasks);
        return std::nullopt;
    }

    maybe_end on(const pong_frame&, time_point, task_list&) { return std::nullopt; }
    maybe_end on(const unknown_frame&, time_point, task_list&) { return std::nullopt; }
    maybe_end on(const hello_frame&, time_point, task_list&) { return broken("a HELLO from the server"); }
    maybe_end on(const batch_frame&, time_point, task_list&) { return broken("a BATCH from the server"); }
    maybe_end on(const subscribe_frame&, time_point, task_list&) { return broken("a SUBSCRIBE from the server"); }
    maybe_end on(const credit_frame&, time_point, task_list&) { return broken("a CREDIT from the server"); }

    // Bytes of a REQUEST or REPLY before what is asked or answered: correlation, and deadline or code.
    static constexpr std::size_t request_head = 12;
    // NACKs of damage without progress in between before the connection is given up.
    static constexpr int most_nacks = 8;
    // Bytes of answers that wait to be written.
    static constexpr std::size_t most_control = 1U << 20;
    // The handshake alone may be this long, so no server has less.
    static constexpr std::uint32_t smallest_max_frame = 64;

    const client_config& config_;
    client_state state_ = client_state::connecting;
    bool greeted_ = false;
    bool begun_ = false;
    bool leaving_ = false;
    bool pushes_ = false;
    // Since when a PING waits for any answer.
    std::optional<time_point> pinged_;
    int nacks_ = 0;
    // The handler's refusals without progress in between.
    unsigned refusals_ = 0;
    message_outbox outbox_;
    std::uint32_t epoch_;
    // A message's sequence in this epoch is its sequence less `base_`.
    std::uint64_t base_ = 0;
    std::uint64_t highest_sent_ = 0;
    std::uint64_t flush_ = 0;
    watermarks marks_;
    credit_window credit_;
    std::uint32_t max_frame_ = 1U << 20;
    time_point heard_;
    time_point open_since_;
    time_point held_until_;
    open_requests requests_;
    subscription_table subscriptions_;
    std::optional<request_frame> asked_;
    byte_vector control_;
};

}  // namespace aldis::transport
