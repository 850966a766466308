// How much work and memory bytes may ask for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace aldis {

/// The charge for an element that takes no bytes.
inline constexpr std::uint64_t empty_element = 8;

/// Limits on one message. Where they are no lower than the usual ones, codecs do not look at those that no message of
/// theirs can exceed.
struct limits {
    /// Records within records; the root is at depth 1. One more is `too-deep`.
    std::uint32_t depth = 64;
    /// Bytes that may be visited for each byte of input …
    std::uint64_t budget_factor = 8;
    /// … and on top of that. One more is `too-large`.
    std::uint64_t budget_base = 256 * 1024;
    /// Bytes that packed ones may unpack to, for each of them …
    std::uint64_t unpacked_factor = 64;
    /// … and on top of that. One more is `too-large`. For packed messages the budget goes by the unpacked bytes.
    std::uint64_t unpacked_base = 16 << 20;
    /// Whether bytes that take more memory than most are charged for it: short elements and links. What has no bytes is
    /// charged in any case.
    bool surcharge = true;

    /// The limits of Cap'n Proto's own readers: 8 Mi words whatever the input's size, depth 64.
    [[nodiscard]] static constexpr limits reference() noexcept {
        limits most;
        most.budget_factor = most.unpacked_factor = 0;
        most.budget_base = most.unpacked_base = 64 << 20;
        most.surcharge = false;
        return most;
    }

    /// How many bytes may be visited in an input of so many, unpacked.
    [[nodiscard]] constexpr std::uint64_t budget(std::size_t length) const noexcept {
        return scaled(length, budget_factor, budget_base);
    }
    /// How many bytes so many packed ones may unpack to.
    [[nodiscard]] constexpr std::uint64_t unpacked(std::size_t length) const noexcept {
        return scaled(length, unpacked_factor, unpacked_base);
    }

    /// `length` times `factor` and `base`, or the most that there is.
    [[nodiscard]] static constexpr std::uint64_t scaled(std::size_t length, std::uint64_t factor, std::uint64_t base) noexcept {
        std::uint64_t bytes = 0;
        if (__builtin_mul_overflow(std::uint64_t{length}, factor, &bytes) || __builtin_add_overflow(bytes, base, &bytes)) {
            return std::numeric_limits<std::uint64_t>::max();
        }
        return bytes;
    }
};

/// The limits that messages of a form may exceed though they are the usual ones. Other limits need not be watched, as long
/// as they are no lower than usual.
struct watched {
    bool budget = false;
    bool depth = false;

    /// Whether readers that watch nothing else obey `most` in an input of so many bytes.
    [[nodiscard]] constexpr bool suffices(const limits& most, std::size_t input) const noexcept {
        constexpr limits usual;
        return (budget || most.budget(input) >= usual.budget(input)) && (depth || most.depth >= usual.depth);
    }
};

/// A block, or a section, of fewer than `end` bytes is charged `cost` for the fields that it ends before. Of parts `end` is
/// the version that they are of: a message of an older one is charged.
struct lack {
    std::uint32_t end;
    std::uint64_t cost;
};

/// The charges for fields of a record that lie beyond the end of its bytes. A block has parts behind it, a data section has
/// pointers.
template <std::size_t Block, std::size_t Behind>
struct lacks {
    std::array<lack, Block> block;
    std::array<lack, Behind> behind;

    [[nodiscard]] constexpr std::uint64_t within(std::uint64_t extent, std::uint64_t other) const noexcept {
        return beyond(block, extent) + beyond(behind, other);
    }

    /// The cost of the rows whose end lies beyond the bytes that are there.
    [[nodiscard]] static constexpr std::uint64_t beyond(const auto& rows, std::uint64_t there) noexcept {
        std::uint64_t cost = 0;
        for (const lack& row : rows) {
            cost += row.end > there ? row.cost : 0;
        }
        return cost;
    }
};

/// The version of blocks that are empty elements in messages of any version. It is above every version, so it is compared
/// apart.
inline constexpr std::uint64_t in_all_versions = ~std::uint64_t{0};

/// The facts that a schema has about blocks whose extent a head says.
template <std::size_t Block, std::size_t Parts>
struct told_block {
    lacks<Block, Parts> rows;
    /// A block without bytes is an element without bytes in messages of versions before this one.
    std::uint64_t empty_before = 0;

    [[nodiscard]] constexpr bool is_empty(std::uint64_t extent, std::uint64_t version) const noexcept {
        return extent == 0 && (empty_before == in_all_versions || version < empty_before);
    }
};

namespace detail {

/// The smaller and the larger of two numbers: `<algorithm>` takes long to compile.
[[nodiscard]] constexpr std::uint64_t smaller(std::uint64_t a, std::uint64_t b) noexcept { return b < a ? b : a; }
[[nodiscard]] constexpr std::uint64_t larger(std::uint64_t a, std::uint64_t b) noexcept { return a < b ? b : a; }

/// How much memory objects may take that are read from `length` bytes of JSON: `factor` for each of them and 14 MiB. What else
/// a message takes (texts, rows of numbers, a reader's own) stays within the rest of 64 for each and 16 MiB.
[[nodiscard]] constexpr std::uint64_t object_memory(std::size_t length, std::uint64_t factor) noexcept {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t base = 14ULL << 20;
    return length > (most - base) / factor ? most : length * factor + base;
}

}  // namespace detail

}  // namespace aldis
