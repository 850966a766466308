// Value types that C++ has none of its own for.
#pragma once

#include <array>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "flags.hpp"
#include "owned.hpp"

namespace aldis {

/// The 16 octets of a UUID in the order of its text.
struct uuid {
    std::array<std::uint8_t, 16> octets{};

    auto operator<=>(const uuid&) const = default;
};

namespace detail {

/// The characters that the text of a UUID or decimal has at most, also of a decimal whose scale is too large.
inline constexpr std::size_t longest_text = 288;

/// Writes the text of a UUID so that it ends at `end`; gives where it begins.
inline char* text_before(char* end, const uuid& value) noexcept {
    constexpr char digits[] = "0123456789abcdef";
    char* const start = end - 36;
    char* at = start;
    for (std::size_t index = 0; index < 16; ++index) {
        if (index == 4 || index == 6 || index == 8 || index == 10) {
            *at++ = '-';
        }
        *at++ = digits[value.octets[index] >> 4];
        *at++ = digits[value.octets[index] & 15];
    }
    return start;
}

}  // namespace detail

/// The 36 characters, lower case: `123e4567-e89b-12d3-a456-426655440000`.
inline std::string to_string(const uuid& value) {
    char text[36];
    detail::text_before(text + sizeof text, value);
    return {text, sizeof text};
}

namespace detail {

constexpr int hex_digit(char c) noexcept {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace detail

/// The UUID of 36 characters, in either case; nothing for any other text.
inline std::optional<uuid> parse_uuid(std::string_view text) noexcept {
    if (text.size() != 36) {
        return std::nullopt;
    }
    uuid value;
    std::size_t at = 0;
    for (std::size_t index = 0; index < 16; ++index) {
        if (index == 4 || index == 6 || index == 8 || index == 10) {
            if (text[at++] != '-') {
                return std::nullopt;
            }
        }
        const int high = detail::hex_digit(text[at]);
        const int low = detail::hex_digit(text[at + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        value.octets[index] = static_cast<std::uint8_t>(high * 16 + low);
        at += 2;
    }
    return value;
}

/// `±coefficient / 10^scale`: 96 bits of coefficient, a scale of 0 to 28. The scale is kept, so 1.10 is not `==` 1.1.
struct decimal {
    /// The coefficient, least significant word first.
    std::array<std::uint32_t, 3> coefficient{};
    std::uint8_t scale = 0;
    bool negative = false;

    static constexpr std::uint8_t max_scale = 28;

    bool operator==(const decimal&) const = default;

    [[nodiscard]] bool is_zero() const noexcept { return (coefficient[0] | coefficient[1] | coefficient[2]) == 0; }
};

namespace detail {

/// Divides in place and gives the remainder.
inline std::uint32_t divide(std::array<std::uint32_t, 3>& number, std::uint32_t by) noexcept {
    std::uint64_t rest = 0;
    for (std::size_t index = 3; index-- > 0;) {
        rest = rest << 32 | number[index];
        number[index] = static_cast<std::uint32_t>(rest / by);
        rest %= by;
    }
    return static_cast<std::uint32_t>(rest);
}

/// `number * 10 + digit`; false where that needs more than 96 bits.
inline bool push_digit(std::array<std::uint32_t, 3>& number, unsigned digit) noexcept {
    std::uint64_t carry = digit;
    for (std::uint32_t& word : number) {
        carry += std::uint64_t{word} * 10;
        word = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    return carry == 0;
}

/// The digits of a decimal, without sign and point, at least one more than its scale.
inline std::string digits_of(const decimal& value) {
    std::string digits;
    for (auto rest = value.coefficient; (rest[0] | rest[1] | rest[2]) != 0;) {
        digits.insert(digits.begin(), static_cast<char>('0' + divide(rest, 10)));
    }
    const std::size_t least = value.scale + std::size_t{1};
    return digits.size() < least ? std::string(least - digits.size(), '0') + digits : digits;
}

}  // namespace detail

namespace detail {

/// Writes the text of a decimal so that it ends at `end`; gives where it begins.
inline char* text_before(char* end, const decimal& value) noexcept {
    auto rest = value.coefficient;
    char* at = end;
    for (unsigned place = 0; place <= value.scale || (rest[0] | rest[1] | rest[2]) != 0; ++place) {
        if (place > 0 && place == value.scale) {
            *--at = '.';
        }
        *--at = static_cast<char>('0' + divide(rest, 10));
    }
    if (value.negative) {
        *--at = '-';
    }
    return at;
}

}  // namespace detail

/// Plain decimal text: `-12.340`.
inline std::string to_string(const decimal& value) {
    char text[detail::longest_text];
    char* const end = text + sizeof text;
    return {detail::text_before(end, value), end};
}

/// Reads a number of JSON's grammar; nothing where a decimal cannot hold it exactly.
inline std::optional<decimal> parse_decimal(std::string_view text) {
    decimal value;
    std::size_t at = 0;
    if (at < text.size() && text[at] == '-') {
        value.negative = true;
        ++at;
    }
    long long scale = 0;
    bool fraction = false;
    for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
        if (text[at] == '.') {
            fraction = true;
            continue;
        }
        if (!detail::push_digit(value.coefficient, static_cast<unsigned>(text[at] - '0'))) {
            return std::nullopt;
        }
        scale += fraction ? 1 : 0;
    }
    if (at < text.size()) {
        ++at;
        if (at < text.size() && text[at] == '+') {
            ++at;
        }
        int exponent = 0;
        const auto read = std::from_chars(text.data() + at, text.data() + text.size(), exponent);
        if (read.ec == std::errc::result_out_of_range) {
            exponent = text[at] == '-' ? -2'000'000'000 : 2'000'000'000;
        }
        scale -= exponent;
    }
    if (value.is_zero() && scale < 0) {
        scale = 0;
    }
    for (; scale < 0; ++scale) {
        if (!detail::push_digit(value.coefficient, 0)) {
            return std::nullopt;
        }
    }
    if (scale > decimal::max_scale) {
        return std::nullopt;
    }
    value.scale = static_cast<std::uint8_t>(scale);
    return value;
}

/// Reads the 16 bytes of a decimal; false where they are none.
inline bool load_decimal(const std::byte* at, decimal& value) noexcept {
    const auto byte = [at](std::size_t index) { return static_cast<std::uint8_t>(at[index]); };
    for (std::size_t word = 0; word < 3; ++word) {
        std::uint32_t bits = 0;
        for (std::size_t index = 4; index-- > 0;) {
            bits = bits << 8 | byte(word * 4 + index);
        }
        value.coefficient[word] = bits;
    }
    value.scale = byte(14);
    value.negative = byte(15) != 0;
    return byte(12) == 0 && byte(13) == 0 && value.scale <= decimal::max_scale && (byte(15) & 0x7F) == 0;
}

/// Whether 16 bytes are a decimal.
inline bool is_decimal(const std::byte* at) noexcept {
    decimal value;
    return load_decimal(at, value);
}

/// Writes the 16 bytes of a decimal.
inline void store_decimal(std::byte* at, const decimal& value) noexcept {
    for (std::size_t index = 0; index < 12; ++index) {
        at[index] = static_cast<std::byte>(value.coefficient[index / 4] >> (index % 4 * 8));
    }
    at[12] = std::byte{0};
    at[13] = std::byte{0};
    at[14] = static_cast<std::byte>(value.scale);
    at[15] = static_cast<std::byte>(value.negative ? 0x80 : 0);
}

/// An optional value on the heap: what a record that contains itself holds in the place of `std::optional`.
template <class T>
class box {
public:
    box() noexcept = default;
    box(std::nullopt_t) noexcept {}
    box(T value) : held_(new T(std::move(value))) {}
    box(const box& other) : held_(other.held_.copy()) {}
    box(box&&) noexcept = default;
    box& operator=(const box& other) {
        held_ = other.held_.copy();
        return *this;
    }
    box& operator=(box&&) noexcept = default;
    ~box() = default;

    [[nodiscard]] bool has_value() const noexcept { return held_ != nullptr; }
    explicit operator bool() const noexcept { return has_value(); }
    void reset() noexcept { held_.reset(); }
    T& emplace() {
        held_ = detail::owned<T>(new T());
        return *held_;
    }
    T& operator*() noexcept { return *held_; }
    const T& operator*() const noexcept { return *held_; }
    T* operator->() noexcept { return held_.get(); }
    const T* operator->() const noexcept { return held_.get(); }

    bool operator==(const box& other) const {
        return has_value() == other.has_value() && (!has_value() || *held_ == *other.held_);
    }

private:
    detail::owned<T> held_;
};

/// Whether a type is a box: what it holds takes memory of its own.
template <class Maybe>
inline constexpr bool is_boxed = false;
template <class T>
inline constexpr bool is_boxed<box<T>> = true;

/// The fields of a record that the schema requires and a message's bytes ended before. They are null in JSON, and the
/// record cannot be encoded. Empty for every record that is not read from such bytes.
template <std::size_t Fields>
class missing_set {
    /// No more bytes than there must be: a small record stays small.
    using word = std::conditional_t<
        (Fields <= 8), std::uint8_t,
        std::conditional_t<(Fields <= 16), std::uint16_t, std::conditional_t<(Fields <= 32), std::uint32_t, std::uint64_t>>>;
    static constexpr std::size_t bits = 8 * sizeof(word);

public:
    [[nodiscard]] bool any() const noexcept {
        // To compare arrays, g++ would call memcmp.
        std::uint64_t all = 0;
        for (const std::uint64_t part : words_) {
            all |= part;
        }
        return all != 0;
    }
    [[nodiscard]] bool has(std::size_t field) const noexcept { return (words_[field / bits] & mask(field)) != 0; }
    /// The first of them; only where there is any.
    [[nodiscard]] std::size_t first() const noexcept {
        std::size_t field = 0;
        while (field + 1 < Fields && !has(field)) {
            ++field;
        }
        return field;
    }
    void add(std::size_t field) noexcept {
        words_[field / bits] = static_cast<word>(words_[field / bits] | mask(field));
    }
    void remove(std::size_t field) noexcept {
        words_[field / bits] = static_cast<word>(words_[field / bits] & ~mask(field));
    }
    void clear() noexcept { words_ = {}; }

    bool operator==(const missing_set&) const = default;

private:
    static constexpr std::uint64_t mask(std::size_t field) noexcept { return std::uint64_t{1} << field % bits; }

    std::array<word, (Fields + bits - 1) / bits> words_{};
};

/// Empties what may be there, and makes what is not: the target of a read into memory that was used before.
template <class Maybe>
inline auto& present(Maybe& place) {
    return place.has_value() ? *place : place.emplace();
}

}  // namespace aldis
