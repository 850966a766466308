// A client of aldis/1: sends messages that are acked, asks, and subscribes. One thread of its own does all that waits for
// the network; any thread may call.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>

#include <algorithm>
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
#include "inbox.hpp"
#include "session.hpp"
#include "stream.hpp"

namespace aldis::transport {

class Client {
public:
    // Connects and shakes hands; an error when that fails the first time. Later connections come back by themselves.
    static Result<std::unique_ptr<Client>> connect(Config config) {
        if (config.durability > Durability::durable) {
            return Error{Code::unsupported, "no listener acks `replicated` yet; ask for durable"};
        }
        if (config.auth_method.size() > 255 || config.auth_data.size() > 65535) {
            return Error{Code::misused, "an auth method takes 255 bytes, auth data 65,535"};
        }
        std::unique_ptr<Client> client(new Client(std::move(config)));
        std::unique_lock lock(client->mutex_);
        client->changed_.wait(lock, [&] { return client->begun_ || client->failure_; });
        if (client->failure_) {
            return *client->failure_;
        }
        lock.unlock();
        return client;
    }

    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Leaves at once; what is not acked may be lost. `flush` or `drain` before.
    ~Client() { close(); }

    // Takes a message and gives its sequence; it is acked when the watermark has come so far. Waits while too much is
    // kept already; on the client's own thread that is an error instead.
    Result<std::uint64_t> send(Bytes message) { return send_all(std::span(&message, 1)); }

    // Takes messages at the price of one lock and gives the sequence of the last.
    Result<std::uint64_t> send_all(std::span<const Bytes> messages) {
        std::unique_lock lock(mutex_);
        bool wake = false;
        for (const Bytes message : messages) {
            if (message.size() > session_.max_message()) {
                return Error{Code::frame_too_large, "a message of " + std::to_string(message.size()) +
                                                        " bytes; the server takes " + std::to_string(session_.max_message())};
            }
            if (session_.outbox().kept_bytes() >= config_.max_kept_bytes) {
                if (is_own_thread()) {
                    return Error{Code::misused, "the client's own thread cannot wait for acks"};
                }
                wake_if(std::exchange(wake, false));
                changed_.wait(lock, [&] {
                    return failure_ || leaving_ || session_.outbox().kept_bytes() < config_.max_kept_bytes;
                });
            }
            if (const auto ended = ended_error()) {
                return *ended;
            }
            const bool had_open = session_.outbox().has_open();
            session_.send(message, Clock::now);
            // The other thread waits for a whole batch, or for the first message of one that is to linger.
            wake = wake || !had_open || !session_.outbox().has_open();
        }
        const std::uint64_t last = session_.outbox().appended();
        wake_if(wake);
        return last;
    }

    // Sends what lingers and waits until all messages are acked that were sent before.
    Result<void> flush(Milliseconds timeout) {
        std::unique_lock lock(mutex_);
        if (is_own_thread()) {
            return Error{Code::misused, "the client's own thread cannot wait for acks"};
        }
        const std::uint64_t upto = session_.outbox().appended();
        session_.flush(upto);
        wake_if(true);
        const bool done =
            changed_.wait_for(lock, timeout, [&] { return failure_ || session_.outbox().acked() >= upto; });
        if (session_.outbox().acked() >= upto) {
            return {};
        }
        if (failure_) {
            return *failure_;
        }
        return done ? Result<void>() : Error{Code::deadline, "not all acked in time"};
    }

    // Asks; `on_reply` is called once, on the client's own thread. A deadline of 0 waits as long as the connection lasts.
    Result<void> request(Bytes bytes, Milliseconds deadline, OnReply on_reply) {
        std::unique_lock lock(mutex_);
        if (const auto ended = ended_error()) {
            return *ended;
        }
        if (!session_.is_up()) {
            return Error{Code::disconnected, "not connected now"};
        }
        if (bytes.size() + 12 > session_.max_body()) {
            return Error{Code::frame_too_large, "a request of " + std::to_string(bytes.size()) + " bytes"};
        }
        session_.request(bytes, deadline, std::move(on_reply), Clock::now());
        wake_if(true);
        return {};
    }

