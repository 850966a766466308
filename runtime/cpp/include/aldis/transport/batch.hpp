// Messages that one thread gathers for a client, which take one lock together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "client.hpp"

namespace aldis::transport {

// Not for several threads at once, and not to outlive its client. Messages that were not pushed are lost with it.
class message_batch {
public:
    // Goes to the client by itself when it has `bytes` of entries; a message that is longer goes alone.
    explicit message_batch(client& to, std::size_t bytes = 65536) : to_(to), bytes_(std::max(bytes, entry_head)) {}
    message_batch(const message_batch&) = delete;
    message_batch& operator=(const message_batch&) = delete;

    // After an error the message is not in the batch, and those before it still are.
    result<void> add(bytes_view message) {
        if (const std::size_t most = to_.max_message(); message.size() > most) {
            return too_large(message.size(), most);
        }
        const std::size_t need = entry_head + message.size();
        if (need > bytes_ - used_) {
            if (auto pushed = push(); !pushed) {
                return pushed.error();
            }
            if (need > bytes_) {
                auto sent = to_.send(message);
                return sent ? result<void>() : sent.error();
            }
        }
        if (entries_.size() < bytes_) {
            entries_.resize(bytes_);
        }
        store(entries_.data() + used_, static_cast<std::uint32_t>(message.size()));
        // A view of nothing may point nowhere.
        if (!message.empty()) {
            std::memcpy(entries_.data() + used_ + entry_head, message.data(), message.size());
        }
        used_ += need;
        ++count_;
        longest_ = std::max(longest_, message.size());
        return {};
    }

    // Gives the client what was gathered: the sequence of its last message, or 0 when there was none. Waits as `send` does.
    result<std::uint64_t> push() {
        if (count_ == 0) {
            return std::uint64_t{0};
        }
        entries_.resize(used_);
        auto pushed = to_.send_entries(entries_, count_, longest_);
        if (pushed) {
            clear();
        }
        return pushed;
    }

    // Forgets what was not pushed.
    void clear() {
        used_ = longest_ = 0;
        count_ = 0;
    }

private:
    client& to_;
    std::size_t bytes_;
    // Full length, of which `used_` is filled: bytes that are about to be written need no zeros.
    byte_vector entries_;
    std::size_t used_ = 0;
    std::size_t longest_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace aldis::transport
