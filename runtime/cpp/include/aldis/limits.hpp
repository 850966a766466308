// How much work and memory bytes may ask for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace aldis {

/// Limits on one message. Codecs of messages that cannot exceed a limit do not look at it.
struct limits {
    /// Records within records; the root is at depth 1. One more is `too-deep`.
    std::uint32_t depth = 64;
    /// Bytes that may be visited for each byte of input …
    std::uint64_t budget_factor = 8;
    /// … and on top of that. One more is `too-large`.
    std::uint64_t budget_base = 256 * 1024;

    [[nodiscard]] constexpr std::uint64_t budget(std::size_t length) const noexcept {
        std::uint64_t bytes = 0;
        if (__builtin_mul_overflow(std::uint64_t{length}, budget_factor, &bytes) ||
            __builtin_add_overflow(bytes, budget_base, &bytes)) {
            return std::numeric_limits<std::uint64_t>::max();
        }
        return bytes;
    }
};

namespace detail {

/// How much memory objects may take that are read from `length` bytes: `factor` for each of them and 14 MiB. What else a
/// message takes (texts, rows of numbers, a reader's own) stays within the rest of 64 for each and 16 MiB.
[[nodiscard]] constexpr std::uint64_t object_memory(std::size_t length, std::uint64_t factor) noexcept {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t base = 14ULL << 20;
    return length > (most - base) / factor ? most : length * factor + base;
}

}  // namespace detail

}  // namespace aldis
