// Blocks: the facts that a schema has about them, and what is checked where one begins.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "limits.hpp"
#include "result.hpp"

namespace aldis {

/// Slots that end at or before `end` of a block are charged `bytes` beside the block's own.
struct surcharge {
    std::uint32_t end;
    std::uint32_t bytes;
};

/// The surcharge of a block of `extent` bytes: the charge beside those bytes.
[[nodiscard]] constexpr std::uint64_t surcharged(std::uint64_t extent, std::span<const surcharge> slots) noexcept {
    std::uint64_t cost = 0;
    for (const surcharge& slot : slots) {
        cost += slot.end <= extent ? slot.bytes : 0;
    }
    return cost;
}

/// A member of a run of bytes, in a table that tells which of them is cut where the message ends too early: the first that is
/// in the run and does not end within the message.
struct cut {
    /// The offset in the run.
    std::uint32_t at;
    std::uint32_t end;
    /// The member's name; empty where it is no field.
    std::string_view path;
    /// How many bytes a run has that has it (0: all up to its end), and the first version that does.
    std::uint32_t least = 0;
    std::uint32_t since = 0;
};

/// The facts that a schema has about a block whose size stands in it as a number of type `Size`, and whose record's id as one
/// of type `Type` (`void` where there is no id): FBE's blocks begin with 4 bytes of size and 4 of id.
template <class Size, class Type, std::size_t Links, std::size_t Lacks>
struct sized_block {
    using size_type = Size;
    using id_type = Type;

    /// The least size that it can have.
    std::uint32_t head;
    /// The size that it has in the schema's own version; in newer ones it is longer.
    std::uint32_t size;
    std::array<surcharge, Links> links;
    std::array<lack, Lacks> short_of;
    /// The id of its record, and the place of that number in the block.
    std::uint64_t type = 0;
    std::uint32_t type_at = 0;
    /// The offset of the block's size in it.
    std::uint32_t at = 0;
    std::span<const cut> cuts = {};

    static constexpr bool is_typed = !std::is_void_v<Type>;
    /// Whether size and type stand side by side, so that one comparison looks at both.
    [[nodiscard]] constexpr bool is_paired() const noexcept {
        return std::is_same_v<Size, std::uint32_t> && std::is_same_v<Type, std::uint32_t> && at == 0 && type_at == 4 &&
               type <= std::numeric_limits<std::uint32_t>::max();
    }
};

/// How many bytes a block at `at` has in which all fields are: those bytes are there and paid for, and it is of its type. 0
/// where that is not so, or not sure; then nothing is paid.
template <const auto& Known>
[[nodiscard, gnu::always_inline]] inline std::uint64_t open_whole(auto& in, const std::byte* at) {
    using block = std::remove_cvref_t<decltype(Known)>;
    if constexpr (std::remove_cvref_t<decltype(in)>::explains) {
        return 0;
    }
    if (!in.has(at, Known.size)) [[unlikely]] {
        return 0;
    }
    std::uint64_t extent = Known.size;
    bool usual = false;
    if constexpr (Known.is_paired()) {
        // As most blocks are: one comparison tells size and type.
        using pair = std::array<std::uint32_t, 2>;
        constexpr auto wanted = std::bit_cast<std::uint64_t>(pair{Known.size, static_cast<std::uint32_t>(Known.type)});
        const pair head{in.template load<std::uint32_t>(at), in.template load<std::uint32_t>(at + 4)};
        usual = std::bit_cast<std::uint64_t>(head) == wanted;
    }
    if (!usual) {
        // Newer writers have more fields.
        extent = in.template load<typename block::size_type>(at + Known.at);
        bool typed = true;
        if constexpr (block::is_typed) {
            typed = in.template load<typename block::id_type>(at + Known.type_at) == Known.type;
        }
        if (!typed || extent < Known.size || !in.has(at, extent)) {
            return 0;
        }
    }
    return in.pays_for(1, extent + in.extra(surcharged(Known.size, Known.links))) ? extent : 0;
}

/// How many bytes a block at `at` has, which are there and paid for, and which is of its type; 0 where that is not so.
template <const auto& Known>
[[nodiscard, gnu::always_inline]] inline std::uint64_t open_block(auto& in, const std::byte* at) {
    using block = std::remove_cvref_t<decltype(Known)>;
    using Size = typename block::size_type;
    constexpr std::uint64_t links_cost = surcharged(Known.size, Known.links);
    if constexpr (Known.is_paired() && !std::remove_cvref_t<decltype(in)>::explains) {
        // As most blocks are: one comparison tells size and type.
        using pair = std::array<std::uint32_t, 2>;
        constexpr auto usual = std::bit_cast<std::uint64_t>(pair{Known.size, static_cast<std::uint32_t>(Known.type)});
        const auto said = [&in, at] {
            const pair head{in.template load<std::uint32_t>(at), in.template load<std::uint32_t>(at + 4)};
            return std::bit_cast<std::uint64_t>(head);
        };
        if (in.has(at, Known.size) && said() == usual) [[likely]] {
            return in.pay(Known.size + in.extra(links_cost), at) ? Known.size : 0;
        }
    }
    if (!in.need(at, Known.head)) {
        return 0;
    }
    const std::uint64_t extent = in.template load<Size>(at + Known.at);
    if (extent < Known.head) {
        in.fail(code::bad_value, at + Known.at);
        return 0;
    }
    if (!in.need_run(at, extent, Known.cuts)) {
        return 0;
    }
    // The charge for its bytes and the fields that it lacks, and for its links.
    const bool is_short = extent < Known.size;
    const std::uint64_t lacking = is_short ? lacks<0, 0>::beyond(Known.short_of, extent) : 0;
    const std::uint64_t cost = is_short ? surcharged(extent, Known.links) : links_cost;
    if (!in.pay(extent + lacking + in.extra(cost), at)) {
        return 0;
    }
    if constexpr (block::is_typed) {
        if (in.template load<typename block::id_type>(at + Known.type_at) != Known.type) [[unlikely]] {
            in.fail_type(at + Known.type_at);
            return 0;
        }
    }
    return extent;
}

}  // namespace aldis
