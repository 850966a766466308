// The parts that readers and writers of JSON share: policies, base64, characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../utf8.hpp"

namespace aldis::json {

/// The ways in which the JSON of forms differs.
struct policy {
    /// Enums as names and flags as lists of names; numbers when false.
    bool names = false;
    /// NaN and infinities as strings; refused when false.
    bool non_finite = false;
    /// A key that is missing takes the field's default; when false only what may be null or empty may be missing.
    bool defaults = false;
    /// Integers of 64 bits are strings of digits; any integer is read from one.
    bool wide_text = false;
    /// Bytes are arrays of numbers; base64 text when false.
    bool byte_arrays = false;
    /// Null fields are left out, and read where they are; a float's null is NaN.
    bool omit_null = false;
    /// Keys that mean nothing are skipped; refused when false.
    bool skip_unknown = false;
    /// For people: hidden fields show `***`, text that is not in its encoding is shown as it is.
    bool printing = false;
};

namespace detail {

/// Appends a character of Unicode as UTF-8.
inline void append_character(std::string& out, std::uint32_t character) {
    const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (character < 0x80) {
        put(character);
    } else if (character < 0x800) {
        put(0xC0 | character >> 6);
        put(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        put(0xE0 | character >> 12);
        put(0x80 | (character >> 6 & 0x3F));
        put(0x80 | (character & 0x3F));
    } else {
        put(0xF0 | character >> 18);
        put(0x80 | (character >> 12 & 0x3F));
        put(0x80 | (character >> 6 & 0x3F));
        put(0x80 | (character & 0x3F));
    }
}

/// UTF-8 of text in which a byte is the character of the same number.
inline std::string from_latin1(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        append_character(out, static_cast<unsigned char>(c));
    }
    return out;
}

/// The other way, of valid UTF-8; nothing where a character is beyond U+00FF.
inline std::optional<std::string> to_latin1(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text[0]);
        if (length > 2 || (length == 2 && first > 0xC3)) {
            return std::nullopt;
        }
        out += length == 1 ? text[0] : static_cast<char>(first << 6 | (static_cast<unsigned char>(text[1]) & 0x3F));
        text.remove_prefix(length);
    }
    return out;
}

inline constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends bytes as base64 with padding. (RFC 4648, section 4.)
inline void append_base64(std::string& out, std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t index = 0; index < 3; ++index) {
            group = group << 8 | (at + index < bytes.size() ? static_cast<std::uint32_t>(bytes[at + index]) : 0);
        }
        const std::size_t digits = bytes.size() - at >= 3 ? 4 : bytes.size() - at + 1;
        for (std::size_t index = 0; index < 4; ++index) {
            out += index < digits ? base64_digits[group >> (18 - 6 * index) & 63] : '=';
        }
    }
}

/// The bytes of base64 with padding; nothing for any other text, also where the bits that pad are not zero.
inline std::optional<std::vector<std::byte>> parse_base64(std::string_view text) {
    if (text.size() % 4 != 0) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t at = 0; at < text.size(); at += 4) {
        const bool last = at + 4 == text.size();
        const std::size_t pads = !last || text[at + 3] != '=' ? 0 : text[at + 2] == '=' ? 2 : 1;
        std::uint32_t group = 0;
        for (std::size_t index = 0; index < 4; ++index) {
            const std::size_t digit = index < 4 - pads ? base64_digits.find(text[at + index]) : 0;
            if (digit == std::string_view::npos) {
                return std::nullopt;
            }
            group = group << 6 | static_cast<std::uint32_t>(digit);
        }
        if ((group & ((1U << 8 * pads) - 1)) != 0) {
            return std::nullopt;
        }
        for (std::size_t index = 0; index < 3 - pads; ++index) {
            bytes.push_back(static_cast<std::byte>(group >> (16 - 8 * index)));
        }
    }
    return bytes;
}

}  // namespace detail

/// A name and the number that it stands for.
template <class T>
struct named {
    std::string_view name;
    T value;
};

/// The first name of a value in a table; empty where it has none.
template <class Names, class T>
[[nodiscard]] constexpr std::string_view name_in(const Names& names, T value) noexcept {
    for (const auto& one : names) {
        if (one.value == value) {
            return one.name;
        }
    }
    return {};
}

}  // namespace aldis::json
