// The bytes that frames are made of, and their numbers, which are little-endian.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "../bytes.hpp"

namespace aldis::transport {

using aldis::bytes_of;
using aldis::bytes_view;
using aldis::text_of;
using byte_vector = std::vector<std::byte>;

template <std::unsigned_integral T>
[[nodiscard]] inline T load(const std::byte* from) noexcept {
    return aldis::load<T, little>(from);
}

template <std::unsigned_integral T>
inline void store(std::byte* to, T value) noexcept {
    aldis::store<little>(to, value);
}

}  // namespace aldis::transport
