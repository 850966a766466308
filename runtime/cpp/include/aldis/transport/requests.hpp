// Requests that wait for their answers.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../pending.hpp"
#include "config.hpp"

namespace aldis::transport {

using task = std::function<void()>;
using task_list = std::vector<task>;

class open_requests {
public:
    // Gives the request's correlation.
    std::uint64_t open(reply_handler on_reply, time_point deadline) {
        const std::uint64_t correlation = ++last_;
        waiting_.add(correlation, deadline, std::move(on_reply));
        return correlation;
    }

    // An answer to a request that is not open, because it came too late, is nobody's.
    void answer(const reply_frame& reply, task_list& tasks) {
        auto on_reply = waiting_.take(reply.correlation);
        if (!on_reply) {
            return;
        }
        result<bytes_view> given(reply.bytes);
        if (reply.code != error_code::normal) {
            given = error{reply.code, std::string(text_of(reply.bytes))};
        }
        tell(std::move(*on_reply), std::move(given), tasks);
    }

    void expire(time_point now, task_list& tasks) {
        tell_all(waiting_.take_late(now), error{error_code::deadline, "no answer in time"}, tasks);
    }

    void fail(const error& why, task_list& tasks) { tell_all(waiting_.take_all(), why, tasks); }

    // When the first of them has waited enough.
    time_point earliest() const { return waiting_.earliest(); }

private:
    static void tell(reply_handler on_reply, result<bytes_view> given, task_list& tasks) {
        if (on_reply) {
            tasks.push_back([on_reply = std::move(on_reply), given = std::move(given)] { on_reply(given); });
        }
    }

    static void tell_all(std::vector<reply_handler> handlers, const error& why, task_list& tasks) {
        for (reply_handler& on_reply : handlers) {
            tell(std::move(on_reply), why, tasks);
        }
    }

    std::uint64_t last_ = 0;
    pending_table<std::uint64_t, reply_handler> waiting_;
};

// An answer that another thread waits for.
class pending_answer {
public:
    void give(const result<bytes_view>& reply) {
        const std::lock_guard guard(mutex_);
        given_ = reply ? result<byte_vector>(byte_vector(reply->begin(), reply->end())) : reply.error();
        came_.notify_one();
    }

    result<byte_vector> wait() {
        std::unique_lock lock(mutex_);
        came_.wait(lock, [&] { return given_.has_value(); });
        return std::move(*given_);
    }

private:
    std::mutex mutex_;
    std::condition_variable came_;
    std::optional<result<byte_vector>> given_;
};

}  // namespace aldis::transport
