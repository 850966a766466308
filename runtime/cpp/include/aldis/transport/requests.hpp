// Requests that wait for their answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "config.hpp"

namespace aldis::transport {

using Task = std::function<void()>;
using Tasks = std::vector<Task>;

class Requests {
public:
    // Gives the request's correlation.
    std::uint64_t open(OnReply on_reply, TimePoint deadline) {
        const std::uint64_t correlation = ++last_;
        open_.emplace(correlation, Open{std::move(on_reply), deadline});
        earliest_ = std::min(earliest_, deadline);
        return correlation;
    }

    // An answer to a request that is not open, because it came too late, is nobody's.
    void answer(const Reply& reply, Tasks& tasks) {
        const auto found = open_.find(reply.correlation);
        if (found == open_.end()) {
            return;
        }
        Result<Bytes> result(reply.bytes);
        if (reply.code != Code::normal) {
            result = Error{reply.code, std::string(text_of(reply.bytes))};
        }
        tell(std::move(found->second.on_reply), std::move(result), tasks);
        open_.erase(found);
    }

    void expire(TimePoint now, Tasks& tasks) {
        if (now < earliest_) {
            return;
        }
        earliest_ = TimePoint::max();
        for (auto at = open_.begin(); at != open_.end();) {
            if (at->second.deadline <= now) {
                tell(std::move(at->second.on_reply), Error{Code::deadline, "no answer in time"}, tasks);
                at = open_.erase(at);
            } else {
                earliest_ = std::min(earliest_, at->second.deadline);
                ++at;
            }
        }
    }

    void fail(const Error& why, Tasks& tasks) {
        for (auto& [correlation, request] : open_) {
            tell(std::move(request.on_reply), why, tasks);
        }
        open_.clear();
        earliest_ = TimePoint::max();
    }

    // When the first of them has waited enough.
    TimePoint earliest() const { return earliest_; }

private:
    struct Open {
        OnReply on_reply;
        TimePoint deadline;
    };

    static void tell(OnReply on_reply, Result<Bytes> result, Tasks& tasks) {
        if (on_reply) {
            tasks.push_back([on_reply = std::move(on_reply), result = std::move(result)] { on_reply(result); });
        }
    }

    std::uint64_t last_ = 0;
    std::map<std::uint64_t, Open> open_;
    TimePoint earliest_ = TimePoint::max();
};

}  // namespace aldis::transport
