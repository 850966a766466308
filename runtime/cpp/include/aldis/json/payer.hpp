// How much memory values may take that are read from JSON.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../elements.hpp"
#include "../limits.hpp"
#include "tokens.hpp"

namespace aldis::json {

/// Tokens, and what may be taken for the values that they are read to.
class payer : public tokens {
public:
    explicit payer(std::string_view text) noexcept
        : tokens(text), memory_(aldis::detail::object_memory(text.size(), memory_factor)) {}

    /// Pays for memory before it is taken: an object has all of its members, whichever the text gives.
    bool take_memory(std::size_t size) {
        if (size > memory_) [[unlikely]] {
            return fail(code::too_large, at_);
        }
        memory_ -= size;
        return true;
    }

    /// Makes room for one more element.
    template <class T, class Memory>
    bool make_room(std::vector<T, Memory>& values) {
        constexpr std::size_t few = std::max<std::size_t>(64 / sizeof(T), 1);
        const std::size_t room = values.capacity();
        if (values.size() < room) {
            return true;
        }
        const std::size_t wanted = std::max(2 * room, few);
        // The old elements and the new ones are in memory at the same time.
        if (!take_memory(wanted * sizeof(T))) {
            return false;
        }
        aldis::detail::reserve(values, wanted);
        memory_ += room * sizeof(T);
        return true;
    }

    /// Pays for what an optional value takes outside of the record that has it, unless it is there already.
    template <class Maybe>
    bool take_held(const Maybe& place) {
        if constexpr (is_boxed<Maybe>) {
            return place.has_value() || take_memory(sizeof(*place));
        } else {
            return true;
        }
    }

private:
    /// Bytes of memory that objects may take for each byte of text; texts and names without a meaning take the rest.
    static constexpr std::uint64_t memory_factor = 52;

    std::uint64_t memory_;
};

}  // namespace aldis::json
