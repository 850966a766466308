// A client of aldis/1: sends messages that are acked, asks, and subscribes. One thread of its own does all that waits for
// the network; any thread may call.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "codec.hpp"
#include "config.hpp"
#include "front.hpp"
#include "inbox.hpp"
#include "session.hpp"
#include "stream.hpp"

namespace aldis::transport {

class client {
public:
    // Connects and shakes hands; an error when that fails the first time. Later connections come back by themselves.
    static result<std::unique_ptr<client>> connect(client_config config) {
        if (auto wrong = config.fault()) {
            return std::move(*wrong);
        }
        std::unique_ptr<client> made(new client(std::move(config)));
        std::unique_lock lock(made->mutex_);
        made->changed_.wait(lock, [&] { return made->begun_ || made->failure_; });
        if (made->failure_) {
            return *made->failure_;
        }
        lock.unlock();
        return made;
    }

    client(const client&) = delete;
    client& operator=(const client&) = delete;

    // Leaves at once; what is not acked may be lost. `flush` or `drain` before.
    ~client() { close(); }

    // Takes a message and gives its sequence; it is acked when the watermark has come so far. Waits while too much is
    // kept already; on the client's own thread that is an error instead. A `message_batch` makes many cheaper.
    result<std::uint64_t> send(bytes_view message) {
        const std::uint64_t sequence = front_.add(message);
        return sequence != 0 ? result<std::uint64_t>(sequence) : send_all(std::span(&message, 1));
    }

    // Takes messages at the price of one lock and gives the sequence of the last. When one is too long none is taken.
    result<std::uint64_t> send_all(std::span<const bytes_view> messages) {
        std::unique_lock lock(mutex_);
        take_front();
        for (const bytes_view message : messages) {
            if (message.size() > session_.max_message()) {
                return too_large(message.size(), session_.max_message());
            }
        }
        bool wake = false;
        for (const bytes_view message : messages) {
            if (!is_open()) {
                if (auto room = wait_for_room(lock); !room) {
                    return room.error();
                }
            }
            const bool had_open = session_.outbox().has_open();
            session_.send(message, steady_clock::now);
            // The other thread waits for a whole batch, or for the first message of one that is to linger.
            wake = wake || !had_open || !session_.outbox().has_open();
        }
        const std::uint64_t last = session_.outbox().appended();
        open_front();
        wake_if(wake);
        return last;
    }

    // The longest message that the server takes, as far as is known.
    std::size_t max_message() const { return max_message_.load(std::memory_order_relaxed); }

    // Takes messages that are entries already, `count` of them and none longer than `longest`: see `message_batch`.
    result<std::uint64_t> send_entries(byte_vector& entries, std::uint32_t count, std::size_t longest) {
        std::unique_lock lock(mutex_);
        take_front();
        if (longest > session_.max_message()) {
            return too_large(longest, session_.max_message());
        }
        if (!is_open()) {
            if (auto room = wait_for_room(lock); !room) {
                return room.error();
            }
        }
        const std::uint64_t last = session_.send_entries(entries, count);
        wake_if(true);
        return last;
    }

    // Sends what lingers and waits until all messages are acked that were sent before.
    result<void> flush(milliseconds timeout) {
        std::unique_lock lock(mutex_);
        return flush_until(steady_clock::now() + timeout, lock);
    }

    // Asks; `on_reply` is called once, on the client's own thread. A deadline of 0 waits as long as the connection lasts.
    result<void> request(bytes_view bytes, milliseconds deadline, reply_handler on_reply) {
        std::unique_lock lock(mutex_);
        if (const auto ended = ended_error()) {
            return *ended;
        }
        if (!session_.is_up()) {
            return error{error_code::disconnected, "not connected now"};
        }
        if (const std::size_t most = session_.max_request(); bytes.size() > most) {
            return too_large(bytes.size(), most, "a request");
        }
        session_.request(bytes, deadline, std::move(on_reply), steady_clock::now());
        wake_if(true);
        return {};
    }

    // Asks and waits for the answer.
    result<byte_vector> request(bytes_view bytes, milliseconds deadline) {
        if (is_own_thread()) {
            return error{error_code::misused, "the client's own thread cannot wait for answers"};
        }
        const auto answer = std::make_shared<pending_answer>();
        const auto asked = request(bytes, deadline, [answer](const result<bytes_view>& reply) { answer->give(reply); });
        if (!asked) {
            return asked.error();
        }
        return answer->wait();
    }