    // Asks and waits for the answer.
    Result<Buffer> request(Bytes bytes, Milliseconds deadline) {
        if (is_own_thread()) {
            return Error{Code::misused, "the client's own thread cannot wait for answers"};
        }
        struct Answer {
            std::mutex mutex;
            std::condition_variable came;
            std::optional<Result<Buffer>> result;
        };
        const auto answer = std::make_shared<Answer>();
        const auto asked = request(bytes, deadline, [answer](const Result<Bytes>& reply) {
            const std::lock_guard guard(answer->mutex);
            if (reply) {
                answer->result = Buffer(reply->begin(), reply->end());
            } else {
                answer->result = reply.error();
            }
            answer->came.notify_one();
        });
        if (!asked) {
            return asked.error();
        }
        std::unique_lock lock(answer->mutex);
        answer->came.wait(lock, [&] { return answer->result.has_value(); });
        return std::move(*answer->result);
    }

    // Gives the subscription's number. It outlives connections and goes on where it was.
    Result<std::uint32_t> subscribe(Subscription subscription) {
        if (!subscription.on_push || subscription.credit == 0) {
            return Error{Code::misused, "a subscription needs on_push and credit"};
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

    // Flushes, tells the server that nothing follows, and waits until it has closed.
    Result<void> drain(Milliseconds timeout) {
        const TimePoint deadline = Clock::now() + timeout;
        if (auto flushed = flush(timeout); !flushed) {
            return flushed;
        }
        std::unique_lock lock(mutex_);
        // Without a connection there is nobody to tell, and nothing is left to ack.
        if (!session_.is_up()) {
            return {};
        }
        const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now()).count();
        session_.drain(static_cast<std::uint32_t>(std::max<long long>(left, 1)));
        wake_if(true);
        if (!changed_.wait_until(lock, deadline, [&] { return failure_.has_value(); })) {
            return Error{Code::deadline, "the server did not close in time"};
        }
        return failure_->code == Code::normal ? Result<void>() : Result<void>(*failure_);
    }

    // Leaves at once and waits for the client's own thread. Not from a callback.
    void close() {
        {
            std::unique_lock lock(mutex_);
            leaving_ = true;
            changed_.notify_all();
            wake();
        }
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    State state() const {
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
    explicit Client(Config config)
        : config_(std::move(config)), session_(config_), wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
        thread_ = std::thread([this] { live(); });
    }

    bool is_own_thread() const { return std::this_thread::get_id() == own_; }

    std::optional<Error> ended_error() const {
        if (failure_) {
            return failure_;
        }
        return leaving_ ? std::optional(Error{Code::closed, "the client is closed"}) : std::nullopt;
    }

    void wake() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
    }

    // The other thread is woken once for all that it finds when it looks.
    void wake_if(bool wanted) {
        if (!wanted) {
            return;
        }
        ++calls_;
        if (std::exchange(asleep_, false)) {
            wake();
        }
    }

    void forget_calls() const {
        std::uint64_t ignored = 0;
        [[maybe_unused]] const ssize_t size = ::read(wake_.get(), &ignored, sizeof ignored);
    }

    // Runs what was found without the lock, so that callbacks may call.
    void run(std::unique_lock<std::mutex>& lock, Tasks& tasks) {
        if (tasks.empty()) {
            return;
        }
        lock.unlock();
        for (const Task& task : tasks) {
            task();
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
        Milliseconds backoff = config_.least_backoff;
        while (true) {
            // Of old calls none may interrupt the attempt; `close` calls after it has said that it leaves.
            forget_calls();
            if (const std::lock_guard guard(mutex_); leaving_) {
                failure_ = Error{Code::closed, "the client is closed"};
                changed_.notify_all();
                break;
            }
            auto stream = config_.connector(config_.address, Clock::now() + config_.connect_timeout, wake_.get());
            End end = stream ? serve(**stream) : End{stream.error(), is_fatal(stream.error().code), false};
            if (end.tell && stream) {
                say_close(**stream, end.why);
            }
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

    // Notes the connection's end. Whether there is to be another.
    bool lost(const End& end) {
        std::unique_lock lock(mutex_);
        const bool over = end.fatal || leaving_ || !begun_;
        Tasks tasks;
        session_.disconnected(end.why, over, tasks);
        run(lock, tasks);
        if (over) {
            failure_ = leaving_ ? Error{Code::closed, "the client is closed"} : end.why;
            changed_.notify_all();
        }
        return !over;
    }

    // Waits before the next attempt.
    void pause(Milliseconds backoff) {
        const auto half = std::max<long long>(backoff.count() / 2, 1);
        const auto time = Milliseconds(half + static_cast<long long>(random_() % static_cast<unsigned long>(half)));
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, time, [&] { return leaving_; });
    }

    // Reads and writes until the connection is at its end.
    End serve(Stream& stream) {
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
    Result<std::size_t> write_some(Stream& stream, short& waits) {
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
        session_.connected(Clock::now());
    }

    // Does what it is time for, and finds what to write when all else is written: the frames that go first, or the next
    // batch, whose checksum is computed without the lock.
    std::optional<End> fill() {
        std::optional<Outgoing> outgoing;
        const bool writing = !out_.empty() || !body_.empty();
        {
            Tasks tasks;
            std::unique_lock lock(mutex_);
            if (leaving_) {
                return End{{Code::normal, ""}, true, true};
            }
            const TimePoint now = Clock::now();
            auto end = session_.tick(now, tasks);
            run(lock, tasks);
            if (end || writing) {
                return end;
            }
            seen_calls_ = calls_;
            out_buffer_.clear();
            if (!session_.control().empty()) {
                out_buffer_.swap(session_.control());
            } else {
                outgoing = session_.next(now);
            }
        }
        if (outgoing) {
            Batch batch{outgoing->first, outgoing->count, 0, config_.schema, outgoing->entries};
            batch.crc = config_.checksum ? batch_crc(batch) : 0;
            encode_head(out_buffer_, batch);
            body_ = outgoing->entries;
            keeps_ = std::move(outgoing->keeps);
        }
        out_ = out_buffer_;
        return std::nullopt;
    }

    // Takes all whole frames from what was read.
    std::optional<End> take_frames() {
        while (true) {
            const auto next = inbox_.next();
            if (!next) {
                return End{next.error(), true, true};
            }
            if (!*next) {
                return std::nullopt;
            }
            if (auto end = take_frame((*next)->kind, (*next)->body)) {
                return end;
            }
        }
    }

    std::optional<End> take_frame(std::uint8_t kind, Bytes body) {
        Tasks tasks;
        std::unique_lock lock(mutex_);
        auto end = session_.received(kind, body, Clock::now(), tasks);
        const auto asked = session_.take_asked();
        if (!end && session_.is_up()) {
            begun_ = was_up_ = true;
        }
        changed_.notify_all();
        run(lock, tasks);
        if (asked) {
            lock.unlock();
            const auto answer = config_.on_request ? config_.on_request(asked->bytes)
                                                   : Result<Buffer>(Error{Code::unsupported, "this client answers no requests"});
            lock.lock();
            session_.reply(asked->correlation, answer);
        }
        return end;
    }

    // Waits until the stream moves, somebody calls, or it is time for something.
    void sleep(int descriptor, short events) {
        TimePoint until;
        {
            const std::lock_guard guard(mutex_);
            const bool writing = !out_.empty() || !body_.empty();
            until = session_.next_time(writing);
            // What was called for since `fill` looked would wait for nothing.
            if (until <= Clock::now() || leaving_ || (!writing && calls_ != seen_calls_)) {
                return;
            }
            asleep_ = true;
        }
        const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now());
        constexpr long long hour = 3600LL * 1000 * 1000 * 1000;
        const long long time = std::clamp<long long>(left.count(), 0, hour);
        const timespec timeout{static_cast<time_t>(time / 1000000000), static_cast<long>(time % 1000000000)};
        pollfd wanted[] = {{descriptor, events, 0}, {wake_.get(), POLLIN, 0}};
        ppoll(wanted, 2, &timeout, nullptr);
        forget_calls();
        const std::lock_guard guard(mutex_);
        asleep_ = false;
    }

    // Says why this side goes, if that goes out at once; not in the middle of a frame.
    void say_close(Stream& stream, const Error& why) {
        if (!out_.empty() || !body_.empty()) {
            return;
        }
        Buffer last;
        const auto code = why.code < Code::disconnected ? why.code : Code::normal;
        encode(last, Close{code, why.text});
        [[maybe_unused]] const auto written = stream.write(last, {});
    }

    const Config config_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    // Under the mutex.
    Session session_;
    std::optional<Error> failure_;
    bool begun_ = false;
    bool leaving_ = false;
    bool asleep_ = false;
    std::uint64_t calls_ = 0;
    std::thread::id own_;
    // The own thread's.
    bool was_up_ = false;
    std::uint64_t seen_calls_ = 0;
    Buffer out_buffer_;
    Bytes out_;
    Bytes body_;
    std::shared_ptr<const Chunk> keeps_;
    Descriptor wake_;
    Inbox inbox_;
    std::minstd_rand random_{std::random_device{}()};
    std::thread thread_;
};

}  // namespace aldis::transport
