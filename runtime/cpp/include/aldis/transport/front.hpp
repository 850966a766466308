// The place that `send` puts most messages in: a buffer that one thread appends to by plain stores, and several at the price of one atomic
// exchange a message.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>

#include "barrier.hpp"
#include "bytes.hpp"
#include "entries.hpp"

namespace aldis::transport {

// Goes on where the outbox's open chunk ends. It takes messages only between `open` and `take`, which are called under the client's
// mutex, so whatever ends the right to send takes it first; `add` needs no mutex.
//
// While all messages come from the thread that opened it, that thread owns it: it says with plain stores that it is inside and that it
// has left. Whoever else comes to `add` is sent to the mutex, under which `take` ends the ownership: it says so, has all processors see it
// (`everywhere_seen`), and waits until the owner is outside. Several threads exchange `busy_` instead.
class message_front {
public:
    message_front() = default;
    message_front(const message_front&) = delete;
    message_front& operator=(const message_front&) = delete;

    // Takes a message and gives its sequence; 0, which none is, when it is closed, full, or the message is too long. (As an optional it
    // would be stored in two parts and read in one, for which a processor waits longer than all else here takes.)
    std::uint64_t add(bytes_view message) {
        const std::uint64_t me = this_thread_number();
        if (owner_.load(std::memory_order_relaxed) != me) {
            return add_shared(message, me);
        }
        inside_.store(true, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        std::uint64_t sequence = 0;
        if (owner_.load(std::memory_order_acquire) == me) {
            sequence = append(message);
        }
        inside_.store(false, std::memory_order_release);
        return sequence;
    }

    // Takes messages behind the sequence `last` from now on: `bytes` of entries, no message above `longest` bytes.
    void open(std::uint64_t last, std::size_t bytes, std::size_t longest) {
        disown();
        const holder held(busy_);
        if (entries_.size() < bytes) {
            entries_.resize(bytes);
        }
        last_ = last;
        limit_ = bytes;
        longest_ = longest;
        const std::uint64_t me = this_thread_number();
        if (sender_ == me && owning_) {
            owner_.store(me, std::memory_order_release);
        }
        sender_ = me;
    }

    // Closes it, and gives `to` the entries and their number when there are any.
    template <class To>
    void take(To to) {
        disown();
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

    static constexpr std::uint64_t nobody = 0;
    // The ownership ends, and the owner may still be inside.
    static constexpr std::uint64_t ending = 1;

    // One that no other thread ever has.
    static std::uint64_t this_thread_number() {
        static thread_local constinit std::uint64_t mine = nobody;
        if (mine == nobody) [[unlikely]] {
            static std::atomic<std::uint64_t> newest = ending;
            mine = newest.fetch_add(1, std::memory_order_relaxed) + 1;
        }
        return mine;
    }

    [[gnu::noinline]] std::uint64_t add_shared(bytes_view message, std::uint64_t me) {
        const holder held(busy_);
        if (owner_.load(std::memory_order_acquire) != nobody) {
            return 0;
        }
        // The next one to open it does not own it: somebody else sends as well.
        if (sender_ != me) {
            sender_ = nobody;
        }
        return append(message);
    }

    // Under the client's mutex: nobody owns it any more, and the last owner is outside.
    void disown() {
        const std::uint64_t owner = owner_.load(std::memory_order_relaxed);
        if (owner == nobody) {
            return;
        }
        if (owner != this_thread_number()) {
            owner_.store(ending, std::memory_order_relaxed);
            everywhere_seen();
            while (inside_.load(std::memory_order_acquire)) {
                std::this_thread::yield();
            }
        }
        owner_.store(nobody, std::memory_order_release);
    }

    std::uint64_t append(bytes_view message) {
        const std::size_t size = message.size();
        // The message that makes the batch full goes another way, on which the batch is sent.
        if (size > longest_ || entry_head + size >= limit_ - used_) {
            return 0;
        }
        std::byte* to = entries_.data() + used_;
        store(to, static_cast<std::uint32_t>(size));
        copy(to + entry_head, message);
        used_ += entry_head + size;
        ++count_;
        return ++last_;
    }

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

    std::atomic<std::uint64_t> owner_ = nobody;
    std::atomic<bool> inside_ = false;
    std::atomic<bool> busy_ = false;
    const bool owning_ = can_be_seen_everywhere();
    std::uint32_t count_ = 0;
    std::size_t used_ = 0;
    std::size_t limit_ = 0;
    std::size_t longest_ = 0;
    std::uint64_t last_ = 0;
    // The thread that opened it last, while nobody else has added a message since.
    std::uint64_t sender_ = nobody;
    // Its length is full: bytes that are about to be written need no zeros.
    byte_vector entries_;
};

}  // namespace aldis::transport