    // Gives the subscription's number. It outlives connections and goes on where it was.
    result<std::uint32_t> subscribe(subscription_config subscription) {
        if (!subscription.on_push || subscription.credit == 0) {
            return error{error_code::misused, "a subscription needs on_push and credit"};
        }
        if (subscription.topic.size() > max_text || !is_utf8(subscription.topic)) {
            return error{error_code::misused, "a topic is UTF-8 of at most " + std::to_string(max_text) + " bytes"};
        }
        std::unique_lock lock(mutex_);
        if (const auto ended = ended_error()) {
            return *ended;
        }
        auto id = session_.subscribe(std::move(subscription));
        wake_if(true);
        return id;
    }

    void unsubscribe(std::uint32_t id) {
        std::unique_lock lock(mutex_);
        session_.unsubscribe(id);
        wake_if(true);
    }

    // Flushes, tells the server that nothing follows, and waits until it has closed, or the connection is lost: the client is
    // over then, with nothing left to ack. When not all is acked in time it goes on as before.
    result<void> drain(milliseconds timeout) {
        const time_point deadline = steady_clock::now() + timeout;
        std::unique_lock lock(mutex_);
        // Other threads may send until the server is told.
        do {
            if (auto flushed = flush_until(deadline, lock); !flushed) {
                return flushed;
            }
            take_front();
        } while (session_.outbox().acked() < session_.outbox().appended());
        if (!session_.is_up()) {
            // There is nobody to tell.
            leave();
            return {};
        }
        const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now()).count();
        session_.drain(static_cast<std::uint32_t>(std::max<long long>(left, 1)));
        wake_if(true);
        if (!changed_.wait_until(lock, deadline, [&] { return failure_.has_value(); })) {
            return error{error_code::deadline, "all is acked, but the server did not close in time"};
        }
        return {};
    }

    // Leaves at once and waits for the client's own thread. Not from a callback.
    void close() {
        {
            const std::lock_guard guard(mutex_);
            leave();
        }
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    client_state state() const {
        const std::lock_guard guard(mutex_);
        return session_.state();
    }
    // The last acked sequence.
    std::uint64_t acked() const {
        const std::lock_guard guard(mutex_);
        return session_.outbox().acked();
    }
    // The epoch, which a server that has forgotten this producer makes higher.
    std::uint32_t epoch() const {
        const std::lock_guard guard(mutex_);
        return session_.epoch();
    }

private:
    explicit client(client_config config)
        : config_(std::move(config)), session_(config_) {
        thread_ = std::thread([this] { live(); });
    }

    bool is_own_thread() const { return std::this_thread::get_id() == own_; }

    std::optional<error> ended_error() const {
        if (failure_) {
            return failure_;
        }
        if (session_.is_leaving()) {
            return error{error_code::closed, "the client drains"};
        }
        return leaving_ ? std::optional(error{error_code::closed, "the client is closed"}) : std::nullopt;
    }

    // Whether a message can be taken at once.
    bool is_open() const {
        return session_.outbox().kept_bytes() < config_.max_kept_bytes && !failure_ && !leaving_ && !session_.is_leaving();
    }

    // Messages that `send` has taken since belong to the batch that is open, and it takes no more without the lock. Precedes all that
    // looks at the outbox's end, appends to it, or ends the right to send.
    void take_front() {
        front_.take([this](bytes_view entries, std::uint32_t count) { session_.send_open(entries, count); });
    }

    // Lets `send` fill the batch that is open, if one is, without the lock.
    void open_front() {
        const message_outbox& outbox = session_.outbox();
        if (outbox.has_open() && is_open()) {
            const std::size_t room = std::min(outbox.open_room(), config_.max_kept_bytes - outbox.kept_bytes());
            front_.open(outbox.appended(), room, session_.max_message());
        }
    }

    result<void> wait_for_room(std::unique_lock<std::mutex>& lock) {
        if (session_.outbox().kept_bytes() >= config_.max_kept_bytes) {
            // Acks of what lingers would be waited for as long as it lingers.
            session_.flush(session_.outbox().appended());
            wake_if(true);
            if (is_own_thread()) {
                return error{error_code::misused, "the client's own thread cannot wait for acks"};
            }
            changed_.wait(
                lock, [&] { return failure_ || leaving_ || session_.outbox().kept_bytes() < config_.max_kept_bytes; });
            take_front();
        }
        if (const auto ended = ended_error()) {
            return *ended;
        }
        return {};
    }

    result<void> flush_until(time_point deadline, std::unique_lock<std::mutex>& lock) {
        if (is_own_thread()) {
            return error{error_code::misused, "the client's own thread cannot wait for acks"};
        }
        take_front();
        const std::uint64_t upto = session_.outbox().appended();
        session_.flush(upto);
        wake_if(true);
        changed_.wait_until(lock, deadline, [&] { return failure_ || session_.outbox().acked() >= upto; });
        if (session_.outbox().acked() >= upto) {
            return {};
        }
        return failure_.value_or(error{
            error_code::deadline, std::to_string(upto - session_.outbox().acked()) + " messages are not acked: " +
                                      (session_.is_up() ? "the server has not said yet that it has them" : "there is no connection")});
    }

    // Ends whatever the other thread is at.
    void leave() {
        take_front();
        leaving_ = true;
        changed_.notify_all();
        wake_.call();
    }

    // The other thread is woken once for all that it finds when it looks.
    void wake_if(bool wanted) {
        if (!wanted) {
            return;
        }
        ++calls_;
        if (std::exchange(asleep_, false)) {
            wake_.call();
        }
    }

    // Runs what was found without the lock, so that callbacks may call.
    void run(std::unique_lock<std::mutex>& lock, task_list& tasks) {
        if (tasks.empty()) {
            return;
        }
        lock.unlock();
        for (const task& one : tasks) {
            one();
        }
        tasks.clear();
        lock.lock();
    }

    void live() {
        // A write to a connection that the server has closed is an error, not the process's end.
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);
        {
            const std::lock_guard guard(mutex_);
            own_ = std::this_thread::get_id();
        }
        milliseconds backoff = config_.least_backoff;
        while (true) {
            const connection_end end = attempt();
            if (std::exchange(was_up_, false)) {
                backoff = config_.least_backoff;
            }
            if (!lost(end)) {
                break;
            }
            pause(backoff);
            backoff = std::min(2 * backoff, config_.most_backoff);
        }
    }

