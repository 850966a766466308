// What waits for an answer, each until its deadline.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace aldis {

using time_point = std::chrono::steady_clock::time_point;

/// What waits, by the key that its answer will have. It has no clock: whoever uses it says what time it is.
template <class Key, class Waiting, class Order = std::less<Key>>
class pending_table {
public:
    /// Whether it was added: false where something with that key is waiting.
    bool add(const Key& key, time_point deadline, Waiting waiting) {
        const auto [at, added] = waiting_.try_emplace(key);
        if (added) {
            at->second = {std::move(waiting), deadlines_.emplace(deadline, key)};
        }
        return added;
    }

    /// What waits with that key; null where nothing does.
    [[nodiscard]] const Waiting* find(const Key& key) const {
        const auto at = waiting_.find(key);
        return at == waiting_.end() ? nullptr : &at->second.what;
    }

    /// What waited with that key, and waits no longer.
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

    /// What waited until `now` or less; the earliest deadline first.
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
    using deadline_list = std::multimap<time_point, Key>;

    struct entry {
        Waiting what;
        typename deadline_list::iterator deadline;
    };

    std::map<Key, entry, Order> waiting_;
    deadline_list deadlines_;
};

}  // namespace aldis
