// The client's half of the legacy modes: messages `id u64, size u32, payload`, and the check of their acks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "options.hpp"

namespace loader {

// Writes the low bytes of `value` at `to`, lowest first or highest first.
inline void put(std::byte* to, std::uint64_t value, std::size_t size, bool big = false) {
    for (std::size_t i = 0; i < size; ++i) {
        to[big ? size - 1 - i : i] = static_cast<std::byte>(value >> (8 * i));
    }
}

inline std::uint64_t get(const std::byte* from, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
        value |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
    }
    return value;
}

class Legacy {
public:
    explicit Legacy(const Options& options)
        : replies_(options.mode == Mode::request_reply),
          ack_size_(replies_ ? 8 : 12),
          stride_(header + options.payload),
          batch_(options.batch * stride_),
          numbered_(options.payload >= 8) {
        for (std::size_t at = 0; at < batch_.size(); at += stride_) {
            put(&batch_[at + 8], options.payload, 4, replies_);
            std::memset(&batch_[at + header], 'x', options.payload);
        }
    }

    void handshake(int) {}
    std::size_t wire_size() const { return stride_; }
    std::uint64_t credit() const { return UINT64_MAX; }
    std::span<const std::byte> control() { return {}; }

    // The next write: `count` messages, the first with the number `first`.
    std::span<const std::byte> batch(std::uint64_t first, std::uint64_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            std::byte* message = &batch_[i * stride_];
            put(message, first + i, 8);
            if (numbered_) {
                put(message + header, first + i, 8);
            }
        }
        return {batch_.data(), count * stride_};
    }

    // Takes what came, checks every ack in it, and gives the number of the last acked message.
    std::uint64_t receive(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes) {
            ack_[held_++] = byte;
            if (held_ == ack_size_) {
                held_ = 0;
                check(get(ack_.data(), 8), replies_ ? 0 : get(&ack_[8], 4));
            }
        }
        return acked_;
    }

private:
    void check(std::uint64_t id, std::uint64_t skipped) {
        if (acked_ + skipped + 1 != id) {
            fail("ack of " + std::to_string(id) + " skips " + std::to_string(skipped) + " after " +
                 std::to_string(acked_));
        }
        acked_ = id;
    }

    static constexpr std::size_t header = 12;
    bool replies_;
    std::size_t ack_size_;
    std::size_t stride_;
    std::vector<std::byte> batch_;
    bool numbered_;
    std::array<std::byte, 12> ack_{};
    std::size_t held_ = 0;
    std::uint64_t acked_ = 0;
};

}  // namespace loader