    // Connects, and serves until the connection is at its end.
    connection_end attempt() {
        // No old call may interrupt the attempt; `leave` calls after it has said that it leaves.
        wake_.forget();
        if (const std::lock_guard guard(mutex_); leaving_) {
            return {{error_code::closed, "the client is closed"}, true, false};
        }
        auto stream = connect_next();
        for (std::size_t others = config_.other_addresses.size(); !stream && !is_fatal(stream.error().code) && others > 0; --others) {
            stream = connect_next();
        }
        if (!stream) {
            return {stream.error(), is_fatal(stream.error().code), false};
        }
        const connection_end end = serve(**stream);
        if (end.tell) {
            say_close(**stream, end.why);
        }
        return end;
    }

    // Each time to the next server.
    result<std::unique_ptr<byte_stream>> connect_next() {
        return config_.connector(config_.server(next_server_++), steady_clock::now() + config_.connect_timeout, wake_.descriptor());
    }

    // Notes the connection's end. Whether there is to be another.
    bool lost(const connection_end& end) {
        std::unique_lock lock(mutex_);
        const bool drained = session_.is_leaving();
        const bool over = end.fatal || drained || leaving_
                          || (!begun_ && next_server_ > config_.other_addresses.size());
        task_list tasks;
        session_.disconnected(end.why, over, tasks);
        run(lock, tasks);
        if (over) {
            take_front();
            failure_ = drained    ? error{error_code::normal, "drained"}
                       : leaving_ ? error{error_code::closed, "the client is closed"}
                                  : end.why;
            changed_.notify_all();
        }
        return !over;
    }

