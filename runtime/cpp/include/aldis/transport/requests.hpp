// Requests that wait for their answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "config.hpp"

namespace aldis::transport {

using task = std::function<void()>;
using task_list = std::vector<task>;

class open_requests {
public:
    // Gives the request's correlation.
    std::uint64_t open(reply_handler on_reply, time_point deadline) {
        const std::uint64_t correlation = ++last_;
        open_.emplace(correlation, waiting{std::move(on_reply), deadline});
        earliest_ = std::min(earliest_, deadline);
        return correlation;
    }

    // An answer to a request that is not open, because it came too late, is nobody's.
    void answer(const reply_frame& reply, task_list& tasks) {
        const auto found = open_.find(reply.correlation);
        if (found == open_.end()) {
            return;
        }
        result<bytes_view> given(reply.bytes);
        if (reply.code != error_code::normal) {
            given = error{reply.code, std::string(text_of(reply.bytes))};
        }
        tell(std::move(found->second.on_reply), std::move(given), tasks);
        open_.erase(found);
    }

    void expire(time_point now, task_list& tasks) {
        if (now < earliest_) {
            return;
        }
        earliest_ = time_point::max();
        for (auto at = open_.begin(); at != open_.end();) {
            if (at->second.deadline <= now) {
                tell(std::move(at->second.on_reply), error{error_code::deadline, "no answer in time"}, tasks);
                at = open_.erase(at);
            } else {
                earliest_ = std::min(earliest_, at->second.deadline);
                ++at;
            }
        }
    }

    void fail(const error& why, task_list& tasks) {
        for (auto& [correlation, request] : open_) {
            tell(std::move(request.on_reply), why, tasks);
        }
        open_.clear();
        earliest_ = time_point::max();
    }

    // When the first of them has waited enough.
    time_point earliest() const { return earliest_; }

private:
    struct waiting {
        reply_handler on_reply;
        time_point deadline;
    };

    static void tell(reply_handler on_reply, result<bytes_view> given, task_list& tasks) {
        if (on_reply) {
            tasks.push_back([on_reply = std::move(on_reply), given = std::move(given)] { on_reply(given); });
        }
    }

    std::uint64_t last_ = 0;
    std::map<std::uint64_t, waiting> open_;
    time_point earliest_ = time_point::max();
};

}  // namespace aldis::transport
