// Text in UTF-8.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace aldis {

namespace detail {

/// Eight times the same byte.
constexpr std::uint64_t each_byte(std::uint64_t byte) noexcept { return byte * 0x0101'0101'0101'0101; }

}  // namespace detail

/// Bytes of the UTF-8 sequence at the start of `text`; 0 where there is none. (Unicode 15, table 3-7.)
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) noexcept {
    const auto byte = [text](std::size_t index) {
        return index < text.size() ? static_cast<unsigned char>(text[index]) : static_cast<unsigned char>(0);
    };
    const auto tail = [byte](std::size_t index) { return (byte(index) & 0xC0) == 0x80; };
    const unsigned first = byte(0);
    const unsigned second = byte(1);
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xC2 || first > 0xF4 || !tail(1)) {
        return 0;
    }
    if (first < 0xE0) {
        return 2;
    }
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || !tail(2)) {
        return 0;
    }
    if (first < 0xF0) {
        return 3;
    }
    return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) || !tail(3) ? 0 : 4;
}

/// Whether `text` is UTF-8: no surrogates, nothing overlong, nothing beyond U+10FFFF.
[[nodiscard, gnu::noinline]] constexpr bool is_utf8(std::string_view text) noexcept {
    while (!text.empty()) {
        if (!std::is_constant_evaluated()) {
            // Eight characters of ASCII at a time.
            std::uint64_t eight = 0;
            while (text.size() >= sizeof eight) {
                std::memcpy(&eight, text.data(), sizeof eight);
                if ((eight & detail::each_byte(0x80)) != 0) {
                    break;
                }
                text.remove_prefix(sizeof eight);
            }
            if (text.empty()) {
                return true;
            }
        }
        const std::size_t length = utf8_length(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace aldis