    // Waits before the next attempt.
    void pause(milliseconds backoff) {
        const auto half = std::max<long long>(backoff.count() / 2, 1);
        const auto time = milliseconds(half + static_cast<long long>(random_() % static_cast<unsigned long>(half)));
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, time, [&] { return leaving_; });
    }

    // Reads and writes until the connection is at its end.
    connection_end serve(byte_stream& stream) {
        begin_connection();
        while (true) {
            if (auto end = fill()) {
                return *end;
            }
            short waits = 0;
            const auto written = write_some(stream, waits);
            if (!written) {
                return {written.error()};
            }
            const auto read = stream.read(inbox_.room());
            if (!read) {
                return {read.error()};
            }
            if (read->size > 0) {
                inbox_.came(read->size);
                if (auto end = take_frames()) {
                    return *end;
                }
            } else if (*written == 0) {
                sleep(stream.descriptor(), static_cast<short>(waits | read->waits_for));
            }
        }
    }

    // Writes what is there, as far as it goes.
    result<std::size_t> write_some(byte_stream& stream, short& waits) {
        if (out_.empty() && body_.empty()) {
            return std::size_t{0};
        }
        const auto moved = stream.write(out_, body_);
        if (!moved) {
            return moved.error();
        }
        waits = moved->waits_for;
        const std::size_t of_head = std::min(moved->size, out_.size());
        out_ = out_.subspan(of_head);
        body_ = body_.subspan(moved->size - of_head);
        if (body_.empty()) {
            keeps_.reset();
        }
        return moved->size;
    }

    void begin_connection() {
        inbox_.clear();
        out_buffer_.clear();
        out_ = body_ = {};
        const std::lock_guard guard(mutex_);
        session_.connected(steady_clock::now());
    }

    // Does what it is time for, and finds what to write when all else is written: the frames that go first, or the next
    // batch, whose checksum is computed without the lock.
    std::optional<connection_end> fill() {
        std::optional<outgoing_batch> outgoing;
        const bool writing = !out_.empty() || !body_.empty();
        {
            task_list tasks;
            std::unique_lock lock(mutex_);
            if (leaving_) {
                return connection_end{{error_code::normal, ""}, true, true};
            }
            const time_point now = steady_clock::now();
            auto end = session_.tick(now, tasks);
            run(lock, tasks);
            if (end || writing) {
                return end;
            }
            seen_calls_ = calls_;
            out_buffer_.clear();
            if (session_.ends_batch(now)) {
                take_front();
            }
            if (!session_.control().empty()) {
                out_buffer_.swap(session_.control());
            } else {
                auto next = session_.next(now);
                if (!next) {
                    return connection_end{next.error(), true, true};
                }
                outgoing = std::move(*next);
            }
        }
        if (outgoing) {
            batch_frame batch{outgoing->first, outgoing->count, 0, config_.schema, outgoing->entries};
            batch.crc = config_.checksum ? batch_crc(batch) : 0;
            encode_head(out_buffer_, batch);
            body_ = outgoing->entries;
            keeps_ = std::move(outgoing->keeps);
        }
        out_ = out_buffer_;
        return std::nullopt;
    }

    // Takes all whole frames from what was read.
    std::optional<connection_end> take_frames() {
        while (true) {
            const auto next = inbox_.next();
            if (!next) {
                return connection_end{next.error(), false, true};
            }
            if (!*next) {
                return std::nullopt;
            }
            if (auto end = take_frame((*next)->kind, (*next)->body)) {
                return end;
            }
        }
    }

    std::optional<connection_end> take_frame(std::uint8_t kind, bytes_view body) {
        task_list tasks;
        std::unique_lock lock(mutex_);
        if (kind == welcome_frame::kind) {
            take_front();
        }
        auto end = session_.received(kind, body, steady_clock::now(), tasks);
        const auto asked = session_.take_asked();
        max_message_.store(session_.max_message(), std::memory_order_relaxed);
        if (!end && session_.is_up()) {
            begun_ = was_up_ = true;
        }
        changed_.notify_all();
        run(lock, tasks);
        if (asked) {
            lock.unlock();
            const auto answer = config_.on_request
                                    ? config_.on_request(asked->bytes)
                                    : result<byte_vector>(error{error_code::unsupported, "this client answers no requests"});
            lock.lock();
            session_.reply(asked->correlation, answer);
        }
        return end;
    }

    // Waits until the stream moves, somebody calls, or it is time for something.
    void sleep(int descriptor, short events) {
        time_point until;
        {
            const std::lock_guard guard(mutex_);
            const bool writing = !out_.empty() || !body_.empty();
            until = session_.next_time(writing);
            // A call that came since `fill` looked would wait for nothing.
            if (until <= steady_clock::now() || leaving_ || (!writing && calls_ != seen_calls_)) {
                return;
            }
            asleep_ = true;
        }
        const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(until - steady_clock::now());
        constexpr long long hour = 3600LL * 1000 * 1000 * 1000;
        const long long time = std::clamp<long long>(left.count(), 0, hour);
        const timespec timeout{static_cast<time_t>(time / 1000000000), static_cast<long>(time % 1000000000)};
        pollfd wanted[] = {{descriptor, events, 0}, {wake_.descriptor(), POLLIN, 0}};
        ppoll(wanted, 2, &timeout, nullptr);
        wake_.forget();
        const std::lock_guard guard(mutex_);
        asleep_ = false;
    }

    // Says why this side goes, if that goes out at once; not in the middle of a frame.
    void say_close(byte_stream& stream, const error& why) {
        if (!out_.empty() || !body_.empty()) {
            return;
        }
        byte_vector last;
        const auto code = why.code < error_code::disconnected ? why.code : error_code::normal;
        encode(last, close_frame{code, why.text});
        [[maybe_unused]] const auto written = stream.write(last, {});
    }

    const client_config config_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    // Under the mutex.
    client_session session_;
    message_front front_;
    std::atomic<std::size_t> max_message_ = 0;
    std::optional<error> failure_;
    bool begun_ = false;
    bool leaving_ = false;
    bool asleep_ = false;
    std::uint64_t calls_ = 0;
    std::thread::id own_;
    // The own thread's.
    std::size_t next_server_ = 0;
    bool was_up_ = false;
    std::uint64_t seen_calls_ = 0;
    byte_vector out_buffer_;
    bytes_view out_;
    bytes_view body_;
    std::shared_ptr<const entry_chunk> keeps_;
    wake_event wake_;
    inbox inbox_;
    std::minstd_rand random_{std::random_device{}()};
    std::thread thread_;
};

}  // namespace aldis::transport
