// The place that `send` puts most messages in: a buffer that many threads append to at the price of one atomic exchange a message.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>

#include "bytes.hpp"
#include "entries.hpp"

namespace aldis::transport {

// Goes on where the outbox's open chunk ends. It takes messages only between `open` and `take`, which are called under the client's
// mutex, so whatever ends the right to send takes it first; `add` needs no mutex.
class message_front {
public:
    message_front() = default;
    message_front(const message_front&) = delete;
    message_front& operator=(const message_front&) = delete;

    // Takes a message and gives its sequence; none when it is closed, full, or the message is too long.
    std::optional<std::uint64_t> add(bytes_view message) {
        const holder held(busy_);
        const std::size_t size = message.size();
        if (size > longest_ || entry_head + size > limit_ - used_) {
            return std::nullopt;
        }
        std::byte* to = entries_.data() + used_;
        store(to, static_cast<std::uint32_t>(size));
        copy(to + entry_head, message);
        used_ += entry_head + size;
        ++count_;
        return ++last_;
    }

    // Takes messages behind the sequence `last` from now on: `bytes` of entries, no message above `longest` bytes.
    void open(std::uint64_t last, std::size_t bytes, std::size_t longest) {
        const holder held(busy_);
        if (entries_.size() < bytes) {
            entries_.resize(bytes);
        }
        last_ = last;
        limit_ = bytes;
        longest_ = longest;
    }

    // Closes it, and gives `to` the entries and their number when there are any.
    template <class To>
    void take(To to) {
        const holder held(busy_);
        if (count_ > 0) {
            to(bytes_view(entries_).first(used_), count_);
        }
        used_ = limit_ = longest_ = 0;
        count_ = 0;
    }

private:
    // Held for the time of a copy, so waiting threads need not sleep, unless its holder was put to sleep itself.
    class holder {
    public:
        explicit holder(std::atomic<bool>& busy) : busy_(busy) {
            for (int tries = 0; busy_.exchange(true, std::memory_order_acquire); ++tries) {
                if (tries >= most_tries) {
                    std::this_thread::yield();
                }
            }
        }
        ~holder() { busy_.store(false, std::memory_order_release); }
        holder(const holder&) = delete;
        holder& operator=(const holder&) = delete;

    private:
        static constexpr int most_tries = 100;
        std::atomic<bool>& busy_;
    };

    // Two copies that overlap cost less than a call for the lengths that messages mostly have.
    static void copy(std::byte* to, bytes_view from) {
        const std::size_t size = from.size();
        if (size >= half && size <= 2 * half) {
            std::memcpy(to, from.data(), half);
            std::memcpy(to + size - half, from.data() + size - half, half);
        } else if (size > 0) {
            std::memcpy(to, from.data(), size);
        }
    }

    static constexpr std::size_t half = 32;

    std::atomic<bool> busy_ = false;
    std::uint32_t count_ = 0;
    std::size_t used_ = 0;
    std::size_t limit_ = 0;
    std::size_t longest_ = 0;
    std::uint64_t last_ = 0;
    // Its length is full: bytes that are about to be written need no zeros.
    byte_vector entries_;
};

}  // namespace aldis::transport
