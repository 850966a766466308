// The subscriptions of a client, and how far each has come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "codec.hpp"
#include "config.hpp"
#include "requests.hpp"

namespace aldis::transport {

class subscription_table {
public:
    std::uint32_t open(subscription_config subscription) {
        const std::uint32_t id = ++last_;
        open_.emplace(id, progress{std::make_shared<subscription_config>(std::move(subscription))});
        return id;
    }

    bool close(std::uint32_t id) { return open_.erase(id) > 0; }

    // Says SUBSCRIBE for one, or for all: each goes on behind what has come of it.
    void say(std::uint32_t id, byte_vector& out) const {
        const progress& open = open_.at(id);
        encode(out, subscribe_frame{id, open.next(), open.asked->credit, open.asked->topic});
    }
    void say_all(byte_vector& out) {
        for (auto& [id, open] : open_) {
            open.granted = 0;
            say(id, out);
        }
    }

    // Delivers what is new, and grants more when half of the credit is used.
    result<void> push(const push_frame& push, byte_vector& out, task_list& tasks) {
        if (push.count == 0 || !entry_range::check(push.entries, push.count)) {
            return error{error_code::bad_count, "a PUSH whose entries and count disagree"};
        }
        const auto found = open_.find(push.subscription);
        if (found == open_.end()) {
            return {};
        }
        progress& open = found->second;
        const std::uint64_t end = push.first + push.count;
        const std::uint64_t first = std::max(push.first, open.consumed + 1);
        if (end < push.first || first >= end) {
            return {};
        }
        entry_range entries(push.entries);
        auto begin = entries.begin();
        std::advance(begin, first - push.first);
        const bytes_view fresh = begin == entries.end() ? bytes_view{} : push.entries.subspan(offset(push.entries, begin));
        tasks.push_back([asked = open.asked, first, count = static_cast<std::uint32_t>(end - first), fresh] {
            asked->on_push(first, count, entry_range(fresh));
        });
        open.consumed = end - 1;
        open.granted = open.granted == 0 ? push.first - 1 : open.granted;
        if (open.consumed - open.granted >= (open.asked->credit + 1) / 2) {
            open.granted = open.consumed;
            encode(out, credit_frame{push.subscription, open.consumed, open.asked->credit});
        }
        return {};
    }

    void end(const unsubscribe_frame& frame, task_list& tasks) {
        const auto found = open_.find(frame.subscription);
        if (found == open_.end()) {
            return;
        }
        if (found->second.asked->on_end) {
            tasks.push_back(
                [asked = found->second.asked, why = error{frame.code, std::string(frame.text)}] { asked->on_end(why); });
        }
        open_.erase(found);
    }

private:
    struct progress {
        std::shared_ptr<const subscription_config> asked;
        // The last sequence that came, and the one up to which CREDIT was said in this connection; 0: none.
        std::uint64_t consumed = 0;
        std::uint64_t granted = 0;

        std::uint64_t next() const { return consumed == 0 ? asked->from : consumed + 1; }
    };

    static std::size_t offset(bytes_view entries, const entry_range::iterator& at) {
        return static_cast<std::size_t>((*at).data() - entries.data()) - entry_head;
    }

    std::uint32_t last_ = 0;
    std::map<std::uint32_t, progress> open_;
};

}  // namespace aldis::transport
