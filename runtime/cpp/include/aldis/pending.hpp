// Requests that wait for an answer, each until its deadline.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "lifetime.hpp"

namespace aldis {

using time_point = std::chrono::steady_clock::time_point;

/// The requests that wait, by the key that their answers will have. The table has no clock: its user says what time it is. A
/// table that was moved from is empty.
template <class Key, class Waiting, class Order = std::less<Key>>
class pending_table {
public:
    pending_table() = default;
    pending_table(pending_table&& other) : pending_table() { swap(other); }
    pending_table& operator=(pending_table&& other) {
        pending_table taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~pending_table() = default;

    /// Whether it was added: false where something with that key is waiting.
    bool add(const Key& key, time_point deadline, Waiting waiting) {
        const auto [at, added] = waiting_.try_emplace(key);
        if (added) {
            at->second = {std::move(waiting), deadlines_.emplace(deadline, key)};
        }
        return added;
    }

    /// The request that waits with that key; null where there is none.
    [[nodiscard]] const Waiting* find(const Key& key) const ALDIS_LIFETIMEBOUND {
        const auto at = waiting_.find(key);
        return at == waiting_.end() ? nullptr : &at->second.what;
    }

    /// Takes out the request that waits with that key.
    std::optional<Waiting> take(const Key& key) {
        const auto at = waiting_.find(key);
        if (at == waiting_.end()) {
            return std::nullopt;
        }
        std::optional<Waiting> taken(std::move(at->second.what));
        deadlines_.erase(at->second.deadline);
        waiting_.erase(at);
        return taken;
    }

    /// Takes out the requests whose deadline is `now` or earlier, the earliest first.
    std::vector<Waiting> take_late(time_point now) {
        std::vector<Waiting> late;
        while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
            late.push_back(std::move(*take(Key(deadlines_.begin()->second))));
        }
        return late;
    }

    std::vector<Waiting> take_all() { return take_late(time_point::max()); }

    /// When the first of them has waited enough; `time_point::max()` where none waits.
    [[nodiscard]] time_point earliest() const {
        return deadlines_.empty() ? time_point::max() : deadlines_.begin()->first;
    }

    [[nodiscard]] std::size_t size() const noexcept { return waiting_.size(); }

private:
    void swap(pending_table& other) {
        waiting_.swap(other.waiting_);
        deadlines_.swap(other.deadlines_);
    }

    using deadline_list = std::multimap<time_point, Key>;

    struct entry {
        Waiting what;
        typename deadline_list::iterator deadline;
    };

    std::map<Key, entry, Order> waiting_;
    deadline_list deadlines_;
};

}  // namespace aldis
