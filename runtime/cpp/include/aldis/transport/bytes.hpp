// Little-endian numbers in bytes, and the cursors that read and write them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace aldis::transport {

using Bytes = std::span<const std::byte>;
using Buffer = std::vector<std::byte>;

inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

inline std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <std::unsigned_integral T>
constexpr T load(const std::byte* from) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        value = static_cast<T>(value | (static_cast<T>(std::to_integer<T>(from[i])) << (8 * i)));
    }
    return value;
}

template <std::unsigned_integral T>
constexpr void store(std::byte* to, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        to[i] = static_cast<std::byte>(value >> (8 * i));
    }
}

}  // namespace aldis::transport
